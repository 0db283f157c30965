// Modes against limits, against each other, and against values that are published or known.
#include "validate/drop_modes.h"

#include "support/testing.h"

#include <math.h>

static const double rho = 998.2, mu = 1.002e-3, sigma = 72.8e-3;

static void weak_viscosity_is_the_limit(void **state)
{
    (void)state;
    // The boundary layer changes both by the order of sqrt(nu / (omega R^2)).
    for (int n = 2; n <= 5; n++) {
        double last = 1;
        for (double thin = 1e-2; thin > 1e-5; thin /= 10) {
            dew_DropMode exact, weak;
            assert_int_equal(dew_drop_mode_viscous(n, 1e-3, rho, thin * mu, sigma, &exact).code,
                             DEW_OK);
            weak = dew_drop_mode_weakly_viscous(n, 1e-3, rho, thin * mu, sigma);
            double layer = sqrt(thin * mu / (rho * weak.omega_rad_s * 1e-6));
            double off = fabs(exact.decay_1_s / weak.decay_1_s - 1);
            assert_true(off < 3 * n * layer && off < last);
            assert_near(exact.omega_rad_s, weak.omega_rad_s, 3 * n * layer * layer);
            last = off;
        }
    }
}

// A millimetre of water: Lamb's decay is 3 % high there, and 10 % at an Ohnesorge number of 0.03.
static void lamb_is_too_high(void **state)
{
    (void)state;
    dew_DropMode exact, weak;
    assert_int_equal(dew_drop_mode_viscous(2, 1e-3, rho, mu, sigma, &exact).code, DEW_OK);
    weak = dew_drop_mode_weakly_viscous(2, 1e-3, rho, mu, sigma);
    assert_near(weak.decay_1_s / exact.decay_1_s, 1.03, 0.006);
    double thick = 0.03 * sqrt(rho * sigma * 1e-3);
    assert_int_equal(dew_drop_mode_viscous(2, 1e-3, rho, thick, sigma, &exact).code, DEW_OK);
    weak = dew_drop_mode_weakly_viscous(2, 1e-3, rho, thick, sigma);
    assert_near(weak.decay_1_s / exact.decay_1_s, 1.10, 0.03);
}

// Beyond a critical viscosity a drop creeps back instead: for n = 2 at omega_0 R^2 / nu = 3.69
// [MillerScriven1968, after Chandrasekhar].
static void thick_drops_do_not_oscillate(void **state)
{
    (void)state;
    double R = 1e-3;
    double omega = dew_drop_mode_weakly_viscous(2, R, rho, mu, sigma).omega_rad_s;
    dew_DropMode mode;
    double below = rho * omega * R * R / 3.75, above = rho * omega * R * R / 3.6;
    assert_int_equal(dew_drop_mode_viscous(2, R, rho, below, sigma, &mode).code, DEW_OK);
    assert_true(mode.omega_rad_s < 0.3 * omega);
    assert_int_equal(dew_drop_mode_viscous(2, R, rho, above, sigma, &mode).code, DEW_BAD_INPUT);
}

static void modes_scale(void **state)
{
    (void)state;
    // With viscosity as sqrt(R) the problem is the same one in other units.
    dew_DropMode small, large;
    assert_int_equal(dew_drop_mode_viscous(3, 1e-3, rho, mu, sigma, &small).code, DEW_OK);
    assert_int_equal(dew_drop_mode_viscous(3, 4e-3, rho, 2 * mu, sigma, &large).code, DEW_OK);
    assert_near(small.omega_rad_s, 8 * large.omega_rad_s, 1e-10);
    assert_near(small.decay_1_s, 8 * large.decay_1_s, 1e-9);
}

// The fastest wave of [Rayleigh1878]: 9.016 radii long, growing at 0.3433 sqrt(sigma / rho R^3).
static void cylinders_have_a_fastest_wave(void **state)
{
    (void)state;
    double R = 1e-3, unit = sqrt(sigma / (rho * R * R * R)), best = 0, at = 0;
    for (double length = 6.3; length < 20; length += 0.001) {
        double growth = dew_cylinder_growth_1_s(length * R, R, rho, sigma);
        at = growth > best ? length : at;
        best = fmax(best, growth);
    }
    assert_near(at, 9.016, 3e-4);
    assert_near(best / unit, 0.3433, 2e-4);
    assert_true(dew_cylinder_growth_1_s(5 * R, R, rho, sigma) == 0);
}

// Long waves on thin threads lose 3 nu k^2 of their speed (Weber), short ones, as on deep water, 4
// nu k^2.
static void viscosity_damps_waves_on_cylinders(void **state)
{
    (void)state;
    double k = 2 * DEW_PI;
    assert_near(2 * dew_cylinder_damping_1_s(1, 1e-3, 1e-6), 3e-6 * k * k, 1e-4);
    assert_near(2 * dew_cylinder_damping_1_s(1, 10, 1e-6), 4e-6 * k * k, 1e-2);
}

static void waves_reach_the_axis(void **state)
{
    (void)state;
    double t = dew_cylinder_breakup_s(100, 1e-3, 1e-4);
    assert_near(1e-4 * cosh(100 * t), 1e-3, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weak_viscosity_is_the_limit),
        cmocka_unit_test(lamb_is_too_high),
        cmocka_unit_test(thick_drops_do_not_oscillate),
        cmocka_unit_test(modes_scale),
        cmocka_unit_test(cylinders_have_a_fastest_wave),
        cmocka_unit_test(waves_reach_the_axis),
        cmocka_unit_test(viscosity_damps_waves_on_cylinders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
