// Numbers of binary files against values worked out by hand.
#include "io/scalar.h"

#include "io/reader_test.h"

// The same value in both orders.
static void expect(dew_ScalarType type, const uint8_t *big, double expected, bool is_integer)
{
    uint8_t little[8];
    size_t size = dew_scalar_size(type);
    for (size_t i = 0; i < size; i++)
        little[i] = big[size - 1 - i];
    int64_t from_big = 0, from_little = 0;
    assert_true(dew_scalar_number(big, type, true) == expected);
    assert_true(dew_scalar_number(little, type, false) == expected);
    assert_int_equal(dew_scalar_integer(big, type, true, &from_big), is_integer);
    assert_int_equal(dew_scalar_integer(little, type, false, &from_little), is_integer);
    if (is_integer) {
        assert_true((double)from_big == expected);
        assert_true(from_little == from_big);
    }
}

static void test_values(void **state)
{
    (void)state;
    static const uint8_t ones[8] = {255, 255, 255, 255, 255, 255, 255, 255};
    static const uint8_t low[8] = {0x80, 0, 0, 0, 0, 0, 0, 0};
    expect(DEW_INT8, ones, -1, true);
    expect(DEW_UINT8, ones, 255, true);
    expect(DEW_INT16, low, -32768, true);
    expect(DEW_UINT16, low, 32768, true);
    expect(DEW_INT32, low, -2147483648.0, true);
    expect(DEW_UINT32, ones, 4294967295.0, true);
    expect(DEW_INT64, ones, -1, true);
    expect(DEW_UINT64, low, 9223372036854775808.0, false);
    expect(DEW_FLOAT32, (const uint8_t[]){0x40, 0x40, 0, 0}, 3, true);
    expect(DEW_FLOAT32, (const uint8_t[]){0xBF, 0x40, 0, 0}, -0.75, false);
    expect(DEW_FLOAT64, (const uint8_t[]){0x40, 0x09, 0x21, 0xFB, 0x54, 0x44, 0x2D, 0x18},
           3.141592653589793, false);
    expect(DEW_FLOAT64, (const uint8_t[]){0x7F, 0xF0, 0, 0, 0, 0, 0, 0}, (double)INFINITY, false);
}

static void test_puts(void **state)
{
    (void)state;
    uint8_t bytes[8];
    dew_bytes_put32(bytes, 0x01020304);
    assert_memory_equal(bytes, "\4\3\2\1", 4);
    dew_bytes_put64(bytes, 0x0102030405060708);
    assert_memory_equal(bytes, "\10\7\6\5\4\3\2\1", 8);
    dew_bytes_put_float(bytes, -0.75f);
    assert_memory_equal(bytes, "\0\0\x40\xBF", 4);
    dew_bytes_put_double(bytes, 2);
    assert_memory_equal(bytes, "\0\0\0\0\0\0\0\x40", 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_puts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
