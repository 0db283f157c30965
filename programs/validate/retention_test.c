// The law against the integral it stands for, on outlines of several shapes.
#include "validate/retention.h"

#include "support/testing.h"

#include <math.h>

#define POINTS 40000

// A point of an outline elongated along x (downhill) by straight sides, slightly egg-shaped.
static void outline(double turn, double side, double egg, double *x, double *y)
{
    double c = cos(turn), s = sin(turn);
    *x = c * (1 + egg * c) + (c > 0 ? side : -side);
    *y = s;
}

// Pull uphill: sigma times the integral of -cos(theta) n_x, the angle chosen by the sign of n_x.
static double pull(double side, double egg, double receding, double advancing, double *width)
{
    double sum = 0, low = 0, high = 0;
    for (int i = 0; i < POINTS; i++) {
        double x0, y0, x1, y1;
        outline(2 * DEW_PI * i / POINTS, side, egg, &x0, &y0);
        outline(2 * DEW_PI * (i + 1) / POINTS, side, egg, &x1, &y1);
        double n_x = y1 - y0;  // times the length: counter-clockwise
        sum -= n_x * cos(n_x > 0 ? advancing : receding);
        low = fmin(low, y0);
        high = fmax(high, y0);
    }
    *width = high - low;
    return sum;
}

static void any_outline_is_held_alike(void **state)
{
    (void)state;
    for (double side = 0; side < 2; side += 0.5)
        for (double egg = 0; egg < 0.3; egg += 0.1) {
            double width, receding = DEW_DEG(60), advancing = DEW_DEG(90);
            double want = pull(side, egg, receding, advancing, &width);
            assert_near(dew_retention_N(1, width, receding, advancing), want, 1e-6);
        }
}

static void heavy_drops_slide_earlier(void **state)
{
    (void)state;
    double force = dew_retention_N(72.8e-3, 4e-3, DEW_DEG(60), DEW_DEG(90));
    double tilt = dew_retention_tilt_rad(force, 998.2, 20e-9, 9.81);
    assert_near(998.2 * 20e-9 * 9.81 * sin(tilt), force, 1e-12);
    assert_true(dew_retention_tilt_rad(force, 998.2, 25e-9, 9.81) < tilt);
    assert_true(isnan(dew_retention_tilt_rad(force, 998.2, 5e-9, 9.81)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_outline_is_held_alike),
        cmocka_unit_test(heavy_drops_slide_earlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
