// Crossings of edges and triangles of two meshes, segments between them, and which vertices are
// inside.
//
// In general position every vertex of the curves is one edge going through one triangle, and two
// triangles that meet share exactly two such points. All is decided by signs of exact determinants,
// so that the curves close without any tolerance. [Shewchuk1997] Pairs that may meet come from a
// grid of columns across the two longest sides of the common box.
#include "base/status.h"
#include "geom/mesh_union_state.h"
#include "geom/predicates.h"
#include "geom/triangle.h"

#include <stdlib.h>

static dew_Vec3 corner_at(const dew_UnionMesh *m, uint32_t half)
{
    return DEW_ITEMS(&m->position, dew_Vec3)[dew_half_from(&m->topology, half)];
}

// fmin and fmax are calls; coordinates are numbers here.
static void extend(dew_Box *box, dew_Vec3 x)
{
    box->min.x = x.x < box->min.x ? x.x : box->min.x;
    box->min.y = x.y < box->min.y ? x.y : box->min.y;
    box->min.z = x.z < box->min.z ? x.z : box->min.z;
    box->max.x = x.x > box->max.x ? x.x : box->max.x;
    box->max.y = x.y > box->max.y ? x.y : box->max.y;
    box->max.z = x.z > box->max.z ? x.z : box->max.z;
}

static dew_Box triangle_box(const dew_UnionMesh *m, uint32_t triangle)
{
    dew_Vec3 x = corner_at(m, 3 * triangle);
    dew_Box box = {x, x};
    extend(&box, corner_at(m, 3 * triangle + 1));
    extend(&box, corner_at(m, 3 * triangle + 2));
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
        extend(&box, DEW_ITEMS(&m->position, dew_Vec3)[v]);
    return box;
}

