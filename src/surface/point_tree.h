/// Nearest of many points: a k-d tree [Bentley1975], built once.
#pragma once

#include "base/arena.h"
#include "geom/vec.h"

/// Points in the order of the tree: the middle of each range splits it along axis[middle].
typedef struct dew_PointTree {
    dew_Vec3 *at;
    uint32_t *id;   // as the points were numbered
    uint8_t *axis;  // 0, 1, 2
    int64_t count;
} dew_PointTree;

/// Points may coincide; they must be finite. Memory comes from the arena.
dew_Status dew_point_tree_build(dew_PointTree *tree, const dew_Vec3 *points, int64_t count,
                                dew_Arena *arena);

#define DEW_POINT_TREE_MANY 16

/// The ids of the `count` (at most DEW_POINT_TREE_MANY) points nearest to p, nearest first, of
/// equals the lower; none farther than max_distance. Returns how many there are, and the squares of
/// their distances.
int dew_point_tree_nearest(const dew_PointTree *tree, dew_Vec3 p, double max_distance, int count,
                           int64_t *ids, double *distances2);
