// Rays against the mesh: nearest hit and any hit.
//
// Triangles: the watertight test of [Woop2013], in doubles: the corners are sheared so that the ray
// runs along an axis, and the signs of the edge functions decide. Two triangles with a common edge
// compute the same number for it but for the sign, so a ray that misses one hits the other.
//
// Boxes: slabs in floats. The ray is moved to where it enters the mesh's box first, in doubles, so
// that floats resolve it wherever it starts (up to a billion mesh sizes away); rounding is within
// the padding of the boxes and the widening of the far side [Ize2013].
#include "geom/bvh_stack.h"
#include "geom/lanes.h"

#include <float.h>

// A ray as the boxes see it: tree units, unit direction, starting in the box of the mesh.
typedef struct TreeRay {
    float origin[3], inverse[3];
    bool is_negative[3];
    double start;   // length along the ray where it begins, tree units
    double length;  // tree units per unit of t
} TreeRay;

// A ray as the triangles see it. x, y, z: axes renamed so that z is the longest of the direction.
typedef struct ShearedRay {
    double origin[3];
    int x, y, z;
    double shear_x, shear_y, shear_z;
    double min_t, max_t;
} ShearedRay;

static const double *components(const dew_Vec3 *v)
{
    return (const double *)(const void *)v;
}

// A length along the ray, in tree units, with the rounding of the boxes added.
static float widened(float length)
{
    return length * (1 + DEW_BVH_ROUNDING) + DEW_BVH_ROUNDING;
}

// Clips [*begin, *end] to the slab; false: nothing is left.
static bool clip(double origin, double direction, double low, double high, double *begin,
                 double *end)
{
    if (direction == 0)
        return origin >= low && origin <= high;
    double t0 = (low - origin) / direction, t1 = (high - origin) / direction;
    *begin = fmax(*begin, fmin(t0, t1));
    *end = fmin(*end, fmax(t0, t1));
    return *begin <= *end;
}

// Sets up the ray for the boxes; false: it misses the box of the mesh. *reach: where it leaves,
// from start.
static bool tree_ray(const dew_Bvh *bvh, const dew_Ray *ray, TreeRay *out, float *reach)
{
    double size = dew_length(ray->direction);
    if (bvh->node_count == 0 || !(size > 0) || !isfinite(size) || !dew_vec_is_finite(ray->origin))
        return false;
    dew_Vec3 d = dew_scale(1 / size, ray->direction);
    dew_Vec3 o = dew_scale(bvh->scale, dew_sub(ray->origin, bvh->center));
    dew_Vec3 low = dew_scale(bvh->scale, dew_sub(bvh->box.min, bvh->center));
    dew_Vec3 high = dew_scale(bvh->scale, dew_sub(bvh->box.max, bvh->center));
    out->length = size * bvh->scale;
    double begin = fmax(ray->min_t * out->length, -DBL_MAX), end = ray->max_t * out->length;
    double pad = (double)DEW_BVH_ROUNDING;
    if (!clip(o.x, d.x, low.x - pad, high.x + pad, &begin, &end) ||
        !clip(o.y, d.y, low.y - pad, high.y + pad, &begin, &end) ||
        !clip(o.z, d.z, low.z - pad, high.z + pad, &begin, &end) || !(begin <= end))
        return false;
    dew_Vec3 start = dew_add_scaled(o, begin, d);
    for (int k = 0; k < 3; k++) {
        // A direction of nearly zero makes slabs of nearly all or nearly nothing; both are right.
        float part = (float)components(&d)[k], least = FLT_EPSILON * FLT_EPSILON;
        if (!(fabsf(part) > least))
            part = part < 0 ? -least : least;
        out->origin[k] = (float)components(&start)[k];
        out->inverse[k] = 1 / part;
        out->is_negative[k] = part < 0;
    }
    out->start = begin;
    *reach = widened((float)(end - begin));
    return true;
}

static ShearedRay sheared_ray(const dew_Ray *ray)
{
    const double *d = components(&ray->direction), *o = components(&ray->origin);
    int z = fabs(d[0]) > fabs(d[1]) ? 0 : 1;
    z = fabs(d[2]) > fabs(d[z]) ? 2 : z;
    int x = (z + 1) % 3, y = (z + 2) % 3;
    if (d[z] < 0) {  // keeps the winding
        int swapped = x;
        x = y;
        y = swapped;
    }
    return (ShearedRay){
        .origin = {o[0], o[1], o[2]},
        .x = x,
        .y = y,
        .z = z,
        .shear_x = d[x] / d[z],
        .shear_y = d[y] / d[z],
        .shear_z = 1 / d[z],
        .min_t = ray->min_t,
        .max_t = ray->max_t,
    };
}

