/// A tree over boxes that finds the item of least signed distance without asking all of them.
///
/// The items are known by their boxes only; their distances come from a callback. The distance of
/// an item that lies within its box is nowhere less than the box's own signed distance: that is the
/// bound. Constant once made: any number of threads may ask at once; questions allocate nothing.
#pragma once

#include "base/arena.h"
#include "geom/vec.h"

typedef struct dew_BoxNode {
    dew_Box box;
    int32_t first,
        count;      // items of a leaf; count 0: an inner node, its left child is the next node
    int32_t right;  // right child of an inner node
} dew_BoxNode;

typedef struct dew_BoxTree {
    dew_BoxNode *nodes;  // nodes[0] is the root
    int32_t *items;      // in the order of the leaves
    int32_t node_count, item_count;
} dew_BoxTree;

/// Memory comes from the arena. items[i] lies within boxes[i]; none may be empty or infinite.
dew_Status dew_box_tree_build(dew_BoxTree *tree, dew_Arena *arena, const int32_t *items,
                              const dew_Box *boxes, int32_t item_count);

/// Least signed distance that anything within the box can have from p: distance from outside, minus
/// the depth from inside.
double dew_box_bound(dew_Box box, dew_Vec3 p);

/// Called with each item that may be nearer than `least`; returns the least distance found so far.
typedef double dew_BoxTreeVisitFn(void *context, int32_t item, double least);

/// Visits the items whose bound is no more than `least`, near ones first.
void dew_box_tree_nearest(const dew_BoxTree *tree, dew_Vec3 p, double least,
                          dew_BoxTreeVisitFn *visit, void *context);
