// Times at which the problem changes: in order, once each, those that agree up to rounding as one.
#include "problem/timing.h"

#include "base/testing.h"
#include "problem/motion.h"
#include "problem/problem_testing.h"

static void times_come_in_order(void **state)
{
    (void)state;
    TestProblem t = {0};
    test_make(
        &t, TEST_HEAD
        "solids: [{shape: box, name: lid, size: [1 mm, 1 mm, 1 mm], material: glass, keyframes: "
        "[{time: 0.2 s}, {time: 0.30000000000000004 s, translate: [1 mm, 0, 0]}]}]\n"
        "sources:\n"
        "  - {shape: disk, center: [0, 3 mm, 0], normal: [0, -1, 0], radius: 1 mm, "
        "speed: 1 m/s, start: 0.1 s, stop: 0.3 s}\n"
        "  - {shape: condensation, on: lid, rate: 1 mm^3/s, sites: 2, stop: 0.25 s}\n"
        "  - {shape: drip, at: [0, 0, 0], radius: 1 mm, every: 0.01 s, start: 0.15 s}\n");
    assert_int_equal(t.status.code, DEW_OK);
    static const double times[] = {0.1, 0.2, 0.25, 0.3};
    static const char *const kinds[] = {"source", "keyframe", "source", "source"};
    double now_s = 0;
    for (int i = 0; i < 4; i++) {
        const char *what = NULL;
        now_s = dew_problem_next_time_s(t.problem, now_s, &what);
        assert_true(now_s == times[i]);
        assert_string_equal(what, kinds[i]);
    }
    const char *what = NULL;
    assert_true(
        isinf(dew_problem_next_time_s(t.problem, now_s, &what)));  // not 0.30000000000000004
    assert_null(what);
    const dew_Inflow *disk = dew_problem_inflow(t.problem, 0);
    assert_false(dew_inflow_is_open(disk, 0.0999));
    assert_true(dew_inflow_is_open(disk, 0.1) && dew_inflow_is_open(disk, nextafter(0.1, 0)));
    assert_false(dew_inflow_is_open(disk, 0.3) || dew_inflow_is_open(disk, nextafter(0.3, 0)));
    test_done(&t);
}

// A step to a time next to zero would be too short for the clock: such times are zero.
static void near_zero_times_are_zero(void **state)
{
    (void)state;
    TestProblem t = {0};
    test_make(&t, TEST_HEAD "sources:\n"
                            "  - {shape: disk, center: [0, 3 mm, 0], normal: [0, -1, 0], radius: 1 "
                            "mm, speed: 1 m/s, start: 5e-324 s, stop: 1e-12 s}\n");
    assert_int_equal(t.status.code, DEW_OK);
    const char *what = NULL;
    assert_true(dew_problem_next_time_s(t.problem, 0, &what) == 1e-12);
    assert_true(dew_inflow_is_open(dew_problem_inflow(t.problem, 0), 0));
    test_done(&t);
}

// A step up to a keyframe has the velocity that led there, one from it on the next; the place is
// the same.
static void a_step_has_the_velocity_of_its_segment(void **state)
{
    (void)state;
    const dew_KeyframeDef keys[] = {
        {.time_s = 1},
        {.time_s = 2, .translate_m = {4, 0, 0}, .rotate = {{0, 1, 0}, 0.5}},
    };
    dew_SolidMotion motion = {.keyframes = keys, .keyframe_count = 2, .velocity_m_s = {0, 1, 0}};
    dew_SolidPose end = dew_motion_pose_within(&motion, 2, 1.5);
    dew_SolidPose next = dew_motion_pose_within(&motion, 2, 2.5);
    assert_true(dew_distance(end.translate_m, dew_vec(4, 2, 0)) == 0);
    assert_true(dew_distance(next.translate_m, end.translate_m) == 0);
    assert_true(dew_distance(end.velocity_m_s, dew_vec(4, 1, 0)) == 0);
    assert_true(dew_distance(next.velocity_m_s, dew_vec(0, 1, 0)) == 0);
    assert_true(fabs(end.angular_velocity_rad_s.y - 0.5) <
                1e-15);  // a rounding of the sine and back
    assert_true(dew_length(next.angular_velocity_rad_s) == 0);
    assert_true(
        dew_distance(dew_motion_pose_within(&motion, 1, 0.5).velocity_m_s, dew_vec(0, 1, 0)) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_come_in_order),
        cmocka_unit_test(near_zero_times_are_zero),
        cmocka_unit_test(a_step_has_the_velocity_of_its_segment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
