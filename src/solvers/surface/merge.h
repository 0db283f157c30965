/// Two drops that touch become one. [Zhang2011] section 5.1
///
/// Meshes that cross are united (geom/mesh_union.h), what lies on a solid is put back on it, the
/// seam is remeshed and smoothed. Meshes that only touch, or are nearer than gap_m, are first drawn
/// together around the place, so that the bridge is about an edge wide and does not break in the
/// next pass. Where that gives no sound mesh, the pair is made anew from its distance field
/// (rebuild.h), or the larger takes the liquid of one that is much smaller. So merging fails only
/// for lack of memory.
///
/// Does not decide whether drops approach each other, nor correct the volume: the caller does.
#pragma once

#include "solvers/surface/rebuild.h"

typedef struct dew_MergeDef {
    double edge_m;  // wanted edge length
    double gap_m;   // merge drops that come as near as this; 0: only those that touch
    dew_RemeshDef
        remesh;  // of the passes over the seam; project, smoothing, keep_necks are filled in
    dew_DropSolids solids;
    double swallows;  // where the union is degenerate: a drop below this part of the other's volume
                      // is swallowed, not worth to make both anew
    bool always_rebuilds;  // for tests: as if the union were degenerate
} dew_MergeDef;

/// No gap, no solids, dew_default_remesh_def(edge_m).
dew_MergeDef dew_default_merge_def(double edge_m);

typedef enum dew_MergeKind {
    DEW_DROPS_APART,          // nothing was done, out is not written
    DEW_DROPS_UNITED,         // by the union of their meshes
    DEW_DROPS_REBUILT,        // from their distance field
    DEW_DROPS_FIRST_INSIDE,   // out is the second, the first is gone
    DEW_DROPS_SECOND_INSIDE,  // out is the first, the second is gone
} dew_MergeKind;

typedef struct dew_MergeResult {
    dew_MergeKind kind;
    double volume_m3;    // of out
    double missing_m3;   // volumes of both drops less that of out: what the caller has to give back
    double filled_m3;    // of bubbles between the two that were filled
    dew_Vec3 place_m;    // middle of the seam
    int64_t seam_count;  // vertices on the curves where the meshes crossed
    bool was_drawn;      // the drops were drawn together
} dew_MergeResult;

typedef struct dew_Merge dew_Merge;  // a workspace, kept between calls; one per thread

dew_Status dew_merge_create(const dew_Allocator *allocator, dew_Merge **out);
void dew_merge_destroy(dew_Merge *workspace);

/// Do the two touch, or come as near as the gap? dew_merge_drops makes one of them then.
dew_Status dew_merge_meet(dew_Merge *workspace, const dew_MergeDef *def,
                          const dew_RemeshDrop *first, const dew_RemeshDrop *second, bool *meet);
/// `out` may be one of the two; arrays as in mesh_union.h. Vertices that are kept keep velocity and
/// the caller's label bits; touching and contact line are found anew. The velocities of free
/// vertices get a common part such that the area-weighted mean, times volume, is the sum of both
/// drops'. Fails for lack of memory only, or with DEW_BAD_INPUT when a mesh is not closed, manifold
/// and oriented; leaves both as they were then.
dew_Status dew_merge_drops(dew_Merge *workspace, const dew_MergeDef *def,
                           const dew_RemeshDrop *first, const dew_RemeshDrop *second,
                           const dew_RemeshDrop *out, dew_MergeResult *result);
