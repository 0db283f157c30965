/// Interpolation at eight points at once on the tiles of a brick, for advection alone.
///
/// Points are in cells, relative to the lower corner of the brick. Their samples must lie in the tile.
#pragma once

#include "dew/base.h"

#define DEW_LANES 8  // faces of a row

typedef struct dew_EightPoints {
    double x[3][DEW_LANES];
} dew_EightPoints;

/// A tile's shape: cells around its brick; in two dimensions only its layer k = 0 counts.
typedef struct dew_TileShape {
    int pad;
    bool is_flat;
} dew_TileShape;

typedef struct dew_RowKernels {
    /// Velocity from three tiles of samples on faces, linear or cubic as below.
    void (*velocity)(const double *const u[3], bool is_cubic, dew_TileShape shape,
                     const dew_EightPoints *p, dew_EightPoints *out);
    /// A tile whose samples lie at `offset` in their cells, linear.
    void (*linear)(const double *tile, const double offset[3], dew_TileShape shape,
                   const dew_EightPoints *p, double out[DEW_LANES]);
    /// Lagrange's cubic through four samples along each axis, bounded by those next to the point.
    void (*cubic)(const double *tile, const double offset[3], dew_TileShape shape,
                  const dew_EightPoints *p, double out[DEW_LANES]);
} dew_RowKernels;

/// The kernels for this machine: with wide registers when it may and has them. The bits are the same.
const dew_RowKernels *dew_row_kernels(bool may_be_wide);
