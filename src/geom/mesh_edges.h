/// Edges of a triangle mesh: which half-edges lie on the same two vertices.
///
/// Half-edge 3 t + i runs from corner i to corner i + 1 of triangle t.
#pragma once

#include "base/arena.h"
#include "geom/mesh.h"

typedef struct dew_MeshEdges {
    uint32_t *half_edges;  // all 3 T, grouped by edge, ascending in each group
    uint32_t *first;       // group e is half_edges[first[e] .. first[e + 1])
    int64_t edge_count;
} dew_MeshEdges;

/// Edges in the order of (smaller vertex, larger vertex). Indices must be in range; memory comes
/// from the arena. Fails beyond 2^32 / 3 triangles.
dew_Status dew_mesh_edges(const dew_Mesh *mesh, dew_Arena *arena, dew_MeshEdges *out);

static inline uint32_t dew_half_edge_from(const dew_Triangle *triangles, uint32_t half_edge)
{
    return triangles[half_edge / 3].v[half_edge % 3];
}
static inline uint32_t dew_half_edge_to(const dew_Triangle *triangles, uint32_t half_edge)
{
    return triangles[half_edge / 3].v[(half_edge % 3 + 1) % 3];
}
