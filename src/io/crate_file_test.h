/// For tests: reads a crate file by the letter of its format [Pixar2016], written apart from the
/// writer. Whatever is out of place fails the test.
#pragma once

#include "io/crate_reader_test.h"

#include <stdio.h>

#define DEW_TEST_MAX_PATH 256

typedef struct dew_TestCrate {
    const uint8_t *bytes;
    size_t size;
    size_t section[6][2];  // begin and size of TOKENS STRINGS FIELDS FIELDSETS PATHS SPECS
    char *token_text;
    const char **tokens;
    size_t token_count;
    const uint8_t *strings;  // u32 each
    size_t string_count;
    uint32_t *field_names;
    uint64_t *field_values;
    size_t field_count;
    uint32_t *field_sets;
    size_t field_set_count;
    char (*paths)[DEW_TEST_MAX_PATH];
    size_t path_count;
    uint32_t *spec_paths, *spec_sets, *spec_types;
    size_t spec_count;
} dew_TestCrate;

static inline uint64_t dew_test_u64(const dew_TestCrate *c, size_t at)
{
    assert_true(at <= c->size && c->size - at >= 8);
    return dew_bytes_get(c->bytes + at, 8, false);
}

static inline uint32_t dew_test_u32(const dew_TestCrate *c, size_t at)
{
    assert_true(at <= c->size && c->size - at >= 4);
    return (uint32_t)dew_bytes_get(c->bytes + at, 4, false);
}

static inline void *dew_test_zeros(size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    assert_non_null(block);
    return block;
}

/// `count` packed integers behind their size at *at, which moves behind them.
static inline uint32_t *dew_test_integers(const dew_TestCrate *c, size_t *at, size_t count)
{
    uint32_t *out = (uint32_t *)dew_test_zeros(count, 4);
    size_t size = dew_test_u64(c, *at);
    assert_true(size <= c->size - *at - 8);
    dew_test_unpack_integers(c->bytes + *at + 8, size, out, count);
    *at += 8 + size;
    return out;
}

static inline void dew_test_read_sections(dew_TestCrate *c)
{
    static const char *const names[] = {"TOKENS",    "STRINGS", "FIELDS",
                                        "FIELDSETS", "PATHS",   "SPECS"};
    assert_true(c->size > 88);
    assert_memory_equal(c->bytes, "PXR-USDC\0\10\0\0\0\0\0\0", 16);
    for (size_t i = 24; i < 88; i++)
        assert_int_equal(c->bytes[i], 0);
    size_t at = dew_test_u64(c, 16), end = at;
    assert_int_equal(dew_test_u64(c, at), 6);
    assert_int_equal(at + 8 + 6 * 32, c->size);  // the list comes last
    for (size_t i = 0; i < 6; i++) {
        const uint8_t *entry = c->bytes + at + 8 + 32 * i;
        assert_string_equal((const char *)entry, names[i]);
        c->section[i][0] = dew_bytes_get(entry + 16, 8, false);
        c->section[i][1] = dew_bytes_get(entry + 24, 8, false);
        if (i > 0)  // one behind the other
            assert_int_equal(c->section[i][0], c->section[i - 1][0] + c->section[i - 1][1]);
    }
    assert_int_equal(c->section[5][0] + c->section[5][1], end);
}

static inline void dew_test_read_tokens(dew_TestCrate *c)
{
    size_t at = c->section[0][0];
    c->token_count = dew_test_u64(c, at);
    size_t raw = dew_test_u64(c, at + 8), packed = dew_test_u64(c, at + 16);
    assert_int_equal(24 + packed, c->section[0][1]);
    c->token_text = (char *)dew_test_zeros(raw, 1);
    assert_int_equal(dew_test_unpack(c->bytes + at + 24, packed, (uint8_t *)c->token_text, raw),
                     raw);
    c->tokens = (const char **)dew_test_zeros(c->token_count, sizeof *c->tokens);
    size_t used = 0;
    for (size_t i = 0; i < c->token_count; i++) {
        assert_true(used < raw);
        c->tokens[i] = c->token_text + used;
        used += strlen(c->tokens[i]) + 1;
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(c->tokens[i], c->tokens[k]);
    }
    assert_int_equal(used, raw);
    c->string_count = dew_test_u64(c, c->section[1][0]);
    c->strings = c->bytes + c->section[1][0] + 8;
    assert_int_equal(8 + 4 * c->string_count, c->section[1][1]);
}

