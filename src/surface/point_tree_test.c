// The tree against a look at every point.
#include "surface/point_tree.h"

#include "base/random.h"
#include "base/testing.h"

#define MAX_POINTS 3000

// The `count` nearest, by looking at all points `count` times.
static int slow_nearest(const dew_Vec3 *points, int64_t point_count, dew_Vec3 p, double reach,
                        int count, int64_t *ids, double *distances2)
{
    for (int n = 0; n < count; n++) {
        ids[n] = DEW_INVALID;
        for (int64_t i = 0; i < point_count; i++) {
            double d = dew_length2(dew_sub(points[i], p));
            bool is_later =
                n == 0 || d > distances2[n - 1] || (d == distances2[n - 1] && i > ids[n - 1]);
            bool is_better = ids[n] == DEW_INVALID || d < distances2[n];
            if (d <= reach * reach && is_later && is_better) {
                distances2[n] = d;
                ids[n] = i;
            }
        }
        if (ids[n] == DEW_INVALID)
            return n;
    }
    return count;
}

static void agrees_with_all_points(void **state)
{
    (void)state;
    static dew_Vec3 points[MAX_POINTS];
    static const int64_t counts[] = {0, 1, 8, 9, 17, 1000, MAX_POINTS};
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    for (int c = 0; c < 7; c++) {
        for (int kind = 0; kind < 3; kind++) {
            dew_Random random = dew_random(3, (uint64_t)c, (uint64_t)kind);
            for (int64_t i = 0; i < counts[c]; i++) {
                points[i] = dew_random_direction(&random);
                if (kind == 1)  // many alike
                    points[i] =
                        dew_vec(dew_random_u32(&random) % 4, dew_random_u32(&random) % 3, 0);
                if (kind == 2)  // on a line
                    points[i] = dew_vec(0, dew_random_unit(&random), 0);
            }
            dew_PointTree tree;
            dew_arena_clear(&arena);
            assert_ok(dew_point_tree_build(&tree, points, counts[c], &arena));
            for (int q = 0; q < 300; q++) {
                dew_Vec3 p =
                    dew_scale(dew_random_range(&random, 0, 3), dew_random_direction(&random));
                if (q % 4 == 0 && counts[c] > 0)
                    p = points[dew_random_u32(&random) % (uint32_t)counts[c]];
                double reach = q % 3 ? 1e9 : 0.1;
                int wanted = 1 + q % DEW_POINT_TREE_MANY;
                int64_t expected[DEW_POINT_TREE_MANY], got[DEW_POINT_TREE_MANY];
                double expected2[DEW_POINT_TREE_MANY], got2[DEW_POINT_TREE_MANY];
                int n = slow_nearest(points, counts[c], p, reach, wanted, expected, expected2);
                assert_int_equal(dew_point_tree_nearest(&tree, p, reach, wanted, got, got2), n);
                for (int i = 0; i < n; i++) {
                    assert_int_equal(got[i], expected[i]);
                    assert_true(got2[i] == expected2[i]);
                }
            }
        }
    }
    dew_arena_deinit(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_all_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
