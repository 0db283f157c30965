/// `dew validate`: runs the comparisons with theory and prints them as a table or as JSON.
#include "dew/text.h"
#include "support/command.h"
#include "support/system.h"
#include "validate/validate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Totals {
    int passed, failed;
    bool is_json;
    bool is_first;
} Totals;

static void print_row(const dew_Comparison *row)
{
    char error[32], allowed[32];
    if (row->is_absolute) {
        snprintf(error, sizeof error, "%.3g", row->error);
        snprintf(allowed, sizeof allowed, "%.3g", row->allowed);
    } else {
        snprintf(error, sizeof error, "%.3g %%", 100 * row->error);
        snprintf(allowed, sizeof allowed, "%.3g %%", 100 * row->allowed);
    }
    printf("  %-34s %14.7g %14.7g %12s %12s  %s\n", row->quantity, row->expected, row->got, error,
           allowed, row->is_passed ? "ok" : "FAILED");
}

/// JSON has no NaN and no infinity.
static void print_json_number(const char *name, double x)
{
    if (isfinite(x))
        printf(", \"%s\": %.17g", name, x);
    else
        printf(", \"%s\": null", name);
}

static void print_json_row(const char *case_name, const dew_Comparison *row, bool is_first)
{
    printf("%s\n  {\"case\": \"%s\", \"quantity\": \"%s\"", is_first ? "" : ",", case_name,
           row->quantity);
    print_json_number("expected", row->expected);
    print_json_number("got", row->got);
    print_json_number("error", row->error);
    print_json_number("allowed", row->allowed);
    printf(", \"absolute\": %s, \"passed\": %s}", row->is_absolute ? "true" : "false",
           row->is_passed ? "true" : "false");
}

static dew_Status run_case(const dew_Case *one, bool is_quick, Totals *totals)
{
    assert(one);
    dew_CaseRun c;
    dew_case_run_init(&c, is_quick);
    double begin_s = dew_app_wall_s();
    dew_Status status = one->run(&c);
    if (status.code == DEW_OK)
        status = c.status;
    if (!totals->is_json)
        printf("%s: %s (%.2f s)\n", one->name, one->title, dew_app_wall_s() - begin_s);
    for (int64_t i = 0; i < c.comparisons.count; i++) {
        const dew_Comparison *row = &((const dew_Comparison *)c.comparisons.items)[i];
        if (totals->is_json)
            print_json_row(one->name, row, totals->is_first);
        else
            print_row(row);
        totals->is_first = false;
        totals->passed += row->is_passed;
        totals->failed += !row->is_passed;
    }
    fflush(stdout);
    dew_case_run_deinit(&c);
    return status;
}

static dew_Status find_case(const char *name, const dew_Case **out)
{
    const char *names[DEW_MAX_ARGUMENTS];
    int count = 0;
    for (int i = 0; i < dew_case_count && count < DEW_MAX_ARGUMENTS; i++) {
        names[count++] = dew_case_table[i]->name;
        if (strcmp(name, dew_case_table[i]->name) == 0) {
            *out = dew_case_table[i];
            return dew_ok();
        }
    }
    const char *nearest = dew_nearest_name(name, names, count);
    return dew_fail(DEW_BAD_INPUT, "no validation case '%s' (%s%s)", name,
                    nearest ? "did you mean " : "dew validate --list names them",
                    nearest ? nearest : "");
}

static dew_Status run_cases(const dew_Arguments *arguments, Totals *totals)
{
    bool is_quick = dew_option_given(arguments, "--quick");
    const dew_Case *chosen[DEW_MAX_ARGUMENTS] = {0};
    int count = 0;
    for (int i = 0; i < arguments->operand_count; i++)
        DEW_TRY(find_case(arguments->operands[i], &chosen[count++]));
    for (int i = 0; arguments->operand_count == 0 && i < dew_case_count; i++)
        if (!is_quick || dew_case_table[i]->is_quick)
            chosen[count++] = dew_case_table[i];
    if (!totals->is_json)
        printf("  %-34s %14s %14s %12s %12s\n", "quantity", "expected", "got", "error", "allowed");
    for (int i = 0; i < count; i++)
        DEW_TRY(run_case(chosen[i], is_quick, totals));
    return dew_ok();
}

static int run(const dew_Arguments *arguments)
{
    if (dew_option_given(arguments, "--list")) {
        for (int i = 0; i < dew_case_count; i++)
            printf("%-20s %s%s\n", dew_case_table[i]->name, dew_case_table[i]->title,
                   dew_case_table[i]->is_quick ? " [quick]" : "");
        return DEW_EXIT_DONE;
    }
    Totals totals = {.is_json = dew_option_given(arguments, "--json"), .is_first = true};
    if (totals.is_json)
        printf("[");
    dew_Status status = run_cases(arguments, &totals);
    if (totals.is_json)
        printf("\n]\n");
    else if (status.code != DEW_BAD_INPUT)
        printf("%d passed, %d failed\n", totals.passed, totals.failed);
    if (status.code != DEW_OK)
        return dew_app_fail(status);
    return totals.failed ? DEW_EXIT_FAILED : DEW_EXIT_DONE;
}

static const dew_Option options[] = {
    {"--quick", 0, NULL, false, "only the quick cases, in their cheapest form"},
    {"--json", 0, NULL, false, "print JSON instead of a table"},
    {"--list", 0, NULL, false, "name the cases and run none"},
};

const dew_Command dew_command_validate = {
    .name = "validate",
    .operands = "[NAME]...",
    .summary = "compares Dew with theory and experiment",
    .details =
        "Prints quantity, expected, got, error and allowed; exit code 1 when one is out of bounds.",
    .min_operands = 0,
    .max_operands = DEW_MAX_ARGUMENTS,
    .options = options,
    .option_count = 3,
    .run = run,
};
