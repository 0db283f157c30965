// Rounding to half precision: every half, and what lies between two of them.
#include "io/half.h"

#include "base/testing.h"

#include <math.h>

/// Exact: a half has 11 bits, a float 24.
static float widen(uint32_t half)
{
    int exponent = (int)(half >> 10 & 0x1f);
    float mantissa = (float)(half & 0x3ff);
    float x = exponent == 0 ? ldexpf(mantissa, -24) : ldexpf(1024 + mantissa, exponent - 25);
    return half & 0x8000 ? -x : x;
}

static void each_half_comes_back(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 0x7c00; h++) {
        assert_int_equal(dew_half_of(widen(h)), h);
        assert_int_equal(dew_half_of(-widen(h)), h | 0x8000);
    }
}

static void the_nearest_is_taken_and_of_two_the_even_one(void **state)
{
    (void)state;
    for (uint32_t h = 0; h + 1 < 0x7c00; h++) {
        float middle = 0.5F * (widen(h) + widen(h + 1));
        assert_int_equal(dew_half_of(middle), h + (h & 1));
        assert_int_equal(dew_half_of(nextafterf(middle, 0)), h);
        assert_int_equal(dew_half_of(nextafterf(middle, INFINITY)), h + 1);
    }
    assert_int_equal(dew_half_of(65519.99F), 0x7bff);
    assert_int_equal(dew_half_of(65520), 0x7c00);
    assert_int_equal(dew_half_of(-INFINITY), 0xfc00);
    assert_int_equal(dew_half_of(1e-30F), 0);
    assert_int_equal(dew_half_of(NAN) & 0x7c00, 0x7c00);
    assert_true((dew_half_of(NAN) & 0x3ff) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_half_comes_back),
        cmocka_unit_test(the_nearest_is_taken_and_of_two_the_even_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
