// The orbit camera: the target stays in the middle, distances are kept, a pan follows the pointer.
#include "view/orbit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static dew_CameraDef home(void)
{
    return (dew_CameraDef){.is_given = true,
                           .eye_m = {0, 0, 2},
                           .target_m = {0, 0, 0},
                           .up = {0, 1, 0},
                           .fov_rad = 2 * atan(0.25)};
}

// Is the target in the middle of the image, and the camera upright?
static void check_frame(const dew_Orbit *orbit)
{
    dew_CameraDef c = dew_orbit_camera(orbit, 800, 500);
    dew_Vec3 forward = dew_orbit_forward(orbit), to_target = dew_v3_sub(c.target_m, c.eye_m);
    assert_true(fabs(dew_v3_length(forward) - 1) < 1e-12);
    assert_true(fabs(dew_v3_inner(forward, c.up)) < 1e-12);
    assert_true(dew_v3_distance(dew_v3_unit(to_target), forward) < 1e-12);
}

static void it_begins_at_home(void **state)
{
    (void)state;
    dew_CameraDef start = home();
    dew_Orbit orbit;
    dew_orbit_begin(&orbit, &start);
    dew_CameraDef camera = dew_orbit_camera(&orbit, 1000, 500);
    assert_true(dew_v3_distance(camera.eye_m, start.eye_m) < 1e-12);
    assert_true(dew_v3_distance(orbit.target_m, dew_v3(0, 0, 0)) < 1e-12);
    dew_Vec3 origin, direction;  // of the left edge: half the width is twice half the height
    dew_orbit_ray(&orbit, 1000, 500, 0, 250, &origin, &direction);
    assert_true(fabs(direction.x / direction.z - 0.5) < 1e-12);
    check_frame(&orbit);
}

static void turning_goes_around_the_target(void **state)
{
    (void)state;
    dew_CameraDef start = home();
    dew_Orbit orbit;
    dew_orbit_begin(&orbit, &start);
    dew_orbit_turn(&orbit, 0.5, 0);  // a quarter turn: the hand goes right, the camera left
    dew_CameraDef camera = dew_orbit_camera(&orbit, 800, 500);
    assert_true(dew_v3_distance(camera.eye_m, dew_v3(-2, 0, 0)) < 1e-12);
    dew_orbit_turn(&orbit, 0.123, 0.2);
    dew_orbit_turn(&orbit, -0.7, 0.1);
    camera = dew_orbit_camera(&orbit, 800, 500);
    check_frame(&orbit);
    assert_true(fabs(dew_v3_distance(camera.eye_m, orbit.target_m) - 2) < 1e-12);
    dew_Vec3 right = dew_v3_cross(dew_orbit_forward(&orbit), camera.up);
    assert_true(fabs(right.y) < 1e-12);  // the horizon stays
}

static void panning_follows_the_hand(void **state)
{
    (void)state;
    dew_CameraDef start = home();
    dew_Orbit orbit;
    dew_Vec3 origin, before, after;
    dew_orbit_begin(&orbit, &start);
    dew_orbit_ray(&orbit, 800, 500, 500, 300, &origin, &before);
    dew_Vec3 seen = dew_v3_add_scaled(origin, -origin.z / before.z, before);
    dew_orbit_pan(&orbit, 50.0 / 500, 100.0 / 500);
    dew_orbit_ray(&orbit, 800, 500, 550, 200, &origin, &after);
    assert_true(dew_v3_distance(seen, dew_v3_add_scaled(origin, -origin.z / after.z, after)) <
                1e-12);
}

static void zooming_has_ends(void **state)
{
    (void)state;
    dew_CameraDef start = home();
    dew_Orbit orbit;
    dew_orbit_begin(&orbit, &start);
    dew_orbit_zoom(&orbit, 1);
    assert_true(orbit.distance_m < 2);
    dew_orbit_zoom(&orbit, -1);
    assert_true(fabs(orbit.distance_m - 2) < 1e-12);
    dew_orbit_zoom(&orbit, 1e6);
    assert_true(orbit.distance_m > 0.01);
    dew_orbit_zoom(&orbit, -1e6);
    assert_true(orbit.distance_m < 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_begins_at_home),
        cmocka_unit_test(turning_goes_around_the_target),
        cmocka_unit_test(panning_follows_the_hand),
        cmocka_unit_test(zooming_has_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
