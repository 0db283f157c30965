// Progress: steady work is foretold exactly, a change of pace within a minute or two.
#include "support/progress.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void steady_work(void **state)
{
    (void)state;
    for (int spacing = 1; spacing < 100; spacing *= 3) {
        dew_Progress progress;
        dew_progress_begin(&progress, 0.2, 1000);
        assert_true(isnan(dew_progress_eta_s(&progress)));
        for (int t = spacing; t < 600; t += spacing) {
            dew_progress_update(&progress, 0.2 + t * 1e-3, 1000 + t);
            assert_true(fabs(dew_progress_eta_s(&progress) - (800 - t)) < 1e-9 * 800);
        }
        dew_progress_update(&progress, 1, 1800);
        assert_true(dew_progress_eta_s(&progress) == 0);
    }
}

// After the pace halves, the old one is forgotten with e^(-t / 30 s).
static void change_of_pace(void **state)
{
    (void)state;
    dew_Progress progress;
    dew_progress_begin(&progress, 0, 0);
    for (int t = 1; t <= 300; t++)
        dew_progress_update(&progress, t * 1e-3, t);
    for (int t = 1; t <= 90; t++)
        dew_progress_update(&progress, 0.3 + t * 0.5e-3, 300 + t);
    double expected = 0.5e-3 * (1 + exp(-3.0));
    assert_true(fabs(progress.recent_rate - expected) < 1e-12);
}

// Updates without time between them, as a coarse clock gives, lose nothing.
static void no_time_between(void **state)
{
    (void)state;
    dew_Progress progress;
    dew_progress_begin(&progress, 0, 50);
    dew_progress_update(&progress, 0.1, 50);
    assert_true(isnan(dew_progress_eta_s(&progress)));
    dew_progress_update(&progress, 0.2, 60);
    assert_true(fabs(dew_progress_eta_s(&progress) - 40) < 1e-9);
    dew_progress_update(&progress, 0.2, 100);
    double rate = progress.recent_rate;
    dew_progress_update(&progress, 0.3, 100);
    assert_true(progress.recent_rate > rate);
    dew_progress_update(&progress, (double)NAN, 110);
    assert_true(progress.fraction == 0.3);
}

static void standstill_is_not_known(void **state)
{
    (void)state;
    dew_Progress progress;
    dew_progress_begin(&progress, 0.5, 0);
    dew_progress_update(&progress, 0.5, 10);
    assert_true(isnan(dew_progress_eta_s(&progress)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_work),
        cmocka_unit_test(change_of_pace),
        cmocka_unit_test(no_time_between),
        cmocka_unit_test(standstill_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
