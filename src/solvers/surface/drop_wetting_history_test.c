// Wetting history: a footprint is remembered with its time, and nothing beside it.
#include "solvers/surface/drop_testing.h"

static void a_footprint_is_remembered(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 60 deg}");
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_cap(20e-9, DEW_DEG(60), 0.4e-3, &mesh));
    test_drop_load(&t, &mesh, dew_vec(0, 0, 0));
    dew_WetGround ground;
    dew_wet_ground_init(&ground, NULL, 0.3e-3);
    dew_Instant instant = {.time_s = 1.5};
    int floor = 0;  // the only solid
    assert_true(dew_wet_ground_time_s(&ground, t.problem, &instant, floor, dew_vec(0, 0, 0)) ==
                -HUGE_VAL);
    dew_DropView drop = dew_drop_work_view(&t.work);
    assert_ok(dew_drop_note_wet_ground(&ground, t.problem, &instant, &drop));
    double radius = 0;
    for (int64_t i = 0; i < t.work.n; i++)
        if (t.work.label[i])
            radius = fmax(radius, hypot(t.work.x[i].x, t.work.x[i].z));
    for (int k = 0; k < 12; k++) {
        double a = DEW_DEG(30) * k, in = 0.85 * radius, out = radius + 0.6e-3;
        assert_true(dew_wet_ground_time_s(&ground, t.problem, &instant, floor,
                                          dew_vec(in * cos(a), 0, in * sin(a))) == 1.5);
        assert_true(dew_wet_ground_time_s(&ground, t.problem, &instant, floor,
                                          dew_vec(out * cos(a), 0, out * sin(a))) == -HUGE_VAL);
    }
    // A wet map sees the same, give or take half a cube.
    for (int k = 0; k < 12; k++) {
        double a = DEW_DEG(30) * k, in = 0.85 * radius, out = radius + 0.6e-3;
        assert_true(dew_wet_ground_near_s(&ground, floor, dew_vec(in * cos(a), 0, in * sin(a))) ==
                    1.5);
        assert_true(dew_wet_ground_near_s(&ground, floor, dew_vec(out * cos(a), 0, out * sin(a))) ==
                    -HUGE_VAL);
    }
    // Noted again it is as large as before, and younger.
    int64_t used = ground.used;
    instant.time_s = 2;
    assert_ok(dew_drop_note_wet_ground(&ground, t.problem, &instant, &drop));
    assert_int_equal(ground.used, used);
    assert_true(dew_wet_ground_time_s(&ground, t.problem, &instant, floor, dew_vec(0, 0, 0)) == 2);
    assert_ok(dew_wet_ground_restored(&ground));
    assert_int_equal(ground.used, used);
    ground.keys.count--;
    assert_int_equal(dew_wet_ground_restored(&ground).code, DEW_CORRUPT);
    ground.keys.count++;
    dew_wet_ground_deinit(&ground);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_footprint_is_remembered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
