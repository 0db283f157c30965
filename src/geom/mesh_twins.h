/// Triangles that lie on the same three vertices.
#pragma once

#include "base/arena.h"
#include "geom/mesh.h"

#define DEW_NO_TWIN UINT32_MAX

/// twin[t]: the lowest earlier triangle on the vertices of t, turned either way; DEW_NO_TWIN: none.
/// twin[triangles]; the rest of the memory comes from the arena.
dew_Status dew_mesh_twins(const dew_Mesh *mesh, dew_Arena *arena, uint32_t *twin);

/// Do two triangles on the same three vertices face the same way?
bool dew_triangles_agree(dew_Triangle s, dew_Triangle t);
