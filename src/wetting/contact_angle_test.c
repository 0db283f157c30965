// The contact-angle model alone: interval, both return mappings, bound, friction, blend.
#include "base/testing.h"
#include "geom/vec.h"
#include "wetting/contact_angle.h"

static const double sigma = 0.073;

static dew_MaterialDef glass(void)
{
    return (dew_MaterialDef){
        .advancing_rad = DEW_DEG(90),
        .receding_rad = DEW_DEG(40),
        .wet_advancing_rad = DEW_DEG(60),
        .max_receding_tension_N_m = HUGE_VAL,
        .dries_after_s = HUGE_VAL,
    };
}

static void order_of_angles_is_checked(void **state)
{
    (void)state;
    dew_MaterialDef m = glass();
    assert_true(dew_contact_is_valid(&m));
    m.receding_rad = DEW_DEG(61);
    assert_false(dew_contact_is_valid(&m));
    m = glass(), m.wet_advancing_rad = DEW_DEG(91);
    assert_false(dew_contact_is_valid(&m));
    m = glass(), m.receding_rad = -0.1;
    assert_false(dew_contact_is_valid(&m));
    m = glass(), m.advancing_rad = 3.2;
    assert_false(dew_contact_is_valid(&m));
    m = glass(), m.wet_advancing_rad = (double)NAN;
    assert_false(dew_contact_is_valid(&m));
}

static void wet_solid_lowers_the_advancing_angle_only(void **state)
{
    (void)state;
    dew_MaterialDef m = glass();
    dew_AngleInterval dry = dew_contact_interval(&m, 0), wet = dew_contact_interval(&m, 1e-9);
    assert_true(dry.advancing_rad == m.advancing_rad && wet.advancing_rad == m.wet_advancing_rad);
    assert_true(dry.receding_rad == m.receding_rad && wet.receding_rad == m.receding_rad);
}

static void angle_is_returned_to_the_interval(void **state)
{
    (void)state;
    dew_MaterialDef m = glass();
    dew_AngleInterval dry = dew_contact_interval(&m, 0);
    for (int degrees = 0; degrees <= 180; degrees++) {
        double theta = DEW_DEG(degrees);
        dew_ContactReturn r = dew_contact_return(dry, sigma, HUGE_VAL, theta);
        assert_true(r.angle_rad >= dry.receding_rad && r.angle_rad <= dry.advancing_rad);
        assert_true(r.target_rad == r.angle_rad);
        assert_within(r.force_N_m, sigma * (cos(r.angle_rad) - cos(theta)), 1e-17);
        if (degrees < 40)
            assert_true(r.state == DEW_LINE_RECEDING && r.force_N_m < 0);
        else if (degrees > 90)
            assert_true(r.state == DEW_LINE_ADVANCING && r.force_N_m > 0);
        else
            assert_true(r.state == DEW_LINE_PINNED && r.force_N_m == 0 && r.angle_rad == theta);
    }
}

// The force is continuous in the angle and never falls as it grows: a line cannot be driven both
// ways.
static void force_is_monotone(void **state)
{
    (void)state;
    dew_MaterialDef m = glass();
    dew_AngleInterval dry = dew_contact_interval(&m, 0);
    double before = -HUGE_VAL;
    for (int i = 0; i <= 18000; i++) {
        double f = dew_contact_return(dry, sigma, 0.01, DEW_DEG(i / 100.0)).force_N_m;
        assert_true(f >= before);
        if (i > 0)  // no jump: slope at most sigma per radian
            assert_true(f - before <= sigma * DEW_DEG(0.01) * (1 + 1e-9));
        before = f;
    }
}

static void receding_tension_is_bounded(void **state)
{
    (void)state;
    dew_MaterialDef m = glass();
    dew_AngleInterval dry = dew_contact_interval(&m, 0);
    double bound = 0.005, theta = DEW_DEG(10);
    assert_true(sigma * (cos(theta) - cos(dry.receding_rad)) > bound);  // else it tests nothing
    dew_ContactReturn r = dew_contact_return(dry, sigma, bound, theta);
    assert_true(r.state == DEW_LINE_RECEDING && r.force_N_m == -bound);
    assert_true(r.angle_rad == dry.receding_rad);
    assert_true(r.target_rad > theta && r.target_rad < dry.receding_rad);
    assert_within(sigma * (cos(r.target_rad) - cos(theta)), -bound, 1e-15);
    // Just below the receding angle the bound does not bite; advancing never feels it.
    double near = DEW_DEG(39.9);
    assert_within(dew_contact_return(dry, sigma, bound, near).force_N_m,
                  sigma * (cos(dry.receding_rad) - cos(near)), 0);
    assert_true(dew_contact_return(dry, sigma, bound, DEW_DEG(180)).force_N_m > 10 * bound);
    // No receding tension at all: the line never recedes.
    assert_true(dew_contact_return(dry, sigma, 0, theta).force_N_m == 0);
}

// With nothing but the liquid's own pull both mappings must agree.
static void force_mapping_agrees_with_angle_mapping(void **state)
{
    (void)state;
    dew_MaterialDef m = glass();
    for (int wet = 0; wet < 2; wet++) {
        dew_AngleInterval interval = dew_contact_interval(&m, wet);
        for (int degrees = 1; degrees < 180; degrees++) {
            double theta = DEW_DEG(degrees + 0.5), bound = 0.005;
            dew_ContactReturn a = dew_contact_return(interval, sigma, bound, theta);
            dew_ContactReturn f =
                dew_contact_return_force(interval, sigma, bound, -sigma * cos(theta));
            assert_int_equal(a.state, f.state);
            assert_within(f.force_N_m, a.force_N_m, 1e-16);
            assert_within(f.angle_rad, a.angle_rad, 1e-13);
            assert_within(f.target_rad, a.target_rad, 1e-13);
        }
    }
}

