/// Mean curvature of a triangle mesh at its vertices.
#pragma once

#include "geom/mesh.h"

/// H = (k1 + k2) / 2 in 1/m, positive where the mesh is convex: 1 / R on a sphere of radius R, half
/// of that on a cylinder. `normals` are unit vectors outward, one per vertex, as `out`. 0 for
/// vertices without a triangle that has an area. Fails only for lack of memory.
dew_Status dew_mesh_mean_curvature(const dew_Mesh *mesh, const dew_Vec3 *normals, float *out);
