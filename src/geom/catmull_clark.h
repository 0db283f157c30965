/// Catmull-Clark subdivision of meshes of any polygons: a smooth surface from a coarse one.
///
/// Every level cuts each face of k corners into k four-sided ones and smooths. Open edges become
/// smooth curves of their own. Edges at which more than two faces meet are split first, so that
/// what lies on their sides becomes separate pieces (two cubes that share an edge come apart
/// there).
#pragma once

#include "geom/mesh.h"

/// Faces of any number of corners, counter-clockwise seen from outside.
typedef struct dew_FaceMesh {
    dew_Array positions;  // dew_Vec3
    dew_Array corners;    // uint32_t: vertices of the faces, face after face
    dew_Array first;      // uint32_t: first corner of each face, and one past the last
    dew_Allocator allocator;
} dew_FaceMesh;

void dew_face_mesh_init(dew_FaceMesh *mesh, const dew_Allocator *allocator);
void dew_face_mesh_deinit(dew_FaceMesh *mesh);
dew_Status dew_face_mesh_add(dew_FaceMesh *mesh, const uint32_t *vertices, int count);
dew_Status dew_face_mesh_from_triangles(dew_FaceMesh *mesh, const dew_Mesh *triangles);
/// Positions and triangles of `out` are replaced, its attributes dropped.
dew_Status dew_face_mesh_to_triangles(const dew_FaceMesh *mesh, dew_Mesh *out);

/// Subdivides in place: 1 to 8 levels. Vertices of the mesh keep their indices, but for copies of
/// those that had to be split. With moves_to_limit all vertices end on the limit surface. Refuses
/// (DEW_BAD_INPUT) faces of less than three corners, corners that do not exist, and results of more
/// than 100 million corners; the mesh is then as before.
dew_Status dew_catmull_clark_subdivide(dew_FaceMesh *mesh, int levels, bool moves_to_limit);
