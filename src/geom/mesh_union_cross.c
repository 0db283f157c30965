// Crossings of edges and triangles of two meshes, segments between them, and which vertices are inside.
//
// In general position every vertex of the curves is one edge going through one triangle, and two
// triangles that meet share exactly two such points. All is decided by signs of exact determinants, so
// that the curves close without any tolerance. [Shewchuk1997] Pairs that may meet come from a sweep along
// the longest axis of the common box.
#include "base/status.h"
#include "geom/mesh_union_state.h"
#include "geom/predicates.h"
#include "geom/triangle.h"

#include <stdlib.h>

static dew_Vec3 corner_at(const dew_UnionMesh *m, uint32_t half)
{
    return DEW_ITEMS(&m->position, dew_Vec3)[dew_half_from(&m->topology, half)];
}

static dew_Box triangle_box(const dew_UnionMesh *m, uint32_t triangle)
{
    dew_Box box = dew_box_empty();
    for (uint32_t k = 0; k < 3; k++)
        box = dew_box_add(box, corner_at(m, 3 * triangle + k));
    return box;
}

static bool boxes_meet(const dew_Box *a, const dew_Box *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y &&
           b->min.y <= a->max.y && a->min.z <= b->max.z && b->min.z <= a->max.z;
}

static dew_Box mesh_box(const dew_UnionMesh *m)
{
    dew_Box box = dew_box_empty();
    for (int64_t v = 0; v < m->position.count; v++)
        box = dew_box_add(box, DEW_ITEMS(&m->position, dew_Vec3)[v]);
    return box;
}

