/// Marching cubes: the surface where a sampled field crosses a value, as triangles.
///
/// Nodes with a value below `iso` are inside (liquid); all others, NaN too, are outside. Whatever
/// lies beyond the samples is outside: the surface is closed there, just beyond the outermost
/// nodes. So the result is always a closed, oriented manifold without self-intersections
/// (marching_cubes_table.h), even where a value is exactly iso: a vertex keeps a small distance
/// from the nodes at either end of its edge.
///
/// Vertices are shared and lie by linear interpolation on the edges between nodes. Their order, and
/// the triangles', depend on the samples alone: bit-identical on any number of workers.
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/tasks.h"
#include "geom/mesh.h"
#include "grid/brick.h"

/// Samples in a dense block, x fastest. Just one of f32 and f64 is set.
typedef struct dew_NodeBlock {
    const float *f32;
    const double *f64;
    int64_t nx, ny, nz;
    int64_t stride_y,
        stride_z;       // in values; 0: nx and nx * ny. Others name a part of a larger block
    dew_Vec3 origin_m;  // of node (0, 0, 0)
    double spacing_m;
} dew_NodeBlock;

#define DEW_NODE_BRICK DEW_BRICK_CELLS

/// Samples in bricks of 8 x 8 x 8, x fastest; brick b is values [512 s, 512 s + 512), s being
/// slots[b], or b without slots. Nodes of bricks that are not listed are outside. Just one of f32
/// and f64 is set.
typedef struct dew_NodeBricks {
    const float *f32;
    const double *f64;
    int64_t brick_count;
    const int32_t (*coords)[3];  // of each brick, in bricks; no two alike
    const int32_t *slots;        // may be NULL; bricks with the same samples may share them
    dew_Vec3 origin_m;           // of node (0, 0, 0) of the brick at (0, 0, 0)
    double spacing_m;
} dew_NodeBricks;

typedef struct dew_MarchingDef {
    double iso;
    double min_fraction;  // least distance of a vertex from a node, in spacings
    double border_reach;  // how far beyond the outermost nodes it is closed, in spacings
    dew_Tasks *tasks;     // may be NULL
    dew_Arena *scratch;   // given back as it was; NULL: memory of its own
} dew_MarchingDef;

/// iso 0, least distance 1e-4, closed right at the outermost nodes.
dew_MarchingDef dew_default_marching_def(void);

/// What is filled: the arrays are resized, what was there goes. Normals may be NULL; they are the
/// unit gradient of the field (central differences, interpolated like the position).
typedef struct dew_MarchingOut {
    dew_Array *positions;  // dew_Vec3
    dew_Array *triangles;  // dew_Triangle
    dew_Array *normals;    // dew_Vec3
} dew_MarchingOut;

dew_Status dew_marching_cubes_block(const dew_NodeBlock *block, const dew_MarchingDef *def,
                                    dew_MarchingOut out);
dew_Status dew_marching_cubes_bricks(const dew_NodeBricks *bricks, const dew_MarchingDef *def,
                                     dew_MarchingOut out);
