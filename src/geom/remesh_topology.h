/// Connectivity of a closed triangle mesh that changes: half-edges with twins, no coordinates.
///
/// Half-edge 3 t + i runs from corner i to corner i + 1 of triangle t; its twin runs back.
/// Triangles and vertices that are gone keep their slot until the structure is built anew; new ones
/// come last. Every operation takes a closed, manifold, oriented simplicial complex to another one,
/// given that the question before it (can_...) said yes.
#pragma once

#include "base/array.h"
#include "geom/mesh.h"

#define DEW_NO_HALF UINT32_MAX

typedef struct dew_Topology {
    dew_Array corner;  // of uint32_t: the vertex a half-edge leaves; DEW_NO_HALF: triangle is gone
    dew_Array twin;    // of uint32_t
    dew_Array outgoing;  // of uint32_t: a half-edge that leaves the vertex; DEW_NO_HALF: gone
    dew_Array mark;      // of uint32_t, per vertex: equal to `stamp` when marked
    dew_Array bucket;    // scratch of build
    dew_Array first;     // scratch of build
    uint32_t stamp;
} dew_Topology;

void dew_topology_init(dew_Topology *topology, const dew_Allocator *allocator);
void dew_topology_deinit(dew_Topology *topology);
/// Makes room for as much as another one has room for.
dew_Status dew_topology_reserve_as(dew_Topology *topology, const dew_Topology *other);

/// Fails with DEW_BAD_INPUT when the mesh is not closed, manifold and oriented.
dew_Status dew_topology_build(dew_Topology *topology, const dew_Triangle *triangles,
                              int64_t triangle_count, int64_t vertex_count);

/// Room for that many more; needed before split (1, 2) and cut (3, 2).
dew_Status dew_topology_reserve(dew_Topology *topology, int64_t vertices, int64_t triangles);

static inline uint32_t dew_half_next(uint32_t h)
{
    return h % 3 == 2 ? h - 2 : h + 1;
}
static inline uint32_t dew_half_prev(uint32_t h)
{
    return h % 3 == 0 ? h + 2 : h - 1;
}
static inline uint32_t dew_half_twin(const dew_Topology *topology, uint32_t h)
{
    return DEW_ITEMS(&topology->twin, uint32_t)[h];
}
static inline uint32_t dew_half_from(const dew_Topology *topology, uint32_t h)
{
    return DEW_ITEMS(&topology->corner, uint32_t)[h];
}
static inline uint32_t dew_half_to(const dew_Topology *topology, uint32_t h)
{
    return DEW_ITEMS(&topology->corner, uint32_t)[dew_half_next(h)];
}
/// The third corner of its triangle.
static inline uint32_t dew_half_apex(const dew_Topology *topology, uint32_t h)
{
    return DEW_ITEMS(&topology->corner, uint32_t)[dew_half_prev(h)];
}
/// The next half-edge that leaves the same vertex, counter-clockwise.
static inline uint32_t dew_half_around(const dew_Topology *topology, uint32_t h)
{
    return dew_half_twin(topology, dew_half_prev(h));
}
static inline uint32_t dew_vertex_half(const dew_Topology *topology, uint32_t vertex)
{
    return DEW_ITEMS(&topology->outgoing, uint32_t)[vertex];
}
static inline int64_t dew_topology_triangles(const dew_Topology *topology)  // slots, gone ones too
{
    return topology->corner.count / 3;
}

int64_t dew_topology_degree(const dew_Topology *topology, uint32_t vertex);
/// The half-edge from a to b; DEW_NO_HALF: they are not neighbours.
uint32_t dew_topology_find(const dew_Topology *topology, uint32_t a, uint32_t b);

/// A new vertex in the middle of the edge; returns it. h then ends there, as does its twin's edge.
uint32_t dew_topology_split(dew_Topology *topology, uint32_t h);

/// May the edge turn to join the two corners opposite it?
bool dew_topology_can_flip(const dew_Topology *topology, uint32_t h);
void dew_topology_flip(dew_Topology *topology, uint32_t h);

/// Neighbours that the ends of the edge share: 2 when it may collapse (link condition, [Dey1999]),
/// 3 or more when a loop of three edges through it bounds no triangle. `third`, when not NULL, gets
/// up to `capacity` vertices that close such loops, in the order met around the edge's end. A
/// tetrahedron counts 0.
int dew_topology_shared(dew_Topology *topology, uint32_t h, uint32_t *third, int capacity);
static inline bool dew_topology_can_collapse(dew_Topology *topology, uint32_t h)
{
    return dew_topology_shared(topology, h, NULL, 0) == 2;
}
/// The vertex at the end of h becomes one with that at its beginning, and is gone.
void dew_topology_collapse(dew_Topology *topology, uint32_t h);

/// A loop of three half-edges, each beginning where the one before ends, that bounds no triangle.
typedef struct dew_Loop {
    uint32_t half[3];
} dew_Loop;

/// The loop through half-edge h and a vertex named by dew_topology_shared.
dew_Loop dew_topology_loop(const dew_Topology *topology, uint32_t h, uint32_t third);
/// Cuts the surface along the loop and closes both sides with a triangle. The left side (of the
/// loop's triangles) keeps the vertices, the right side gets copies: twin[i] is the copy of the
/// vertex where half[i] begins. The left cap is the last triangle but one, the right cap the last.
void dew_topology_cut(dew_Topology *topology, const dew_Loop *loop, uint32_t twin[3]);

/// The triangles on the left of the loop, at most `capacity` of them (written to triangles[]);
/// returns their number, capacity + 1 when there are more. The surface is not cut yet.
int dew_topology_side(const dew_Topology *topology, const dew_Loop *loop, uint32_t *triangles,
                      int capacity);

/// Takes out a whole connected piece given by one of its triangles, of up to `capacity` triangles;
/// returns how many, and leaves it alone when it is larger (capacity + 1).
int dew_topology_remove(dew_Topology *topology, uint32_t triangle, uint32_t *triangles,
                        int capacity);

/// Twins agree, no vertex twice in a triangle, no two edges on the same vertices, one fan per
/// vertex. Walks everything.
dew_Status dew_topology_check(const dew_Topology *topology);
/// The same for the triangles around one vertex.
dew_Status dew_topology_check_vertex(const dew_Topology *topology, uint32_t vertex);