static double coordinate(dew_Vec3 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

static int by_min_x(const void *a, const void *b)
{
    const dew_SweepItem *s = (const dew_SweepItem *)a, *t = (const dew_SweepItem *)b;
    return s->box.min.x != t->box.min.x ? (s->box.min.x < t->box.min.x ? -1 : 1)
                                        : (s->triangle > t->triangle) - (s->triangle < t->triangle);
}

static int by_min_y(const void *a, const void *b)
{
    const dew_SweepItem *s = (const dew_SweepItem *)a, *t = (const dew_SweepItem *)b;
    return s->box.min.y != t->box.min.y ? (s->box.min.y < t->box.min.y ? -1 : 1)
                                        : (s->triangle > t->triangle) - (s->triangle < t->triangle);
}

static int by_min_z(const void *a, const void *b)
{
    const dew_SweepItem *s = (const dew_SweepItem *)a, *t = (const dew_SweepItem *)b;
    return s->box.min.z != t->box.min.z ? (s->box.min.z < t->box.min.z ? -1 : 1)
                                        : (s->triangle > t->triangle) - (s->triangle < t->triangle);
}

static dew_Status collect(dew_UnionMesh *m, const dew_Box *common, int axis)
{
    m->sweep.count = 0;
    for (uint32_t t = 0; t < dew_topology_triangles(&m->topology); t++) {
        dew_SweepItem item = {triangle_box(m, t), t};
        if (boxes_meet(&item.box, common))
            DEW_TRY(dew_array_push(&m->sweep, &item));
    }
    int (*const order[3])(const void *, const void *) = {by_min_x, by_min_y, by_min_z};
    if (m->sweep.count > 1)
        qsort(m->sweep.data, (size_t)m->sweep.count, sizeof(dew_SweepItem), order[axis]);
    return dew_ok();
}

// ---- one edge and one triangle -----------------------------------------------------------------

typedef enum Meeting { MISS, CROSS, TOUCH } Meeting;

// Do p q and the triangle meet? enters: q is on the inner side.
static Meeting meet(dew_Vec3 p, dew_Vec3 q, const dew_Vec3 x[3], bool *enters)
{
    int at_p = dew_orient3d(x[0], x[1], x[2], p), at_q = dew_orient3d(x[0], x[1], x[2], q);
    if (at_p == at_q && at_p != 0)
        return MISS;
    int side[3];
    bool has_zero = at_p == 0 || at_q == 0, has_left = false, has_right = false;
    for (int i = 0; i < 3; i++) {
        side[i] = dew_orient3d(p, q, x[i], x[(i + 1) % 3]);
        has_zero = has_zero || side[i] == 0;
        has_left = has_left || side[i] > 0;
        has_right = has_right || side[i] < 0;
    }
    if (has_left && has_right)
        return MISS;
    *enters = at_q > 0;
    return has_zero ? TOUCH : CROSS;
}

static double along(dew_Vec3 p, dew_Vec3 q, const dew_Vec3 x[3])
{
    dew_Vec3 n = dew_triangle_normal(x[0], x[1], x[2]);
    double at_p = dew_inner(n, dew_sub(p, x[0])), at_q = dew_inner(n, dew_sub(q, x[0]));
    double t = at_p != at_q ? at_p / (at_p - at_q) : 0.5;
    return fmax(0, fmin(1, t));
}

// Edges of triangle s of mesh i against triangle t of the other.
static dew_Status cross_edges(dew_MeshUnion *u, int i, uint32_t s, uint32_t t, bool *is_degenerate)
{
    const dew_UnionMesh *m = &u->mesh[i], *other = &u->mesh[1 - i];
    dew_Vec3 x[3];
    for (uint32_t k = 0; k < 3; k++)
        x[k] = corner_at(other, 3 * t + k);
    for (uint32_t h = 3 * s; h < 3 * s + 3; h++) {
        if (h > dew_half_twin(&m->topology, h))
            continue;  // the other triangle at this edge asks
        dew_Vec3 p = corner_at(m, h), q = corner_at(m, dew_half_next(h));
        dew_Crossing c = {.half = h, .face = t, .mesh = (uint8_t)i};
        Meeting meeting = meet(p, q, x, &c.enters);
        if (meeting == MISS)
            continue;
        *is_degenerate = *is_degenerate || meeting == TOUCH;
        c.t = along(p, q, x);
        c.position = dew_combine(1 - c.t, p, c.t, q);
        DEW_TRY(dew_array_push(&u->crossings, &c));
    }
    return dew_ok();
}

static int by_edge(const void *a, const void *b)
{
    const dew_Crossing *c = (const dew_Crossing *)a, *d = (const dew_Crossing *)b;
    if (c->mesh != d->mesh)
        return c->mesh < d->mesh ? -1 : 1;
    if (c->half != d->half)
        return c->half < d->half ? -1 : 1;
    if (c->t != d->t)
        return c->t < d->t ? -1 : 1;
    return (c->face > d->face) - (c->face < d->face);
}

static dew_Status cross_pair(dew_MeshUnion *u, const dew_SweepItem *a, const dew_SweepItem *b,
                             bool *is_degenerate)
{
    DEW_TRY(cross_edges(u, 0, a->triangle, b->triangle, is_degenerate));
    return cross_edges(u, 1, b->triangle, a->triangle, is_degenerate);
}

// Every pair whose extents along the axis overlap, once: the one that begins first meets those that
// begin before it ends.
static dew_Status sweep(dew_MeshUnion *u, int axis, bool *is_degenerate)
{
    const dew_SweepItem *a = DEW_ITEMS(&u->mesh[0].sweep, dew_SweepItem);
    const dew_SweepItem *b = DEW_ITEMS(&u->mesh[1].sweep, dew_SweepItem);
    int64_t a_count = u->mesh[0].sweep.count, b_count = u->mesh[1].sweep.count, i = 0, j = 0;
    while (i < a_count && j < b_count && !*is_degenerate) {
        if (coordinate(a[i].box.min, axis) <= coordinate(b[j].box.min, axis)) {
            double end = coordinate(a[i].box.max, axis);
            for (int64_t k = j; k < b_count && coordinate(b[k].box.min, axis) <= end; k++) {
                if (boxes_meet(&a[i].box, &b[k].box))
                    DEW_TRY(cross_pair(u, &a[i], &b[k], is_degenerate));
            }
            i++;
        } else {
            double end = coordinate(b[j].box.max, axis);
            for (int64_t k = i; k < a_count && coordinate(a[k].box.min, axis) <= end; k++) {
                if (boxes_meet(&a[k].box, &b[j].box))
                    DEW_TRY(cross_pair(u, &a[k], &b[j], is_degenerate));
            }
            j++;
        }
    }
    return dew_ok();
}

dew_Status dew_union_cross(dew_MeshUnion *u, bool *is_degenerate)
{
    u->crossings.count = 0;
    dew_Box a = mesh_box(&u->mesh[0]), b = mesh_box(&u->mesh[1]);
    if (!boxes_meet(&a, &b))
        return dew_ok();
    dew_Box common = {dew_vec_max(a.min, b.min), dew_vec_min(a.max, b.max)};
    dew_Vec3 size = dew_sub(common.max, common.min);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    for (int i = 0; i < 2; i++)
        DEW_TRY(collect(&u->mesh[i], &common, axis));
    DEW_TRY(sweep(u, axis, is_degenerate));
    if (u->crossings.count >= 1 << DEW_NODE_SHIFT)
        return dew_fail(DEW_UNSUPPORTED, "the meshes cross in too many places");
    if (u->crossings.count > 1)
        qsort(u->crossings.data, (size_t)u->crossings.count, sizeof(dew_Crossing), by_edge);
    return dew_ok();
}

// ---- segments ----------------------------------------------------------------------------------

static int by_pair(const void *a, const void *b)
{
    const dew_CurveEnd *s = (const dew_CurveEnd *)a, *t = (const dew_CurveEnd *)b;
    for (int k = 0; k < 2; k++) {
        if (s->triangle[k] != t->triangle[k])
            return s->triangle[k] < t->triangle[k] ? -1 : 1;
    }
    return (s->crossing > t->crossing) - (s->crossing < t->crossing);
}

static int by_second(const void *a, const void *b)
{
    const dew_CurveSegment *s = (const dew_CurveSegment *)a, *t = (const dew_CurveSegment *)b;
    for (int k = 1; k >= 0; k--) {
        if (s->triangle[k] != t->triangle[k])
            return s->triangle[k] < t->triangle[k] ? -1 : 1;
    }
    return 0;
}

dew_Status dew_union_segments(dew_MeshUnion *u, bool *is_degenerate)
{
    u->ends.count = u->segments[0].count = u->segments[1].count = 0;
    const dew_Crossing *crossing = DEW_ITEMS(&u->crossings, dew_Crossing);
    for (uint32_t c = 0; c < u->crossings.count; c++) {
        int i = crossing[c].mesh;
        uint32_t half = crossing[c].half;
        const uint32_t beside[2] = {half / 3, dew_half_twin(&u->mesh[i].topology, half) / 3};
        for (int k = 0; k < 2; k++) {
            dew_CurveEnd end = {.crossing = c};
            end.triangle[i] = beside[k];
            end.triangle[1 - i] = crossing[c].face;
            DEW_TRY(dew_array_push(&u->ends, &end));
        }
    }
    if (u->ends.count == 0)
        return dew_ok();
    qsort(u->ends.data, (size_t)u->ends.count, sizeof(dew_CurveEnd), by_pair);
    const dew_CurveEnd *end = DEW_ITEMS(&u->ends, dew_CurveEnd);
    for (int64_t e = 0; e + 1 < u->ends.count; e += 2) {
        bool is_pair = end[e].triangle[0] == end[e + 1].triangle[0] &&
                       end[e].triangle[1] == end[e + 1].triangle[1];
        *is_degenerate = *is_degenerate || !is_pair;
        dew_CurveSegment segment = {{end[e].triangle[0], end[e].triangle[1]},
                                    {end[e].crossing, end[e + 1].crossing}};
        DEW_TRY(dew_array_push(&u->segments[0], &segment));
    }
    DEW_TRY(dew_array_copy(&u->segments[1], &u->segments[0]));
    qsort(u->segments[1].data, (size_t)u->segments[1].count, sizeof(dew_CurveSegment), by_second);
    return dew_ok();
}

// ---- inside or outside -------------------------------------------------------------------------

int64_t dew_union_on_edge(const dew_MeshUnion *u, int mesh, uint32_t half, int64_t *count)
{
    uint32_t twin = dew_half_twin(&u->mesh[mesh].topology, half);
    uint32_t lower = half < twin ? half : twin;
    const dew_Crossing *c = DEW_ITEMS(&u->crossings, dew_Crossing);
    int64_t lo = 0, hi = u->crossings.count;
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        if (c[mid].mesh < mesh || (c[mid].mesh == mesh && c[mid].half < lower))
            lo = mid + 1;
        else
            hi = mid;
    }
    int64_t end = lo;
    while (end < u->crossings.count && c[end].mesh == mesh && c[end].half == lower)
        end++;
    *count = end - lo;
    return lo;
}

