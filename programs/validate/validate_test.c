// How comparisons are judged, and that the table of cases is sound.
#include "validate/validate.h"

#include "support/testing.h"

#include <math.h>
#include <string.h>

static bool is_passed(const dew_CaseRun *c, int i)
{
    return ((const dew_Comparison *)c->comparisons.items)[i].is_passed;
}

static void judges_by_the_allowance(void **state)
{
    (void)state;
    dew_CaseRun c;
    dew_case_run_init(&c, true);
    dew_case_near(&c, "in", 1.01, 1, 0.02);
    dew_case_near(&c, "out", 1.03, 1, 0.02);
    dew_case_near(&c, "negative in", -99, -100, 0.02);
    dew_case_within(&c, "in", 5.1, 5, 0.2);
    dew_case_within(&c, "out", 5.3, 5, 0.2);
    dew_case_at_least(&c, "in", 2.1, 2);
    dew_case_at_least(&c, "out", 1.9, 2);
    static const bool expected[] = {true, false, true, true, false, true, false};
    for (int i = 0; i < 7; i++)
        assert_int_equal(is_passed(&c, i), expected[i]);
    dew_case_run_deinit(&c);
}

static void nan_never_passes(void **state)
{
    (void)state;
    dew_CaseRun c;
    dew_case_run_init(&c, true);
    dew_case_near(&c, "got", (double)NAN, 1, (double)INFINITY);
    dew_case_near(&c, "expected", 1, (double)NAN, (double)INFINITY);
    dew_case_near(&c, "nothing expected", 0, 0, 1);
    dew_case_within(&c, "got", (double)NAN, 1, (double)INFINITY);
    dew_case_at_least(&c, "got", (double)NAN, 1);
    for (int i = 0; i < 5; i++)
        assert_false(is_passed(&c, i));
    dew_case_run_deinit(&c);
}

static void notes_are_not_judged(void **state)
{
    (void)state;
    dew_CaseRun c;
    dew_case_run_init(&c, true);
    dew_case_note(&c, "far off", 1e9, 1);
    dew_case_note(&c, "got", (double)NAN, 1);
    assert_true(is_passed(&c, 0));
    assert_false(is_passed(&c, 1));
    dew_case_run_deinit(&c);
}

static void cases_have_names_of_their_own(void **state)
{
    (void)state;
    assert_true(dew_case_count > 0);
    for (int i = 0; i < dew_case_count; i++) {
        assert_non_null(dew_case_table[i]->run);
        assert_true(strlen(dew_case_table[i]->title) > 10);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(dew_case_table[i]->name, dew_case_table[j]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_by_the_allowance),
        cmocka_unit_test(nan_never_passes),
        cmocka_unit_test(notes_are_not_judged),
        cmocka_unit_test(cases_have_names_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
