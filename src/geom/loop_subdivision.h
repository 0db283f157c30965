/// Loop subdivision of closed manifold meshes: a smooth surface from a coarse one.
///
/// Every level makes four triangles of one and smooths. Plain Loop surfaces lie inside the mesh
/// they come from: a drop would lose volume. With `keeps_vertices` the mesh is first blown up so
/// that the limit surface passes through its vertices; what they say then stays. Attributes go
/// along: they are smoothed as positions are.
#pragma once

#include "geom/mesh.h"

typedef struct dew_LoopDef {
    int levels;           // 0 to 6; 0 changes positions only when moves_to_limit
    bool keeps_vertices;  // the limit surface passes through the vertices of the mesh
    bool moves_to_limit;  // vertices end on the limit surface, with its normals as nx, ny, nz
    /// An attribute that marks vertices, such as "wet"; NULL: none. Where triangles with three
    /// marks border on others the surface keeps its crease (the contact line of a drop), and a mark
    /// stays one: it is not smoothed.
    const char *flag;
} dew_LoopDef;

/// Subdivides in place. Vertices of the mesh keep their indices. Refuses (DEW_BAD_INPUT) a mesh
/// that is open or not manifold, and one that would have more than 100 million triangles; the mesh
/// is then as before.
dew_Status dew_loop_subdivide(dew_Mesh *mesh, const dew_LoopDef *def);
