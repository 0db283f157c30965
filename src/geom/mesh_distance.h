/// Signed distance of a closed mesh: negative inside.
///
/// The sign comes from angle-weighted pseudonormals [Baerentzen2005] when the mesh is clean
/// (closed, manifold, oriented, free of self-intersections), which is exact and costs nothing; else
/// from the fast winding number [Barill2018], which tolerates small gaps, overlaps and touching parts.
///
/// Does not turn a mesh that is inside out (see mesh_repair.h). Constant once made; any number of
/// threads may ask at once; questions allocate nothing.
#pragma once

#include "geom/bvh.h"
#include "geom/distance.h"

typedef struct dew_MeshDistance dew_MeshDistance;

typedef enum dew_MeshSign {
    DEW_SIGN_AUTO,     // audit the mesh, then choose
    DEW_SIGN_NORMALS,  // the caller knows that the mesh is clean
    DEW_SIGN_WINDING,
} dew_MeshSign;

/// Fails on triangles that name a vertex that is not there, on vertices that are not finite, on a
/// mesh without triangles, and for DEW_SIGN_NORMALS on edges that have not exactly two triangles.
dew_Status dew_mesh_distance_create(const dew_Mesh *mesh, dew_MeshSign sign, dew_Tasks *tasks,
                                    const dew_Allocator *allocator, dew_MeshDistance **out);
void dew_mesh_distance_destroy(dew_MeshDistance *distance);

dew_MeshSign dew_mesh_distance_sign(const dew_MeshDistance *distance);  // never DEW_SIGN_AUTO
const dew_Bvh *dew_mesh_distance_bvh(const dew_MeshDistance *distance);

typedef struct dew_MeshClosest {
    dew_Closest closest;
    double weight[3];   // barycentric, of the triangle's corners
    uint32_t triangle;  // of the mesh
} dew_MeshClosest;

dew_MeshClosest dew_mesh_distance_at(const dew_MeshDistance *distance, dew_Vec3 p);
/// Same within a reach; false: the surface is farther than max_distance, the sign is not looked
/// for.
bool dew_mesh_distance_within(const dew_MeshDistance *distance, dew_Vec3 p, double max_distance,
                              dew_MeshClosest *out);
/// Is the point inside, by the mesh's way of telling?
bool dew_mesh_distance_is_inside(const dew_MeshDistance *distance, dew_Vec3 p);

/// Signed distances of many points, in parallel.
void dew_mesh_distance_many(const dew_MeshDistance *distance, dew_Tasks *tasks,
                            const dew_Vec3 *points, int64_t count, double *distances);
