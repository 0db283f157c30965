/// Mesh of a spherical cap with a round base, on a wall or without: a drop that begins on a solid,
/// or at a nozzle.
#pragma once

#include "base/arena.h"
#include "dew/wetting.h"
#include "geom/mesh.h"

/// Arrays of the mesh, in an arena. The base comes first: its centre, then ring by ring, the rim
/// last.
typedef struct dew_DropCapMesh {
    dew_Vec3 *positions;
    dew_Triangle *triangles;
    int64_t vertex_count, triangle_count;
    int64_t base_count, rim_count;  // vertices of the base with its rim; of the rim
} dew_DropCapMesh;

typedef struct dew_DropCapMeshDef {
    dew_DropCap cap;
    double wall_m;             // height of the cylinder between base and cap; 0: none
    dew_Vec3 point_m, normal;  // middle of the base; unit, away from it, to where the liquid is
    double edge_m;             // wanted length of edges
} dew_DropCapMeshDef;

/// A closed mesh: rings of six vertices more each, at least two of them.
dew_Status dew_drop_cap_mesh(const dew_DropCapMeshDef *def, dew_Arena *arena, dew_DropCapMesh *out);
