/// Ground as a regular grid of heights: height, signed distance, closest point, mesh.
///
/// y is up; columns run along x, rows along z. Each cell is two triangles, cut along the diagonal
/// from its (min x, min z) to its (max x, max z) corner. Outside the grid the height is
/// extrapolated constant from the border, so the ground has no end. Distances are exact for this
/// surface, positive above it.
///
/// Constant once made: any number of threads may ask at once; questions allocate nothing.
#pragma once

#include "geom/distance.h"
#include "geom/mesh.h"

typedef struct dew_Heightfield dew_Heightfield;

typedef struct dew_HeightfieldDef {
    int64_t columns, rows;  // points, at least 2 each
    double min_x, min_z, max_x, max_z;
    const double *heights;  // heights[row * columns + column]; copied
    dew_Allocator allocator;
} dew_HeightfieldDef;

/// Fails on fewer than 2 x 2 points, an empty footprint, heights that are not finite.
dew_Status dew_heightfield_create(const dew_HeightfieldDef *def, dew_Heightfield **out);
void dew_heightfield_destroy(dew_Heightfield *field);

double dew_heightfield_height(const dew_Heightfield *field, double x, double z);
dew_Box dew_heightfield_box(const dew_Heightfield *field);  // of the grid

/// Signed distance, closest point and normal (pointing up and out of the ground).
dew_Closest dew_heightfield_distance(const dew_Heightfield *field, dew_Vec3 p);

/// The grid's triangles, facing up; open at the border.
dew_Status dew_heightfield_mesh(const dew_Heightfield *field, dew_Mesh *mesh);
