/// Meshes made by formula, for scenes that have no files: closed, manifold, outward oriented, without
/// self-intersections.
///
/// y is up; each stands on y = 0 with the middle of its box on the y axis.
///   animal      a seated rabbit that looks along +x: belly, long ears, paws, tail
///   bottle      of glass, with wall, punt, neck and lip; open at the top
///   leaf        pointed, folded along its rib, with a rim bent up, tip toward +z
///   tap         a gooseneck with lever, its mouth down and toward +x, hollow there
///   windscreen  a slab bent both ways, raked by 30 degrees, its outside up and toward +z
#pragma once

#include "geom/mesh.h"

int dew_procedural_count(void);
const char *dew_procedural_name(int index);  // in order of the alphabet

/// Replaces what the mesh held. size_m: length of the longest side of its box; 0: as in life. edge_m:
/// target length of edges; 0: as fine as it looks good (about 70,000 triangles for the animal). Edges
/// are made shorter than told where the shape would be lost. An unknown name is an error that offers
/// the nearest one.
dew_Status dew_procedural_mesh(const char *name, double size_m, double edge_m, dew_Mesh *mesh);
