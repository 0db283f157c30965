// Caps against independent integrals, against limits, and round trips over the whole range of
// angles.
#include "dew/wetting.h"

#include "base/testing.h"

#include <math.h>

// Volume and area of revolution by Simpson's rule over the polar angle of the ball, which is
// smooth.
static void integrate(double R, double theta, double *volume, double *area)
{
    int n = 2000;
    double dt = theta / n, v = 0, s = 0;
    for (int i = 0; i <= n; i++) {
        double weight = (i == 0 || i == n) ? 1 : (i % 2 ? 4 : 2);
        double r = R * sin(i * dt);
        v += weight * DEW_PI * r * r * R * sin(i * dt);  // disk times the height it adds
        s += weight * 2 * DEW_PI * r * R;
    }
    *volume = v * dt / 3;
    *area = s * dt / 3;
}

static void measures_match_integrals(void **state)
{
    (void)state;
    for (int degrees = 10; degrees <= 180; degrees += 10) {
        dew_DropCap cap = dew_drop_cap_from_radius_angle(2e-3, DEW_DEG(degrees));
        double volume, area;
        integrate(2e-3, DEW_DEG(degrees), &volume, &area);
        // Simpson's error is (theta/2000)^4 / 180 times the fourth derivative: below 1e-11.
        assert_near(cap.volume_m3, volume, 1e-10);
        assert_near(cap.area_m2, area, 1e-10);
    }
}

static void hemisphere_and_ball(void **state)
{
    (void)state;
    dew_DropCap half = dew_drop_cap_from_volume_angle(2 * DEW_PI / 3, DEW_PI / 2);
    assert_near(half.radius_m, 1, 1e-15);
    assert_near(half.height_m, 1, 1e-15);
    assert_near(half.base_radius_m, 1, 1e-15);
    assert_true(fabs(half.center_height_m) < 1e-15);
    dew_DropCap ball = dew_drop_cap_from_volume_angle(4 * DEW_PI / 3, DEW_PI);
    assert_near(ball.height_m, 2, 1e-15);
    assert_near(ball.area_m2, 4 * DEW_PI, 1e-15);
    assert_true(ball.base_radius_m < 2e-16);
    ball = dew_drop_cap_from_volume_base(4 * DEW_PI / 3, 0);
    assert_near(ball.radius_m, 1, 1e-15);
    assert_near(ball.center_height_m, 1, 1e-15);
}

// A film: V = (pi/4) a^3 theta to leading order, next order theta^3.
static void thin_film_keeps_precision(void **state)
{
    (void)state;
    double theta = 1e-7, a = 1e-3;
    dew_DropCap cap = dew_drop_cap_from_base_angle(a, theta);
    assert_near(cap.volume_m3, DEW_PI / 4 * a * a * a * theta, 1e-13);
    assert_near(dew_drop_cap_from_volume_base(cap.volume_m3, a).angle_rad, theta, 1e-14);
}

static void assert_same_cap(dew_DropCap x, dew_DropCap y, double relative)
{
    assert_near(x.angle_rad, y.angle_rad, relative);
    assert_near(x.radius_m, y.radius_m, relative);
    assert_near(x.base_radius_m, y.base_radius_m, relative);
    assert_near(x.height_m, y.height_m, relative);
    assert_near(x.volume_m3, y.volume_m3, relative);
    assert_near(x.area_m2, y.area_m2, relative);
}

static void round_trips(void **state)
{
    (void)state;
    double degrees[] = {1e-6, 1e-3, 0.1, 1, 10, 30, 60, 90, 120, 150, 170, 179, 179.9};
    for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; i++) {
        double theta = DEW_DEG(degrees[i]);
        dew_DropCap cap = dew_drop_cap_from_volume_angle(5e-9, theta);
        // a = R sin(theta) near a ball moves by tan(theta/2) per relative change of the others.
        double relative = 1e-14 * (1 + tan(theta / 2));
        assert_same_cap(dew_drop_cap_from_volume_base(5e-9, cap.base_radius_m), cap, relative);
        assert_same_cap(dew_drop_cap_from_base_angle(cap.base_radius_m, theta), cap, relative);
        assert_same_cap(dew_drop_cap_from_base_height(cap.base_radius_m, cap.height_m), cap,
                        relative);
        assert_same_cap(dew_drop_cap_from_radius_angle(cap.radius_m, theta), cap, relative);
    }
}

// At fixed volume a wider base means a flatter cap; the whole range of angles is met.
static void angle_falls_as_the_base_grows(void **state)
{
    (void)state;
    double before = DEW_PI;
    for (double a = 1e-12; a < 1e3; a *= 1.5) {
        double angle = dew_drop_cap_from_volume_base(1e-9, a).angle_rad;
        assert_true(angle <= before && angle > 0);
        before = angle;
    }
    assert_true(before < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_match_integrals),      cmocka_unit_test(hemisphere_and_ball),
        cmocka_unit_test(thin_film_keeps_precision),     cmocka_unit_test(round_trips),
        cmocka_unit_test(angle_falls_as_the_base_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
