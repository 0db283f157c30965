// The triangles that overlap a box.
#include "geom/bvh_stack.h"

// A box in tree units, rounded; the tree's own boxes are padded by more than that.
typedef struct TreeBox {
    float min[3], max[3];
} TreeBox;

static float tree_coordinate(double x, double center, double scale)
{
    double q = (x - center) * scale;
    return (float)(q < -4 ? -4 : q > 4 ? 4 : q);  // all of the tree lies within [-1, 1]
}

static TreeBox tree_box(const dew_Bvh *bvh, dew_Box box)
{
    dew_Vec3 c = bvh->center;
    double s = bvh->scale;
    return (TreeBox){{tree_coordinate(box.min.x, c.x, s), tree_coordinate(box.min.y, c.y, s),
                      tree_coordinate(box.min.z, c.z, s)},
                     {tree_coordinate(box.max.x, c.x, s), tree_coordinate(box.max.y, c.y, s),
                      tree_coordinate(box.max.z, c.z, s)}};
}

static bool child_overlaps(const dew_BvhNode *node, int i, const TreeBox *box)
{
    return node->min[0][i] <= box->max[0] && node->max[0][i] >= box->min[0] &&
           node->min[1][i] <= box->max[1] && node->max[1][i] >= box->min[1] &&
           node->min[2][i] <= box->max[2] && node->max[2][i] >= box->min[2];
}

static bool visit_leaf(const dew_Bvh *bvh, dew_BvhEntry leaf, dew_Box box, dew_BvhVisitFn *visit,
                       void *context)
{
    for (uint32_t s = leaf.child; s < leaf.child + leaf.count; s++) {
        const uint32_t *v = bvh->triangles[s].v;
        if (dew_triangle_overlaps_box(bvh->vertices[v[0]], bvh->vertices[v[1]], bvh->vertices[v[2]],
                                      box) &&
            !visit(context, bvh->triangle_id[s]))
            return false;
    }
    return true;
}

bool dew_bvh_box(const dew_Bvh *bvh, dew_Box box, dew_BvhVisitFn *visit, void *context)
{
    if (bvh->node_count == 0 ||
        !(box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z))
        return true;
    TreeBox tree = tree_box(bvh, box);
    dew_BvhEntry stack[DEW_BVH_STACK];
    stack[0] = (dew_BvhEntry){0, 0, 0};
    int top = 1;
    while (top > 0) {
        dew_BvhEntry entry = stack[--top];
        if (entry.count > 0) {
            if (!visit_leaf(bvh, entry, box, visit, context))
                return false;
            continue;
        }
        const dew_BvhNode *node = &bvh->nodes[entry.child];
        for (int i = 0; i < DEW_BVH_WIDTH; i++) {
            if (child_overlaps(node, i, &tree))
                stack[top++] = (dew_BvhEntry){0, node->child[i], node->count[i]};
        }
    }
    return true;
}