// A block on a slope: the solid holds up to its bound, then slides with the rest.
static void force_mapping_is_a_friction_clamp(void **state)
{
    (void)state;
    dew_MaterialDef m = glass();
    dew_AngleInterval dry = dew_contact_interval(&m, 0);
    double most = sigma * cos(dry.receding_rad), least = sigma * cos(dry.advancing_rad);
    for (int i = -200; i <= 200; i++) {
        double pull = sigma * i / 100.0;
        dew_ContactReturn r = dew_contact_return_force(dry, sigma, HUGE_VAL, pull);
        double answer = r.force_N_m - pull;  // of the solid
        if (r.state == DEW_LINE_PINNED)
            answer = sigma * cos(r.target_rad);
        assert_true(answer >= least - 1e-16 && answer <= most + 1e-16);
        assert_true(r.state != DEW_LINE_PINNED || r.force_N_m == 0);
        assert_true(r.state != DEW_LINE_ADVANCING || r.force_N_m > 0);
        assert_true(r.state != DEW_LINE_RECEDING || r.force_N_m < 0);
    }
}

static void rules_of_the_paper(void **state)
{
    (void)state;
    dew_AngleInterval interval = {0.5, 1.5};
    assert_true(dew_contact_angle_by_speed(interval, 0.2, 0.1) == 1.5);
    assert_true(dew_contact_angle_by_speed(interval, -0.2, 0.1) == 0.5);
    assert_true(isnan(dew_contact_angle_by_speed(interval, 0.05, 0.1)));
    // Eq. (10): opposite signs hold, else the one nearer to zero acts.
    assert_true(dew_contact_static_pressure(-3, 5) == 0);
    assert_true(dew_contact_static_pressure(-3, -1) == -1);
    assert_true(dew_contact_static_pressure(2, 5) == 2);
}

static void friction_takes_speed_not_direction(void **state)
{
    (void)state;
    dew_Vec3 v = {3e-3, 0, -4e-3};  // 5 mm/s
    dew_Vec3 slower = dew_contact_friction(v, 1e-3, DEW_FRICTION_STEP_S);
    assert_within(dew_length(slower), 4e-3, 1e-18);
    assert_within(dew_length(dew_cross(slower, v)), 0, 1e-20);
    assert_true(dew_length(dew_contact_friction(v, 5.1e-3, DEW_FRICTION_STEP_S)) == 0);
    assert_true(dew_length(dew_contact_friction((dew_Vec3){0, 0, 0}, 0, 1)) == 0);
    // Two half steps take what one step takes.
    dew_Vec3 twice = dew_contact_friction(v, 1e-3, DEW_FRICTION_STEP_S / 2);
    twice = dew_contact_friction(twice, 1e-3, DEW_FRICTION_STEP_S / 2);
    assert_within(dew_distance(twice, slower), 0, 1e-17);
}

static void blend_mixes_cosines(void **state)
{
    (void)state;
    dew_MaterialDef a = glass(), b = glass();
    b.advancing_rad = DEW_DEG(180), b.wet_advancing_rad = b.receding_rad = DEW_DEG(120);
    b.friction = 2, b.slip_m = 1e-6, a.slip_m = HUGE_VAL, b.dries_after_s = 4;
    dew_MaterialDef half = dew_material_blend(&a, &b, 0.5);
    assert_within(half.advancing_rad, DEW_DEG(120), 1e-15);     // cosines 0 and -1
    assert_within(half.wet_advancing_rad, DEW_DEG(90), 1e-15);  // cosines 1/2 and -1/2
    assert_within(half.friction, 1, 0);
    assert_within(half.slip_m, 2e-6, 1e-20);
    assert_within(half.dries_after_s, 8, 1e-14);
    assert_true(isinf(half.max_receding_tension_N_m));
    a.slip_m = 0;
    assert_true(dew_material_blend(&a, &b, 0.9).slip_m == 0);
    for (int i = 0; i <= 1000; i++) {
        dew_MaterialDef m = dew_material_blend(&a, &b, i / 1000.0);
        assert_true(dew_contact_is_valid(&m));
    }
    assert_true(dew_material_blend(&a, &b, 0).advancing_rad == a.advancing_rad);
    assert_true(dew_material_blend(&a, &b, 1).advancing_rad == b.advancing_rad);
    assert_true(dew_material_blend(&a, &b, 7).advancing_rad == b.advancing_rad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_angles_is_checked),
        cmocka_unit_test(wet_solid_lowers_the_advancing_angle_only),
        cmocka_unit_test(angle_is_returned_to_the_interval),
        cmocka_unit_test(force_is_monotone),
        cmocka_unit_test(receding_tension_is_bounded),
        cmocka_unit_test(force_mapping_agrees_with_angle_mapping),
        cmocka_unit_test(force_mapping_is_a_friction_clamp),
        cmocka_unit_test(rules_of_the_paper),
        cmocka_unit_test(friction_takes_speed_not_direction),
        cmocka_unit_test(blend_mixes_cosines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
