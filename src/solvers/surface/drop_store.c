// Drops in flat arrays: appended, looked at, checked after a restore.
#include "solvers/surface/drop_store.h"

#include "base/status.h"
#include "solvers/field_table.h"

#include <string.h>

// Of the numbers of DEW_DROP_ARRAYS.
#define BYTES_F64 sizeof(double)
#define BYTES_I64 sizeof(int64_t)
#define BYTES_U32 sizeof(uint32_t)
#define BYTES_U8  sizeof(uint8_t)

void dew_drop_store_init(dew_DropStore *store, const dew_Allocator *allocator)
{
#define INIT(name, type, per, number, saved_as)                                                    \
    dew_array_init(&store->name, allocator, sizeof(type));
    DEW_DROP_ARRAYS(INIT)
#undef INIT
}

void dew_drop_store_deinit(dew_DropStore *store)
{
#define DEINIT(name, type, per, number, saved_as) dew_array_deinit(&store->name);
    DEW_DROP_ARRAYS(DEINIT)
#undef DEINIT
}

size_t dew_drop_store_used_bytes(const dew_DropStore *store)
{
    size_t sum = 0;
#define ADD(name, type, per, number, saved_as) sum += (size_t)store->name.count * sizeof(type);
    DEW_DROP_ARRAYS(ADD)
#undef ADD
    return sum;
}

size_t dew_drop_store_held_bytes(const dew_DropStore *store)
{
    size_t sum = 0;
#define ADD(name, type, per, number, saved_as) sum += (size_t)store->name.capacity * sizeof(type);
    DEW_DROP_ARRAYS(ADD)
#undef ADD
    return sum;
}

dew_Status dew_drop_store_reserve_as(dew_DropStore *store, const dew_DropStore *other)
{
#define RESERVE(name, type, per, number, saved_as)                                                 \
    DEW_TRY(dew_array_reserve(&store->name, other->name.capacity));
    DEW_DROP_ARRAYS(RESERVE)
#undef RESERVE
    return dew_ok();
}

void dew_drop_store_fields(dew_DropStore *store, dew_DropUnchanged *unchanged, dew_FieldList *out)
{
#define ADD_FIELD(name, type, per, number, saved_as)                                               \
    dew_field_list_array(out, saved_as, DEW_FIELD_##number,                                        \
                         (int)(store->name.element_size / BYTES_##number), &store->name);          \
    out->field[out->count - 1].unchanged = &unchanged->per;
    DEW_DROP_ARRAYS(ADD_FIELD)
#undef ADD_FIELD
}

static void set_counts(dew_DropStore *store, int64_t drop, int64_t vertex, int64_t triangle)
{
#define SET(name, type, per, number, saved_as) store->name.count = (per);
    DEW_DROP_ARRAYS(SET)
#undef SET
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

void dew_drop_store_cut(dew_DropStore *store, int64_t count, dew_DropPlace place)
{
    set_counts(store, count, place.first_vertex, place.first_triangle);
}

dew_DropView dew_drop_view(const dew_DropStore *store, int64_t drop, dew_DropPlace place)
{
    int64_t v = place.first_vertex;
    return (dew_DropView){
        .values = DEW_ITEMS(&store->values, dew_DropValues)[drop],
        .counts = DEW_ITEMS(&store->counts, dew_DropCounts)[drop],
        .flags = DEW_ITEMS(&store->flags, dew_DropFlags)[drop],
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
    if (drop->flags.is_asleep && drop->values.rest.volume_m3 > 0)
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
    if (!drop.flags.is_asleep)
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
    DEW_TRY(dew_array_push(&store->flags, &drop->flags));
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
    struct {
        int64_t drop, vertex, triangle;
    } from_index = {first, places[first].first_vertex, places[first].first_triangle},
      end_index = {end, places[end].first_vertex, places[end].first_triangle};
#define APPEND(name, type, per, number, saved_as)                                                  \
    DEW_TRY(append_slice(&store->name, &from->name, from_index.per, end_index.per));
    DEW_DROP_ARRAYS(APPEND)
#undef APPEND
    return dew_ok();
}

dew_Status dew_drop_store_append_all(dew_DropStore *store, const dew_DropStore *from)
{
#define APPEND_ALL(name, type, per, number, saved_as)                                              \
    DEW_TRY(append_slice(&store->name, &from->name, 0, from->name.count));
    DEW_DROP_ARRAYS(APPEND_ALL)
#undef APPEND_ALL
    return dew_ok();
}

static dew_Status check_lengths(const dew_DropStore *store)
{
    int64_t drop = store->counts.count, vertex = store->positions.count;
    int64_t triangle = store->triangles.count;
    bool is_even = true;
#define COMPARE(name, type, per, number, saved_as) is_even &= store->name.count == (per);
    DEW_DROP_ARRAYS(COMPARE)
#undef COMPARE
    return is_even ? dew_ok() : dew_fail(DEW_CORRUPT, "the drops' arrays differ in length");
}

static dew_Status check_state(const dew_DropStore *store, int64_t drop)
{
    const dew_DropFlags *f = &DEW_ITEMS(&store->flags, dew_DropFlags)[drop];
    const dew_DropCounts *c = &DEW_ITEMS(&store->counts, dew_DropCounts)[drop];
    if (f->is_asleep > 1 || f->has_velocity > 1 || f->has_failed > 1)
        return dew_fail(DEW_CORRUPT, "drop %lld has an impossible flag", (long long)drop);
    const int64_t counters[] = {c->failure_count, c->steps_since_failure, c->watch_steps,
                                c->steps_since_rebuild};
    for (size_t k = 0; k < sizeof counters / sizeof *counters; k++)
        if (counters[k] < 0 || counters[k] > INT32_MAX)
            return dew_fail(DEW_CORRUPT, "drop %lld has an impossible counter", (long long)drop);
    return dew_ok();
}

dew_Status dew_drop_store_check(const dew_DropStore *store)
{
    dew_DropPlace place = {0, 0};
    int64_t vertices = store->positions.count, triangles = store->triangles.count;
    DEW_TRY(check_lengths(store));
    for (int64_t d = 0; d < dew_drop_count(store); d++) {
        const dew_DropCounts *c = &DEW_ITEMS(&store->counts, dew_DropCounts)[d];
        DEW_TRY(check_state(store, d));
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
