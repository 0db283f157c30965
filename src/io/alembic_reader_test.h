/// For tests: reads Alembic files by their structure, and checks whatever can be checked: that all
/// lies within the file, that keys fit the samples, that headers end where they should.
///
/// Independent of the writer but for the hash functions, which have tests of their own.
#pragma once

#include "base/testing.h"
#include "io/murmur3.h"

#include <string.h>

typedef struct dew_AbcFile {
    const uint8_t *data;
    size_t size;
    uint64_t root[6];
    char numbered[256][256];  // metadata; 0 is empty
} dew_AbcFile;

typedef struct dew_AbcProperty {
    uint64_t group;
    int kind;  // 0 compound, 1 scalar, 2 array
    int type, extent, sampling;
    int64_t count, first_change, last_change;
    bool has_equal_sizes, is_constant;
    char metadata[256];
} dew_AbcProperty;

static inline uint64_t dew_abc_number(const uint8_t *at, size_t size)
{
    uint64_t x = 0;
    for (size_t i = size; i > 0; i--)
        x = x << 8 | at[i - 1];
    return x;
}

static inline uint64_t dew_abc_word(const dew_AbcFile *file, uint64_t at)
{
    assert_true(at >= 8 && at + 8 <= file->size);
    return dew_abc_number(file->data + at, 8);
}

static inline const uint8_t *dew_abc_block(const dew_AbcFile *file, uint64_t reference,
                                           size_t *size)
{
    assert_true(reference >> 63 == 1);
    uint64_t at = reference & (UINT64_MAX >> 1);
    *size = 0;
    if (at == 0)
        return NULL;
    *size = dew_abc_word(file, at);
    assert_true(*size > 0 && *size <= file->size - at - 8);
    return file->data + at + 8;
}

static inline uint64_t dew_abc_child_count(const dew_AbcFile *file, uint64_t group)
{
    assert_true(group >> 63 == 0);
    if (group == 0)
        return 0;
    uint64_t count = dew_abc_word(file, group);
    assert_true(count > 0 && count <= (file->size - group - 8) / 8);
    return count;
}

static inline uint64_t dew_abc_child(const dew_AbcFile *file, uint64_t group, uint64_t index)
{
    assert_true(index < dew_abc_child_count(file, group));
    return dew_abc_word(file, group + 8 + 8 * index);
}

static inline dew_AbcFile dew_abc_open(const void *data, size_t size)
{
    dew_AbcFile file = {.data = (const uint8_t *)data, .size = size};
    assert_true(size > 16);
    assert_memory_equal(data, "Ogawa\xff\0\1", 8);
    uint64_t root = dew_abc_number(file.data + 8, 8);
    assert_int_equal(dew_abc_child_count(&file, root), 6);
    for (uint64_t i = 0; i < 6; i++)
        file.root[i] = dew_abc_child(&file, root, i);
    size_t left, number = 0;
    const uint8_t *at = dew_abc_block(&file, file.root[5], &left);
    while (left > 0) {
        size_t length = *at;
        assert_true(length < left);
        memcpy(file.numbered[++number], at + 1, length);
        at += length + 1;
        left -= length + 1;
    }
    return file;
}

static inline const uint8_t *dew_abc_headers(const dew_AbcFile *file, uint64_t group, size_t *size)
{
    *size = 0;
    if (group == 0)
        return NULL;
    return dew_abc_block(file, dew_abc_child(file, group, dew_abc_child_count(file, group) - 1),
                         size);
}

/// The object below `parent`, which the test needs.
static inline uint64_t dew_abc_find_object(const dew_AbcFile *file, uint64_t parent,
                                           const char *name, char metadata[256])
{
    size_t left;
    const uint8_t *at = dew_abc_headers(file, parent, &left);
    for (uint64_t index = 1; left > 32; index++) {
        size_t length = dew_abc_number(at, 4);
        assert_true(length > 0 && length + 5 <= left - 32);
        bool is_it = strlen(name) == length && memcmp(name, at + 4, length) == 0;
        assert_true(at[4 + length] < 255);
        memcpy(metadata, file->numbered[at[4 + length]], 256);
        if (is_it)
            return dew_abc_child(file, parent, index);
        at += length + 5;
        left -= length + 5;
    }
    fail_msg("no object is called %s", name);
    return 0;
}

