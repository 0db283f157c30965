/// Remeshing of one drop: splits long edges, collapses short ones, flips the rest to Delaunay, cuts
/// thin necks. [Zhang2011] section 5
///
/// The mesh is closed, manifold and oriented before, after, and between any two operations, and
/// stays a simplicial complex (no two edges on the same vertices). The workspace is kept between
/// calls: once warm, a call allocates nothing. The order of operations depends on lengths, ties are
/// broken by index, so that the result is a function of the input alone. Cost is linear in the
/// triangles, plus k log k in the edges that change. One workspace per thread.
///
/// Does not look for self-intersections, does not merge drops (mesh_union.h), does not decide what
/// touches a solid: labels come from the caller and are carried along.
#pragma once

#include "base/array.h"
#include "geom/mesh.h"

/// Labels of a vertex. A triangle is wetted when its three vertices touch. An edge belongs to the
/// contact line when both its vertices carry DEW_LABEL_CONTACT_LINE and one of its two triangles is
/// wetted. Higher bits are the caller's: a split keeps those both ends have, a collapse those
/// either has.
enum {
    DEW_LABEL_TOUCHING = 1,      // lies on a solid
    DEW_LABEL_CONTACT_LINE = 2,  // and on the contact line; goes with DEW_LABEL_TOUCHING
};

/// The drop's arrays, which the call resizes. All but positions and triangles may be NULL.
typedef struct dew_RemeshDrop {
    dew_Array *positions;   // of dew_Vec3
    dew_Array *velocities;  // of dew_Vec3; mean at a split, area-weighted at a collapse
    dew_Array *labels;      // of uint8_t
    dew_Array *scales;      // of double: wanted edge length near the vertex over the usual one; > 0
    dew_Array *triangles;   // of dew_Triangle
} dew_RemeshDrop;

/// Moves a point to the nearest place on the solid that vertices with this label lie on. Called
/// only for labels with DEW_LABEL_TOUCHING.
typedef void dew_RemeshProjectFn(void *context, uint8_t label, dew_Vec3 *position);

typedef struct dew_RemeshDef {
    double min_edge_m;     // shorter edges collapse. Lengths are divided by the mean scale of
    double max_edge_m;     // longer edges split;   the two ends. max_edge_m >= 2 min_edge_m
    double min_volume_m3;  // a neck is cut; a piece of less volume that comes off is removed
    double smoothing;      // 0: none; 1: free vertices near a change go to the middle of their
                           // neighbours, along the surface, volume kept
    bool keep_necks;       // do not cut: the edge stays short instead
    bool keep_flat;        // no flips
    bool is_one_piece;  // the caller knows the drop to be one closed, manifold piece without unused
                        // vertices: a pass with nothing to do then costs next to nothing
    int64_t max_operations;        // splits, collapses, flips and cuts; 0: no bound
    dew_RemeshProjectFn *project;  // NULL: touching vertices stay where midpoints fall
    void *context;                 // of project
} dew_RemeshDef;

/// Edges between 0.5 and 1.5 of edge_m, pieces below (edge_m / 2)^3 removed, no smoothing.
dew_RemeshDef dew_default_remesh_def(double edge_m);

/// A connected piece of the result: consecutive vertices and triangles of the drop's arrays.
typedef struct dew_RemeshPiece {
    int64_t first_vertex, vertex_count;
    int64_t first_triangle, triangle_count;
    double volume_m3;  // negative: a bubble, closed off from the outside
} dew_RemeshPiece;

/// A piece too small to be a drop, taken out. Its volume is the caller's to account for.
typedef struct dew_RemeshLoss {
    double volume_m3;     // may be negative: a dent was filled
    dew_Vec3 position_m;  // where it was
    dew_Vec3 velocity_m_s;
} dew_RemeshLoss;

typedef struct dew_RemeshResult {
    int64_t split_count, collapse_count, flip_count;
    int64_t pinch_count;      // necks cut
    int64_t loss_count;       // pieces removed; dew_remesh_losses
    double loss_m3;           // sum of their volumes
    int64_t piece_count;      // connected pieces afterwards; dew_remesh_pieces
    double volume_change_m3;  // of the mesh by collapses, flips and smoothing, losses left out
    int64_t refused_count;    // short edges left: their collapse would fold the mesh
    bool has_changed;         // false: the arrays were not touched; several pieces: always true
} dew_RemeshResult;

typedef struct dew_Remesh dew_Remesh;

dew_Status dew_remesh_create(const dew_Allocator *allocator, dew_Remesh **out);
void dew_remesh_destroy(dew_Remesh *remesh);
/// Makes room for as much as another one has room for.
dew_Status dew_remesh_reserve_as(dew_Remesh *remesh, const dew_Remesh *other);

/// One pass over a drop. Fails, and leaves the drop as it was, when there is no memory
/// (DEW_NO_MEMORY) or when the mesh is not closed, manifold and oriented or has a coordinate that
/// is not finite (DEW_BAD_INPUT). Vertices that no triangle names are dropped. result may be NULL.
///
/// A short edge whose collapse would make the mesh non-manifold marks a neck: the mesh is cut
/// there, and both sides closed by the same triangle, so that the two pieces still touch. Do not
/// look for a merge of the two before they have parted. Pieces that come off with more than 40
/// triangles are never removed here, however thin: see their volume.
///
/// More than one piece: the arrays are sorted by piece (largest volume first), each piece keeps the
/// order of its vertices; to split the drop, copy the ranges and subtract first_vertex from
/// indices.
dew_Status dew_remesh_run(dew_Remesh *remesh, const dew_RemeshDef *def, const dew_RemeshDrop *drop,
                          dew_RemeshResult *result);

/// Of the last run; valid until the next one. piece_count and loss_count entries.
const dew_RemeshPiece *dew_remesh_pieces(const dew_Remesh *remesh);
const dew_RemeshLoss *dew_remesh_losses(const dew_Remesh *remesh);
