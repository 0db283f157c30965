// Exact sums: right to the last bit, in any order, at every edge of the number range.
#include "base/sum.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/testing.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double sum_of(const double *x, int64_t n)
{
    dew_ExactSum sum;
    dew_exact_init(&sum);
    for (int64_t i = 0; i < n; i++)
        dew_exact_add(&sum, x[i]);
    return dew_exact_round(&sum);
}

#define ASSERT_SUM(expected, ...)                                                                  \
    do {                                                                                           \
        const double terms_[] = {__VA_ARGS__};                                                     \
        double sum_ = sum_of(terms_, (int64_t)(sizeof terms_ / sizeof terms_[0]));                 \
        assert_int_equal(bits_of(sum_), bits_of(expected));                                        \
    } while (0)

static void known_answers(void **state)
{
    (void)state;
    assert_int_equal(bits_of(sum_of(NULL, 0)), 0);
    ASSERT_SUM(0.0, 0.0, -0.0);
    ASSERT_SUM(6.0, 1.0, 2.0, 3.0);
    ASSERT_SUM(-6.5, -1.0, -2.0, -3.5);
    ASSERT_SUM(1.0, 1e308, 1.0, -1e308);
    ASSERT_SUM(-0x1p-1074, 1e308, -0x1p-1074, -1e308);
    ASSERT_SUM(1e-320, 1e-320, 1.0, -1.0);
    ASSERT_SUM(0x1p-1022, 0x1p-1023, 0x1p-1023);               // denormals add up to a normal
    ASSERT_SUM(0x1p-1022 - 0x1p-1074, 0x1p-1022, -0x1p-1074);  // and back
    // Ten tenths: 0.1 is 3602879701896397 / 2^55; the exact sum of ten rounds to 1.
    ASSERT_SUM(1.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1);
}

// Each single double comes back as it went in.
static void single_terms_are_kept(void **state)
{
    (void)state;
    dew_Random random = dew_random(11, 0, 0);
    for (int i = 0; i < 200000; i++) {
        double x = from_bits(dew_random_u64(&random));
        if (!isfinite(x) || x == 0)
            continue;
        assert_int_equal(bits_of(sum_of(&x, 1)), bits_of(x));
    }
    for (uint64_t exponent = 0; exponent < 2047; exponent++)
        for (uint64_t sign = 0; sign < 2; sign++) {
            double x = from_bits(sign << 63 | exponent << 52 | UINT64_C(0xfffffffffffff));
            assert_int_equal(bits_of(sum_of(&x, 1)), bits_of(x));
        }
}

// The sum of two doubles is what IEEE addition gives, which is correctly rounded too.
static void pairs_round_as_the_machine_does(void **state)
{
    (void)state;
    dew_Random random = dew_random(12, 0, 0);
    for (int i = 0; i < 300000; i++) {
        uint64_t a = dew_random_u64(&random), b = dew_random_u64(&random);
        if (i % 2 == 0) {  // exponents close together, where rounding has something to decide
            uint64_t exponent = (a >> 52 & 2047) + dew_random_u32(&random) % 112 - 56;
            b = (b & ~(UINT64_C(2047) << 52)) | (exponent & 2047) << 52;
        }
        double pair[2] = {from_bits(a), from_bits(b)};
        double expected = pair[0] + pair[1];
        if (!isfinite(pair[0]) || !isfinite(pair[1]) || expected == 0)
            continue;
        assert_int_equal(bits_of(sum_of(pair, 2)), bits_of(expected));
    }
}

static void ties_go_to_even(void **state)
{
    (void)state;
    ASSERT_SUM(1.0, 1.0, 0x1p-53);
    ASSERT_SUM(1.0 + 0x1p-51, 1.0 + 0x1p-52, 0x1p-53);
    ASSERT_SUM(1.0 + 0x1p-52, 1.0, 0x1p-53, 0x1p-1074);  // a crumb breaks the tie
    ASSERT_SUM(1.0, 1.0, 0x1p-53, -0x1p-1074);
    ASSERT_SUM(-1.0, -1.0, -0x1p-53);
    ASSERT_SUM(2.0, 2.0 - 0x1p-52, 0x1p-53);  // carries into the exponent
    // At every scale: m + half an ulp, with and without a crumb far below.
    for (int e = -900; e < 1020; e += 7) {
        double one = ldexp(1, e), half = ldexp(1, e - 53), crumb = ldexp(1, e - 170);
        ASSERT_SUM(one, one, half);
        ASSERT_SUM(one + 2 * half, one, half, crumb);
        ASSERT_SUM(one, one, half, -crumb);
        ASSERT_SUM(one + 4 * half, one, half, 2 * half);
    }
}

