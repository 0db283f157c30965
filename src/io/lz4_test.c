// Blocks decode to what they were made from, keep the format's rules for their ends, and are short
// where the data repeat.
#include "io/lz4.h"

#include "base/random.h"
#include "io/crate_reader_test.h"

static size_t expect_back(const uint8_t *data, size_t size)
{
    dew_Array block, again;
    size_t bound = size + size / 255 + 16;
    uint8_t *back = (uint8_t *)malloc(size + 1);
    assert_non_null(back);
    dew_array_init(&block, NULL, 1);
    dew_array_init(&again, NULL, 1);
    assert_ok(dew_array_push(&block, "#"));  // what is there stays
    assert_ok(dew_lz4_compress(data, size, &block));
    assert_ok(dew_lz4_compress(data, size, &again));
    size_t length = (size_t)block.count - 1;
    assert_true(length <= bound);
    assert_int_equal(DEW_ITEMS(&block, char)[0], '#');
    assert_int_equal(again.count, length);
    assert_memory_equal(again.data, DEW_ITEMS(&block, uint8_t) + 1, length);
    assert_int_equal(dew_test_lz4_decode(DEW_ITEMS(&block, uint8_t) + 1, length, back, size), size);
    if (size > 0)
        assert_memory_equal(back, data, size);
    dew_array_deinit(&block);
    dew_array_deinit(&again);
    free(back);
    return length;
}

// Every length about the rules for the last bytes, of data that repeat in every period.
static void short_blocks_come_back(void **state)
{
    (void)state;
    uint8_t data[80];
    for (size_t period = 1; period <= 20; period++) {
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (uint8_t)(i % period);
        for (size_t size = 0; size <= sizeof data; size++)
            expect_back(data, size);
    }
}

// Lengths of literals and matches about the limits of their codes: 15, 15 + 255, ...
static void long_lengths_come_back(void **state)
{
    (void)state;
    static const size_t lengths[] = {14, 15, 16, 269, 270, 271, 524, 525, 526, 1000};
    static uint8_t data[8192];
    dew_Random random = dew_random(1, 2, 3);
    for (size_t a = 0; a < 10; a++) {
        for (size_t b = 0; b < 10; b++) {
            size_t size = 0;
            for (size_t i = 0; i < lengths[a]; i++)
                data[size++] = (uint8_t)dew_random_u32(&random);
            for (size_t i = 0; i < lengths[b] + 4; i++, size++)
                data[size] = data[size - lengths[a] + (i % 5)];
            for (size_t i = 0; i < lengths[a]; i++, size++)
                data[size] = data[i];
            expect_back(data, size + 5);
        }
    }
}

// Matches at and beyond the largest distance.
static void far_repeats_come_back(void **state)
{
    (void)state;
    enum { SIZE = 200000 };
    uint8_t *data = (uint8_t *)malloc(SIZE);
    assert_non_null(data);
    dew_Random random = dew_random(7, 8, 9);
    for (size_t distance = 65533; distance <= 65538; distance++) {
        for (size_t i = 0; i < SIZE; i++)
            data[i] = i < distance ? (uint8_t)dew_random_u32(&random) : data[i - distance];
        size_t length = expect_back(data, SIZE);
        assert_true(distance <= 65535 ? length < 68000 : length >= SIZE);
    }
    free(data);
}

static void sizes(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    uint8_t *data = (uint8_t *)calloc(SIZE, 1);
    assert_non_null(data);
    assert_true(expect_back(data, SIZE) <= SIZE / 255 + 32);
    dew_Random random = dew_random(4, 5, 6);
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (uint8_t)dew_random_u32(&random);
    expect_back(data, SIZE);           // within the bound
    for (size_t i = 0; i < SIZE; i++)  // few values: matches of all lengths
        data[i] = (uint8_t)(dew_random_u32(&random) % (1 + i / (SIZE / 4)));
    expect_back(data, SIZE);
    free(data);
}

static dew_Status compress_all(void *context, const dew_Allocator *allocator)
{
    (void)context;
    dew_Array block;
    dew_array_init(&block, allocator, 1);
    dew_Status status = dew_lz4_compress("abcabcabcabcabcabcabcabc", 24, &block);
    dew_array_deinit(&block);
    return status;
}

static void lack_of_memory(void **state)
{
    (void)state;
    assert_survives_lack_of_memory(compress_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_blocks_come_back), cmocka_unit_test(long_lengths_come_back),
        cmocka_unit_test(far_repeats_come_back),  cmocka_unit_test(sizes),
        cmocka_unit_test(lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
