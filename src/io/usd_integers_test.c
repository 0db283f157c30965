// Integers come back whatever they are; indices of triangles become short.
#include "io/usd_integers.h"

#include "base/random.h"
#include "io/crate_reader_test.h"

static size_t expect_back(const uint32_t *x, size_t count)
{
    dew_Array scratch, packed;
    uint32_t *back = (uint32_t *)calloc(count + 1, sizeof *back);
    assert_non_null(back);
    dew_array_init(&scratch, NULL, 1);
    dew_array_init(&packed, NULL, 1);
    assert_ok(dew_usd_pack_integers(x, (int64_t)count, &scratch, &packed));
    dew_test_unpack_integers(packed.data, (size_t)packed.count, back, count);
    assert_memory_equal(back, x, count * sizeof *x);
    size_t size = (size_t)packed.count;
    dew_array_deinit(&scratch);
    dew_array_deinit(&packed);
    free(back);
    return size;
}

// Values at the borders of 8, 16 and 32 bits, in all orders: each difference of two of them occurs.
static void borders(void **state)
{
    (void)state;
    static const int64_t edges[] = {0,     1,     -1,     127,        128,       -128,      -129,
                                    32767, 32768, -32768, -32769,     INT32_MAX, INT32_MIN, 255,
                                    65535, 65536, -256,   4294967295, 2147483648};
    enum { COUNT = sizeof edges / sizeof edges[0] };
    uint32_t x[2 * COUNT * COUNT];
    size_t count = 0;
    for (int a = 0; a < COUNT; a++) {
        for (int b = 0; b < COUNT; b++) {
            x[count++] = (uint32_t)edges[a];
            x[count++] = (uint32_t)edges[b];
        }
    }
    for (size_t n = 1; n < 70; n++)  // any number of unused codes in the last byte
        expect_back(x, n);
    expect_back(x, count);
}

static void random_integers(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    uint32_t *x = (uint32_t *)calloc(COUNT, sizeof *x);
    assert_non_null(x);
    dew_Random random = dew_random(3, 1, 4);
    for (int bits = 1; bits <= 32; bits++) {
        for (size_t i = 0; i < COUNT; i++)
            x[i] = dew_random_u32(&random) >> (32 - bits);
        expect_back(x, COUNT);
    }
    free(x);
}

static void sizes(void **state)
{
    (void)state;
    enum { COUNT = 30000 };
    uint32_t *x = (uint32_t *)calloc(COUNT, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < COUNT; i++)
        x[i] = 3;  // corners per triangle: a first difference of 3, then zeros
    assert_true(expect_back(x, COUNT) <= COUNT / 4 / 255 + 40);
    for (size_t i = 0; i < COUNT; i++)
        x[i] = (uint32_t)(1000 * i);  // a common value of 16 bits: no bytes beside the codes
    assert_true(expect_back(x, COUNT) <= COUNT / 4 / 255 + 40);
    for (size_t i = 0; i < COUNT; i++) {  // a strip of triangles: 3 bytes of differences each
        static const uint32_t corner[6] = {0, 1, 100, 1, 101, 100};
        x[i] = (uint32_t)(i / 6) + corner[i % 6];
    }
    assert_true(expect_back(x, COUNT) <= COUNT);
    assert_true(expect_back(x, 0) <= 2);
    free(x);
}

static dew_Status pack_all(void *context, const dew_Allocator *allocator)
{
    (void)context;
    dew_Array scratch, packed;
    dew_array_init(&scratch, allocator, 1);
    dew_array_init(&packed, allocator, 1);
    dew_Status status =
        dew_usd_pack_integers((const uint32_t[]){1, 2, 3, 1000000}, 4, &scratch, &packed);
    dew_array_deinit(&scratch);
    dew_array_deinit(&packed);
    return status;
}

static void lack_of_memory(void **state)
{
    (void)state;
    assert_survives_lack_of_memory(pack_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borders),
        cmocka_unit_test(random_integers),
        cmocka_unit_test(sizes),
        cmocka_unit_test(lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
