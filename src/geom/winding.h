/// Winding number of a triangle mesh: how often it wraps around a point; 1 inside, 0 outside.
///
/// Exact sum, and the fast approximation of [Barill2018] on a tree: far groups of triangles act as
/// one dipole with its first derivative. Both are defined, and vary smoothly, also where the mesh
/// has holes.
#pragma once

#include "geom/bvh.h"

/// Sum over all triangles.
double dew_winding_exact(const dew_Mesh *mesh, dew_Vec3 p);

/// What a child of a tree node looks like from afar, in tree units. One cache line.
typedef struct dew_WindingCluster {
    float center[3];  // area-weighted
    float radius;     // around the center, holds all of it
    float normal[3];  // sum of area times unit normal
    float moment[9];  // sum of area times (x - center) times normal; rows x, columns normal
} dew_WindingCluster;

/// One per child of each node of the tree: clusters[DEW_BVH_WIDTH * node_count].
void dew_winding_clusters(const dew_Bvh *bvh, dew_WindingCluster *clusters);

/// accuracy: distance over radius beyond which a group acts as one. The error is below 0.05 for
/// accuracy 2 (0.006 on average) and falls with the square of it.
double dew_winding_fast(const dew_Bvh *bvh, const dew_WindingCluster *clusters, dew_Vec3 p,
                        double accuracy);
