/// Rays against triangles that may move: one small interface, two trees behind it.
///
/// `own` needs nothing; `embree` is there when the build found Embree. Both are watertight but for
/// rays that meet a corner to the bit, of which Embree misses some. Lengths
/// are in the caller's units, of which the image's subject should be about 1 in size: floats.
/// Constant once made; any number of threads may ask.
#pragma once

#include "base/tasks.h"
#include "geom/mesh.h"
#include "render/float3.h"

typedef struct dew_RayTree dew_RayTree;

/// Must outlive the tree. Positions are padded by the caller: the vector after the last is
/// readable.
typedef struct dew_TreeMesh {
    const dew_Float3 *positions;  // when the shutter opens
    const dew_Float3 *ends;       // when it closes; NULL: nothing moves
    const dew_Triangle *triangles;
    int64_t vertex_count, triangle_count;
} dew_TreeMesh;

typedef struct dew_TraceRay {
    dew_Float3 origin, direction;
    float min_t, max_t;
    float time;  // 0..1 of the shutter
} dew_TraceRay;

typedef struct dew_TraceHit {
    float t;
    float u, v;  // the point is (1 - u - v) A + u B + v C
    uint32_t triangle;
    dew_Float3 normal;  // (B - A) x (C - A) at the ray's time; not of unit length
} dew_TraceHit;

/// name: "own", "embree", or NULL for the faster one that this build has.
dew_Status dew_ray_tree_create(const char *name, const dew_TreeMesh *mesh, dew_Tasks *tasks,
                               const dew_Allocator *allocator, dew_RayTree **out);
void dew_ray_tree_destroy(dew_RayTree *tree);
const char *dew_ray_tree_name(const dew_RayTree *tree);
bool dew_ray_tree_has_embree(void);

/// The nearest hit; false: none.
bool dew_ray_tree_hit(const dew_RayTree *tree, const dew_TraceRay *ray, dew_TraceHit *hit);
/// Is anything hit?
bool dew_ray_tree_blocks(const dew_RayTree *tree, const dew_TraceRay *ray);
