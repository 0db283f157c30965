/// The makers behind procedural.h. Each works in its own units, about 1 in size; edge is in them too.
/// Private to procedural*.c.
#pragma once

#include "geom/mesh.h"

dew_Status dew_make_animal(double edge, dew_Mesh *mesh);
dew_Status dew_make_bottle(double edge, dew_Mesh *mesh);
dew_Status dew_make_leaf(double edge, dew_Mesh *mesh);
dew_Status dew_make_tap(double edge, dew_Mesh *mesh);
dew_Status dew_make_windscreen(double edge, dew_Mesh *mesh);
