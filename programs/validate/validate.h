/// Validation: phenomena with known answers. A case runs something, compares it with theory or
/// experiment, and says what deviation is allowed and why.
///
/// Each case is a file of this folder and a line in case_table.c. Allowances come from the design
/// or from a convergence study, never from what happened to come out.
#pragma once

#include "support/list.h"

/// One line of the table.
typedef struct dew_Comparison {
    char quantity[64];
    double expected, got;
    double error;    // relative to expected, or absolute when is_absolute
    double allowed;  // of the same kind
    bool is_absolute;
    bool is_passed;
} dew_Comparison;

typedef struct dew_CaseRun {
    bool is_quick;         // the cheapest form that still means something
    dew_List comparisons;  // dew_Comparison
    dew_Status status;     // of adding comparisons: no memory
} dew_CaseRun;

typedef struct dew_Case {
    const char *name;
    const char *title;  // one line: what is compared with what
    bool is_quick;      // belongs to `dew validate --quick`
    dew_Status (*run)(dew_CaseRun *c);
} dew_Case;

extern const dew_Case *const dew_case_table[];
extern const int dew_case_count;

/// |got - expected| <= allowed |expected|
void dew_case_near(dew_CaseRun *c, const char *quantity, double got, double expected,
                   double allowed);
/// |got - expected| <= allowed
void dew_case_within(dew_CaseRun *c, const char *quantity, double got, double expected,
                     double allowed);
/// got >= bound (an order of convergence, a throughput): the error is by how much it falls
/// short.
void dew_case_at_least(dew_CaseRun *c, const char *quantity, double got, double bound);
/// Reported beside the others, not judged: how far a figure is from where it is to go one day.
void dew_case_note(dew_CaseRun *c, const char *quantity, double got, double goal);

void dew_case_run_init(dew_CaseRun *c, bool is_quick);
void dew_case_run_deinit(dew_CaseRun *c);
