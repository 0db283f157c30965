/// Roots of a function of one variable between two points where it differs in sign.
#pragma once

#include "dew/base.h"

typedef double (*dew_RootFunction)(const void *context, double x);

/// A point of [a, b] within `tolerance` of a change of sign of f. Fails when f(a) and f(b) do not
/// differ in sign (zero counts as either), or when f is not a number somewhere.
dew_Status dew_root_find(dew_RootFunction f, const void *context, double a, double b,
                         double tolerance, double *out);
