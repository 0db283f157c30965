/// A drop made anew from the distance field of one or several meshes: what is left when their union
/// is degenerate, or when a drop has run into itself.
///
/// The distance to the meshes (inside: winding number above one half; of several: the least) is
/// sampled on nodes around them and turned into triangles (surface/marching_cubes.h): closed,
/// manifold and oriented, whatever went in. Wetted sides are cut off before and put back after, so
/// that the contact line stays where it was. Velocities come from the nearest point of the old
/// surface. Details finer than the spacing are lost, and the volume with them: the caller corrects
/// it.
#pragma once

#include "geom/distance.h"
#include "geom/remesh.h"

/// The solids, as seen from a point: distance (negative inside), nearest point, outward normal.
/// False: nothing within reach_m. Must be callable from any thread.
typedef bool dew_DropNearestFn(void *context, dew_Vec3 p, double reach_m, dew_Closest *out);

typedef struct dew_DropSolids {
    dew_DropNearestFn *nearest;  // NULL: there are no solids
    void *context;
} dew_DropSolids;

/// Distance of the nodes over the edge length.
#define DEW_DROP_REBUILD_SPACING 0.85

typedef struct dew_DropRebuildDef {
    double edge_m;     // wanted edge length
    double spacing_m;  // of the nodes; 0: DEW_DROP_REBUILD_SPACING edges
    double swell_m;  // the surface is taken this far outside the meshes: closes gaps of twice that
    dew_DropSolids solids;
} dew_DropRebuildDef;

typedef struct dew_DropRebuildResult {
    double volume_m3;     // of all pieces
    double before_m3;     // sum of the meshes' volumes, what overlaps counted twice
    double filled_m3;     // volume of bubbles that were filled, within volume_m3
    int64_t piece_count;  // see dew_drop_rebuild_pieces
    int64_t lost_count;   // pieces too small for one triangle of the wanted size, left out
    double lost_m3;       // their volume
} dew_DropRebuildResult;

typedef struct dew_DropRebuild dew_DropRebuild;  // a workspace, kept between calls; one per thread

dew_Status dew_drop_rebuild_create(const dew_Allocator *allocator, dew_DropRebuild **out);
void dew_drop_rebuild_destroy(dew_DropRebuild *workspace);

/// One mesh from `count` closed ones. `out` may be one of them; its arrays as in mesh_union.h.
/// Pieces are consecutive, largest first. Fails for lack of memory, and with DEW_BAD_INPUT when a
/// mesh is not closed or not finite, or would need more than 2^28 nodes.
dew_Status dew_drop_rebuild(dew_DropRebuild *workspace, const dew_DropRebuildDef *def,
                            const dew_RemeshDrop *drops, int64_t count, const dew_RemeshDrop *out,
                            dew_DropRebuildResult *result);
/// Of the last rebuild; valid until the next one.
const dew_RemeshPiece *dew_drop_rebuild_pieces(const dew_DropRebuild *workspace);

/// Does the mesh run into itself? Stops at the first pair of triangles.
dew_Status dew_drop_self_crosses(dew_DropRebuild *workspace, const dew_RemeshDrop *drop,
                                 bool *crosses);
