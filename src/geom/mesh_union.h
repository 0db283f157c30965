/// Union of two closed meshes: two drops that touch become one. [Zhang2011] section 5.1
///
/// Which edge crosses which triangle is decided exactly (predicates.h), so the curves of
/// intersection close; cut triangles are triangulated anew, parts inside the other mesh dropped,
/// the rest stitched along the curves. Where the meshes touch without crossing (a vertex on a face,
/// coplanar faces), the second one is moved by a hair, the same hair each time. The result is
/// checked to be closed, manifold, oriented and of a plausible volume before it is handed out; when
/// it is not, even after some tries, the call fails with DEW_UNSUPPORTED and changes nothing: the
/// caller may rebuild the pair from its distance field.
///
/// Meshes that cross themselves are not looked for: their unions are refused or cross themselves
/// too. Short edges and thin triangles along the curves are the remesher's to mend.
#pragma once

#include "dew/geometry.h"
#include "geom/remesh.h"

typedef struct dew_MeshUnionResult {
    dew_MeshRelation relation;  // anything but DEW_MESHES_CROSS: out is not written
    double volume_m3;           // of the result
    int64_t crossing_count;     // vertices on the curves of intersection
    int nudge_count;            // times the second mesh was moved
} dew_MeshUnionResult;

typedef struct dew_MeshUnion dew_MeshUnion;  // a workspace, kept between calls

dew_Status dew_mesh_union_create(const dew_Allocator *allocator, dew_MeshUnion **out);
void dew_mesh_union_destroy(dew_MeshUnion *workspace);

/// Vertices that are kept keep velocity, label and scale; those on the curves get the mean of both
/// meshes, and labels that both ends of their edge have (and touch where they lie on a wetted
/// triangle of the other). Which of them are on the contact line is for the caller to find anew.
/// `out` may be one of the two; arrays that are NULL in an input count as zero (scales: one), those
/// NULL in out are not written. Order of the result: vertices of the first mesh, of the second, of
/// the curves. Fails with DEW_BAD_INPUT when a mesh is not closed, manifold and oriented,
/// DEW_UNSUPPORTED as said above.
dew_Status dew_mesh_union_run(dew_MeshUnion *workspace, dew_MeshBoolean operation,
                              const dew_RemeshDrop *first, const dew_RemeshDrop *second,
                              const dew_RemeshDrop *out, dew_MeshUnionResult *result);
