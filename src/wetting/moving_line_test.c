// The law of the moving contact line: Cox's integral against quadrature, limits, derivatives, and
// the speed of a sliding drop.
#include "base/testing.h"
#include "dew/wetting.h"
#include "geom/vec.h"

// The defaults of scenes (scene/ is a higher layer).
static dew_MaterialDef smooth(dew_DynamicAngle kind)
{
    return (dew_MaterialDef){.dynamic_angle = kind,
                             .slip_length_m = 10e-9,
                             .jump_length_m = 0.36e-9,
                             .jump_frequency_Hz = 8.6e9};
}

static dew_LineLaw water(dew_DynamicAngle kind)
{
    dew_MaterialDef material = smooth(kind);
    return dew_line_law(&material, 1e-3, 0.073);
}

// g by the midpoint rule with n points: error of order n^-2.
static double quadrature(double theta, int n)
{
    double sum = 0, h = theta / n;
    for (int k = 0; k < n; k++) {
        double x = (k + 0.5) * h;
        sum += (x - sin(x) * cos(x)) / (2 * sin(x)) * h;
    }
    return sum;
}

static void cox_integral_agrees_with_quadrature(void **state)
{
    (void)state;
    for (int degrees = 1; degrees < 176; degrees += 3) {
        double theta = DEW_DEG(degrees);
        double coarse = quadrature(theta, 2000), fine = quadrature(theta, 4000);
        double exact = fine + (fine - coarse) / 3;  // Richardson
        assert_within(dew_cox_integral(theta), exact, 1e-7 * exact);
    }
    assert_within(dew_cox_integral(0.1), 1e-3 / 9, 0.0003 * 1e-3 / 9);
    // [Cox1986]: theta^3 / 9 is within 1 % up to 135 degrees.
    double theta = DEW_DEG(135);
    assert_within(dew_cox_integral(theta), theta * theta * theta / 9, 0.012 * theta);
}

static void inverse_returns_the_angle(void **state)
{
    (void)state;
    for (int degrees = 0; degrees < 180; degrees++) {
        double theta = DEW_DEG(degrees + 0.01);
        assert_within(dew_cox_angle(dew_cox_integral(theta)), theta, 1e-9);
    }
    assert_true(dew_cox_angle(0) == 0 && dew_cox_angle(-1) == 0);
    assert_true(dew_cox_angle(1e3) <= DEW_PI);
}

static void drag_is_the_derivative_of_the_force(void **state)
{
    (void)state;
    static const dew_DynamicAngle kinds[] = {DEW_ANGLE_COX_VOINOV, DEW_ANGLE_MOLECULAR_KINETIC};
    for (int kind = 0; kind < 2; kind++)
        for (int degrees = 10; degrees < 180; degrees += 20) {
            dew_LineLaw law = water(kinds[kind]);
            double du = 1e-7, most = dew_line_critical_speed(&law, DEW_DEG(degrees), 1e-3);
            for (double u = -0.9 * fmin(most, 0.2); u < 0.5; u += 0.03) {
                double low = dew_line_angle(&law, DEW_DEG(degrees), u - du, 1e-3).cosine;
                double high = dew_line_angle(&law, DEW_DEG(degrees), u + du, 1e-3).cosine;
                dew_LineAngle here = dew_line_angle(&law, DEW_DEG(degrees), u, 1e-3);
                double slope = -law.surface_tension_N_m * (high - low) / (2 * du);
                assert_within(here.drag_Pa_s, slope, 1e-4 * slope + 1e-7);
                assert_true(here.drag_Pa_s >= 0);
            }
        }
}

static void a_line_at_rest_has_its_microscopic_angle(void **state)
{
    (void)state;
    static const dew_DynamicAngle kinds[] = {DEW_ANGLE_COX_VOINOV, DEW_ANGLE_MOLECULAR_KINETIC,
                                             DEW_ANGLE_STATIC};
    for (int kind = 0; kind < 3; kind++)
        for (int degrees = 1; degrees < 180; degrees++) {
            dew_LineLaw law = water(kinds[kind]);
            dew_LineAngle a = dew_line_angle(&law, DEW_DEG(degrees), 0, 1e-3);
            assert_within(a.angle_rad, DEW_DEG(degrees), 1e-9);
            // Nothing bends within the slip length, and an ideal liquid bends nothing.
            law.viscosity_Pa_s = kind == 1 ? law.viscosity_Pa_s : 0;
            double moving = dew_line_angle(&law, DEW_DEG(degrees), 0.1, 1e-3).angle_rad;
            assert_true(kind == 1 || moving == DEW_DEG(degrees));
        }
}

