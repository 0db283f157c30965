/// The stack of a walk through the tree: children still to be visited, the nearest on top.
///
/// bvh.c bounds the depth of the tree; each level leaves at most three children behind.
#pragma once

#include "geom/bvh.h"

#include <float.h>
#include <string.h>

#define DEW_BVH_MAX_DEPTH 56
#define DEW_BVH_STACK     ((DEW_BVH_WIDTH - 1) * DEW_BVH_MAX_DEPTH + 2 * DEW_BVH_WIDTH)

/// Boxes are padded by this, in tree units, and bounds widened by this part of them. It covers the
/// rounding of coordinates in [-1, 1] to floats and of up to eight operations in floats after it,
/// (1 + FLT_EPSILON / 2)^n - 1 < n FLT_EPSILON [Ize2013].
#define DEW_BVH_ROUNDING (FLT_EPSILON * 8)

typedef struct dew_BvhEntry {
    float key;       // squared distance, or ray parameter, of the box
    uint32_t child;  // as in dew_BvhNode
    uint32_t count;
} dew_BvhEntry;

/// Puts the larger first. Keys are not negative, so their bits are in order; the lane is below
/// them.
static inline void dew_bvh_order(uint64_t *a, uint64_t *b)
{
    uint64_t larger = *a > *b ? *a : *b, smaller = *a > *b ? *b : *a;
    *a = larger;
    *b = smaller;
}

static inline uint64_t dew_bvh_lane(float key, uint64_t lane)
{
    uint32_t bits;
    memcpy(&bits, &key, sizeof bits);
    return (uint64_t)bits << 32 | lane;
}

/// Pushes the children of a node whose key is at most `limit`, the one with the smallest key last.
/// A sorting network and a write that is kept or not: no branches that cannot be foreseen.
static inline int dew_bvh_push(dew_BvhEntry *stack, int top, const dew_BvhNode *node,
                               const float key[DEW_BVH_WIDTH], float limit)
{
    uint64_t lane[DEW_BVH_WIDTH] = {dew_bvh_lane(key[0], 0), dew_bvh_lane(key[1], 1),
                                    dew_bvh_lane(key[2], 2), dew_bvh_lane(key[3], 3)};
    dew_bvh_order(&lane[0], &lane[1]);
    dew_bvh_order(&lane[2], &lane[3]);
    dew_bvh_order(&lane[0], &lane[2]);
    dew_bvh_order(&lane[1], &lane[3]);
    dew_bvh_order(&lane[1], &lane[2]);
    for (int n = 0; n < DEW_BVH_WIDTH; n++) {
        uint32_t i = (uint32_t)lane[n];
        stack[top] = (dew_BvhEntry){key[i], node->child[i], node->count[i]};
        top += key[i] <= limit;
    }
    return top;
}
