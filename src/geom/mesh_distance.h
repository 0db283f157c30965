/// Signed distance of a closed mesh: negative inside.
///
/// The sign comes from angle-weighted pseudonormals [Baerentzen2005] when the mesh is clean
/// (closed, manifold, oriented, free of self-intersections), which is exact and costs nothing; else
/// from the fast winding number [Barill2018], which tolerates small gaps, overlaps and touching
/// parts.
///
/// Does not turn a mesh that is inside out (see mesh_repair.h). Constant once made; any number of
/// threads may ask at once; questions allocate nothing.
#pragma once

#include "geom/bvh.h"
#include "geom/distance.h"

const dew_Bvh *dew_mesh_distance_bvh(const dew_MeshDistance *distance);

typedef struct dew_MeshClosest {
    dew_Closest closest;
    double weight[3];   // barycentric, of the triangle's corners
    uint32_t triangle;  // of the mesh
} dew_MeshClosest;

dew_MeshClosest dew_mesh_distance_at(const dew_MeshDistance *distance, dew_Vec3 p);
/// The same, found sooner where the surface is within reach_m.
dew_MeshClosest dew_mesh_distance_near(const dew_MeshDistance *distance, dew_Vec3 p,
                                       double reach_m);
/// Same within a reach; false: the surface is farther than max_distance, the sign is not looked
/// for.
bool dew_mesh_distance_within(const dew_MeshDistance *distance, dew_Vec3 p, double max_distance,
                              dew_MeshClosest *out);