static inline void dew_test_read_fields(dew_TestCrate *c)
{
    size_t at = c->section[2][0];
    c->field_count = dew_test_u64(c, at);
    at += 8;
    c->field_names = dew_test_integers(c, &at, c->field_count);
    size_t packed = dew_test_u64(c, at), raw = 8 * c->field_count;
    assert_int_equal(at + 8 + packed, c->section[2][0] + c->section[2][1]);
    c->field_values = (uint64_t *)dew_test_zeros(c->field_count, 8);
    assert_int_equal(dew_test_unpack(c->bytes + at + 8, packed, (uint8_t *)c->field_values, raw),
                     raw);
    for (size_t i = 0; i < c->field_count; i++)
        assert_true(c->field_names[i] < c->token_count);
    at = c->section[3][0];
    c->field_set_count = dew_test_u64(c, at);
    at += 8;
    c->field_sets = dew_test_integers(c, &at, c->field_set_count);
    assert_int_equal(at, c->section[3][0] + c->section[3][1]);
    assert_true(c->field_set_count > 0 && c->field_sets[c->field_set_count - 1] == UINT32_MAX);
    for (size_t i = 0; i < c->field_set_count; i++)
        assert_true(c->field_sets[i] == UINT32_MAX || c->field_sets[i] < c->field_count);
}

typedef struct dew_TestPathTree {
    uint32_t *numbers, *names, *jumps;
    size_t count, used;
} dew_TestPathTree;

/// The siblings from i on, below `parent`; returns the number behind their subtrees.
static inline size_t dew_test_build_paths(dew_TestCrate *c, dew_TestPathTree *tree, size_t i,
                                          const char *parent)
{
    for (;;) {
        assert_true(i < tree->count);
        int32_t name = (int32_t)tree->names[i], jump = (int32_t)tree->jumps[i];
        uint32_t number = tree->numbers[i];
        size_t token = (size_t)(name < 0 ? -(int64_t)name : name);
        assert_true(number < c->path_count && token < c->token_count && jump >= -2);
        char *path = c->paths[number];
        assert_int_equal(path[0], 0);  // each number once
        int length = !*parent ? snprintf(path, DEW_TEST_MAX_PATH, "/")
                              : snprintf(path, DEW_TEST_MAX_PATH, "%s%s%s",
                                         strcmp(parent, "/") == 0 ? "" : parent,
                                         name < 0 ? "." : "/", c->tokens[token]);
        assert_true(length > 0 && length < DEW_TEST_MAX_PATH);
        tree->used++;
        size_t next = i + 1;
        if (jump > 0 || jump == -1)
            next = dew_test_build_paths(c, tree, next, path);
        if (jump > 0)
            assert_int_equal(next, i + (size_t)jump);
        if (jump < 0)  // no sibling
            return next;
        i = next;
    }
}

static inline void dew_test_read_specs(dew_TestCrate *c)
{
    size_t at = c->section[4][0];
    dew_TestPathTree tree = {0};
    c->path_count = dew_test_u64(c, at);
    tree.count = dew_test_u64(c, at + 8);
    at += 16;
    c->paths = (char(*)[DEW_TEST_MAX_PATH])dew_test_zeros(c->path_count, DEW_TEST_MAX_PATH);
    tree.numbers = dew_test_integers(c, &at, tree.count);
    tree.names = dew_test_integers(c, &at, tree.count);
    tree.jumps = dew_test_integers(c, &at, tree.count);
    assert_int_equal(at, c->section[4][0] + c->section[4][1]);
    assert_int_equal(dew_test_build_paths(c, &tree, 0, ""), tree.count);
    assert_int_equal(tree.used, c->path_count);
    free(tree.numbers);
    free(tree.names);
    free(tree.jumps);
    at = c->section[5][0];
    c->spec_count = dew_test_u64(c, at);
    at += 8;
    c->spec_paths = dew_test_integers(c, &at, c->spec_count);
    c->spec_sets = dew_test_integers(c, &at, c->spec_count);
    c->spec_types = dew_test_integers(c, &at, c->spec_count);
    assert_int_equal(at, c->section[5][0] + c->section[5][1]);
    for (size_t i = 0; i < c->spec_count; i++) {
        assert_true(c->spec_paths[i] < c->path_count && c->spec_sets[i] < c->field_set_count);
        assert_true(c->spec_sets[i] == 0 || c->field_sets[c->spec_sets[i] - 1] == UINT32_MAX);
    }
}

static inline void dew_test_crate_open(dew_TestCrate *c, const void *bytes, size_t size)
{
    *c = (dew_TestCrate){.bytes = (const uint8_t *)bytes, .size = size};
    dew_test_read_sections(c);
    dew_test_read_tokens(c);
    dew_test_read_fields(c);
    dew_test_read_specs(c);
}

static inline void dew_test_crate_close(dew_TestCrate *c)
{
    free(c->token_text);
    free(c->tokens);
    free(c->field_names);
    free(c->field_values);
    free(c->field_sets);
    free(c->paths);
    free(c->spec_paths);
    free(c->spec_sets);
    free(c->spec_types);
}

// ---- what a file says --------------------------------------------------------------------------

static inline int dew_test_spec(const dew_TestCrate *c, const char *path)
{
    for (size_t i = 0; i < c->spec_count; i++)
        if (strcmp(c->paths[c->spec_paths[i]], path) == 0)
            return (int)i;
    return -1;
}

