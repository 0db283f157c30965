// All 64 patterns: no divergence, closed sides untouched, the paper's rules in two dimensions.
#include "solvers/free_surface/boundary/open_sides.h"

#include "base/random.h"
#include "base/testing.h"

#include <math.h>
#include <string.h>

static void random_velocities(unsigned pattern, double u[6])
{
    dew_Random random = dew_random(1, pattern, 0);
    for (int s = 0; s < 6; s++)
        u[s] = dew_random_range(&random, -1, 1);
}

static void every_pattern_is_free_of_divergence(void **state)
{
    (void)state;
    for (unsigned pattern = 1; pattern < 64; pattern++) {
        double u[6], before[6];
        random_velocities(pattern, u);
        memcpy(before, u, sizeof u);
        dew_open_sides_set(pattern, u);
        assert_true(fabs(u[1] - u[0] + u[3] - u[2] + u[5] - u[4]) < 1e-15);
        for (int s = 0; s < 6; s++)
            if (!(pattern >> s & 1))
                assert_true(u[s] == before[s]);
    }
}

static void the_table_counts_sides(void **state)
{
    (void)state;
    for (unsigned pattern = 0; pattern < 64; pattern++) {
        unsigned count = 0, carried = 0;
        for (unsigned s = 0; s < 6; s++) {
            count += pattern >> s & 1;
            if ((pattern >> s & 1) && !(pattern >> (s ^ 1) & 1))
                carried |= 1u << s;
        }
        assert_int_equal(dew_open_patterns[pattern].open_count, count);
        assert_int_equal(dew_open_patterns[pattern].carried, carried);
    }
}

// What flows alike on both sides of each axis is not changed: falling pieces keep their velocity.
static void an_even_flow_stays(void **state)
{
    (void)state;
    for (unsigned pattern = 1; pattern < 64; pattern++) {
        double u[6] = {0.3, 0.3, -2, -2, 0.1, 0.1};
        dew_open_sides_set(pattern, u);
        assert_true(u[0] == 0.3 && u[1] == 0.3 && u[2] == -2 && u[3] == -2 && u[4] == 0.1 &&
                    u[5] == 0.1);
    }
}

// Section 2.3.2: one open side follows from the others; two that meet are carried over from their
// opposites.
static void the_papers_rules(void **state)
{
    (void)state;
    double one[6] = {0.2, 0.5, -0.1, 9, 0, 0};
    dew_open_sides_set(1u << 3, one);
    assert_true(fabs(one[3] - (-0.1 - (0.5 - 0.2))) < 1e-15);
    double two[6] = {0.2, 9, -0.1, 9, 0, 0};
    dew_open_sides_set(1u << 1 | 1u << 3, two);
    assert_true(two[1] == 0.2 && two[3] == -0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_is_free_of_divergence),
        cmocka_unit_test(the_table_counts_sides),
        cmocka_unit_test(an_even_flow_stays),
        cmocka_unit_test(the_papers_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
