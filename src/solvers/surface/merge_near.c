// Do two drops touch? Triangles near the other's box, sorted along one axis and swept; pairs are
// tested exactly (geom/triangle.h). The first pair that meets ends the search: drops that merge
// cost little here, drops that lie side by side only what faces the neighbour.
#include "solvers/surface/merge_near.h"

#include "geom/triangle.h"

void dew_merge_near_init(dew_MergeNear *near, const dew_Allocator *allocator)
{
    dew_array_init(&near->items[0], allocator, sizeof(dew_MergeNearItem));
    dew_array_init(&near->items[1], allocator, sizeof(dew_MergeNearItem));
}

void dew_merge_near_deinit(dew_MergeNear *near)
{
    dew_array_deinit(&near->items[0]);
    dew_array_deinit(&near->items[1]);
}

dew_Box dew_drop_box(const dew_RemeshDrop *drop)
{
    dew_Box box = dew_box_empty();
    const dew_Vec3 *x = DEW_ITEMS(drop->positions, dew_Vec3);
    for (int64_t v = 0; v < drop->positions->count; v++) {
        box.min.x = x[v].x < box.min.x ? x[v].x : box.min.x;
        box.min.y = x[v].y < box.min.y ? x[v].y : box.min.y;
        box.min.z = x[v].z < box.min.z ? x[v].z : box.min.z;
        box.max.x = x[v].x > box.max.x ? x[v].x : box.max.x;
        box.max.y = x[v].y > box.max.y ? x[v].y : box.max.y;
        box.max.z = x[v].z > box.max.z ? x[v].z : box.max.z;
    }
    return box;
}

static bool boxes_meet(const dew_Box *a, const dew_Box *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y &&
           b->min.y <= a->max.y && a->min.z <= b->max.z && b->min.z <= a->max.z;
}

static dew_Box grown(dew_Box box, double by)
{
    dew_Vec3 pad = dew_vec(by, by, by);
    return (dew_Box){dew_sub(box.min, pad), dew_add(box.max, pad)};
}

static bool holds(const dew_Box *outer, const dew_Box *inner)
{
    return dew_box_contains(*outer, inner->min) && dew_box_contains(*outer, inner->max);
}

static void corners_of(const dew_RemeshDrop *drop, uint32_t triangle, dew_Vec3 x[3])
{
    const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[triangle].v;
    for (int k = 0; k < 3; k++)
        x[k] = DEW_ITEMS(drop->positions, dew_Vec3)[v[k]];
}

static bool is_wetted(const dew_RemeshDrop *drop, uint32_t triangle)
{
    if (!drop->labels)
        return false;
    const uint8_t *label = DEW_ITEMS(drop->labels, uint8_t);
    const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[triangle].v;
    return label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING;
}

static dew_Status collect(dew_Array *items, const dew_RemeshDrop *drop, const dew_Box *within)
{
    items->count = 0;
    for (uint32_t t = 0; t < drop->triangles->count; t++) {
        dew_Vec3 x[3];
        corners_of(drop, t, x);
        dew_MergeNearItem item = {{x[0], x[0]}, t};
        for (int k = 1; k < 3; k++) {
            item.box.min.x = x[k].x < item.box.min.x ? x[k].x : item.box.min.x;
            item.box.min.y = x[k].y < item.box.min.y ? x[k].y : item.box.min.y;
            item.box.min.z = x[k].z < item.box.min.z ? x[k].z : item.box.min.z;
            item.box.max.x = x[k].x > item.box.max.x ? x[k].x : item.box.max.x;
            item.box.max.y = x[k].y > item.box.max.y ? x[k].y : item.box.max.y;
            item.box.max.z = x[k].z > item.box.max.z ? x[k].z : item.box.max.z;
        }
        if (boxes_meet(&item.box, within))
            DEW_TRY(dew_array_push(items, &item));
    }
    return dew_ok();
}

// ---- order along an axis -----------------------------------------------------------------------

static double coordinate(dew_Vec3 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

static bool is_before(const dew_MergeNearItem *a, const dew_MergeNearItem *b, int axis)
{
    double p = coordinate(a->box.min, axis), q = coordinate(b->box.min, axis);
    return p < q || (p == q && a->triangle < b->triangle);
}

static void sift_down(dew_MergeNearItem *heap, int64_t root, int64_t count, int axis)
{
    dew_MergeNearItem item = heap[root];
    for (int64_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && is_before(&heap[child], &heap[child + 1], axis))
            child++;
        if (!is_before(&item, &heap[child], axis))
            break;
        heap[root] = heap[child];
    }
    heap[root] = item;
}

static void sort_items(dew_Array *items, int axis)
{
    dew_MergeNearItem *item = DEW_ITEMS(items, dew_MergeNearItem);
    for (int64_t i = items->count / 2; i-- > 0;)
        sift_down(item, i, items->count, axis);
    for (int64_t end = items->count; end-- > 1;) {
        dew_MergeNearItem largest = item[0];
        item[0] = item[end];
        item[end] = largest;
        sift_down(item, 0, end, axis);
    }
}

