/// VDB, the sparse volumes of [Museth2013] that Blender and Houdini read: writing only, compressed
/// by zlib.
///
/// Values come in leaves of 8^3 voxels, as our bricks are; what lies outside of them has the
/// background's value. Several grids share the leaves.
#pragma once

#include "geom/vec.h"
#include "io/sink.h"

enum { DEW_VDB_LEAF = 8 * 8 * 8 };  // voxels

typedef struct dew_VdbGrid {
    const char *name;
    bool is_level_set;
    int component_count;  // 1 or 3
    float background;     // of all components
    const char *unit;     // metadata of the grid
    const float *values;  // per leaf 512 voxels, x fastest, of so many components
} dew_VdbGrid;

typedef struct dew_VdbVolume {
    const int32_t (*leaves)[3];  // coordinates, each eight voxels; in any order, none twice
    int64_t leaf_count;
    bool is_half;       // values in half precision
    int layers;         // of a leaf that hold values, from z = 0: 8, or 1 for a plane
    dew_Vec3 origin_m;  // centre of voxel (0, 0, 0)
    double spacing_m;
    double time_s, frame_rate_Hz;  // metadata of the file, with the units
    int64_t frame;
    const dew_VdbGrid *grids;
    int grid_count;
} dew_VdbVolume;

dew_Status dew_vdb_write(const dew_VdbVolume *volume, dew_Sink *sink,
                         const dew_Allocator *allocator);
