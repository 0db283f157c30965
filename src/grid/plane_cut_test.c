// Cube cut by a plane, against counting points.
#include "grid/levelset.h"

#include "base/random.h"
#include "base/testing.h"
#include "geom/vec.h"

enum { POINTS = 60 };

static double counted(const double n[3], double d)
{
    int inside = 0;
    for (int m = 0; m < POINTS * POINTS * POINTS; m++) {
        double x = (m % POINTS + 0.5) / POINTS - 0.5,
               y = (m / POINTS % POINTS + 0.5) / POINTS - 0.5;
        double z = (m / POINTS / POINTS + 0.5) / POINTS - 0.5;
        inside += n[0] * x + n[1] * y + n[2] * z + d < 0;
    }
    return inside / (double)(POINTS * POINTS * POINTS);
}

static void volume_and_area_are_right(void **state)
{
    (void)state;
    dew_Random random = dew_random(3, 1, 4);
    for (int m = 0; m < 60; m++) {
        dew_Vec3 v = dew_random_direction(&random);
        double n[3] = {v.x, m % 5 == 0 ? 0 : v.y, m % 7 == 0 ? 0 : v.z}, area, e = 1e-5;
        double d = dew_random_range(&random, -0.8, 0.8), scale = dew_random_range(&random, 0.1, 9);
        for (int a = 0; a < 3; a++)
            n[a] *= scale;
        d *= scale;
        double volume = dew_plane_cut(n, d, &area);
        // Counted points err by less than a layer of them, 1 / POINTS, in fact far less.
        assert_true(fabs(volume - counted(n, d)) < 0.5 / POINTS);
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double slope = (dew_plane_cut(n, d - e, NULL) - dew_plane_cut(n, d + e, NULL)) / (2 * e);
        assert_true(fabs(slope * length - area) < 1e-3);
        dew_CutPlane plane = dew_plane_make(n);
        double same;
        assert_true(dew_plane_at(&plane, d, &same) == volume && same == area);
        double other[3] = {-n[0], -n[1], -n[2]};
        assert_true(fabs(dew_plane_cut(other, -d, NULL) + volume - 1) < 1e-12);
    }
}

static void known_cuts(void **state)
{
    (void)state;
    double area, x[3] = {2, 0, 0}, corner[3] = {1, 1, 1}, line[3] = {1, 1, 0};
    assert_true(fabs(dew_plane_cut(x, 0.5, &area) - 0.25) < 1e-15 && fabs(area - 1) < 1e-15);
    assert_true(fabs(dew_plane_cut(corner, 0, &area) - 0.5) < 1e-15);
    assert_true(fabs(area - 0.75 * sqrt(3)) < 1e-14);  // a hexagon of edge sqrt(1/2)
    assert_true(fabs(dew_plane_cut(line, 0, &area) - 0.5) < 1e-15 && fabs(area - sqrt(2)) < 1e-14);
    assert_true(dew_plane_cut(x, 2, &area) == 0 && area == 0);
    assert_true(dew_plane_cut(x, -2, &area) == 1 && area == 0);
    double none[3] = {0, 0, 0};
    assert_true(dew_plane_cut(none, 0, &area) == 0 && area == 0);
    assert_true(dew_plane_cut(none, -1, &area) == 1 && area == 0);
    dew_CutPlane no_plane = dew_plane_make(none);
    assert_true(dew_plane_at(&no_plane, 0, &area) == 0 && dew_plane_at(&no_plane, -1, &area) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(volume_and_area_are_right),
                                       cmocka_unit_test(known_cuts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
