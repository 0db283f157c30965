// The camera in the hand: the target stays in the middle, distances are kept, a pan follows the hand.
#include "view/orbit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static dew_Camera home(void)
{
    return (dew_Camera){.eye_m = {0, 0, 2},
                        .right = {1, 0, 0},
                        .up = {0, 1, 0},
                        .forward = {0, 0, -1},
                        .half_width = 0.4,
                        .half_height = 0.25,
                        .focus_m = 2,
                        .width_px = 800,
                        .height_px = 500};
}

static void check_frame(const dew_Camera *c)
{
    assert_true(fabs(dew_length(c->forward) - 1) < 1e-12);
    assert_true(fabs(dew_inner(c->forward, c->up)) < 1e-12);
    assert_true(dew_distance(dew_cross(c->right, c->up), dew_scale(-1, c->forward)) < 1e-12);
}

static void it_begins_at_home(void **state)
{
    (void)state;
    dew_Camera start = home();
    dew_Orbit orbit;
    dew_orbit_begin(&orbit, &start, 2);
    dew_Camera camera = dew_orbit_camera(&orbit, 1000, 500);
    assert_true(dew_distance(camera.eye_m, start.eye_m) < 1e-12);
    assert_true(dew_distance(orbit.target_m, dew_vec(0, 0, 0)) < 1e-12);
    assert_true(fabs(camera.half_width - 0.5) < 1e-12);
    check_frame(&camera);
}

static void turning_goes_around_the_target(void **state)
{
    (void)state;
    dew_Camera start = home();
    dew_Orbit orbit;
    dew_orbit_begin(&orbit, &start, 2);
    dew_orbit_turn(&orbit, 0.5, 0);  // a quarter turn: the hand goes right, the camera left
    dew_Camera camera = dew_orbit_camera(&orbit, 800, 500);
    assert_true(dew_distance(camera.eye_m, dew_vec(-2, 0, 0)) < 1e-12);
    dew_orbit_turn(&orbit, 0.123, 0.2);
    dew_orbit_turn(&orbit, -0.7, 0.1);
    camera = dew_orbit_camera(&orbit, 800, 500);
    check_frame(&camera);
    assert_true(fabs(dew_distance(camera.eye_m, orbit.target_m) - 2) < 1e-12);
    assert_true(fabs(camera.right.y) < 1e-12);  // the horizon stays
}

static void panning_follows_the_hand(void **state)
{
    (void)state;
    static const double middle[2] = {0, 0};
    dew_Camera start = home();
    dew_Orbit orbit;
    dew_Vec3 origin, before, after;
    dew_orbit_begin(&orbit, &start, 2);
    dew_Camera camera = dew_orbit_camera(&orbit, 800, 500);
    dew_camera_ray(&camera, 500, 300, middle, &origin, &before);
    dew_Vec3 seen = dew_add_scaled(origin, -origin.z / before.z, before);
    dew_orbit_pan(&orbit, 50.0 / 500, 100.0 / 500);
    camera = dew_orbit_camera(&orbit, 800, 500);
    dew_camera_ray(&camera, 550, 200, middle, &origin, &after);
    assert_true(dew_distance(seen, dew_add_scaled(origin, -origin.z / after.z, after)) < 1e-12);
}

static void zooming_has_ends(void **state)
{
    (void)state;
    dew_Camera start = home();
    dew_Orbit orbit;
    dew_orbit_begin(&orbit, &start, 2);
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
