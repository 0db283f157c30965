/// Affinity map: an image laid over a solid that says, from 0 to 1, how much of a second material
/// is there.
///
/// The image is projected along the thinnest direction of the solid's box in its own frame (before
/// it is turned): a pane is covered as a poster covers a wall, ground and floors as a map covers
/// the land. It is stretched over the box, interpolated linearly between pixel centres, and
/// extrapolated as constant outside.
#pragma once

#include "base/arena.h"
#include "geom/vec.h"

typedef struct dew_AffinityMap {
    int64_t width, height;
    const float *values;  // values[row * width + column], row 0 on top
} dew_AffinityMap;

/// The axis (0 x, 1 y, 2 z) along which a box is looked at: its shortest side; of equal ones y,
/// then z.
int dew_affinity_axis(dew_Box box);

/// Value at a point in the solid's own frame. Seen along y, columns run along x and rows along z
/// (as in a heightfield); seen along z or x, rows run down and columns along x or z.
double dew_affinity_at(const dew_AffinityMap *map, dew_Box box, dew_Vec3 own_m);
