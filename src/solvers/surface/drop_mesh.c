// Connectivity of one drop, in the order in which its matrix is stored.
//
// The mesh is closed and oriented, so each edge is walked once in either direction: the corner c of
// a triangle owns the edge to its next corner. Hence the edges that leave a vertex are just the
// corners at it, and a row of the matrix has one entry per corner. No search for equal edges is
// needed but for the twin of each, which is in a row of about six.
#include "base/status.h"
#include "solvers/surface/drop_work.h"

static dew_Status take_memory(dew_DropWork *work)
{
    dew_Arena *arena = &work->arena;
    int64_t n = work->n, t = work->triangle_count;
    size_t before = arena->used_bytes;
    work->row = dew_arena_array(arena, int32_t, n + 1);
    work->col = dew_arena_raw_array(arena, int32_t, 3 * t);
    work->slot = dew_arena_raw_array(arena, int32_t, 3 * t);
    work->twin = dew_arena_raw_array(arena, int32_t, 3 * t);
    work->y = dew_arena_raw_array(arena, dew_Vec3, n);
    work->is_wet = dew_arena_array(arena, uint8_t, t);
    work->cotangent = dew_arena_raw_array(arena, double, 3 * t);
    work->area = dew_arena_array(arena, double, n);
    work->wet_area = dew_arena_array(arena, double, n);
    work->gradient = dew_arena_array(arena, dew_Vec3, n);
    work->moment_of_x = dew_arena_array(arena, double, 9 * n + 1);  // implicit_kernels.h
    work->off = dew_arena_array(arena, double, 3 * t);
    work->diagonal = dew_arena_array(arena, double, n);
    work->mass = dew_arena_array(arena, double, n);
    work->inverse = dew_arena_array(arena, double, n);
    work->pivot = dew_arena_array(arena, double, n);
    work->tail.at = dew_arena_array(arena, double, n);
    work->tail.pressure_Pa = dew_arena_array(arena, double, n);
    work->tail.scratch = dew_arena_array(arena, double, n);
    work->wide = dew_arena_raw_array(arena, dew_Double4, 7 * n);
    dew_Vec3 **vectors[] = {&work->force, &work->change, &work->residual, &work->image,
                            &work->solid_normal};
    bool is_short = false;
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        *vectors[k] = dew_arena_array(arena, dew_Vec3, n);
        is_short = is_short || !*vectors[k];
    }
    work->touches = dew_arena_raw_array(arena, dew_DropTouch, n);
    if (is_short || !work->row || !work->col || !work->slot || !work->twin || !work->y ||
        !work->is_wet || !work->cotangent || !work->area || !work->wet_area || !work->gradient ||
        !work->moment_of_x || !work->off || !work->diagonal || !work->mass || !work->inverse ||
        !work->pivot || !work->tail.at || !work->tail.pressure_Pa || !work->tail.scratch ||
        !work->wide || !work->touches)
        return dew_no_memory((size_t)n * 800 + arena->used_bytes - before);
    return dew_ok();
}

static void fill_rows(dew_DropWork *work)
{
    const dew_Triangle *t = work->triangle;
    int32_t *row = work->row;
    int32_t n = (int32_t)work->n, count = (int32_t)work->triangle_count;
    for (int32_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            row[t[k].v[c] + 1]++;
    for (int32_t i = 0; i < n; i++)
        row[i + 1] += row[i];
    for (int32_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++) {
            int32_t entry = row[t[k].v[c]]++;
            work->col[entry] = (int32_t)t[k].v[c == 2 ? 0 : c + 1];
            work->slot[3 * k + c] = entry;
        }
    for (int32_t i = n; i > 0; i--)  // the beginnings have moved on by a row each
        row[i] = row[i - 1];
    row[0] = 0;
}

static dew_Status find_twins(dew_DropWork *work)
{
    for (int32_t i = 0; i < (int32_t)work->n; i++)
        for (int32_t e = work->row[i]; e < work->row[i + 1]; e++) {
            int32_t j = work->col[e], other = work->row[j];
            while (other < work->row[j + 1] && work->col[other] != i)
                other++;
            if (other == work->row[j + 1])
                return dew_fail(DEW_DIVERGED, "a drop's mesh is open");
            work->twin[e] = other;
        }
    return dew_ok();
}

dew_Status dew_drop_connect(dew_DropWork *work)
{
    dew_arena_clear(&work->arena);
    work->n = work->positions.count;
    work->triangle_count = work->triangles.count;
    work->x = DEW_ITEMS(&work->positions, dew_Vec3);
    work->v = DEW_ITEMS(&work->velocities, dew_Vec3);
    work->label = DEW_ITEMS(&work->labels, uint8_t);
    work->clearance = DEW_ITEMS(&work->clearances, double);
    work->triangle = DEW_ITEMS(&work->triangles, dew_Triangle);
    DEW_TRY(take_memory(work));
    fill_rows(work);
    DEW_TRY(find_twins(work));
    work->touch_count = 0;
    work->tail.count = 0;
    work->is_connected = true;
    return dew_ok();
}
