/// Splits triangles until no edge is longer than asked, without moving the surface.
#pragma once

#include "geom/mesh.h"

#define DEW_REFINE_MAX_TRIANGLES 20000000

/// Every edge longer than max_edge_m is cut at its middle, again and again; the mesh stays as
/// closed and as oriented as it was. Attributes are dropped. Fails beyond DEW_REFINE_MAX_TRIANGLES.
dew_Status dew_mesh_refine(dew_Mesh *mesh, double max_edge_m);
