// Profiles against spherical caps, the balance of forces, puddles, and the pinned line.
#include "validate/young_laplace.h"

#include "support/testing.h"

#include "dew/wetting.h"

#include <math.h>

static const double rho = 998.2, g = 9.81, sigma = 72.8e-3;

static double water_k(void)
{
    return dew_capillary_k_1_m2(rho, g, sigma);
}

static void without_gravity_drops_are_caps(void **state)
{
    (void)state;
    for (int degrees = 5; degrees < 180; degrees += 5) {
        dew_SessileDrop drop;
        double angle = DEW_DEG(degrees);
        assert_int_equal(dew_sessile_from_volume_angle(0, 5e-9, angle, &drop).code, DEW_OK);
        dew_DropCap cap = dew_drop_cap_from_volume_angle(5e-9, angle);
        assert_near(drop.height_m, cap.height_m, 1e-8);
        assert_near(drop.base_radius_m, cap.base_radius_m, 1e-8);
        assert_near(drop.area_m2, cap.area_m2, 1e-8);
        assert_near(drop.widest_radius_m, degrees > 90 ? cap.radius_m : cap.base_radius_m, 1e-8);
        double h = cap.height_m, R = cap.radius_m;
        double center = cap.center_height_m + 3 * (2 * R - h) * (2 * R - h) / (4 * (3 * R - h));
        assert_near(drop.center_height_m, center, 1e-8);
    }
}

// Weight and the line's pull are carried by the pressure on the base:
//     pi a^2 (2 sigma / b + rho g h) = rho g V + 2 pi a sigma sin(theta),
// a first integral that the shooting does not use.
static void forces_balance(void **state)
{
    (void)state;
    double k = water_k();
    for (int degrees = 10; degrees <= 170; degrees += 20)
        for (double volume = 1e-10; volume < 2e-6; volume *= 10) {
            dew_SessileDrop d;
            assert_int_equal(dew_sessile_from_volume_angle(k, volume, DEW_DEG(degrees), &d).code,
                             DEW_OK);
            assert_near(d.volume_m3, volume, 1e-9);
            double a = d.base_radius_m;
            double up = DEW_PI * a * a * (2 / d.apex_radius_m + k * d.height_m);
            double down = k * volume + 2 * DEW_PI * a * sin(d.angle_rad);
            assert_near(up, down, 1e-7);
        }
}

// A wide puddle has the height of the two-dimensional one, 2 sin(theta/2) / sqrt(k), and to first
// order in capillary length over radius the correction of its curved rim; at 100 ml it is below one
// percent.
static void puddles_have_their_height(void **state)
{
    (void)state;
    double k = water_k();
    for (int degrees = 30; degrees <= 150; degrees += 30) {
        dew_SessileDrop d;
        double angle = DEW_DEG(degrees);
        assert_int_equal(dew_sessile_from_volume_angle(k, 1e-4, angle, &d).code, DEW_OK);
        double lc = 1 / sqrt(k);
        assert_near(d.height_m, 2 * lc * sin(angle / 2), lc / d.base_radius_m);
    }
}

// To first order in k: at 90 degrees a small drop's height falls below R by k R^3 / 6 ... checked
// as an order: the deviation from the cap is linear in k.
static void small_drops_deviate_linearly(void **state)
{
    (void)state;
    double deviation[2];
    for (int i = 0; i < 2; i++) {
        dew_SessileDrop d;
        double k = water_k() * (i ? 0.02 : 0.01), volume = 2e-9;
        assert_int_equal(dew_sessile_from_volume_angle(k, volume, DEW_DEG(90), &d).code, DEW_OK);
        deviation[i] =
            1 - d.height_m / dew_drop_cap_from_volume_angle(volume, DEW_DEG(90)).height_m;
        assert_true(deviation[i] > 0);
    }
    assert_near(deviation[1] / deviation[0], 2, 0.01);
}

