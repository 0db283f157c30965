/// Sums whose result does not depend on the order of the terms: an exact accumulator.
///
/// [Neal2015] small superaccumulator: every finite double is added exactly into 64-bit chunks that
/// overlap by 32 bits; the result is the correctly rounded exact sum. Adding the same numbers in
/// any order, in any partition, merged in any order, is bit-identical. NaN and infinities
/// propagate.
#pragma once

#include "base/tasks.h"

#include <float.h>

/// 32 bits each: those of all finite doubles (66 chunks), one more for the upper half of an
/// addition to the last of them, two for the carries of 2^63 terms, one for the sign.
#define DEW_EXACT_CHUNKS ((DBL_MAX_EXP - DBL_MIN_EXP + DBL_MANT_DIG) / 32 + 5)

typedef struct dew_ExactSum {
    int64_t chunk[DEW_EXACT_CHUNKS];
    int64_t adds_left;  // additions until carries must be propagated
    double special;     // sum of NaN and infinities, 0 when none came
} dew_ExactSum;

void dew_exact_init(dew_ExactSum *sum);
void dew_exact_add(dew_ExactSum *sum, double x);
void dew_exact_add_array(dew_ExactSum *sum, const double *x, int64_t n);
void dew_exact_merge(dew_ExactSum *sum, const dew_ExactSum *other);
double dew_exact_round(const dew_ExactSum *sum);  // to nearest, ties to even

/// Dot product and largest magnitude of x[0..n), beside dew_sum. Bit-identical on any number of
/// workers. dew_dot rounds each product once, then sums exactly.
double dew_dot(dew_Tasks *tasks, const double *x, const double *y, int64_t n);
double dew_max_abs(dew_Tasks *tasks, const double *x, int64_t n);  // NaN if any is NaN