static void set_side(dew_UnionMesh *m, uint32_t vertex, uint8_t side, bool *is_degenerate)
{
    uint8_t *at = &DEW_ITEMS(&m->side, uint8_t)[vertex];
    *is_degenerate = *is_degenerate || (*at != DEW_SIDE_UNKNOWN && *at != side);
    *at = side;
}

// The ends of crossed edges; along an edge ways in and out must take turns.
static void seed_sides(dew_MeshUnion *u, bool *is_degenerate)
{
    const dew_Crossing *c = DEW_ITEMS(&u->crossings, dew_Crossing);
    for (int64_t i = 0; i < u->crossings.count; i++) {
        dew_UnionMesh *m = &u->mesh[c[i].mesh];
        bool is_first = i == 0 || c[i - 1].mesh != c[i].mesh || c[i - 1].half != c[i].half;
        bool is_last =
            i + 1 == u->crossings.count || c[i + 1].mesh != c[i].mesh || c[i + 1].half != c[i].half;
        if (is_first)
            set_side(m, dew_half_from(&m->topology, c[i].half),
                     c[i].enters ? DEW_SIDE_OUTSIDE : DEW_SIDE_INSIDE, is_degenerate);
        else
            *is_degenerate = *is_degenerate || c[i].enters == c[i - 1].enters;
        if (is_last)
            set_side(m, dew_half_to(&m->topology, c[i].half),
                     c[i].enters ? DEW_SIDE_INSIDE : DEW_SIDE_OUTSIDE, is_degenerate);
    }
}

