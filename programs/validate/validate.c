/// Comparisons and how they are judged. NaN never passes.
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>

void dew_case_run_init(dew_CaseRun *c, bool is_quick)
{
    *c = (dew_CaseRun){.is_quick = is_quick, .status = dew_ok()};
    dew_list_init(&c->comparisons, sizeof(dew_Comparison));
}

void dew_case_run_deinit(dew_CaseRun *c)
{
    dew_list_deinit(&c->comparisons);
}

static void add(dew_CaseRun *c, const char *quantity, dew_Comparison row)
{
    snprintf(row.quantity, sizeof row.quantity, "%s", quantity);
    row.is_passed = row.error <= row.allowed;
    dew_Status status = dew_list_push(&c->comparisons, &row);
    if (c->status.code == DEW_OK)
        c->status = status;
}

void dew_case_near(dew_CaseRun *c, const char *quantity, double got, double expected,
                   double allowed)
{
    add(c, quantity,
        (dew_Comparison){.expected = expected,
                         .got = got,
                         .error = fabs(got - expected) / fabs(expected),
                         .allowed = allowed});
}

void dew_case_within(dew_CaseRun *c, const char *quantity, double got, double expected,
                     double allowed)
{
    add(c, quantity,
        (dew_Comparison){.expected = expected,
                         .got = got,
                         .error = fabs(got - expected),
                         .allowed = allowed,
                         .is_absolute = true});
}

void dew_case_at_least(dew_CaseRun *c, const char *quantity, double got, double bound)
{
    add(c, quantity,
        (dew_Comparison){.expected = bound,
                         .got = got,
                         .error = got >= bound ? 0 : bound - got,
                         .allowed = 0,
                         .is_absolute = true});
}

void dew_case_note(dew_CaseRun *c, const char *quantity, double got, double goal)
{
    add(c, quantity,
        (dew_Comparison){.expected = goal,
                         .got = got,
                         .error = fabs(got - goal),
                         .allowed = HUGE_VAL,
                         .is_absolute = true});
}
