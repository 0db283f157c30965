/// Places between the samples of an array of the grid, and bilinear interpolation there.
#pragma once

#include "solvers/shallow/waves/waves.h"

/// The sample below a place, and how far it is from it along x and z, in cells.
typedef struct dew_WaveSample {
    int64_t n;
    double x, z;
} dew_WaveSample;

/// Of column and row counted in samples, no farther out than the last of `columns` and `rows`.
static inline dew_WaveSample dew_wave_sample_at(const dew_ShallowGrid *grid, double column,
                                                double row, int columns, int rows)
{
    double x = fmin(fmax(column, 0), columns - 1), z = fmin(fmax(row, 0), rows - 1);
    int i = (int)x, j = (int)z;
    return (dew_WaveSample){dew_shallow_at(grid, i, j), x - i, z - j};
}

/// What has the weight 0 may lie beyond the domain.
static inline double dew_wave_interpolate(const dew_ShallowGrid *grid, const double *samples,
                                          dew_WaveSample p)
{
    const double *a = samples + p.n;
    double low = (1 - p.x) * a[0] + p.x * a[1];
    if (!grid->has_z)
        return low;
    a += grid->stride;
    return (1 - p.z) * low + p.z * ((1 - p.x) * a[0] + p.x * a[1]);
}
