/// Trilinear interpolation of fields on bricks, anywhere.
#pragma once

#include "grid/brick.h"

/// Value at p of a field whose samples sit at `place`. Where bricks are missing the nearest sample of the
/// brick that holds p is used; false, and 0, where that is missing too.
bool dew_grid_sample(const dew_Grid *grid, const double *field, dew_Place place, dew_Vec3 p,
                     double *value);
/// Velocity at p from the faces; false, and zero, outside all bricks.
bool dew_grid_sample_velocity(const dew_Grid *grid, const double *const u[3], dew_Vec3 p,
                              dew_Vec3 *velocity);
/// Coordinates of the brick that would hold p; far beyond all bricks where p is no number.
void dew_grid_brick_coord(const dew_Grid *grid, dew_Vec3 p, int32_t coord[3]);
/// The brick that holds p, or DEW_INVALID.
int32_t dew_grid_brick_at(const dew_Grid *grid, dew_Vec3 p);
