// Sections: what is written is read back, and nothing that is damaged is.
#include "world/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "base/testing.h"

typedef struct Bytes {
    uint8_t *data;
    size_t size;
} Bytes;

static void put(void *context, const void *data, size_t size)
{
    Bytes *bytes = context;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static const double numbers[6] = {1, -0.0, 3e300, 4, 5, 6};
static const uint8_t letters[5] = {'a', 'b', 'c', 'd', 'e'};

static void write_all(dew_SectionWriter *writer)
{
    dew_sections_add(writer, "numbers", DEW_FIELD_F64, 3, numbers, 2);
    dew_sections_add(writer, "letters", DEW_FIELD_U8, 1, letters, 5);
    dew_sections_add(writer, "nothing", DEW_FIELD_I32, 4, NULL, 0);
}

static Bytes make_bytes(void)
{
    dew_SectionWriter counter = dew_sections_counter();
    write_all(&counter);
    Bytes bytes = {malloc((size_t)counter.size_bytes), 0};
    assert_non_null(bytes.data);
    dew_SectionWriter writer = dew_sections_begin(&counter, 42, "rigid", put, &bytes);
    write_all(&writer);
    assert_int_equal(bytes.size, counter.size_bytes);
    return bytes;
}

static void written_is_read(void **state)
{
    (void)state;
    Bytes bytes = make_bytes();
    dew_SectionReader reader;
    dew_Section section;
    double back[6];
    assert_int_equal(dew_sections_open(&reader, bytes.data, bytes.size).code, DEW_OK);
    assert_int_equal(reader.scene_hash, 42);
    assert_string_equal(reader.solver, "rigid");
    assert_int_equal(dew_sections_copy(&reader, "numbers", DEW_FIELD_F64, 3, 2, back).code, DEW_OK);
    assert_memory_equal(back, numbers, sizeof back);
    assert_int_equal(dew_sections_get(&reader, "letters", DEW_FIELD_U8, 1, -1, &section).code,
                     DEW_OK);
    assert_int_equal(section.count, 5);
    assert_memory_equal(section.data, letters, 5);
    assert_true(dew_sections_find(&reader, "nothing", &section));
    assert_int_equal(section.count, 0);
    free(bytes.data);
}

static void wrong_questions_are_refused(void **state)
{
    (void)state;
    Bytes bytes = make_bytes();
    dew_SectionReader reader;
    dew_Section section;
    assert_int_equal(dew_sections_open(&reader, bytes.data, bytes.size).code, DEW_OK);
    assert_int_equal(dew_sections_get(&reader, "none", DEW_FIELD_U8, 1, -1, &section).code,
                     DEW_CORRUPT);
    assert_int_equal(dew_sections_get(&reader, "letters", DEW_FIELD_F64, 1, -1, &section).code,
                     DEW_CORRUPT);
    assert_int_equal(dew_sections_get(&reader, "letters", DEW_FIELD_U8, 2, -1, &section).code,
                     DEW_CORRUPT);
    assert_int_equal(dew_sections_get(&reader, "letters", DEW_FIELD_U8, 1, 4, &section).code,
                     DEW_CORRUPT);
    free(bytes.data);
}

static void every_flipped_bit_is_detected(void **state)
{
    (void)state;
    Bytes bytes = make_bytes();
    dew_SectionReader reader;
    for (size_t bit = 0; bit < 8 * bytes.size; bit++) {
        bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(dew_sections_open(&reader, bytes.data, bytes.size).code, DEW_CORRUPT);
        bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_int_equal(dew_sections_open(&reader, bytes.data, bytes.size).code, DEW_OK);
    free(bytes.data);
}

static void every_truncation_is_detected(void **state)
{
    (void)state;
    Bytes bytes = make_bytes();
    dew_SectionReader reader;
    for (size_t size = 0; size < bytes.size; size++) {
        uint8_t *cut = malloc(size ? size : 1);  // of its own, so that a sanitizer sees an overrun
        assert_non_null(cut);
        memcpy(cut, bytes.data, size);
        assert_int_equal(dew_sections_open(&reader, cut, size).code, DEW_CORRUPT);
        free(cut);
    }
    free(bytes.data);
}

static void additional_bytes_are_detected(void **state)
{
    (void)state;
    Bytes bytes = make_bytes();
    dew_SectionReader reader;
    uint8_t *more = calloc(1, bytes.size + 64);
    assert_non_null(more);
    memcpy(more, bytes.data, bytes.size);
    assert_int_equal(dew_sections_open(&reader, more, bytes.size + 64).code, DEW_CORRUPT);
    free(more);
    free(bytes.data);
}

/// Puts right checksums on a head and the section behind it, as a malicious writer would.
static void reseal(uint8_t *data, size_t size)
{
    uint64_t zero = 0, hash;
    memcpy(data + 56, &zero, 8);
    hash = dew_hash(data, 64, 0);
    memcpy(data + 56, &hash, 8);
    if (size < 128)
        return;
    memcpy(data + 64 + 48, &zero, 8);
    hash = dew_hash(data + 64, 64, 0);
    hash = dew_hash(data + 128, size - 128, hash);
    hash = dew_hash(data + size, 0, hash);
    memcpy(data + 64 + 48, &hash, 8);
}

// Right checksums do not make a lie true: counts that overflow, unknown types, wrong lengths.
static void lies_with_right_checksums_are_refused(void **state)
{
    (void)state;
    static const uint64_t counts[] = {3, UINT64_MAX, UINT64_MAX / 8, (uint64_t)1 << 61, 1u << 31};
    dew_SectionReader reader;
    dew_SectionWriter counter = dew_sections_counter();
    dew_sections_add(&counter, "x", DEW_FIELD_F64, 1, numbers, 2);
    uint8_t data[256];
    Bytes bytes = {data, 0};
    dew_SectionWriter writer = dew_sections_begin(&counter, 42, "rigid", put, &bytes);
    dew_sections_add(&writer, "x", DEW_FIELD_F64, 1, numbers, 2);
    reseal(data, bytes.size);
    assert_int_equal(dew_sections_open(&reader, data, bytes.size).code, DEW_OK);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        memcpy(data + 64 + 40, &counts[i], 8);
        reseal(data, bytes.size);
        assert_int_equal(dew_sections_open(&reader, data, bytes.size).code, DEW_CORRUPT);
    }
    uint64_t two = 2;
    memcpy(data + 64 + 40, &two, 8);
    static const uint32_t types[][2] = {{7, 1}, {UINT32_MAX, 1}, {0, 0}, {0, UINT32_MAX}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        memcpy(data + 64 + 32, types[i], 8);
        reseal(data, bytes.size);
        assert_int_equal(dew_sections_open(&reader, data, bytes.size).code, DEW_CORRUPT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_is_read),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(every_flipped_bit_is_detected),
        cmocka_unit_test(every_truncation_is_detected),
        cmocka_unit_test(additional_bytes_are_detected),
        cmocka_unit_test(lies_with_right_checksums_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
