// The liquid at the start: volume, velocity, and where it is wet.
#include "problem/poured.h"

#include "base/testing.h"
#include "problem/problem_testing.h"
#include "surface/surface.h"

static void balls_and_caps(void **state)
{
    (void)state;
    TestProblem t = {0};
    dew_Surface *surface;
    test_make(&t, TEST_HEAD "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], "
                            "material: glass}]\n"
                            "drops:\n"
                            "  - {shape: sphere, center: [0, 4 mm, 0], radius: 1 mm, "
                            "velocity: [0, -1, 0]}\n"
                            "  - {shape: cap, point: [3 mm, 0, 0], normal: [0, 1, 0], "
                            "volume: 5 mm^3, angle: 60 deg}\n");
    assert_int_equal(t.status.code, DEW_OK);
    assert_int_equal(dew_surface_create(NULL, &surface).code, DEW_OK);
    assert_int_equal(dew_problem_poured(t.problem, NULL, surface).code, DEW_OK);
    assert_int_equal(surface->piece_count, 2);
    double expected = 4 * DEW_PI / 3 * 1e-9 + 5e-9;
    assert_true(fabs(dew_surface_volume_m3(surface) / expected - 1) < 0.01);
    int64_t wet = 0;
    for (int64_t i = 0; i < dew_surface_vertex_count(surface); i++) {
        dew_Vec3 p = dew_surface_positions_m(surface)[i];
        bool is_low = p.y < 1e-9, is_wet = dew_surface_wet(surface)[i] == 1;
        assert_int_equal(is_low, is_wet);
        wet += is_wet;
        double speed = p.y > 2.9e-3 ? -1 : 0;
        assert_true(dew_surface_velocities_m_s(surface)[i].y == speed);
    }
    assert_true(wet > 50);
    dew_surface_destroy(surface);
    test_done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls_and_caps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