static void bases_give_angles_back(void **state)
{
    (void)state;
    for (int degrees = 20; degrees <= 160; degrees += 35) {
        dew_SessileDrop d, back;
        assert_int_equal(dew_sessile_from_volume_angle(water_k(), 2e-8, DEW_DEG(degrees), &d).code,
                         DEW_OK);
        assert_int_equal(dew_sessile_from_volume_base(water_k(), 2e-8, d.base_radius_m, &back).code,
                         DEW_OK);
        assert_near(back.angle_rad, d.angle_rad, 1e-8);
    }
    dew_SessileDrop none;
    assert_int_equal(dew_sessile_from_volume_base(water_k(), 2e-8, 1, &none).code, DEW_BAD_INPUT);
}

static void lines_are_pinned_between_the_bounds(void **state)
{
    (void)state;
    double k = water_k(), receding = DEW_DEG(60), advancing = DEW_DEG(100), radius = 1e-4;
    dew_SessileDrop d;
    for (double v = 5e-9; v < 20.01e-9; v += 1e-9) {  // grows at the advancing angle
        assert_int_equal(dew_sessile_follow(k, receding, advancing, v, &radius).code, DEW_OK);
        assert_int_equal(dew_sessile_from_volume_base(k, v, radius, &d).code, DEW_OK);
        assert_near(d.angle_rad, advancing, 1e-7);
    }
    double widest = radius;
    int pinned = 0, receding_steps = 0;
    for (double v = 19e-9; v > 4.9e-9; v -= 1e-9) {
        assert_int_equal(dew_sessile_follow(k, receding, advancing, v, &radius).code, DEW_OK);
        assert_int_equal(dew_sessile_from_volume_base(k, v, radius, &d).code, DEW_OK);
        pinned += radius == widest;
        if (radius != widest) {
            assert_near(d.angle_rad, receding, 1e-7);
            receding_steps++;
        }
    }
    assert_true(pinned > 4 && receding_steps > 2);
}

// The balance of forces on the whole drop at the rim, r: weight = line's pull + pressure over the
// disk,
//     rho g V = 2 pi r sigma sin(phi) - pi r^2 (2 sigma / b - rho g h).
static void hanging_forces_balance(void **state)
{
    (void)state;
    double k = water_k();
    for (double r = 0.1e-3; r < 2.5e-3; r *= 1.5) {
        dew_PendantDrop d;
        assert_int_equal(dew_pendant_largest(k, r, &d).code, DEW_OK);
        double pull = 2 * DEW_PI * r * sin(d.rim_angle_rad);
        double push = DEW_PI * r * r * (2 / d.apex_radius_m - k * d.height_m);
        assert_near(k * d.volume_m3, pull - push, 1e-8);
        assert_true(d.neck_radius_m <= r);
        // Tate's law bounds it: the whole pull of the line, all of it only for r -> 0 [Harkins].
        double tate = 2 * DEW_PI * r / k;
        assert_true(d.volume_m3 < tate && d.volume_m3 > 0.6 * tate);
    }
    dew_PendantDrop none;
    assert_int_equal(dew_pendant_largest(k, 0.1, &none).code, DEW_BAD_INPUT);
}

// Water at a disk of 1 mm. An independent integration (classical Runge-Kutta of fixed step 2 um
// over a scan of apex radii) gave 35.459 mm^3.
static void water_lets_go_of_a_millimetre(void **state)
{
    (void)state;
    dew_PendantDrop d;
    assert_int_equal(dew_pendant_largest(water_k(), 1e-3, &d).code, DEW_OK);
    assert_near(d.volume_m3, 35.459e-9, 5e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_gravity_drops_are_caps),
        cmocka_unit_test(forces_balance),
        cmocka_unit_test(puddles_have_their_height),
        cmocka_unit_test(small_drops_deviate_linearly),
        cmocka_unit_test(bases_give_angles_back),
        cmocka_unit_test(lines_are_pinned_between_the_bounds),
        cmocka_unit_test(hanging_forces_balance),
        cmocka_unit_test(water_lets_go_of_a_millimetre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
