/// A solid from its definition in the scene; a wall from a side of the domain.
#pragma once

#include "problem/assets.h"

/// The scene's solid of that index. Failures carry the scene's file and line.
dew_Status dew_solid_resolve(dew_Assets *assets, int index, dew_Solid *out);

/// The wall at a closed side of the domain: the half space beyond it.
dew_Status dew_solid_wall(const dew_Scene *scene, dew_Side side, dew_Solid *out);

/// The corners of a plane solid within a box, at rest, counter-clockwise seen from outside the
/// solid. Returns how many, at most DEW_PLANE_CORNERS; 0: it does not cut the box.
#define DEW_PLANE_CORNERS (DEW_SIDE_COUNT + 4)  // a square, and one more for each side that cuts it
int dew_solid_plane_cut(const dew_Solid *plane, dew_Box bounds,
                        dew_Vec3 corners[DEW_PLANE_CORNERS]);
