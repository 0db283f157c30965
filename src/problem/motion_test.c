// Motion of solids: known poses, velocities against finite differences, continuity, round trips.
#include "problem/motion.h"

#include "base/testing.h"

static void assert_vec(dew_Vec3 got, dew_Vec3 want, double allowed)
{
    if (!(dew_distance(got, want) <= allowed))
        fail_msg("got (%g, %g, %g), want (%g, %g, %g) within %g", got.x, got.y, got.z, want.x,
                 want.y, want.z, allowed);
}

static const dew_KeyframeDef keys[] = {
    {.time_s = 1, .translate_m = {0, 0, 0}, .rotate = {{0, 0, 1}, 0}},
    {.time_s = 2, .translate_m = {1, 0, 0}, .rotate = {{0, 0, 1}, DEW_DEG(90)}},
    {.time_s = 4, .translate_m = {1, 2, 0}, .rotate = {{1, 0, 0}, DEW_DEG(30)}},
    {.time_s = 4.5, .translate_m = {1, 2, 3}, .rotate = {{0, 1, 0}, DEW_DEG(-80)}},
};

static dew_SolidMotion all_together(void)
{
    return (dew_SolidMotion){.keyframes = keys,
                             .keyframe_count = 4,
                             .velocity_m_s = {0.1, -0.2, 0.3},
                             .angular_velocity_rad_s = {0.5, 1, -0.7}};
}

static void rest_is_rest(void **state)
{
    (void)state;
    dew_SolidMotion still = {0};
    assert_false(dew_motion_is_moving(&still));
    dew_SolidPose pose = dew_motion_pose(&still, 17);
    dew_Vec3 p = {1, 2, 3};
    assert_vec(dew_pose_apply(&pose, (dew_Vec3){5, 5, 5}, p), p, 0);
    assert_vec(dew_pose_velocity(&pose, (dew_Vec3){5, 5, 5}, p), (dew_Vec3){0, 0, 0}, 0);
}

static void keyframes_are_met_and_held(void **state)
{
    (void)state;
    dew_SolidMotion motion = {.keyframes = keys, .keyframe_count = 4};
    assert_true(dew_motion_is_moving(&motion));
    dew_Vec3 c = {10, 0, 0}, arm = {11, 0, 0};
    dew_SolidPose pose = dew_motion_pose(&motion, 0);
    assert_vec(dew_pose_apply(&pose, c, arm), arm, 0);
    pose = dew_motion_pose(&motion, 2);
    assert_vec(dew_pose_apply(&pose, c, arm), (dew_Vec3){11, 1, 0}, 1e-15);
    pose = dew_motion_pose(&motion, 1.5);  // half way: half the shift, 45 degrees
    double r = sqrt(0.5);
    assert_vec(dew_pose_apply(&pose, c, arm), (dew_Vec3){10.5 + r, r, 0}, 1e-14);
    assert_vec(pose.angular_velocity_rad_s, (dew_Vec3){0, 0, DEW_DEG(90)}, 1e-14);
    pose = dew_motion_pose(&motion, 100);
    assert_vec(pose.translate_m, (dew_Vec3){1, 2, 3}, 0);
    assert_vec(pose.velocity_m_s, (dew_Vec3){0, 0, 0}, 0);
    assert_vec(pose.angular_velocity_rad_s, (dew_Vec3){0, 0, 0}, 0);
}

// 300 degrees one way is 60 the other.
static void rotation_takes_the_shorter_arc(void **state)
{
    (void)state;
    dew_KeyframeDef two[] = {
        {.time_s = 0, .rotate = {{0, 1, 0}, 0}},
        {.time_s = 1, .rotate = {{0, 1, 0}, DEW_DEG(300)}},
    };
    dew_SolidMotion motion = {.keyframes = two, .keyframe_count = 2};
    dew_SolidPose pose = dew_motion_pose(&motion, 0.5);
    assert_vec(pose.angular_velocity_rad_s, (dew_Vec3){0, DEW_DEG(-60), 0}, 1e-14);
    assert_vec(dew_rotate(pose.rotation, (dew_Vec3){1, 0, 0}),
               (dew_Vec3){cos(DEW_DEG(30)), 0, sin(DEW_DEG(30))}, 1e-15);
}

// A jump: two keyframes at one time. The later one holds from then on.
static void jump_is_taken_at_its_time(void **state)
{
    (void)state;
    dew_KeyframeDef jump[] = {
        {.time_s = 0},
        {.time_s = 1},
        {.time_s = 1, .translate_m = {5, 0, 0}},
        {.time_s = 2, .translate_m = {5, 0, 0}},
    };
    dew_SolidMotion motion = {.keyframes = jump, .keyframe_count = 4};
    assert_vec(dew_motion_pose(&motion, 1 - 1e-12).translate_m, (dew_Vec3){0, 0, 0}, 0);
    assert_vec(dew_motion_pose(&motion, 1).translate_m, (dew_Vec3){5, 0, 0}, 0);
    assert_true(dew_vec_is_finite(dew_motion_pose(&motion, 1).velocity_m_s));
}

// Central differences of a material point's path: error h^2/6 of its third derivative, about 1e-9.
static void velocity_is_the_derivative_of_the_path(void **state)
{
    (void)state;
    dew_SolidMotion motion = all_together();
    dew_Vec3 c = {0.3, 0.1, -0.2}, rest = {0.5, -0.4, 0.6};
    double h = 1e-5, times[] = {0.3, 1.2, 1.9, 2.5, 3.99, 4.2, 4.49, 7};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        dew_SolidPose before = dew_motion_pose(&motion, times[i] - h);
        dew_SolidPose after = dew_motion_pose(&motion, times[i] + h);
        dew_SolidPose now = dew_motion_pose(&motion, times[i]);
        dew_Vec3 moved = dew_sub(dew_pose_apply(&after, c, rest), dew_pose_apply(&before, c, rest));
        dew_Vec3 v = dew_pose_velocity(&now, c, dew_pose_apply(&now, c, rest));
        assert_vec(dew_scale(1 / (2 * h), moved), v, 1e-8);
    }
}

static void path_is_continuous_at_keyframes(void **state)
{
    (void)state;
    dew_SolidMotion motion = all_together();
    dew_Vec3 c = {0, 0, 0}, rest = {0.5, -0.4, 0.6};
    for (int k = 0; k < 4; k++) {
        dew_SolidPose before = dew_motion_pose(&motion, keys[k].time_s - 1e-9);
        dew_SolidPose at = dew_motion_pose(&motion, keys[k].time_s);
        assert_vec(dew_pose_apply(&before, c, rest), dew_pose_apply(&at, c, rest), 1e-7);
    }
}

static void going_there_and_back_is_the_identity(void **state)
{
    (void)state;
    dew_SolidMotion motion = all_together();
    dew_Vec3 c = {0.3, 0.1, -0.2}, p = {1, 2, 3};
    for (double t = 0; t < 6; t += 0.37) {
        dew_SolidPose pose = dew_motion_pose(&motion, t);
        assert_vec(dew_pose_unapply(&pose, c, dew_pose_apply(&pose, c, p)), p, 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_is_rest),
        cmocka_unit_test(keyframes_are_met_and_held),
        cmocka_unit_test(rotation_takes_the_shorter_arc),
        cmocka_unit_test(jump_is_taken_at_its_time),
        cmocka_unit_test(velocity_is_the_derivative_of_the_path),
        cmocka_unit_test(path_is_continuous_at_keyframes),
        cmocka_unit_test(going_there_and_back_is_the_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
