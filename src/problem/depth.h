/// Liquid given as a table of depths: columns of liquid that stand on the solids, one per cell.
///
/// The table covers the domain's ground plan; rows run along z, columns along x. Volumes and
/// distances are those of the columns, exactly: flat on top, flat below at the height of the ground
/// under the cell's middle.
#pragma once

#include "problem/assets.h"

struct dew_DepthAsset {
    int64_t columns, rows;    // along x, along z
    double min_x_m, min_z_m;  // corner of the table
    double cell_x_m, cell_z_m;
    const double *depth_m;   // depth_m[row * columns + column], >= 0
    const double *ground_m;  // under the middle of each cell
    dew_Box box_m;           // around all columns
    double volume_m3;
    dew_Vec3 center_m;  // of the volume
};

/// Loads a table and stands it on the solids as they are at time 0; *index is its place in
/// `depths`.
dew_Status dew_assets_depth(dew_Assets *assets, const dew_Problem *problem, const char *key,
                            const char *file, int32_t *index);

/// Signed distance to the columns, negative inside. Searches outward from the cell below: cheap
/// near them.
double dew_depth_distance(const dew_DepthAsset *depth, dew_Vec3 p);

/// The cell's depth at (x, z); 0 outside the table.
double dew_depth_at(const dew_DepthAsset *depth, double x_m, double z_m);

/// The columns as closed mesh: outward oriented, every edge as often forth as back.
dew_Status dew_depth_mesh(const dew_DepthAsset *depth, dew_Mesh *out);

static inline const dew_DepthAsset *dew_assets_depth_at(const dew_Assets *assets, int32_t index)
{
    return DEW_ITEMS(&assets->depths, dew_DepthAsset *)[index];
}