// By the winding number of the other mesh; for pieces that no curve touches.
static uint8_t side_of_point(const dew_UnionMesh *other, dew_Vec3 p)
{
    double angle = 0;
    for (uint32_t t = 0; t < dew_topology_triangles(&other->topology); t++)
        angle += dew_triangle_solid_angle(corner_at(other, 3 * t), corner_at(other, 3 * t + 1),
                                          corner_at(other, 3 * t + 2), p);
    return angle > 2 * DEW_PI ? DEW_SIDE_INSIDE : DEW_SIDE_OUTSIDE;
}

// From the vertices in u->rest along edges that are not crossed.
static dew_Status spread(dew_MeshUnion *u, int i, bool *is_degenerate)
{
    dew_UnionMesh *m = &u->mesh[i];
    const uint8_t *side = DEW_ITEMS(&m->side, uint8_t);
    while (u->rest.count > 0) {
        uint32_t v = DEW_ITEMS(&u->rest, uint32_t)[--u->rest.count];
        uint32_t start = dew_vertex_half(&m->topology, v), h = start;
        do {
            uint32_t to = dew_half_to(&m->topology, h);
            int64_t crossed = 0;
            bool is_new = side[to] == DEW_SIDE_UNKNOWN;
            if (is_new || side[to] != side[v])
                dew_union_on_edge(u, i, h, &crossed);
            if (crossed == 0) {
                set_side(m, to, side[v], is_degenerate);
                if (is_new)
                    DEW_TRY(dew_array_push(&u->rest, &to));
            }
            h = dew_half_around(&m->topology, h);
        } while (h != start);
    }
    return dew_ok();
}

dew_Status dew_union_sides(dew_MeshUnion *u, bool *is_degenerate)
{
    for (int i = 0; i < 2; i++) {
        u->mesh[i].side.count = 0;
        DEW_TRY(dew_array_resize(&u->mesh[i].side, u->mesh[i].position.count));
    }
    seed_sides(u, is_degenerate);
    for (int i = 0; i < 2; i++) {
        dew_UnionMesh *m = &u->mesh[i];
        u->rest.count = 0;
        for (uint32_t v = 0; v < m->position.count; v++) {
            if (DEW_ITEMS(&m->side, uint8_t)[v] != DEW_SIDE_UNKNOWN)
                DEW_TRY(dew_array_push(&u->rest, &v));
        }
        DEW_TRY(spread(u, i, is_degenerate));
        for (uint32_t v = 0; v < m->position.count; v++) {
            if (DEW_ITEMS(&m->side, uint8_t)[v] != DEW_SIDE_UNKNOWN ||
                dew_vertex_half(&m->topology, v) == DEW_NO_HALF)
                continue;
            dew_Vec3 p = DEW_ITEMS(&m->position, dew_Vec3)[v];
            set_side(m, v, side_of_point(&u->mesh[1 - i], p), is_degenerate);
            DEW_TRY(dew_array_push(&u->rest, &v));
            DEW_TRY(spread(u, i, is_degenerate));
        }
    }
    return dew_ok();
}
