// What a stage sees of bodies whose measures are known, before anything moves.
#include "validate/stage.h"

#include "support/testing.h"

#include "dew/wetting.h"

#include <math.h>

static dew_SceneBuilder begin_still(void)
{
    dew_SceneDef def = dew_build_weightless("surface", 3, 10e-3, 0.2e-3);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, dew_default_material_def());
    return b;
}

static void sees_a_ball(void **state)
{
    (void)state;
    dew_Stage stage;
    dew_View view;
    dew_SceneBuilder b = begin_still();
    dew_build_ball(&b, dew_v3(1e-3, 5e-3, -2e-3), 1e-3);
    assert_int_equal(dew_stage_open(&stage, &b).code, DEW_OK);
    assert_int_equal(dew_stage_look(&stage, &view).code, DEW_OK);
    double R = 1e-3;
    // The polyhedron has its corners on the ball: smaller by the order of (edge / R)^2 / 4.
    assert_within(view.volume_m3, 4 * DEW_PI / 3 * R * R * R, 0.03 * R * R * R * 4);
    assert_within(view.center_m.x, 1e-3, 1e-12);
    assert_within(view.center_m.y, 5e-3, 1e-12);
    assert_within(view.center_m.z, -2e-3, 1e-12);
    assert_within(view.moment_xx_m2, R * R / 5, 0.02 * R * R / 5);
    assert_within(view.moment_yy_m2, view.moment_xx_m2, 1e-3 * view.moment_xx_m2);
    assert_int_equal(view.pieces, 1);
    assert_true(view.base_radius_m == 0);
    // The solver makes up for the volume between triangles and ball by a larger ball: 1.2 % at this
    // edge.
    double top = dew_stage_apex_m(&stage, &view, 0.3 * R);
    assert_within(top, 6e-3, 0.015 * R);
    assert_within(top, view.high_m.y, 5e-3 * R);
    dew_stage_close(&stage);
}

static void sees_two_pieces(void **state)
{
    (void)state;
    dew_Stage stage;
    dew_View view;
    dew_SceneBuilder b = begin_still();
    dew_build_ball(&b, dew_v3(-3e-3, 3e-3, 0), 1e-3);
    dew_build_ball(&b, dew_v3(3e-3, 3e-3, 0), 1e-3);
    dew_build_ball(&b, dew_v3(0, 3e-3, 0), 0.1e-3);
    assert_int_equal(dew_stage_open(&stage, &b).code, DEW_OK);
    assert_int_equal(dew_stage_look(&stage, &view).code, DEW_OK);
    assert_int_equal(view.pieces, 2);  // the third is below a hundredth
    assert_within(view.center_m.x, 0, 1e-12);
    // Two balls at +-3 mm: 9 mm^2 and their own.
    assert_within(view.moment_xx_m2, 9.2e-6, 0.02 * 9.2e-6);
    dew_stage_close(&stage);
}

static void sees_a_base(void **state)
{
    (void)state;
    dew_Stage stage;
    dew_View view;
    dew_SceneBuilder b = begin_still();
    dew_build_cap(&b, dew_v3(1e-3, 0, 0), 5e-9, DEW_DEG(70));
    assert_int_equal(dew_stage_open(&stage, &b).code, DEW_OK);
    assert_int_equal(dew_stage_look(&stage, &view).code, DEW_OK);
    dew_DropCap cap = dew_drop_cap_from_volume_angle(5e-9, DEW_DEG(70));
    double a = cap.base_radius_m;
    // A polygon of edge e in a circle has less area by the part (e / a)^2 / 6; the width of a box
    // around it is less than the diameter by at most (e / a)^2 / 8.
    assert_within(view.base_radius_m, a, 0.01 * a);
    assert_within(view.base_size_m.x, 2 * a, 0.01 * a);
    assert_within(view.base_size_m.z, 2 * a, 0.01 * a);
    assert_true(view.base_size_m.y == 0);
    assert_within(view.base_center_m.x, 1e-3, 0.01 * a);
    // Here too the free surface is lifted to hold the volume, above a base that is not.
    assert_within(view.line.mean_angle_rad, DEW_DEG(70), DEW_DEG(2));
    assert_within(dew_stage_apex_m(&stage, &view, 0.3 * a), cap.height_m, 0.02 * cap.height_m);
    dew_stage_close(&stage);
}

static void tells_a_bad_scene(void **state)
{
    (void)state;
    dew_Stage stage;
    dew_SceneBuilder b = begin_still();
    dew_build_ball(&b, dew_v3(0, 5e-3, 0), -1e-3);
    assert_int_equal(dew_stage_open(&stage, &b).code, DEW_BAD_INPUT);
    assert_null(stage.scene);
    assert_null(stage.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sees_a_ball),
        cmocka_unit_test(sees_two_pieces),
        cmocka_unit_test(sees_a_base),
        cmocka_unit_test(tells_a_bad_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