static double coordinate(dew_Vec3 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

// ---- columns -----------------------------------------------------------------------------------

// Columns across two axes of the common box, about two triangles wide.
typedef struct Columns {
    int axis[2];
    double origin[2], per_m[2];
    uint32_t count[2];
} Columns;

static uint32_t column_of(const Columns *columns, int k, double x)
{
    double c = (x - columns->origin[k]) * columns->per_m[k];
    uint32_t last = columns->count[k] - 1;
    return c > 0 ? (c < (double)last ? (uint32_t)c : last) : 0;
}

static Columns choose_columns(const dew_MeshUnion *u, const dew_Box *common)
{
    dew_Vec3 size = dew_sub(common->max, common->min);
    int shortest = size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2;
    Columns columns = {.axis = {(shortest + 1) % 3, (shortest + 2) % 3}};
    double sum[2] = {0, 0}, items = 0;
    for (int i = 0; i < 2; i++) {
        const dew_SweepItem *item = DEW_ITEMS(&u->mesh[i].sweep, dew_SweepItem);
        for (int64_t t = 0; t < u->mesh[i].sweep.count; t++) {
            dew_Vec3 extent = dew_sub(item[t].box.max, item[t].box.min);
            sum[0] += coordinate(extent, columns.axis[0]);
            sum[1] += coordinate(extent, columns.axis[1]);
        }
        items += (double)u->mesh[i].sweep.count;
    }
    for (int k = 0; k < 2; k++) {
        double width = coordinate(size, columns.axis[k]);
        double wanted = fmin(width * items / (2 * sum[k]), sqrt(items));
        columns.count[k] = wanted >= 1 ? (uint32_t)wanted : 1;
        columns.origin[k] = coordinate(common->min, columns.axis[k]);
        columns.per_m[k] = width > 0 ? columns.count[k] / width : 0;
    }
    return columns;
}

// Triangles in the common box, with the columns they reach over.
static dew_Status collect(dew_UnionMesh *m, const dew_Box *common)
{
    m->sweep.count = 0;
    DEW_TRY(dew_array_reserve(&m->sweep, dew_topology_triangles(&m->topology)));
    dew_SweepItem *item = DEW_ITEMS(&m->sweep, dew_SweepItem);
    for (uint32_t t = 0; t < dew_topology_triangles(&m->topology); t++) {
        dew_SweepItem *next = &item[m->sweep.count];
        next->box = triangle_box(m, t);
        next->triangle = t;
        m->sweep.count += boxes_meet(&next->box, common);
    }
    return dew_ok();
}

static void place_items(const Columns *columns, dew_Array *items)
{
    dew_SweepItem *item = DEW_ITEMS(items, dew_SweepItem);
    for (int64_t t = 0; t < items->count; t++) {
        for (int k = 0; k < 2; k++) {
            int axis = columns->axis[k];
            item[t].first[k] = (uint16_t)column_of(columns, k, coordinate(item[t].box.min, axis));
            item[t].last[k] = (uint16_t)column_of(columns, k, coordinate(item[t].box.max, axis));
        }
    }
}

// Sorts the second mesh's items into columns: u->starts[c] is where column c begins in u->dealt.
static dew_Status deal(dew_MeshUnion *u, const Columns *columns)
{
    const dew_SweepItem *item = DEW_ITEMS(&u->mesh[1].sweep, dew_SweepItem);
    int64_t items = u->mesh[1].sweep.count, cells = (int64_t)columns->count[0] * columns->count[1];
    u->starts.count = 0;
    DEW_TRY(dew_array_resize(&u->starts, cells + 2));
    uint32_t *start = DEW_ITEMS(&u->starts, uint32_t);
    int64_t copies = 0;
    for (int64_t t = 0; t < items; t++) {
        for (uint32_t y = item[t].first[0]; y <= item[t].last[0]; y++) {
            for (uint32_t z = item[t].first[1]; z <= item[t].last[1]; z++, copies++)
                start[y * columns->count[1] + z + 2]++;
        }
    }
    for (int64_t c = 2; c < cells + 2; c++)
        start[c] += start[c - 1];
    DEW_TRY(dew_array_reserve(&u->dealt, copies));
    uint32_t *dealt = DEW_ITEMS(&u->dealt, uint32_t);
    for (uint32_t t = 0; t < items; t++) {
        for (uint32_t y = item[t].first[0]; y <= item[t].last[0]; y++) {
            for (uint32_t z = item[t].first[1]; z <= item[t].last[1]; z++)
                dealt[start[y * columns->count[1] + z + 1]++] = t;
        }
    }
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

// Is this the lowest column that both lie in?
static bool is_reported_here(const dew_SweepItem *a, const dew_SweepItem *b, uint32_t y, uint32_t z)
{
    return (a->first[0] > b->first[0] ? a->first[0] : b->first[0]) == y &&
           (a->first[1] > b->first[1] ? a->first[1] : b->first[1]) == z;
}

// Every pair whose boxes meet, once.
static dew_Status cross_in_column(dew_MeshUnion *u, const dew_SweepItem *a, const Columns *columns,
                                  uint32_t y, uint32_t z, bool *is_degenerate)
{
    const dew_SweepItem *b = DEW_ITEMS(&u->mesh[1].sweep, dew_SweepItem);
    const uint32_t *start = DEW_ITEMS(&u->starts, uint32_t);
    uint32_t cell = y * columns->count[1] + z;
    for (uint32_t i = start[cell]; i < start[cell + 1]; i++) {
        const dew_SweepItem *other = &b[DEW_ITEMS(&u->dealt, uint32_t)[i]];
        if (boxes_meet(&a->box, &other->box) && is_reported_here(a, other, y, z))
            DEW_TRY(cross_pair(u, a, other, is_degenerate));
    }
    return dew_ok();
}

static dew_Status cross_all(dew_MeshUnion *u, const Columns *columns, bool *is_degenerate)
{
    const dew_SweepItem *a = DEW_ITEMS(&u->mesh[0].sweep, dew_SweepItem);
    for (int64_t t = 0; t < u->mesh[0].sweep.count && !*is_degenerate; t++) {
        for (uint32_t y = a[t].first[0]; y <= a[t].last[0]; y++) {
            for (uint32_t z = a[t].first[1]; z <= a[t].last[1]; z++)
                DEW_TRY(cross_in_column(u, &a[t], columns, y, z, is_degenerate));
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
    for (int i = 0; i < 2; i++)
        DEW_TRY(collect(&u->mesh[i], &common));
    Columns columns = choose_columns(u, &common);
    for (int i = 0; i < 2; i++)
        place_items(&columns, &u->mesh[i].sweep);
    DEW_TRY(deal(u, &columns));
    DEW_TRY(cross_all(u, &columns, is_degenerate));
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
    if (u->segments[1].count > 0)
        qsort(u->segments[1].data, (size_t)u->segments[1].count, sizeof(dew_CurveSegment),
              by_second);
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

// The ends of crossed edges; along an edge entries and exits must alternate.
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
            bool is_new = side[to] == DEW_SIDE_UNKNOWN;  // then no edge at it is crossed
            if (!is_new && side[to] != side[v])
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