/// Reads a header; returns its bytes.
static inline size_t dew_abc_parse_property(const dew_AbcFile *file, const uint8_t *at,
                                            dew_AbcProperty *property, char name[256])
{
    const uint8_t *begin = at;
    uint32_t bits = (uint32_t)dew_abc_number(at, 4);
    size_t size = (size_t)1 << (bits >> 2 & 3);
    *property = (dew_AbcProperty){.kind = bits & 3 ? (bits & 3 ? (bits & 2 ? 2 : 1) : 0) : 0};
    at += 4;
    if (property->kind != 0) {
        property->type = bits >> 4 & 15;
        property->extent = bits >> 12 & 255;
        property->has_equal_sizes = (bits >> 10 & 1) != 0;
        property->is_constant = (bits >> 11 & 1) != 0;
        property->count = (int64_t)dew_abc_number(at, size);
        at += size;
        property->first_change = property->is_constant ? 0 : 1;
        property->last_change = property->is_constant ? 0 : property->count - 1;
        if (bits >> 9 & 1) {
            property->first_change = (int64_t)dew_abc_number(at, size);
            property->last_change = (int64_t)dew_abc_number(at + size, size);
            at += 2 * size;
        }
        if (bits >> 8 & 1) {
            property->sampling = (int)dew_abc_number(at, size);
            at += size;
        }
    }
    size_t length = dew_abc_number(at, size);
    assert_true(length > 0 && length < 256);
    memcpy(name, at + size, length);
    name[length] = '\0';
    assert_true(bits >> 20 < 255);
    memcpy(property->metadata, file->numbered[bits >> 20], 256);
    return (size_t)(at + size + length - begin);
}

/// The property of a compound, which the test needs unless `may_miss`.
static inline bool dew_abc_find_property(const dew_AbcFile *file, uint64_t compound,
                                         const char *wanted, bool may_miss,
                                         dew_AbcProperty *property)
{
    size_t left;
    const uint8_t *at = dew_abc_headers(file, compound, &left);
    for (uint64_t index = 0; left > 0; index++) {
        char name[256];
        size_t used = dew_abc_parse_property(file, at, property, name);
        assert_true(used <= left);
        property->group = dew_abc_child(file, compound, index);
        if (strcmp(name, wanted) == 0)
            return true;
        at += used;
        left -= used;
    }
    if (!may_miss)
        fail_msg("no property is called %s", wanted);
    return false;
}

/// The sample's bytes without their key, which is checked.
static inline const uint8_t *dew_abc_read_sample(const dew_AbcFile *file,
                                                 const dew_AbcProperty *property, int64_t index,
                                                 size_t *size)
{
    int64_t stored = 0;
    assert_true(index < property->count);
    if (index >= property->first_change && property->last_change > 0)
        stored = (index < property->last_change ? index : property->last_change) -
                 property->first_change + 1;
    uint64_t child = (uint64_t)stored * (property->kind == 2 ? 2 : 1);
    const uint8_t *block = dew_abc_block(file, dew_abc_child(file, property->group, child), size);
    if (property->kind == 2)
        assert_true(dew_abc_child(file, property->group, child + 1) == (uint64_t)1 << 63);
    if (!block)
        return NULL;
    assert_true(*size > 16);
    *size -= 16;
    uint64_t digest[2];
    dew_murmur3(block + 16, *size, digest);
    assert_true(dew_abc_number(block, 8) == digest[0] && dew_abc_number(block + 8, 8) == digest[1]);
    return block + 16;
}