// ---- pairs -------------------------------------------------------------------------------------

typedef struct Search {
    const dew_RemeshDrop *drop[2];
    double gap;  // the least so far
    dew_MergeNearPair *out;
} Search;

static dew_Vec3 middle_of(const dew_Vec3 x[3])
{
    return dew_scale(1.0 / 3, dew_add(x[0], dew_add(x[1], x[2])));
}

// Corners of one against the other triangle.
static void measure_gap(Search *search, const dew_Vec3 p[3], const dew_Vec3 x[3])
{
    for (int k = 0; k < 3; k++) {
        dew_TriangleClosest c = dew_triangle_closest(x[0], x[1], x[2], p[k]);
        if (!(c.distance2 <= search->gap * search->gap))
            continue;
        search->gap = sqrt(c.distance2);
        search->out->are_near = true;
        search->out->place_m = dew_add_scaled(p[k], 0.5, c.offset);
    }
}

static void look_at(Search *search, uint32_t s, uint32_t t)
{
    if (is_wetted(search->drop[0], s) && is_wetted(search->drop[1], t))
        return;
    dew_Vec3 x[3], y[3];
    corners_of(search->drop[0], s, x);
    corners_of(search->drop[1], t, y);
    if (dew_triangle_overlaps_triangle(x, y)) {
        search->out->touch = true;
        search->out->place_m = dew_combine(0.5, middle_of(x), 0.5, middle_of(y));
        return;
    }
    if (search->gap > 0) {
        measure_gap(search, x, y);
        measure_gap(search, y, x);
    }
}

// Each pair whose extents along the axis overlap, gap included, once.
static void sweep(Search *search, const dew_MergeNear *near, int axis, double gap)
{
    const dew_MergeNearItem *item[2] = {DEW_ITEMS(&near->items[0], dew_MergeNearItem),
                                        DEW_ITEMS(&near->items[1], dew_MergeNearItem)};
    int64_t count[2] = {near->items[0].count, near->items[1].count}, at[2] = {0, 0};
    while (at[0] < count[0] && at[1] < count[1]) {
        int i = coordinate(item[0][at[0]].box.min, axis) <= coordinate(item[1][at[1]].box.min, axis)
                    ? 0
                    : 1;
        const dew_MergeNearItem *one = &item[i][at[i]++];
        dew_Box box = grown(one->box, gap);
        double end = coordinate(box.max, axis);
        for (int64_t k = at[1 - i]; k < count[1 - i]; k++) {
            const dew_MergeNearItem *other = &item[1 - i][k];
            if (coordinate(other->box.min, axis) > end)
                break;
            if (!boxes_meet(&box, &other->box))
                continue;
            look_at(search, i == 0 ? one->triangle : other->triangle,
                    i == 0 ? other->triangle : one->triangle);
            if (search->out->touch)
                return;
        }
    }
}

bool dew_drop_holds(const dew_RemeshDrop *outer, dew_Vec3 p)
{
    double angle = 0;
    for (uint32_t t = 0; t < outer->triangles->count; t++) {
        dew_Vec3 x[3];
        corners_of(outer, t, x);
        angle += dew_triangle_solid_angle(x[0], x[1], x[2], p);
    }
    return angle > 2 * DEW_PI;
}

static dew_Vec3 some_corner(const dew_RemeshDrop *drop)
{
    return DEW_ITEMS(drop->positions, dew_Vec3)[DEW_ITEMS(drop->triangles, dew_Triangle)[0].v[0]];
}

dew_Status dew_merge_find_near(dew_MergeNear *near, const dew_RemeshDrop *first,
                               const dew_RemeshDrop *second, double gap_m, dew_MergeNearPair *out)
{
    *out = (dew_MergeNearPair){.inner = (int)DEW_INVALID};
    if (first->triangles->count == 0 || second->triangles->count == 0)
        return dew_ok();
    dew_Box a = dew_drop_box(first), b = dew_drop_box(second);
    dew_Box a_grown = grown(a, gap_m), b_grown = grown(b, gap_m);
    if (!boxes_meet(&a_grown, &b))
        return dew_ok();
    DEW_TRY(collect(&near->items[0], first, &b_grown));
    DEW_TRY(collect(&near->items[1], second, &a_grown));
    dew_Vec3 size = dew_sub(dew_vec_min(a.max, b.max), dew_vec_max(a.min, b.min));
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    sort_items(&near->items[0], axis);
    sort_items(&near->items[1], axis);
    Search search = {{first, second}, gap_m, out};
    sweep(&search, near, axis, gap_m);
    if (out->touch)
        return dew_ok();
    if (holds(&a, &b) && dew_drop_holds(first, some_corner(second)))
        out->inner = 1;
    else if (holds(&b, &a) && dew_drop_holds(second, some_corner(first)))
        out->inner = 0;
    return dew_ok();
}
