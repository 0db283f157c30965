// Progress: steady work is foretold exactly, a change of pace within a minute or two.
#include "base/progress.h"

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

static void durations(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } known[] = {
        {0, "0.0 s"},           {3.21, "3.2 s"},
        {9.94, "9.9 s"},        {9.96, "10 s"},
        {59.4, "59 s"},         {59.6, "1 min 00 s"},
        {250, "4 min 10 s"},    {3599.4, "59 min 59 s"},
        {3599.6, "1 h 00 min"}, {7500, "2 h 05 min"},
        {86369, "23 h 59 min"}, {86371, "1 d 0 h"},
        {273600, "3 d 4 h"},    {-1, "0.0 s"},
        {(double)NAN, "-"},     {(double)INFINITY, "-"},
        {1e300, "-"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[32];
        dew_format_duration(known[i].seconds, text, sizeof text);
        assert_string_equal(text, known[i].text);
    }
    char small[4];
    dew_format_duration(12345, small, sizeof small);
    assert_string_equal(small, "3 h");
}

static void byte_counts(void **state)
{
    (void)state;
    static const struct {
        double bytes;
        const char *text;
    } known[] = {
        {0, "0 B"},           {999, "999 B"},           {1000, "1.0 kB"},
        {1500, "1.5 kB"},     {9949, "9.9 kB"},         {9951, "10 kB"},
        {23e6, "23 MB"},      {999.4e6, "999 MB"},      {999.6e6, "1.0 GB"},
        {1.2e9, "1.2 GB"},    {5e12, "5.0 TB"},         {1e18, "1.0 EB"},
        {5e24, "5000000 EB"}, {2.5e300, "2.5e+282 EB"}, {(double)INFINITY, "-"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[32];
        dew_format_bytes(known[i].bytes, text, sizeof text);
        assert_string_equal(text, known[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_work),     cmocka_unit_test(change_of_pace),
        cmocka_unit_test(no_time_between), cmocka_unit_test(standstill_is_not_known),
        cmocka_unit_test(durations),       cmocka_unit_test(byte_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
