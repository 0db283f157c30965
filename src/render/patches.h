/// Smooth surfaces from triangles, for images: each triangle becomes a curved patch through its
/// corners, cut into smaller triangles. The corners stay where they are, so nothing shrinks; the
/// limb of a drop loses its corners.
///
/// PN triangles [Vlachos2001] with the vertex normals of [Max1999], which are exact on spheres.
#pragma once

#include "base/arena.h"
#include "geom/mesh.h"
#include "render/float3.h"

/// A mesh with what images need per vertex. Arrays lie in the arena given to dew_patches_refine.
typedef struct dew_PatchMesh {
    dew_Vec3 *positions;
    dew_Float3 *normals;
    dew_Vec3 *motions;  // displacement while the shutter is open
    dew_Triangle *triangles;
    int64_t vertex_count, triangle_count;
} dew_PatchMesh;

/// Normals of the vertices; triangles with is_hidden != 0 do not count for vertices that have
/// others (NULL: all count). normals[vertices].
void dew_patches_normals(const dew_Mesh *mesh, const uint8_t *is_hidden, dew_Float3 *normals);

/// Takes out of normals the unevenness that a mesh's noise puts there: a thousandth of an edge by
/// which a vertex is off turns its normal by a thousandth, and refraction through a drop shows
/// that. Each becomes that of the plane which fits those around it best; what this takes from the
/// shape itself is found by doing the same with the difference, and given back (twicing
/// [Tukey1977]). Vertices of hidden triangles and at creases keep theirs.
dew_Status dew_patches_even_normals(const dew_Mesh *mesh, const uint8_t *is_hidden,
                                    dew_Arena *scratch, dew_Float3 *normals);

/// Cuts each edge into `cuts` parts (1: as it is). Edges with an end that is_flat stay straight.
dew_Status dew_patches_refine(const dew_Mesh *mesh, const dew_Float3 *normals,
                              const dew_Vec3 *motions, const uint8_t *is_flat, int cuts,
                              dew_Arena *arena, dew_PatchMesh *out);

/// Normals per corner of triangle, 3 each: faces that meet at more than crease_rad keep their edge.
/// normals[3 triangles]. Weighted as above.
dew_Status dew_patches_corner_normals(const dew_Mesh *mesh, double crease_rad, dew_Arena *scratch,
                                      dew_Float3 *normals);
