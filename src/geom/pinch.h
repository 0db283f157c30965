/// Cutting a neck of a drop: what to do with an edge whose collapse would make the mesh
/// non-manifold.
#pragma once

#include "geom/remesh_state.h"

/// The ends of half-edge h share a neighbour with which they form no triangle. Cuts the mesh there
/// into two, or takes out the side that is too small to be a drop. is_done false: nothing was
/// changed, because what is left would be no more than a tetrahedron.
dew_Status dew_pinch(dew_Remesh *remesh, uint32_t h, bool *is_done);
