/// The part of a unit cube (or square) on one side of a plane [ScardovelliZaleski2000].
#pragma once

/// Volume of { |y_a| < 1/2, n . y + d < 0 } and the area of the plane in the cube. n need not have unit
/// length but must not be zero; a component that is zero makes it a square's, or a line's. area may be
/// NULL.
double dew_plane_cut(const double n[3], double d, double *area);

/// The same for many planes with one normal.
typedef struct dew_CutPlane {
    double m[3], sum, length;
} dew_CutPlane;
dew_CutPlane dew_plane_make(const double n[3]);
double dew_plane_at(const dew_CutPlane *plane, double d, double *area);
