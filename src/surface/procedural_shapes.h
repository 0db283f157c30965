/// The makers behind procedural.h. Each works in its own units, about 1 in size; edge is in them
/// too. Private to procedural*.c.
#pragma once

#include "geom/mesh.h"

#include <float.h>

/// From 0 for x <= 0 to 1 for x >= 1, with slope 0 at both ends.
static inline double dew_smooth_step(double x)
{
    x = fmin(fmax(x, 0), 1);
    return x * x * (3 - 2 * x);
}

/// Slope of a curve whose features are about 1 in size: a central difference, with the step at
/// which its truncation (step^2) and rounding (DBL_EPSILON / step) are alike.
static inline double dew_curve_slope(double (*curve)(double), double x)
{
    double step = cbrt(DBL_EPSILON);
    return (curve(x + step) - curve(x - step)) / (2 * step);
}

dew_Status dew_make_animal(double edge, dew_Mesh *mesh);
dew_Status dew_make_bottle(double edge, dew_Mesh *mesh);
dew_Status dew_make_leaf(double edge, dew_Mesh *mesh);
dew_Status dew_make_tap(double edge, dew_Mesh *mesh);
dew_Status dew_make_windscreen(double edge, dew_Mesh *mesh);
