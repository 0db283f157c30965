// Blocks against one by one: the same accumulator state, in every range and with every oddity.
#include "base/sum_simd.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/testing.h"

static void check_block(const double *x)
{
    dew_ExactSum single;
    dew_exact_init(&single);
    for (int i = 0; i < DEW_SUM_BLOCK; i++)
        dew_exact_add(&single, x[i]);
    double expected = dew_exact_round(&single);
    for (int is_wide = 0; is_wide < 2; is_wide++) {
        dew_ExactSum block;
        dew_exact_init(&block);
        dew_exact_add_block(&block, x, is_wide == 1);
        double got = dew_exact_round(&block);
        assert_memory_equal(&got, &expected, sizeof got);
        if (!isfinite(expected))
            continue;
        // Not only the rounded sum: take the single terms out again, and nothing may be left.
        for (int i = 0; i < DEW_SUM_BLOCK; i++)
            dew_exact_add(&block, -x[i]);
        assert_true(dew_exact_round(&block) == 0);
    }
}

// Exponents within `range` below the top; signs and mantissas at random.
static void fill(double *x, int top, int range, dew_Random *random)
{
    for (int i = 0; i < DEW_SUM_BLOCK; i++) {
        int exponent = top - (int)(dew_random_u32(random) % (uint32_t)(range + 1));
        double mantissa = 1 + dew_random_unit(random);
        x[i] = ldexp(dew_random_u32(random) % 2 ? mantissa : -mantissa, exponent);
    }
}

static void every_range(void **state)
{
    (void)state;
    double x[DEW_SUM_BLOCK];
    dew_Random random = dew_random(31, 0, 0);
    static const int ranges[] = {0, 1, 10, 39, 40, 41, 42, 43, 80, 94, 95, 200, 1000, 2000};
    for (int top = -1074; top < 1024; top += 61)
        for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
            fill(x, top, ranges[i], &random);
            check_block(x);
        }
}

// All bits set, all of one sign: the largest sums a lane can get.
static void fullest_lanes(void **state)
{
    (void)state;
    double x[DEW_SUM_BLOCK];
    static const int tops[] = {-899, -898, 0, 998, 999, 1000};
    for (int t = 0; t < 6; t++)
        for (int bits = 1; bits <= 53; bits++) {
            for (int i = 0; i < DEW_SUM_BLOCK; i++)
                x[i] = ldexp(2 - ldexp(1, 1 - bits), tops[t]);
            check_block(x);
            x[500] = -x[500] * 0x1p-47;  // a rest of just half a unit
            check_block(x);
        }
}

static void oddities(void **state)
{
    (void)state;
    double x[DEW_SUM_BLOCK];
    dew_Random random = dew_random(32, 0, 0);
    static const double odd[] = {0.0,        -0.0,     DBL_MAX,  -DBL_MAX, 0x1p-1074,
                                 -0x1p-1074, 0x1p1000, 0x1p-900, 1e308,    1e-308};
    for (int zeros = 0; zeros < 2; zeros++)
        for (size_t o = 0; o < sizeof odd / sizeof odd[0]; o++) {
            fill(x, 0, 50, &random);
            if (zeros == 1)
                memset(x, 0, sizeof x);
            x[777] = odd[o];
            check_block(x);
        }
    static const double special[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int zeros = 0; zeros < 2; zeros++)
        for (int place = 0; place < DEW_SUM_BLOCK; place += 93)
            for (int s = 0; s < 3; s++) {
                fill(x, 0, 50, &random);
                if (zeros == 1)
                    memset(x, 0, sizeof x);
                x[place] = special[s];
                check_block(x);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_range),
        cmocka_unit_test(fullest_lanes),
        cmocka_unit_test(oddities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
