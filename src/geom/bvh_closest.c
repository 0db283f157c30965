// Closest point of the mesh: depth first, nearest child first, with the best distance so far as
// bound.
//
// Boxes are compared in floats. The box distance so found is below the true one: boxes are padded,
// and the bound is widened by the rounding of the point to floats and of the few operations after
// it. So no triangle is missed that a loop over all would find.
#include "geom/bvh_stack.h"
#include "geom/lanes.h"

// Coordinates are clamped so that the sum of three squares is finite in floats.
static float clamp_coordinate(double x)
{
    double most = sqrt((double)FLT_MAX) / 4;
    return (float)fmax(-most, fmin(most, x));
}

// Squared bound in tree units. A float rounds by 2^-24. For points in [-2, 2]^3 that is within the
// padding of the boxes; for those farther away the distance is at least half the coordinates, and
// errs by at most 2^-22 of itself: its square by half of what is added here.
static float tree_bound(double distance2, double scale)
{
    double bound = distance2 * scale * scale * (1 + (double)DEW_BVH_ROUNDING) + (double)FLT_MIN;
    return bound < (double)FLT_MAX ? (float)bound : FLT_MAX;
}

// How far p lies outside the four boxes along axis k.
static inline dew_Lanes outside(const dew_BvhNode *node, int k, float p)
{
    dew_Lanes x = dew_lanes(p);
    dew_Lanes below = dew_lanes_load(node->min[k]) - x, above = x - dew_lanes_load(node->max[k]);
    return dew_lanes_max(dew_lanes_max(below, above), dew_lanes(0));
}

// Squared distances of the four boxes.
static inline void box_distances(const dew_BvhNode *node, const float p[3], float d2[DEW_BVH_WIDTH])
{
    dew_Lanes x = outside(node, 0, p[0]), y = outside(node, 1, p[1]), z = outside(node, 2, p[2]);
    dew_lanes_store(x * x + y * y + z * z, d2);
}

// Squared distance of the origin from the segment AB.
static inline double edge_distance2(dew_Vec3 A, dew_Vec3 B)
{
    dew_Vec3 edge = dew_sub(B, A);
    double length2 = dew_length2(edge), along = -dew_inner(A, edge);
    if (along <= 0)
        return dew_length2(A);
    return dew_length2(along < length2 ? dew_add_scaled(A, along / length2, edge) : B);
}

// Squared distance of p from a triangle: dew_triangle_closest without the rest, which is asked
// once, of the triangle found.
static inline double triangle_distance2(const dew_Bvh *bvh, uint32_t slot, dew_Vec3 p)
{
    const uint32_t *v = bvh->triangles[slot].v;
    dew_Vec3 a = bvh->vertices[v[0]], b = bvh->vertices[v[1]], c = bvh->vertices[v[2]];
    dew_Vec3 A = dew_sub(a, p), B = dew_sub(b, p), C = dew_sub(c, p);
    dew_Vec3 ab = dew_sub(b, a), ac = dew_sub(c, a), n = dew_cross(ab, ac);
    double n2 = dew_length2(n), u = 0, w = 0, t = 0;
    if (n2 > DEW_THIN_SINE2 * dew_length2(ab) * dew_length2(ac)) {
        u = dew_inner(n, dew_cross(B, C));
        t = dew_inner(n, dew_cross(C, A));
        w = dew_inner(n, dew_cross(A, B));
        if (u > 0 && t > 0 && w > 0) {
            double height = dew_inner(n, A);
            return height * height / n2;
        }
    }
    double best = HUGE_VAL;
    if (w <= 0)
        best = edge_distance2(A, B);
    if (u <= 0)
        best = fmin(best, edge_distance2(B, C));
    if (t <= 0)
        best = fmin(best, edge_distance2(C, A));
    return best;
}

// The nearest triangle found so far.
typedef struct Nearest {
    double distance2;
    uint32_t slot;
} Nearest;

static bool improve(const dew_Bvh *bvh, dew_BvhEntry leaf, dew_Vec3 p, Nearest *nearest)
{
    bool is_better = false;
    for (uint32_t s = leaf.child; s < leaf.child + leaf.count; s++) {
        double distance2 = triangle_distance2(bvh, s, p);
        if (distance2 < nearest->distance2) {
            *nearest = (Nearest){distance2, s};
            is_better = true;
        }
    }
    return is_better;
}

static void describe(const dew_Bvh *bvh, uint32_t slot, dew_Vec3 p, dew_BvhClosest *out)
{
    const uint32_t *v = bvh->triangles[slot].v;
    dew_TriangleClosest c =
        dew_triangle_closest(bvh->vertices[v[0]], bvh->vertices[v[1]], bvh->vertices[v[2]], p);
    *out = (dew_BvhClosest){
        .distance = sqrt(c.distance2),
        .point = dew_add(p, c.offset),
        .offset = c.offset,
        .weight = {c.weight[0], c.weight[1], c.weight[2]},
        .feature = c.feature,
        .corner = c.corner,
        .triangle = bvh->triangle_id[slot],
        .slot = slot,
    };
}

bool dew_bvh_closest(const dew_Bvh *bvh, dew_Vec3 p, double max_distance, dew_BvhClosest *out)
{
    if (bvh->node_count == 0 || !(max_distance >= 0) || !dew_vec_is_finite(p))
        return false;
    dew_Vec3 q = dew_scale(bvh->scale, dew_sub(p, bvh->center));
    float point[3] = {clamp_coordinate(q.x), clamp_coordinate(q.y), clamp_coordinate(q.z)};
    // One step beyond the limit, so that a triangle just there is nearer.
    Nearest nearest = {nextafter(max_distance * max_distance, HUGE_VAL), DEW_BVH_NONE};
    float bound = tree_bound(nearest.distance2, bvh->scale);
    dew_BvhEntry stack[DEW_BVH_STACK];
    stack[0] = (dew_BvhEntry){0, 0, 0};
    int top = 1;
    while (top > 0) {
        dew_BvhEntry entry = stack[--top];
        if (entry.key > bound)
            continue;
        if (entry.count > 0) {
            if (improve(bvh, entry, p, &nearest))
                bound = tree_bound(nearest.distance2, bvh->scale);
            continue;
        }
        float d2[DEW_BVH_WIDTH];
        box_distances(&bvh->nodes[entry.child], point, d2);
        top = dew_bvh_push(stack, top, &bvh->nodes[entry.child], d2, bound);
    }
    if (nearest.slot == DEW_BVH_NONE)
        return false;
    describe(bvh, nearest.slot, p, out);
    return true;
}
