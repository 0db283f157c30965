// Drops in flat arrays: appended, looked at, checked after a restore.
#include "solvers/surface/drop_store.h"

#include "base/status.h"

#include <string.h>

void dew_drop_store_init(dew_DropStore *store, const dew_Allocator *allocator)
{
    dew_array_init(&store->values, allocator, sizeof(dew_DropValues));
    dew_array_init(&store->counts, allocator, sizeof(dew_DropCounts));
    dew_array_init(&store->positions, allocator, sizeof(dew_Vec3));
    dew_array_init(&store->velocities, allocator, sizeof(dew_Vec3));
    dew_array_init(&store->labels, allocator, sizeof(uint8_t));
    dew_array_init(&store->clearances, allocator, sizeof(double));
    dew_array_init(&store->triangles, allocator, sizeof(dew_Triangle));
}

#define ARRAYS 7

static const dew_Array *array_of(const dew_DropStore *store, int k)
{
    const dew_Array *const arrays[ARRAYS] = {&store->values,     &store->counts, &store->positions,
                                             &store->velocities, &store->labels, &store->clearances,
                                             &store->triangles};
    return arrays[k];
}

void dew_drop_store_deinit(dew_DropStore *store)
{
    dew_array_deinit(&store->values);
    dew_array_deinit(&store->counts);
    dew_array_deinit(&store->positions);
    dew_array_deinit(&store->velocities);
    dew_array_deinit(&store->labels);
    dew_array_deinit(&store->clearances);
    dew_array_deinit(&store->triangles);
}

size_t dew_drop_store_used_bytes(const dew_DropStore *store)
{
    size_t sum = 0;
    for (int k = 0; k < ARRAYS; k++)
        sum += (size_t)array_of(store, k)->count * array_of(store, k)->element_size;
    return sum;
}

size_t dew_drop_store_held_bytes(const dew_DropStore *store)
{
    size_t sum = 0;
    for (int k = 0; k < ARRAYS; k++)
        sum += (size_t)array_of(store, k)->capacity * array_of(store, k)->element_size;
    return sum;
}

dew_Status dew_drop_store_reserve_as(dew_DropStore *store, const dew_DropStore *other)
{
    DEW_TRY(dew_array_reserve(&store->values, other->values.capacity));
    DEW_TRY(dew_array_reserve(&store->counts, other->counts.capacity));
    DEW_TRY(dew_array_reserve(&store->positions, other->positions.capacity));
    DEW_TRY(dew_array_reserve(&store->velocities, other->velocities.capacity));
    DEW_TRY(dew_array_reserve(&store->labels, other->labels.capacity));
    DEW_TRY(dew_array_reserve(&store->clearances, other->clearances.capacity));
    return dew_array_reserve(&store->triangles, other->triangles.capacity);
}

static void set_counts(dew_DropStore *store, int64_t drops, int64_t vertices, int64_t triangles)
{
    store->values.count = store->counts.count = drops;
    store->positions.count = store->velocities.count = vertices;
    store->labels.count = store->clearances.count = vertices;
    store->triangles.count = triangles;
}

void dew_drop_store_clear(dew_DropStore *store)
{
    set_counts(store, 0, 0, 0);
}

void dew_drop_store_truncate(dew_DropStore *store, int64_t count)
{
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; d < count; d++)
        place = dew_drop_next_place(store, d, place);
    set_counts(store, count, place.first_vertex, place.first_triangle);
}

dew_DropView dew_drop_view(const dew_DropStore *store, int64_t drop, dew_DropPlace place)
{
    int64_t v = place.first_vertex;
    return (dew_DropView){
        .values = DEW_ITEMS(&store->values, dew_DropValues)[drop],
        .counts = DEW_ITEMS(&store->counts, dew_DropCounts)[drop],
        .positions = DEW_ITEMS(&store->positions, dew_Vec3) + v,
        .velocities = DEW_ITEMS(&store->velocities, dew_Vec3) + v,
        .labels = DEW_ITEMS(&store->labels, uint8_t) + v,
        .clearances = DEW_ITEMS(&store->clearances, double) + v,
        .triangles = DEW_ITEMS(&store->triangles, dew_Triangle) + place.first_triangle,
    };
}

dew_DropPlace dew_drop_next_place(const dew_DropStore *store, int64_t drop, dew_DropPlace place)
{
    const dew_DropCounts *counts = &DEW_ITEMS(&store->counts, dew_DropCounts)[drop];
    return (dew_DropPlace){place.first_vertex + counts->vertex_count,
                           place.first_triangle + counts->triangle_count};
}

dew_Box dew_drop_view_box(const dew_DropView *drop)
{
    if (drop->counts.is_asleep && drop->values.rest.volume_m3 > 0)
        return (dew_Box){drop->values.rest.min_m, drop->values.rest.max_m};
    dew_Box box = dew_box_empty();
    for (int64_t i = 0; i < drop->counts.vertex_count; i++) {
        dew_Vec3 p = drop->positions[i];  // plain comparisons: fmin is a call
        box.min.x = p.x < box.min.x ? p.x : box.min.x;
        box.min.y = p.y < box.min.y ? p.y : box.min.y;
        box.min.z = p.z < box.min.z ? p.z : box.min.z;
        box.max.x = p.x > box.max.x ? p.x : box.max.x;
        box.max.y = p.y > box.max.y ? p.y : box.max.y;
        box.max.z = p.z > box.max.z ? p.z : box.max.z;
    }
    return box;
}

