/// Inside of the remesher: what its stages share. Only remesh*.c and pinch.c include it.
#pragma once

#include "geom/remesh.h"
#include "geom/remesh_queue.h"
#include "geom/remesh_topology.h"

/// Twice the area of a triangle over the square of its longest edge (0.87: equilateral) below which
/// the direction of its normal says little about the surface.
#define DEW_REMESH_THIN 0.05

/// An edge opposite an obtuse angle, in the list of those that leave the same vertex.
typedef struct dew_RemeshSuspect {
    uint32_t from, to, apex;
    uint32_t next;  // 1 + its place; 0: none
} dew_RemeshSuspect;

struct dew_Remesh {
    dew_Allocator allocator;
    dew_Topology topology;
    dew_Array position, velocity;  // of dew_Vec3, per vertex slot
    dew_Array scale;               // of double
    dew_Array label;               // of uint8_t
    dew_Array
        dirty;  // of uint8_t: lowest bit: something changed around the vertex; above: generation
    dew_Array long_edges, short_edges;  // heaps of dew_RemeshEdge
    dew_Array flips;   // of uint32_t: half-edges to look at, first come first served
    dew_Array queued;  // of uint8_t, per half-edge: waits in `flips`
    int64_t flip_head;
    dew_Array ring;      // of uint32_t: half-edges opposite a vertex or an edge
    dew_Array number;    // of uint32_t, per vertex slot: index in the output
    dew_Array piece_of;  // of uint32_t, per triangle slot
    dew_Array rank;      // of uint32_t, per piece: place in the output
    dew_Array suspects;  // of dew_RemeshSuspect
    dew_Array pieces, losses;
    bool is_out_of_memory;  // a queue could not grow; stages look at it after each operation
    dew_RemeshDef def;
    dew_RemeshResult result;
};

static inline dew_Vec3 *dew_remesh_at(const dew_Remesh *remesh, uint32_t vertex)
{
    return &DEW_ITEMS(&remesh->position, dew_Vec3)[vertex];
}
static inline uint8_t dew_remesh_label(const dew_Remesh *remesh, uint32_t vertex)
{
    return DEW_ITEMS(&remesh->label, uint8_t)[vertex];
}
static inline void dew_remesh_touch(dew_Remesh *remesh, uint32_t vertex)
{
    DEW_ITEMS(&remesh->dirty, uint8_t)[vertex] |= 1;
}
/// How deep a vertex lies in those this pass has made on solids; 0: it was there before.
static inline uint8_t dew_remesh_generation(const dew_Remesh *remesh, uint32_t vertex)
{
    return DEW_ITEMS(&remesh->dirty, uint8_t)[vertex] >> 1;
}
/// All three corners on the solid?
static inline bool dew_remesh_is_wetted(const dew_Remesh *remesh, uint32_t a, uint32_t b,
                                        uint32_t c)
{
    return dew_remesh_label(remesh, a) & dew_remesh_label(remesh, b) & dew_remesh_label(remesh, c) &
           DEW_LABEL_TOUCHING;
}
/// Squared length over squared scale.
static inline double dew_remesh_length2(const dew_Remesh *remesh, uint32_t a, uint32_t b)
{
    const double *scale = DEW_ITEMS(&remesh->scale, double);
    double s = 0.5 * (scale[a] + scale[b]);
    return dew_length2(dew_sub(*dew_remesh_at(remesh, a), *dew_remesh_at(remesh, b))) / (s * s);
}
/// Six times the volume between three points and the origin.
static inline double dew_determinant(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c)
{
    return dew_inner(a, dew_cross(b, c));
}

/// The edge ab, c left of it, d right of it: two triangles a b c and b a d.
typedef struct dew_Hinge {
    uint32_t v[4];  // a b c d
    dew_Vec3 x[4];  // where they are
    uint8_t label[4];
    dew_Vec3 left, right;  // normals of the triangles, twice their area long
} dew_Hinge;

/// Fills in places, labels (NULL: none) and normals.
void dew_hinge_measure(dew_Hinge *hinge, const dew_Vec3 *x, const uint8_t *label);
/// Has the edge a negative weight that a flip would better, and may it flip, as far as shape and
/// labels go?
bool dew_hinge_wants_flip(const dew_Hinge *hinge);

/// True: the pass would change nothing; the piece is reported. False: it may, or there was no
/// memory to look.
bool dew_remesh_is_settled(dew_Remesh *remesh, const dew_RemeshDrop *drop);

/// Room for new vertices and triangles in all arrays.
dew_Status dew_remesh_reserve(dew_Remesh *remesh, int64_t vertices, int64_t triangles);
/// The arrays follow the topology after it grew; the new vertex is a copy of `like`.
void dew_remesh_copy_vertex(dew_Remesh *remesh, uint32_t vertex, uint32_t like);

/// Appends to an array of uint32_t. A status per item would cost more than the item: lack of memory
/// is noted in the workspace, as it is by the functions that follow.
static inline void dew_remesh_append(dew_Remesh *remesh, dew_Array *array, uint32_t item)
{
    if (array->count == array->capacity &&
        dew_array_reserve(array, 2 * array->count + 64).code != DEW_OK)
        remesh->is_out_of_memory = true;
    else
        DEW_ITEMS(array, uint32_t)[array->count++] = item;
}
/// Queues the edge for a split or a collapse when its length asks for it.
void dew_remesh_sort_edge(dew_Remesh *remesh, uint32_t half);
/// Queues the edge to be looked at for a flip.
void dew_remesh_suspect(dew_Remesh *remesh, uint32_t half);
/// DEW_NO_MEMORY when it was noted.
dew_Status dew_remesh_memory(const dew_Remesh *remesh);
/// False: the entry is stale.
bool dew_remesh_is_current(const dew_Remesh *remesh, const dew_RemeshEdge *edge, double sign);

/// The stages, each until its queue is empty.
dew_Status dew_remesh_split_stage(dew_Remesh *remesh, int64_t limit);
dew_Status dew_remesh_flip_stage(dew_Remesh *remesh, int64_t limit);
dew_Status dew_remesh_collapse_stage(dew_Remesh *remesh, int64_t limit);
void dew_remesh_smooth_stage(dew_Remesh *remesh);

/// Labels pieces, and writes the mesh to the drop, sorted by piece.
dew_Status dew_remesh_find_pieces(dew_Remesh *remesh);
dew_Status dew_remesh_write(dew_Remesh *remesh, const dew_RemeshDrop *drop);
