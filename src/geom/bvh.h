/// Bounding-volume tree over the triangles of a mesh: closest point, rays, boxes.
///
/// Four children per node, boxes in floats padded outward, so that a node fills two cache lines and
/// four boxes are tested at once; triangles in doubles, so that answers are those of a loop over
/// all triangles. The tree owns copies of what it needs, in the order its leaves visit it; the mesh
/// may change or go. Built alike on any number of workers. Constant once made: any number of
/// threads may ask at once; questions allocate nothing.
///
/// Does not follow a moving mesh: build it anew (see the timings of `dew bench geom`).
#pragma once

#include "base/arena.h"
#include "base/tasks.h"
#include "dew/geometry.h"
#include "geom/mesh.h"
#include "geom/triangle.h"

#define DEW_BVH_WIDTH 4
#define DEW_BVH_NONE  UINT32_MAX

/// Boxes are in tree units: (x - center) * scale, which takes the mesh into [-1, 1]^3.
typedef struct dew_BvhNode {
    float min[3][DEW_BVH_WIDTH], max[3][DEW_BVH_WIDTH];
    uint32_t child[DEW_BVH_WIDTH];  // node; or first triangle of a leaf; DEW_BVH_NONE: unused slot
    uint32_t count[DEW_BVH_WIDTH];  // triangles of the leaf; 0: an inner node
} dew_BvhNode;

/// Read only for all but bvh.c. Arrays are in leaf order.
struct dew_Bvh {
    dew_BvhNode *nodes;  // nodes[0] is the root; a parent comes before its children
    dew_Triangle *triangles;
    uint32_t *triangle_id;  // of the mesh
    dew_Vec3 *vertices;
    uint32_t *vertex_id;  // of the mesh
    int64_t node_count, triangle_count, vertex_count;
    dew_Vec3 center;
    double scale;
    dew_Box box;  // of the mesh; empty without triangles
    dew_Arena arena;
};

// ---- closest point -----------------------------------------------------------------------------

typedef struct dew_BvhClosest {
    double distance;
    dew_Vec3 point;
    dew_Vec3 offset;      // from p to the point, free of the rounding of the point
    double weight[3];     // barycentric, of the mesh triangle's corners
    dew_Feature feature;  // what the point lies on
    int corner;           // which edge or vertex, see dew_Feature
    uint32_t triangle;    // of the mesh
    uint32_t slot;        // of the tree's own arrays
} dew_BvhClosest;

/// The closest point of the mesh no farther than max_distance; false: there is none.
bool dew_bvh_closest(const dew_Bvh *bvh, dew_Vec3 p, double max_distance, dew_BvhClosest *out);

// ---- boxes -------------------------------------------------------------------------------------

/// Called once for each triangle (of the mesh), in no particular order; returns false to stop.
typedef bool dew_BvhVisitFn(void *context, uint32_t triangle);

/// Visits the triangles that share a point with the box (up to a rounding error too many). False:
/// the visitor stopped it.
bool dew_bvh_box(const dew_Bvh *bvh, dew_Box box, dew_BvhVisitFn *visit, void *context);
