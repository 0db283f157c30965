// A tree over boxes: halves by the median of box centres along the widest axis of the centres.
//
// Plain and binary: solids are few beside triangles, and each costs far more to ask than a box. The
// median makes the depth log2 of the count, so a query's stack has a fixed size.
#include "problem/box_tree.h"

#include "base/status.h"

#include <limits.h>

#define LEAF_ITEMS  2
#define STACK_NODES (int)(CHAR_BIT * sizeof(int64_t))  // depth is at most 31 for 32-bit counts

typedef struct Builder {
    dew_BoxTree *tree;
    const dew_Box *boxes;  // by position in `order`'s values
    int32_t *order;        // of boxes, permuted as the tree is built
} Builder;

static double middle(dew_Box box, int axis)
{
    return axis == 0   ? box.min.x + box.max.x
           : axis == 1 ? box.min.y + box.max.y
                       : box.min.z + box.max.z;
}

// Before in the order of the split: by the middle, then by index, so that it is a strict order.
static bool is_before(const Builder *b, int axis, int32_t i, int32_t j)
{
    double mi = middle(b->boxes[i], axis), mj = middle(b->boxes[j], axis);
    return mi < mj || (mi == mj && i < j);
}

// Quickselect: afterwards order[begin..k) come before order[k], the rest after it.
static void select_median(const Builder *b, int axis, int32_t begin, int32_t end, int32_t k)
{
    int32_t *order = b->order;
    while (end - begin > 1) {
        int32_t pivot = order[begin + (end - begin) / 2], i = begin, j = end - 1;
        while (i <= j) {
            while (is_before(b, axis, order[i], pivot))
                i++;
            while (is_before(b, axis, pivot, order[j]))
                j--;
            if (i <= j) {
                int32_t swap = order[i];
                order[i++] = order[j], order[j--] = swap;
            }
        }
        if (k <= j)
            end = j + 1;
        else if (k >= i)
            begin = i;
        else
            return;
    }
}

static int widest_axis(const Builder *b, int32_t begin, int32_t end)
{
    dew_Box centers = dew_box_empty();
    for (int32_t i = begin; i < end; i++) {
        dew_Box box = b->boxes[b->order[i]];
        centers = dew_box_add(centers, dew_vec(middle(box, 0), middle(box, 1), middle(box, 2)));
    }
    dew_Vec3 size = dew_sub(centers.max, centers.min);
    if (size.x >= size.y && size.x >= size.z)
        return 0;
    return size.y >= size.z ? 1 : 2;
}

// Recursion is as deep as the tree: at most 31.
static void build(const Builder *b, int32_t begin, int32_t end)
{
    int32_t index = b->tree->node_count++;
    dew_BoxNode *node = &b->tree->nodes[index];
    node->box = dew_box_empty();
    for (int32_t i = begin; i < end; i++)
        node->box = dew_box_union(node->box, b->boxes[b->order[i]]);
    if (end - begin <= LEAF_ITEMS) {
        node->first = begin;
        node->count = end - begin;
        return;
    }
    int32_t half = begin + (end - begin) / 2;
    select_median(b, widest_axis(b, begin, end), begin, end, half);
    build(b, begin, half);
    node->right = b->tree->node_count;
    build(b, half, end);
}

dew_Status dew_box_tree_build(dew_BoxTree *tree, dew_Arena *arena, const int32_t *items,
                              const dew_Box *boxes, int32_t item_count)
{
    *tree = (dew_BoxTree){.item_count = item_count};
    if (item_count == 0)
        return dew_ok();
    tree->nodes = dew_arena_array(arena, dew_BoxNode, 2 * (int64_t)item_count);
    tree->items = dew_arena_array(arena, int32_t, item_count);
    if (!tree->nodes || !tree->items)
        return dew_no_memory((size_t)item_count * (2 * sizeof(dew_BoxNode) + sizeof(int32_t)));
    for (int32_t i = 0; i < item_count; i++)
        tree->items[i] = i;
    build(&(Builder){tree, boxes, tree->items}, 0, item_count);
    for (int32_t i = 0; i < item_count; i++)
        tree->items[i] = items[tree->items[i]];
    return dew_ok();
}

double dew_box_bound(dew_Box box, dew_Vec3 p)
{
    // How far p lies beyond each pair of faces; negative between them.
    double x = fmax(box.min.x - p.x, p.x - box.max.x);
    double y = fmax(box.min.y - p.y, p.y - box.max.y);
    double z = fmax(box.min.z - p.z, p.z - box.max.z);
    double inside = fmax(x, fmax(y, z));
    if (inside <= 0)
        return inside;
    return dew_length(dew_vec(fmax(x, 0), fmax(y, 0), fmax(z, 0)));
}

typedef struct Waiting {
    double bound;
    int32_t node;
} Waiting;

void dew_box_tree_nearest(const dew_BoxTree *tree, dew_Vec3 p, double least,
                          dew_BoxTreeVisitFn *visit, void *context)
{
    if (tree->item_count == 0)
        return;
    Waiting stack[STACK_NODES];
    int depth = 0;
    stack[depth++] = (Waiting){dew_box_bound(tree->nodes[0].box, p), 0};
    while (depth > 0) {
        Waiting w = stack[--depth];
        if (!(w.bound <= least))
            continue;
        const dew_BoxNode *node = &tree->nodes[w.node];
        if (node->count > 0) {
            for (int32_t i = 0; i < node->count; i++)
                least = visit(context, tree->items[node->first + i], least);
            continue;
        }
        Waiting a = {dew_box_bound(tree->nodes[w.node + 1].box, p), w.node + 1};
        Waiting b = {dew_box_bound(tree->nodes[node->right].box, p), node->right};
        DEW_ASSERT(depth + 2 <= STACK_NODES);
        stack[depth++] = a.bound > b.bound ? a : b;  // the nearer one is taken first
        stack[depth++] = a.bound > b.bound ? b : a;
    }
}