static dew_Vec3 shear(const ShearedRay *ray, const dew_Vec3 *vertex)
{
    const double *v = components(vertex);
    double z = v[ray->z] - ray->origin[ray->z];
    return dew_vec(v[ray->x] - ray->origin[ray->x] - ray->shear_x * z,
                   v[ray->y] - ray->origin[ray->y] - ray->shear_y * z, ray->shear_z * z);
}

// [Woop2013] section 3, without its fallback: in doubles an edge function of 0 means on the edge.
static bool hit_triangle(const ShearedRay *ray, const dew_Bvh *bvh, uint32_t slot, dew_RayHit *hit)
{
    const uint32_t *v = bvh->triangles[slot].v;
    dew_Vec3 A = shear(ray, &bvh->vertices[v[0]]), B = shear(ray, &bvh->vertices[v[1]]);
    dew_Vec3 C = shear(ray, &bvh->vertices[v[2]]);
    double u = C.x * B.y - C.y * B.x, w = B.x * A.y - B.y * A.x, V = A.x * C.y - A.y * C.x;
    if ((u < 0 || V < 0 || w < 0) && (u > 0 || V > 0 || w > 0))
        return false;
    double det = u + V + w;
    if (det == 0)
        return false;  // edge on: its neighbours are hit
    double t = (u * A.z + V * B.z + w * C.z) / det;
    if (!(t >= ray->min_t && t <= ray->max_t))
        return false;
    *hit = (dew_RayHit){.t = t,
                        .weight = {u / det, V / det, w / det},
                        .triangle = bvh->triangle_id[slot],
                        .is_back = det < 0};
    return true;
}

// Where the ray enters the four boxes; INFINITY where it misses.
static inline void enter_boxes(const dew_BvhNode *node, const TreeRay *ray, float limit,
                               float key[DEW_BVH_WIDTH])
{
    dew_Lanes near_t = dew_lanes(0), far_t = dew_lanes(limit);
    for (int k = 0; k < 3; k++) {
        dew_Lanes origin = dew_lanes(ray->origin[k]), inverse = dew_lanes(ray->inverse[k]);
        dew_Lanes t0 = (dew_lanes_load(node->min[k]) - origin) * inverse;
        dew_Lanes t1 = (dew_lanes_load(node->max[k]) - origin) * inverse;
        near_t = dew_lanes_max(near_t, ray->is_negative[k] ? t1 : t0);
        far_t = dew_lanes_min(far_t, ray->is_negative[k] ? t0 : t1);
    }
    float enter[DEW_BVH_WIDTH], leave[DEW_BVH_WIDTH];
    dew_lanes_store(near_t, enter);
    dew_lanes_store(far_t * dew_lanes(1 + DEW_BVH_ROUNDING), leave);
    for (int i = 0; i < DEW_BVH_WIDTH; i++)
        key[i] = enter[i] <= leave[i] ? enter[i] : INFINITY;
}

// The walk behind both questions; any: stop at the first hit found.
static bool walk(const dew_Bvh *bvh, const dew_Ray *ray, bool any, dew_RayHit *hit)
{
    TreeRay tree;
    float limit;
    if (!tree_ray(bvh, ray, &tree, &limit))
        return false;
    ShearedRay sheared = sheared_ray(ray);
    bool is_hit = false;
    dew_BvhEntry stack[DEW_BVH_STACK];
    stack[0] = (dew_BvhEntry){0, 0, 0};
    int top = 1;
    while (top > 0) {
        dew_BvhEntry entry = stack[--top];
        if (entry.key > limit)
            continue;
        if (entry.count == 0) {
            float key[DEW_BVH_WIDTH];
            enter_boxes(&bvh->nodes[entry.child], &tree, limit, key);
            top = dew_bvh_push(stack, top, &bvh->nodes[entry.child], key, limit);
            continue;
        }
        for (uint32_t s = entry.child; s < entry.child + entry.count; s++) {
            if (!hit_triangle(&sheared, bvh, s, hit))
                continue;
            if (any)
                return true;
            is_hit = true;
            sheared.max_t = hit->t;
            limit = widened((float)(hit->t * tree.length - tree.start));
        }
    }
    return is_hit;
}

bool dew_bvh_ray(const dew_Bvh *bvh, const dew_Ray *ray, dew_RayHit *out)
{
    return walk(bvh, ray, false, out);
}

bool dew_bvh_ray_any(const dew_Bvh *bvh, const dew_Ray *ray)
{
    dew_RayHit hit;
    return walk(bvh, ray, true, &hit);
}
