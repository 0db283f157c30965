/// What the ways of redistancing share.
#pragma once

#include "grid/levelset.h"

/// Distances of the cells beside the surface, from linear crossings along the axes: cells, not metres.
/// 1/d^2 is the sum over axes of 1/s^2, s the nearer crossing along the axis. HUGE_VAL away from it.
double dew_crossing_distance(const double *tile, int at, const int stride[3], int axes);

dew_Status dew_redistance_closest(dew_Grid *grid, double *phi, double band_m, dew_Arena *scratch,
                                  dew_Redistanced *told);
dew_Status dew_redistance_sweep(dew_Grid *grid, double *phi, double band_m, dew_Arena *scratch,
                                dew_Redistanced *told);
dew_Status dew_redistance_march(dew_Grid *grid, double *phi, double band_m, dew_Arena *scratch,
                                dew_Redistanced *told);
