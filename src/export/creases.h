/// A mesh with a normal per vertex: vertices at edges where faces meet at an angle are doubled, so
/// that a box keeps its edges and a bottle is smooth.
#pragma once

#include "base/arena.h"
#include "geom/mesh.h"

/// Replaces `out` by the mesh with attributes nx ny nz and those of the source. Faces that meet at
/// more than crease_rad keep their edge. The order of triangles stays; vertices come in the order
/// in which triangles use them.
dew_Status dew_crease_split(const dew_Mesh *mesh, double crease_rad, dew_Arena *scratch,
                            dew_Mesh *out);
