// Integration against closed forms, its order, events, and what cannot be integrated.
#include "validate/ode.h"

#include "support/testing.h"

#include <math.h>

// A ball thrown up: y = height, speed. The fall is a parabola, which order 5 integrates exactly.
static void fall(const void *context, double t, const double *y, double *rate)
{
    (void)t;
    rate[0] = y[1];
    rate[1] = -*(const double *)context;
}

static double height(const void *context, double t, const double *y)
{
    (void)context;
    (void)t;
    return y[0];
}

static void circle(const void *context, double t, const double *y, double *rate)
{
    (void)context;
    (void)t;
    rate[0] = -y[1];
    rate[1] = y[0];
}

static void blow_up(const void *context, double t, const double *y, double *rate)
{
    (void)context;
    (void)t;
    rate[0] = y[0] * y[0];
}

static dew_Ode on_circle(double tolerance)
{
    dew_Ode ode = dew_ode(circle, NULL, 2, 0.01, tolerance);
    ode.y[0] = 1;
    return ode;
}

static void goes_round(void **state)
{
    (void)state;
    // Local errors of at most 2 tol per step, some 60 steps at 1e-6 and 400 at 1e-11.
    static const double tolerances[] = {1e-6, 1e-8, 1e-11};
    for (int i = 0; i < 3; i++) {
        dew_Ode ode = on_circle(tolerances[i]);
        assert_ok(dew_ode_go(&ode, 4 * DEW_PI));
        assert_true(ode.t == 4 * DEW_PI);
        assert_within(ode.y[0], 1, 1000 * tolerances[i]);
        assert_within(ode.y[1], 0, 1000 * tolerances[i]);
    }
}

static void goes_backwards(void **state)
{
    (void)state;
    dew_Ode ode = on_circle(1e-11);
    ode.step = -0.1;
    assert_ok(dew_ode_go(&ode, -1));
    assert_within(ode.y[0], cos(-1), 1e-9);
    assert_within(ode.y[1], sin(-1), 1e-9);
    assert_int_equal(dew_ode_go(&ode, 1).code, DEW_BAD_INPUT);
}

static void stops_at_events(void **state)
{
    (void)state;
    double g = 9.81;
    dew_Ode ode = dew_ode(fall, &g, 2, 0.7, 1e-10);
    ode.y[0] = 1;
    ode.y[1] = 2;
    bool is_found;
    assert_ok(dew_ode_go_to_event(&ode, height, 10, &is_found));
    assert_true(is_found);
    assert_within(ode.t, (2 + sqrt(4 + 2 * g)) / g, 1e-14);
    assert_within(ode.y[0], 0, 1e-14);
    assert_within(ode.y[1], -sqrt(4 + 2 * g), 1e-13);
    // From there it is not found again: it falls on.
    assert_ok(dew_ode_go_to_event(&ode, height, 2, &is_found));
    assert_false(is_found);
    assert_true(ode.t == 2);
}

static void finds_every_event_in_turn(void **state)
{
    (void)state;
    dew_Ode ode = on_circle(1e-12);
    bool is_found;
    for (int n = 0; n < 6; n++) {  // cos t = 0
        assert_ok(dew_ode_go_to_event(&ode, height, 100, &is_found));
        assert_true(is_found);
        assert_within(ode.t, (n + 0.5) * DEW_PI, 1e-9);
    }
}

static void tells_a_pole(void **state)
{
    (void)state;
    dew_Ode ode = dew_ode(blow_up, NULL, 1, 0.1, 1e-8);
    ode.y[0] = 1;  // 1 / (1 - t)
    assert_int_equal(dew_ode_go(&ode, 2).code, DEW_DIVERGED);
}

// Error over a fixed way at fixed steps: halving them must divide it by 2^5.
static double error_of_steps(int count)
{
    dew_Ode ode = on_circle(1e9);  // whatever it is, it is accepted
    for (int i = 1; i <= count; i++) {
        ode.step = 1;
        (void)dew_ode_go(&ode, (double)i / count);
    }
    return hypot(ode.y[0] - cos(1), ode.y[1] - sin(1));
}

static void is_of_order_five(void **state)
{
    (void)state;
    assert_within(log2(error_of_steps(8) / error_of_steps(16)), 5, 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_round),      cmocka_unit_test(goes_backwards),
        cmocka_unit_test(stops_at_events), cmocka_unit_test(finds_every_event_in_turn),
        cmocka_unit_test(tells_a_pole),    cmocka_unit_test(is_of_order_five),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