static void overflow_is_infinite(void **state)
{
    (void)state;
    ASSERT_SUM((double)INFINITY, DBL_MAX, DBL_MAX);
    ASSERT_SUM(-(double)INFINITY, -DBL_MAX, -DBL_MAX, 1.0);
    ASSERT_SUM(DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX);
    ASSERT_SUM(DBL_MAX, DBL_MAX, 0x1p969);           // less than half an ulp, 2^970
    ASSERT_SUM((double)INFINITY, DBL_MAX, 0x1p970);  // the tie rounds up, to even
    ASSERT_SUM(DBL_MAX, DBL_MAX, 0x1p970, -0x1p-1074);
    dew_ExactSum sum;
    dew_exact_init(&sum);
    for (int i = 0; i < 100000; i++)
        dew_exact_add(&sum, DBL_MAX);
    assert_true(dew_exact_round(&sum) == (double)INFINITY);
    for (int i = 0; i < 99999; i++)
        dew_exact_add(&sum, -DBL_MAX);
    assert_true(dew_exact_round(&sum) == DBL_MAX);
}

static void specials_propagate(void **state)
{
    (void)state;
    double inf = (double)INFINITY, nan = (double)NAN;
    ASSERT_SUM(inf, 1.0, inf, -1e300);
    ASSERT_SUM(-inf, -inf, 1.0, -inf);
    ASSERT_SUM(nan, inf, -inf);
    ASSERT_SUM(nan, -inf, inf);
    ASSERT_SUM(nan, 1.0, -nan);
    double x[5000] = {0};
    x[4321] = -inf;
    assert_true(dew_sum(NULL, x, 5000) == -inf);
    assert_true(dew_max_abs(NULL, x, 5000) == inf);
    x[7] = nan;
    assert_int_equal(bits_of(dew_sum(NULL, x, 5000)), bits_of(nan));
    assert_true(isnan(dew_max_abs(NULL, x, 5000)));
    x[7] = inf;
    assert_int_equal(bits_of(dew_sum(NULL, x, 5000)), bits_of(nan));
    assert_true(isnan(dew_dot(NULL, x, x + 1, 4999)));  // inf * 0
}

// Integers times a power of two against 128-bit integer arithmetic.
static void agrees_with_wide_integers(void **state)
{
    (void)state;
    dew_Random random = dew_random(13, 0, 0);
    for (int round = 0; round < 300; round++) {
        int64_t n = 1 + dew_random_u32(&random) % 9000;
        double *x = (double *)malloc((size_t)n * sizeof *x);
        __extension__ __int128 total = 0;
        for (int64_t i = 0; i < n; i++) {
            int64_t value = (int64_t)dew_random_u64(&random) >> (11 + dew_random_u32(&random) % 40);
            int shift = (int)(dew_random_u32(&random) % 40);
            x[i] = ldexp((double)value, shift);
            total += (__extension__(__int128) value) * (INT64_C(1) << shift);
        }
        double expected = (double)total;  // correctly rounded by the compiler's library
        assert_int_equal(bits_of(sum_of(x, n)), bits_of(expected));
        assert_int_equal(bits_of(dew_sum(NULL, x, n)), bits_of(expected));
        for (int64_t i = 0; i < n; i++)
            x[i] = ldexp(x[i], -1074);  // exact: the integers become denormals and small numbers
        assert_int_equal(bits_of(dew_sum(NULL, x, n)), bits_of(ldexp(expected, -1074)));
        free(x);
    }
}

static void shuffle(double *x, int64_t n, dew_Random *random)
{
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = (int64_t)(dew_random_u64(random) % (uint64_t)(i + 1));
        double swap = x[i];
        x[i] = x[j];
        x[j] = swap;
    }
}

