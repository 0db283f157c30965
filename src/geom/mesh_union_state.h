/// Inside of the mesh union: what its stages share. Only mesh_union*.c include it.
#pragma once

#include "geom/mesh_union.h"
#include "geom/remesh_topology.h"

/// An edge of one mesh goes through a triangle of the other: a vertex of the curves.
typedef struct dew_Crossing {
    double t;  // along the half-edge
    dew_Vec3 position;
    uint32_t half;  // the lower of the edge's two
    uint32_t face;  // of the other mesh
    uint8_t mesh;   // of the edge: 0 or 1
    bool enters;    // along the half-edge, into the other mesh
} dew_Crossing;

/// The piece of curve that a triangle of the first mesh and one of the second have in common.
typedef struct dew_CurveSegment {
    uint32_t triangle[2];  // of mesh 0 and mesh 1
    uint32_t end[2];       // crossings
} dew_CurveSegment;

typedef struct dew_CurveEnd {
    uint32_t triangle[2];
    uint32_t crossing;
} dew_CurveEnd;

/// A triangle in the common box.
typedef struct dew_SweepItem {
    dew_Box box;
    uint32_t triangle;
    uint16_t first[2], last[2];  // columns of the grid that finds pairs
} dew_SweepItem;

/// A curve that closes within one triangle, to be cut open by a vertex at a point in it.
typedef struct dew_CurveLoop {
    dew_Vec3 point;
    uint32_t triangle;
    int mesh;
} dew_CurveLoop;

enum { DEW_SIDE_UNKNOWN, DEW_SIDE_OUTSIDE, DEW_SIDE_INSIDE };

typedef struct dew_UnionMesh {
    dew_Array position, velocity, scale, label, triangle;  // copies
    dew_Topology topology;
    dew_Array side;    // of uint8_t, per vertex: DEW_SIDE_... with respect to the other mesh
    dew_Array number;  // of uint32_t, per vertex: index in the result
    dew_Array sweep;   // of dew_SweepItem
    dew_Array is_cut;  // of uint8_t, per triangle
} dew_UnionMesh;

struct dew_MeshUnion {
    dew_Allocator allocator;
    dew_UnionMesh mesh[2];
    dew_Array crossings;                     // of dew_Crossing, by mesh, half-edge and t
    dew_Array ends;                          // of dew_CurveEnd
    dew_Array segments[2];                   // of dew_CurveSegment, by triangle of mesh i
    dew_Array polygon, rest, border, chain;  // of uint32_t: nodes of a cut triangle
    dew_Array corners;                       // of dew_Triangle: the result, in nodes
    dew_Array loops;                         // of dew_CurveLoop
    dew_Array starts, dealt;                 // of uint32_t: columns of the grid that finds pairs
    dew_Array position, velocity, scale, label, triangle;  // the result
    dew_Topology topology;                                 // of the result
    double volume;
};

/// A node of the result: a vertex of either mesh or a crossing.
enum { DEW_NODE_KIND_BITS = 2, DEW_NODE_SHIFT = 32 - DEW_NODE_KIND_BITS };
static inline uint32_t dew_node(uint32_t kind, uint32_t index)  // kind: mesh 0, mesh 1, 2: crossing
{
    return kind << DEW_NODE_SHIFT | index;
}
static inline uint32_t dew_node_kind(uint32_t node)
{
    return node >> DEW_NODE_SHIFT;
}
static inline uint32_t dew_node_index(uint32_t node)
{
    return node & ((1u << DEW_NODE_SHIFT) - 1);
}

/// Finds the crossings, sorted. is_degenerate: something touches without crossing, or does not add
/// up.
dew_Status dew_union_cross(dew_MeshUnion *u, bool *is_degenerate);
/// Pairs them up to segments.
dew_Status dew_union_segments(dew_MeshUnion *u, bool *is_degenerate);
/// Which vertices lie in the other mesh.
dew_Status dew_union_sides(dew_MeshUnion *u, bool *is_degenerate);
/// The crossings on an edge: first of them and how many, in the order of the lower half-edge.
int64_t dew_union_on_edge(const dew_MeshUnion *u, int mesh, uint32_t half, int64_t *count);
/// Triangulates cut triangles of mesh i and appends what is on the wanted side to u->corners.
/// Curves that close within one triangle go to u->loops instead, and nothing counts then.
dew_Status dew_union_faces(dew_MeshUnion *u, int i, uint8_t wanted_side, bool *is_degenerate);