/// The value of a field of a spec; false: it has none.
static inline bool dew_test_field_value(const dew_TestCrate *c, const char *path, const char *field,
                                        uint64_t *value)
{
    int spec = dew_test_spec(c, path);
    if (spec < 0)
        fail_msg("no spec %s", path);
    for (size_t i = c->spec_sets[spec]; c->field_sets[i] != UINT32_MAX; i++) {
        uint32_t n = c->field_sets[i];
        if (strcmp(c->tokens[c->field_names[n]], field) == 0) {
            *value = c->field_values[n];
            return true;
        }
    }
    return false;
}

static inline uint64_t dew_test_value(const dew_TestCrate *c, const char *path, const char *field,
                                      int type)
{
    uint64_t value = 0;
    if (!dew_test_field_value(c, path, field, &value))
        fail_msg("%s has no %s", path, field);
    assert_int_equal(value >> 48 & 0xff, type);
    return value;
}

static inline size_t dew_test_payload(uint64_t value)
{
    return value & (((uint64_t)1 << 48) - 1);
}

static inline const char *dew_test_token(const dew_TestCrate *c, const char *path,
                                         const char *field)
{
    uint64_t value = dew_test_value(c, path, field, 11);
    assert_true((value >> 62) == 1 && dew_test_payload(value) < c->token_count);
    return c->tokens[dew_test_payload(value)];
}

static inline const char *dew_test_string(const dew_TestCrate *c, const char *path,
                                          const char *field)
{
    size_t n = dew_test_payload(dew_test_value(c, path, field, 10));
    assert_true(n < c->string_count);
    return c->tokens[dew_bytes_get(c->strings + 4 * n, 4, false)];
}

static inline double dew_test_double(const dew_TestCrate *c, const char *path, const char *field)
{
    double x;
    size_t at = dew_test_payload(dew_test_value(c, path, field, 9));
    dew_test_u64(c, at);
    memcpy(&x, c->bytes + at, sizeof x);
    return x;
}

static inline float dew_test_float(const dew_TestCrate *c, const char *path)
{
    float x;
    uint64_t value = dew_test_value(c, path, "default", 8);
    assert_int_equal(value >> 62, 1);
    memcpy(&x, &value, sizeof x);
    return x;
}

/// The numbers of elements of an array; 0 payload: empty.
static inline size_t dew_test_count(const dew_TestCrate *c, uint64_t value)
{
    assert_true(value >> 63);
    size_t at = dew_test_payload(value);
    return at == 0 ? 0 : dew_test_u64(c, at);
}

/// Raw values of an array or (count 0 stated) of a single value, at a multiple of 8.
static inline const float *dew_test_floats(const dew_TestCrate *c, uint64_t value, int type)
{
    size_t at = dew_test_payload(value);
    assert_int_equal(value >> 48 & 0xff, type);
    assert_int_equal(at % 8, 0);
    assert_true(at > 0 && at < c->section[0][0]);
    return (const float *)(const void *)(c->bytes + at + (value >> 63 ? 8 : 0));
}

/// Integers of an array, packed or raw; to be freed.
static inline uint32_t *dew_test_ints(const dew_TestCrate *c, uint64_t value)
{
    size_t count = dew_test_count(c, value), at = dew_test_payload(value) + 8;
    assert_int_equal(value >> 48 & 0xff, 3);
    if (value >> 61 & 1)
        return dew_test_integers(c, &at, count);
    uint32_t *out = (uint32_t *)dew_test_zeros(count, 4);
    for (size_t i = 0; i < count; i++)
        out[i] = dew_test_u32(c, at + 4 * i);
    return out;
}

typedef struct dew_TestSamples {
    size_t count;
    double times[64];
    uint64_t values[64];
} dew_TestSamples;

static inline dew_TestSamples dew_test_samples(const dew_TestCrate *c, const char *path)
{
    dew_TestSamples s = {0};
    size_t at = dew_test_payload(dew_test_value(c, path, "timeSamples", 46));
    at += dew_test_u64(c, at);  // distance to the times' value
    uint64_t times = dew_test_u64(c, at);
    at += 8;
    at += dew_test_u64(c, at);
    s.count = dew_test_u64(c, at);
    assert_true(s.count > 0 && s.count <= 64);
    assert_int_equal(times >> 48, 48);
    assert_int_equal(dew_test_u64(c, dew_test_payload(times)), s.count);
    for (size_t i = 0; i < s.count; i++) {
        uint64_t bits = dew_test_u64(c, dew_test_payload(times) + 8 + 8 * i);
        memcpy(&s.times[i], &bits, 8);
        s.values[i] = dew_test_u64(c, at + 8 + 8 * i);
        if (i > 0)
            assert_true(s.times[i] > s.times[i - 1]);
    }
    return s;
}
