/// Sampling of velocities around one brick, for advection and ghosts. Points are in cells, relative to
/// the lower corner of the brick.
#pragma once

#include "grid/brick.h"

#define DEW_SAMPLE_PAD 4  // cells around the brick, at most

/// The three components around a brick, and the distance to solids. In two dimensions only the layer
/// k = 0 of a tile is there.
typedef struct dew_SampleTile {
    const dew_Grid *grid;
    const double *const *field;  // the components
    const double *solid;         // NULL: none
    int32_t brick;
    int dimensions;
    int pad, row;   // cells around the brick, and in a row
    bool is_clear;  // no solid reaches into the tile
    double u[3][DEW_TILE_SIZE(DEW_SAMPLE_PAD)];
    double distance[DEW_TILE_SIZE(DEW_SAMPLE_PAD)];  // in cells; only with solids
} dew_SampleTile;

void dew_sample_tile_load(dew_SampleTile *tile, const dew_Grid *grid, const double *const u[3],
                          const double *solid, int32_t brick, int pad);

double dew_sample_linear(const dew_SampleTile *tile, int axis, dew_Vec3 x);
double dew_sample_cubic(const dew_SampleTile *tile, int axis, dew_Vec3 x);
dew_Vec3 dew_sample_velocity(const dew_SampleTile *tile, dew_Vec3 x);  // linear
dew_Vec3 dew_sample_velocity_cubic(const dew_SampleTile *tile, dew_Vec3 x);

/// The point itself, or the nearest one on the solid's surface when it is inside.
dew_Vec3 dew_sample_outside(const dew_SampleTile *tile, dew_Vec3 x);
