/// Limited slopes of second-order reconstructions: no new extremes.
#pragma once

#include "base/simd.h"

#include "solvers/shallow/waves/waves.h"

#include <math.h>

/// Of the differences a and b to both neighbours: their mean, at most slope_limit times the
/// smaller; 0 at extremes.
DEW_BODY double dew_limited_slope(double a, double b)
{
    double p = fabs(a), q = fabs(b), small = dew_wave_params.slope_limit * (p < q ? p : q),
           mean = 0.5 * (p + q);
    double size = a * b > 0 ? (small < mean ? small : mean) : 0;
    return a > 0 ? size : -size;
}