// Any order, any partition, any order of merging: bit-identical sums.
static void order_does_not_matter(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    static double x[COUNT];
    dew_Random random = dew_random(14, 0, 0);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < COUNT; i++) {
            do
                x[i] = from_bits(dew_random_u64(&random));
            while (!isfinite(x[i]));
            if (round % 2 == 0)  // near one another, so that no single term rules
                x[i] = ldexp(frexp(x[i], &(int){0}), (int)(dew_random_u32(&random) % 120));
        }
        double expected = sum_of(x, COUNT);
        shuffle(x, COUNT, &random);
        assert_int_equal(bits_of(sum_of(x, COUNT)), bits_of(expected));
        assert_int_equal(bits_of(dew_sum(NULL, x, COUNT)), bits_of(expected));
        dew_ExactSum part[5];
        int64_t begin = 0;
        for (int p = 0; p < 5; p++) {
            int64_t end = p == 4 ? COUNT : begin + dew_random_u32(&random) % (COUNT / 4);
            end = end > COUNT ? COUNT : end;
            dew_exact_init(&part[p]);
            dew_exact_add_array(&part[p], x + begin, end - begin);
            begin = end;
        }
        static const int order[] = {3, 0, 4, 2, 1};
        for (int p = 1; p < 5; p++)
            dew_exact_merge(&part[order[0]], &part[order[p]]);
        assert_int_equal(bits_of(dew_exact_round(&part[order[0]])), bits_of(expected));
    }
}

// Carries move up after 2047 additions, or earlier on request; the sum is the same.
static void carries(void **state)
{
    (void)state;
    dew_ExactSum often, seldom;
    dew_exact_init(&often);
    dew_exact_init(&seldom);
    double largest = ldexp(2 - 0x1p-52, 30);  // fills the upper chunk most
    for (int i = 0; i < 100000; i++) {
        double x = i % 3 == 0 ? -largest : largest;
        often.adds_left = i % 4;
        dew_exact_add(&often, x);
        dew_exact_add(&seldom, x);
    }
    // 66666 - 33334 times the largest
    double expected = 33332 * largest;
    assert_int_equal(bits_of(dew_exact_round(&often)), bits_of(expected));
    assert_int_equal(bits_of(dew_exact_round(&seldom)), bits_of(expected));
    for (int i = 0; i < 33332; i++)
        dew_exact_add(&seldom, -largest);
    assert_int_equal(bits_of(dew_exact_round(&seldom)), 0);
    assert_true(seldom.adds_left >= 0);
}

// Long runs of one number, each with all its bits set: the lanes of a block are as full as can be.
static void full_lanes_do_not_round(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    static double x[COUNT];
    static const double values[] = {2 - 0x1p-52, -(2 - 0x1p-52), DBL_MAX / 0x1p20,
                                    0x1p-1022 - 0x1p-1074, -0x1p-1022};
    for (int v = 0; v < 5; v++) {
        for (int i = 0; i < COUNT; i++)
            x[i] = values[v];
        assert_int_equal(bits_of(dew_sum(NULL, x, COUNT)), bits_of(values[v] * COUNT));
        assert_int_equal(bits_of(dew_sum(NULL, x, COUNT - 1)), bits_of(values[v] * (COUNT - 1)));
    }
}

static void dot_products(void **state)
{
    (void)state;
    enum { COUNT = 5001 };
    static double x[COUNT], y[COUNT], product[COUNT];
    dew_Random random = dew_random(15, 0, 0);
    for (int i = 0; i < COUNT; i++) {
        x[i] = dew_random_normal(&random);
        y[i] = dew_random_normal(&random);
        product[i] = x[i] * y[i];
    }
    assert_int_equal(bits_of(dew_dot(NULL, x, y, COUNT)), bits_of(sum_of(product, COUNT)));
    assert_int_equal(bits_of(dew_dot(NULL, x, y, 0)), 0);
    double largest = 0;
    for (int i = 0; i < COUNT; i++)
        largest = fmax(largest, fabs(x[i]));
    assert_true(dew_max_abs(NULL, x, COUNT) == largest);
    assert_true(dew_max_abs(NULL, x, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(single_terms_are_kept),
        cmocka_unit_test(pairs_round_as_the_machine_does),
        cmocka_unit_test(ties_go_to_even),
        cmocka_unit_test(overflow_is_infinite),
        cmocka_unit_test(specials_propagate),
        cmocka_unit_test(agrees_with_wide_integers),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(carries),
        cmocka_unit_test(full_lanes_do_not_round),
        cmocka_unit_test(dot_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