// Beyond the critical speed the angle is 0, and the cosine goes on growing.
static void receding_lines_have_a_largest_speed(void **state)
{
    (void)state;
    dew_LineLaw law = water(DEW_ANGLE_COX_VOINOV);
    double theta = DEW_DEG(30), u = dew_line_critical_speed(&law, theta, 1e-3);
    double Ca = theta * theta * theta / 9 / log(1e-3 / law.slip_length_m);
    assert_within(u * law.viscosity_Pa_s / law.surface_tension_N_m, Ca, 0.01 * Ca);
    // theta_d^3 falls linearly to 0: at 0.999 of the speed a tenth of theta is left.
    assert_within(dew_line_angle(&law, theta, -0.999 * u, 1e-3).angle_rad, 0.1 * theta,
                  0.01 * theta);
    dew_LineAngle beyond = dew_line_angle(&law, theta, -1.01 * u, 1e-3);
    assert_true(beyond.angle_rad == 0 && beyond.cosine > 1);
    assert_true(isinf(dew_line_critical_speed(&(dew_LineLaw){.kind = DEW_ANGLE_STATIC}, theta, 1)));
}

// Force per radius R along the motion of a round base that slides with speed U: the integral of
// sigma cos(theta_d) cos(phi) around it, by the midpoint rule.
static double force_per_radius(const dew_LineLaw *law, double receding, double advancing, double U,
                               double R)
{
    int n = 2000;
    double sum = 0;
    for (int k = 0; k < n; k++) {
        double phi = 2 * DEW_PI * (k + 0.5) / n, u = U * cos(phi);
        double theta_m = u > 0 ? advancing : receding;
        double cosine = fmin(dew_line_angle(law, theta_m, u, R).cosine, 1);
        sum -= law->surface_tension_N_m * cosine * cos(phi) * 2 * DEW_PI / n;
    }
    return sum;
}

// A drop of silicone oil on a plane tilted by 30 degrees: 7.8 mm/s when the law is integrated
// around a round base, 8.6 by the form linearised at the mean angle.
static void speed_of_a_sliding_drop_of_oil(void **state)
{
    (void)state;
    dew_MaterialDef material = smooth(DEW_ANGLE_COX_VOINOV);
    double rho = 936, V = 6e-9, sigma = 20.1e-3, mu = 10.4e-3, g = 9.81;
    double a = DEW_DEG(50.5), r = DEW_DEG(45.5), theta = 0.5 * (a + r), tilt = DEW_DEG(30);
    dew_LineLaw law = dew_line_law(&material, mu, sigma);
    double R = dew_drop_cap_from_volume_angle(V, theta).base_radius_m;
    double weight = rho * V * g * sin(tilt), low = 0, high = 0.05;
    for (int n = 0; n < 60; n++) {
        double U = 0.5 * (low + high);
        bool is_slow = R * force_per_radius(&law, r, a, U, R) < weight;
        *(is_slow ? &low : &high) = U;
    }
    assert_within(low, 7.8e-3, 0.15e-3);
    double drag = dew_line_angle(&law, theta, 0, R).drag_Pa_s;
    double retention = 2 * R * sigma * (cos(r) - cos(a));
    assert_within((weight - retention) / (DEW_PI * R * drag), 8.6e-3, 0.1e-3);
}

// For small speeds the molecular-kinetic law is a friction of k T / (frequency length^3).
static void molecular_friction_is_linear_when_slow(void **state)
{
    (void)state;
    dew_LineLaw law = water(DEW_ANGLE_MOLECULAR_KINETIC);
    double l = law.jump_length_m, friction = 4.116e-21 / (law.jump_frequency_Hz * l * l * l);
    assert_within(dew_line_angle(&law, 1, 0, 1e-3).drag_Pa_s, friction, 1e-9 * friction);
    double u = dew_line_critical_speed(&law, 1, 1e-3);
    assert_within(dew_line_angle(&law, 1, -u, 1e-3).cosine, 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cox_integral_agrees_with_quadrature),
        cmocka_unit_test(inverse_returns_the_angle),
        cmocka_unit_test(drag_is_the_derivative_of_the_force),
        cmocka_unit_test(a_line_at_rest_has_its_microscopic_angle),
        cmocka_unit_test(receding_lines_have_a_largest_speed),
        cmocka_unit_test(speed_of_a_sliding_drop_of_oil),
        cmocka_unit_test(molecular_friction_is_linear_when_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
