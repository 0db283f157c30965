// Distances of parts against brute force, and the bounds that a seam promises.
#include "surface/blend.h"

#include "base/random.h"
#include "base/testing.h"

static dew_Vec3 random_point(dew_Random *random)
{
    return dew_vec(dew_random_range(random, -2, 2), dew_random_range(random, -2, 2),
                   dew_random_range(random, -2, 2));
}

// The hull of two balls is all balls between them: the distance is the least of theirs.
static void cone_is_the_hull_of_its_balls(void **state)
{
    (void)state;
    dew_Part cone = {.shape = DEW_PART_CONE,
                     .a = {0.1, 0.2, -0.3},
                     .radius = 0.5,
                     .b = {-0.2, 1.1, 0.4},
                     .end_radius = 0.2};
    dew_Random random = dew_random(1, 0, 0);
    for (int i = 0; i < 2000; i++) {
        dew_Vec3 p = random_point(&random);
        double least = (double)INFINITY;
        for (int n = 0; n <= 2000; n++) {
            double t = n / 2000.0;
            dew_Vec3 center = dew_combine(1 - t, cone.a, t, cone.b);
            least = fmin(least, dew_distance(p, center) - (0.5 + t * (0.2 - 0.5)));
        }
        double d = dew_parts_distance(&cone, 1, p);
        // Steps of 1/2000 of a length of 1.2 are off by at most the square of half a step over the
        // distance from the axis, which is above 0.01 for all but a few points.
        assert_true(d <= least + 1e-12);
        assert_true(least - d < 1e-4);
    }
}

static void turned_ellipsoid(void **state)
{
    (void)state;
    dew_Part part = {
        .shape = DEW_PART_ELLIPSOID, .a = {1, 0, 0}, .b = {0.5, 0.2, 0.1}, .turn_z = DEW_DEG(90)};
    assert_true(fabs(dew_parts_distance(&part, 1, dew_vec(1, 1, 0)) - 0.5) < 1e-12);
    assert_true(fabs(dew_parts_distance(&part, 1, dew_vec(2, 0, 0)) - 0.8) < 1e-12);
    part.turn_x = DEW_DEG(90);  // then the long axis goes along z
    assert_true(fabs(dew_parts_distance(&part, 1, dew_vec(1, 0, 1)) - 0.5) < 1e-12);
}

// Skipping far parts changes nothing; what is mirrored is symmetric; no step is longer than its
// way.
static void seams_keep_their_promise(void **state)
{
    (void)state;
    const dew_Part parts[] = {
        {.shape = DEW_PART_ELLIPSOID, .a = {0, 0, 0}, .b = {0.6, 0.5, 0.4}},
        {.shape = DEW_PART_CONE,
         .a = {0.3, 0.2, 0},
         .radius = 0.2,
         .b = {0.9, 0.9, 0},
         .end_radius = 0.1,
         .blend = 0.2},
        {.shape = DEW_PART_ELLIPSOID,
         .a = {-0.3, 0.4, 0.5},
         .b = {0.2, 0.3, 0.1},
         .blend = 0.1,
         .is_mirrored = true},
        {.shape = DEW_PART_ELLIPSOID,
         .a = {0, -0.5, 0},
         .b = {0.2, 0.2, 0.2},
         .blend = 0.05,
         .is_cut = true},
    };
    dew_Random random = dew_random(2, 0, 0);
    for (int i = 0; i < 5000; i++) {
        dew_Vec3 p = random_point(&random);
        dew_Vec3 q = dew_add_scaled(p, 0.1, dew_random_direction(&random));
        double d = dew_parts_distance(parts, 4, p);
        assert_true(fabs(d - dew_parts_distance(parts, 4, q)) < 0.1 * (1 + 1e-9));
        assert_true(fabs(d - dew_parts_distance(parts, 4, dew_vec(p.x, p.y, -p.z))) < 0.02);
        double first = dew_parts_distance(parts, 1, p);
        double both = dew_parts_distance(parts, 2, p);
        dew_Part second = parts[1];
        double alone = dew_parts_distance(&second, 1, p);
        assert_true(both == dew_smooth_min(first, alone, 0.2));
        assert_true(both <= fmin(first, alone) && both >= fmin(first, alone) - 0.05);
    }
    assert_true(dew_parts_distance(parts, 4, dew_vec(0, -0.45, 0)) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cone_is_the_hull_of_its_balls),
        cmocka_unit_test(turned_ellipsoid),
        cmocka_unit_test(seams_keep_their_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
