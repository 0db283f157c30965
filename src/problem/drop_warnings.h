/// Warnings about initial liquid that a run would hardly resolve, for the log of the problem.
#pragma once

#include "problem/problem.h"

/// How many drops got a warning so far; all zero at first.
typedef struct dew_DropWarnings {
    int hidden_count, small_count;
} dew_DropWarnings;

/// A line when the drop of the scene lies inside solids altogether, or is smaller than a cell; not
/// after the first few. blob NULL: a scatter, whose largest drops are asked. Solids are resolved.
void dew_problem_warn_of_drop(const dew_Problem *problem, int index, const dew_Blob *blob,
                              dew_DropWarnings *warnings);
/// Logs how many were not reported.
void dew_problem_warn_of_rest(const dew_Problem *problem, const dew_DropWarnings *warnings);
