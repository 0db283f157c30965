/// Slopes that make no new extremes: what second-order reconstructions use.
#pragma once

#include "grid/wide.h"

#include <math.h>

#define DEW_LIMITER 1.5  // 1: minmod, 2: the steepest that is still monotone

/// From the differences to both neighbours: their mean, at most 1.5 times the smaller one, 0 at extremes.
DEW_BODY double dew_limited(double a, double b)
{
    double p = fabs(a), q = fabs(b), small = DEW_LIMITER * (p < q ? p : q), mean = 0.5 * (p + q);
    double size = a * b > 0 ? (small < mean ? small : mean) : 0;
    return a > 0 ? size : -size;
}