/// The drop just appended: measured once when it falls asleep.
static void note_rest(dew_DropStore *store, dew_DropPlace place)
{
    int64_t last = store->counts.count - 1;
    dew_DropValues *values = &DEW_ITEMS(&store->values, dew_DropValues)[last];
    dew_DropView drop = dew_drop_view(store, last, place);
    if (!drop.counts.is_asleep)
        values->rest = (dew_DropRest){0};
    else if (!(values->rest.volume_m3 > 0))
        values->rest = dew_drop_view_rest(&drop);
}

/// Room for what comes, with zeroes where the drop has no array.
static dew_Status append_or_zero(dew_Array *to, const void *items, int64_t count)
{
    if (items)
        return dew_array_append(to, items, count);
    return dew_array_resize(to, to->count + count);
}

static dew_Status append_parts(dew_DropStore *store, const dew_DropView *drop)
{
    int64_t n = drop->counts.vertex_count;
    DEW_TRY(dew_array_append(&store->positions, drop->positions, n));
    DEW_TRY(append_or_zero(&store->velocities, drop->velocities, n));
    DEW_TRY(append_or_zero(&store->labels, drop->labels, n));
    DEW_TRY(append_or_zero(&store->clearances, drop->clearances, n));
    DEW_TRY(dew_array_append(&store->triangles, drop->triangles, drop->counts.triangle_count));
    DEW_TRY(dew_array_push(&store->values, &drop->values));
    return dew_array_push(&store->counts, &drop->counts);
}

dew_Status dew_drop_store_append(dew_DropStore *store, const dew_DropView *drop)
{
    int64_t drops = store->counts.count, vertices = store->positions.count;
    int64_t triangles = store->triangles.count;
    dew_Status status = append_parts(store, drop);
    if (status.code != DEW_OK)
        set_counts(store, drops, vertices, triangles);
    else
        note_rest(store, (dew_DropPlace){vertices, triangles});
    return status;
}

/// Elements [first, end) of another array.
static dew_Status append_slice(dew_Array *to, const dew_Array *from, int64_t first, int64_t end)
{
    const uint8_t *bytes = from->data;
    if (end == first)
        return dew_ok();
    return dew_array_append(to, bytes + (size_t)first * from->element_size, end - first);
}

dew_Status dew_drop_store_append_range(dew_DropStore *store, const dew_DropStore *from,
                                       int64_t first, int64_t end, const dew_DropPlace *places)
{
    int64_t v0 = places[first].first_vertex, v1 = places[end].first_vertex;
    DEW_TRY(append_slice(&store->positions, &from->positions, v0, v1));
    DEW_TRY(append_slice(&store->velocities, &from->velocities, v0, v1));
    DEW_TRY(append_slice(&store->labels, &from->labels, v0, v1));
    DEW_TRY(append_slice(&store->clearances, &from->clearances, v0, v1));
    DEW_TRY(append_slice(&store->triangles, &from->triangles, places[first].first_triangle,
                         places[end].first_triangle));
    DEW_TRY(append_slice(&store->values, &from->values, first, end));
    return append_slice(&store->counts, &from->counts, first, end);
}

static void put(dew_Array *to, int64_t at, const void *items, int64_t count)
{
    uint8_t *bytes = to->data;
    memcpy(bytes + (size_t)at * to->element_size, items, (size_t)count * to->element_size);
}

void dew_drop_store_put(dew_DropStore *store, int64_t drop, dew_DropPlace place,
                        const dew_DropView *view)
{
    int64_t v = place.first_vertex, n = view->counts.vertex_count;
    put(&store->positions, v, view->positions, n);
    put(&store->velocities, v, view->velocities, n);
    put(&store->labels, v, view->labels, n);
    put(&store->clearances, v, view->clearances, n);
    put(&store->triangles, place.first_triangle, view->triangles, view->counts.triangle_count);
    put(&store->values, drop, &view->values, 1);
    put(&store->counts, drop, &view->counts, 1);
}

dew_Status dew_drop_store_check(const dew_DropStore *store)
{
    dew_DropPlace place = {0, 0};
    int64_t vertices = store->positions.count, triangles = store->triangles.count;
    if (store->values.count != store->counts.count || store->velocities.count != vertices ||
        store->labels.count != vertices || store->clearances.count != vertices)
        return dew_fail(DEW_CORRUPT, "the drops' arrays differ in length");
    for (int64_t d = 0; d < dew_drop_count(store); d++) {
        const dew_DropCounts *c = &DEW_ITEMS(&store->counts, dew_DropCounts)[d];
        if (c->vertex_count < 4 || c->vertex_count > vertices - place.first_vertex ||
            c->triangle_count < 4 || c->triangle_count > triangles - place.first_triangle)
            return dew_fail(DEW_CORRUPT, "drop %lld has an impossible size", (long long)d);
        const dew_Triangle *t = DEW_ITEMS(&store->triangles, dew_Triangle) + place.first_triangle;
        for (int64_t k = 0; k < c->triangle_count; k++)
            for (int corner = 0; corner < 3; corner++)
                if (t[k].v[corner] >= (uint64_t)c->vertex_count)
                    return dew_fail(DEW_CORRUPT, "drop %lld names a vertex it has not",
                                    (long long)d);
        place = dew_drop_next_place(store, d, place);
    }
    if (place.first_vertex != vertices || place.first_triangle != triangles)
        return dew_fail(DEW_CORRUPT, "there are vertices that belong to no drop");
    return dew_ok();
}
