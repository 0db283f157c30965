// Affinity maps: axis, orientation, interpolation; through the problem with an image file.
#include "base/testing.h"
#include "io/png.h"
#include "problem/problem_testing.h"

static void axis_is_the_shortest_side(void **state)
{
    (void)state;
    assert_int_equal(dew_affinity_axis((dew_Box){{0, 0, 0}, {1, 2, 3}}), 0);
    assert_int_equal(dew_affinity_axis((dew_Box){{0, 0, 0}, {3, 1, 3}}), 1);
    assert_int_equal(dew_affinity_axis((dew_Box){{0, 0, 0}, {3, 2, 1}}), 2);
    assert_int_equal(dew_affinity_axis((dew_Box){{0, 0, 0}, {1, 1, 1}}), 1);
    assert_int_equal(dew_affinity_axis((dew_Box){{0, 0, 0}, {1, 2, 1}}), 2);
}

static void pixels_lie_where_they_should(void **state)
{
    (void)state;
    const float values[] = {0, 0.25F, 0.5F, 1};  // top left, top right, below
    dew_AffinityMap map = {2, 2, values};
    dew_Box floor_box = {{0, 0, 0}, {4, 1, 4}};  // seen along y: rows along z
    assert_true(dew_affinity_at(&map, floor_box, dew_vec(1, 0, 1)) == 0);
    assert_true(dew_affinity_at(&map, floor_box, dew_vec(3, 0, 1)) == 0.25);
    assert_true(dew_affinity_at(&map, floor_box, dew_vec(1, 0, 3)) == 0.5);
    assert_true(dew_affinity_at(&map, floor_box, dew_vec(9, 0, 9)) == 1);
    assert_true(dew_affinity_at(&map, floor_box, dew_vec(2, 0, 2)) == 0.4375);
    dew_Box pane = {{0, 0, 0}, {4, 4, 1}};  // seen along z: rows down
    assert_true(dew_affinity_at(&map, pane, dew_vec(1, 3, 0)) == 0);
    assert_true(dew_affinity_at(&map, pane, dew_vec(3, 3, 0)) == 0.25);
    assert_true(dew_affinity_at(&map, pane, dew_vec(1, 1, 0)) == 0.5);
    dew_Box side = {{0, 0, 0}, {1, 4, 4}};  // seen along x: columns along z
    assert_true(dew_affinity_at(&map, side, dew_vec(0, 3, 3)) == 0.25);
    const float one[] = {0.75F};
    assert_true(dew_affinity_at(&(dew_AffinityMap){1, 1, one}, pane, dew_vec(0, 0, 0)) == 0.75);
}

static void save_image(const TestProblem *t, const char *name)
{
    const uint16_t samples[] = {0, 65535, 65535, 0};
    char path[256];
    snprintf(path, sizeof path, "%s/%s", t->folder, name);
    dew_PngPicture picture = {2, 2, 1, 16, samples};
    assert_int_equal(dew_png_save(path, &picture, NULL).code, DEW_OK);
}

static double angle_at(const TestProblem *t, const dew_Instant *instant, int solid, dew_Vec3 p)
{
    return dew_problem_material(t->problem, instant, solid, p).advancing_rad / DEW_DEG(1);
}

// A pane turned about z and moved: the map goes with it. A wall and a floor as planes.
static void map_goes_with_the_solid(void **state)
{
    (void)state;
    TestProblem t;
    test_folder(&t);
    save_image(&t, "map.png");
    test_make(
        &t, TEST_HEAD TEST_DROP
        "solids:\n"
        "  - {shape: box, size: [4 mm, 4 mm, 1 mm], rotate: {axis: [0, 0, 1], angle: 90 deg}, "
        "velocity: [1 mm/s, 0, 0], material: glass, affinity_map: map.png, "
        "affinity_material: lotus}\n"
        "  - {shape: plane, normal: [0, 0, 1], material: glass, affinity_map: map.png, "
        "affinity_material: lotus}\n"
        "  - {shape: plane, normal: [0, 1, 0], material: glass, affinity_map: map.png, "
        "affinity_material: lotus}\n");
    if (t.status.code != DEW_OK)
        fail_msg("%s", t.status.message);
    dew_SolidPose poses[3];
    dew_problem_poses(t.problem, 2, poses);
    dew_Instant instant = {.time_s = 2, .poses = poses};
    // Top left of the image (glass) turns to bottom left; 2 mm along x by then.
    assert_true(fabs(angle_at(&t, &instant, 0, dew_vec(0.9e-3, -1.1e-3, 0.5e-3)) - 90) < 1e-4);
    assert_true(fabs(angle_at(&t, &instant, 0, dew_vec(0.9e-3, 1.1e-3, 0.5e-3)) - 150) < 1e-4);
    // Half and half: cosines 0 and -0.866.
    double half = acos(cos(DEW_DEG(150)) / 2) / DEW_DEG(1);
    assert_true(fabs(angle_at(&t, &instant, 0, dew_vec(2e-3, 0, 0.5e-3)) - half) < 1e-4);
    // The wall faces +z: upright for who looks at it, left is -x.
    assert_true(fabs(angle_at(&t, &instant, 1, dew_vec(-4e-3, 4e-3, 0)) - 90) < 1e-4);
    assert_true(fabs(angle_at(&t, &instant, 1, dew_vec(4e-3, 4e-3, 0)) - 150) < 1e-4);
    assert_true(fabs(angle_at(&t, &instant, 1, dew_vec(4e-3, -4e-3, 0)) - 90) < 1e-4);
    // The floor: columns along x, rows along z.
    assert_true(fabs(angle_at(&t, &instant, 2, dew_vec(-4e-3, 0, -4e-3)) - 90) < 1e-4);
    assert_true(fabs(angle_at(&t, &instant, 2, dew_vec(4e-3, 0, -4e-3)) - 150) < 1e-4);
    test_done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axis_is_the_shortest_side),
        cmocka_unit_test(pixels_lie_where_they_should),
        cmocka_unit_test(map_goes_with_the_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
