// Vertices go half the way to the mean of their neighbours, a few times: bumps go, and so does what is thin or small,
// for all that is curved sinks. How far each vertex has sunk along its normal is smoothed in the same way, as a number on the
// mesh, and given back. A ball, a jet or a sheet sinks evenly and so is restored whatever its size; bumps sink here and rise
// there, which is nothing in the mean. Waves of k = 1 - (mean of the neighbours) / (the vertex itself) keep g (2 - g) of their height, g
// = (1 - k / 2)^passes: a flat pass band as that of [Taubin1995], but without his shrinking of pieces of a few triangles.
//
// Where a free surface meets a wall its border slides along it; it is first brought up to its free neighbours, since
// marching cubes cut off such edges.
#include "geom/mesh_fair.h"
#include "base/status.h"

#include <string.h>

#define STEP  0.5  // of the way to the mean, in a pass
#define GRAIN 1024
#define FOLD  0.9  // cosine between walls: below it they are two

// What a vertex may do: stay; follow those that slide, along walls; slide along a wall where the free surface meets it;
// go anywhere.
enum { HELD, FOLLOWING, SLIDING, FREE };
enum { RINGS = 4, FOLLOWING_PASSES = 2 * RINGS };  // of vertices that follow

// A triangle at a vertex: its other corners, in order.
typedef struct Corner {
    uint32_t next, last;
} Corner;

typedef struct Work {
    const dew_FairDef *def;
    int64_t count;
    int32_t *first;  // per vertex: its corners are [first, next first)
    Corner *corners;
    uint8_t *kind, *next_kind;
    dew_Vec3 *from, *to, *old;  // positions; as given
    double *sunk, *next_sunk;
    dew_Vec3 *normals;
    double (*sums)[2];  // per chunk: volume, and its change with the way along normals
    double rise_m;
} Work;

// ---- who is beside whom --------------------------------------------------------------------------

static void find_corners(Work *w, const dew_Triangle *triangles, int64_t triangle_count)
{
    for (int64_t v = 0; v <= w->count; v++)
        w->first[v] = 0;
    for (int64_t t = 0; t < triangle_count; t++)
        for (int c = 0; c < 3; c++)
            w->first[triangles[t].v[c]]++;
    int32_t sum = 0;
    for (int64_t v = 0; v <= w->count; v++) {
        sum += w->first[v];
        w->first[v] = sum;
    }
    for (int64_t t = triangle_count - 1; t >= 0; t--) {
        const uint32_t *v = triangles[t].v;
        for (int c = 0; c < 3; c++)
            w->corners[--w->first[v[c]]] = (Corner){v[(c + 1) % 3], v[(c + 2) % 3]};
    }
}

static bool is_wet(const Work *w, int64_t v)
{
    return w->def->wet && w->def->wet[v] > 0;
}

static dew_Status kind_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t v = begin; v < end; v++) {
        w->kind[v] = is_wet(w, v) ? HELD : FREE;
        for (int32_t c = w->first[v]; c < w->first[v + 1] && w->kind[v] == HELD; c++)
            if (!is_wet(w, w->corners[c].next))
                w->kind[v] = SLIDING;
    }
    return dew_ok();
}

// One ring more of those that follow.
static dew_Status ring_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t v = begin; v < end; v++) {
        w->next_kind[v] = w->kind[v];
        for (int32_t c = w->first[v]; c < w->first[v + 1] && w->next_kind[v] == HELD; c++)
            if (w->kind[w->corners[c].next] != HELD)
                w->next_kind[v] = FOLLOWING;
    }
    return dew_ok();
}

// ---- passes --------------------------------------------------------------------------------------

// A way that a vertex may go.
static dew_Vec3 allowed(const Work *w, int64_t v, dew_Vec3 way)
{
    if (w->kind[v] == FREE)
        return way;
    dew_Vec3 n = w->def->wall_normals[v];
    return dew_add_scaled(way, -dew_inner(way, n), n);
}

// Edges that marching cubes have cut off: up to where the free surface comes.
static dew_Status border_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t v = begin; v < end; v++) {
        dew_Vec3 sum = dew_vec(0, 0, 0), x = w->from[v];
        int count = 0;
        w->to[v] = x;
        if (w->kind[v] != SLIDING)
            continue;
        for (int32_t c = w->first[v]; c < w->first[v + 1]; c++)
            if (w->kind[w->corners[c].next] == FREE) {
                sum = dew_add(sum, dew_sub(w->from[w->corners[c].next], x));
                count++;
            }
        w->to[v] = dew_add(x, allowed(w, v, dew_scale(1.0 / count, sum)));
    }
    return dew_ok();
}

static dew_Status position_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t v = begin; v < end; v++) {
        dew_Vec3 sum = dew_vec(0, 0, 0), x = w->from[v];
        int count = 0;
        w->to[v] = x;
        if (w->kind[v] < SLIDING)
            continue;
        for (int32_t c = w->first[v]; c < w->first[v + 1]; c++) {
            uint32_t u = w->corners[c].next;
            if (w->kind[u] < SLIDING)
                continue;
            sum = dew_add(sum, w->from[u]);
            count++;
        }
        if (count > 0)
            w->to[v] =
                dew_add(x, allowed(w, v, dew_scale(STEP, dew_sub(dew_scale(1.0 / count, sum), x))));
    }
    return dew_ok();
}

// Normals of the free surface, and how far it has sunk along them.
static dew_Status sunk_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t v = begin; v < end; v++) {
        dew_Vec3 n = dew_vec(0, 0, 0), x = w->from[v];
        for (int32_t c = w->first[v]; c < w->first[v + 1] && w->kind[v] >= SLIDING; c++) {
            Corner at = w->corners[c];
            if (w->kind[v] == FREE || w->kind[at.next] == FREE || w->kind[at.last] == FREE)
                n = dew_add(n,
                            dew_cross(dew_sub(w->from[at.next], x), dew_sub(w->from[at.last], x)));
        }
        w->normals[v] = dew_normalize(n);
        w->sunk[v] = dew_inner(dew_sub(w->old[v], x), w->normals[v]);
    }
    return dew_ok();
}

static dew_Status number_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t v = begin; v < end; v++) {
        double sum = 0;
        int count = 0;
        w->next_sunk[v] = w->sunk[v];
        if (w->kind[v] < SLIDING)
            continue;
        for (int32_t c = w->first[v]; c < w->first[v + 1]; c++) {
            uint32_t u = w->corners[c].next;
            if (w->kind[u] < SLIDING)
                continue;
            sum += w->sunk[u];
            count++;
        }
        if (count > 0)
            w->next_sunk[v] += STEP * (sum / count - w->sunk[v]);
    }
    return dew_ok();
}

static dew_Status rise_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t v = begin; v < end; v++)
        if (w->kind[v] >= SLIDING)
            w->from[v] = dew_add(w->from[v], allowed(w, v, dew_scale(w->sunk[v], w->normals[v])));
    return dew_ok();
}

static dew_Status follow_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t v = begin; v < end; v++) {
        dew_Vec3 sum = dew_vec(0, 0, 0), x = w->from[v];
        w->to[v] = x;
        if (w->kind[v] != FOLLOWING)
            continue;
        const dew_Vec3 *normals = w->def->wall_normals;
        for (int32_t c = w->first[v]; c < w->first[v + 1]; c++)
            sum = dew_add(sum, dew_sub(w->from[w->corners[c].next], x));
        dew_Vec3 way = allowed(w, v, dew_scale(1.0 / (w->first[v + 1] - w->first[v]), sum));
        for (int32_t c = w->first[v]; c < w->first[v + 1]; c++) {
            dew_Vec3 n = normals[w->corners[c].next];
            if (dew_inner(n, normals[v]) < FOLD)
                way = dew_add_scaled(way, -dew_inner(way, n), n);
        }
        w->to[v] = dew_add(x, way);
    }
    return dew_ok();
}

// ---- volume --------------------------------------------------------------------------------------

static dew_Status volume_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    const Work *w = context;
    double volume = 0, change = 0;
    for (int64_t v = begin; v < end; v++) {
        dew_Vec3 area = dew_vec(0, 0, 0),
                 x = w->from[v];  // a third of that of its triangles, times 6
        for (int32_t c = w->first[v]; c < w->first[v + 1]; c++) {
            Corner at = w->corners[c];
            area = dew_add(area,
                           dew_cross(dew_sub(w->from[at.next], x), dew_sub(w->from[at.last], x)));
        }
        volume += dew_inner(x, area) / 18;
        if (w->kind[v] >= SLIDING)
            change += dew_inner(allowed(w, v, w->normals[v]), area) / 6;
    }
    w->sums[chunk][0] = volume;
    w->sums[chunk][1] = change;
    return dew_ok();
}

static dew_Status lift_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t v = begin; v < end; v++)
        if (w->kind[v] >= SLIDING)
            w->from[v] = dew_add_scaled(w->from[v], w->rise_m, allowed(w, v, w->normals[v]));
    return dew_ok();
}

static dew_Status correct_volume(Work *w)
{
    double volume = 0, change = 0;
    DEW_TRY(dew_parallel_for(w->def->tasks, w->count, GRAIN, volume_chunk, w));
    for (int64_t c = 0; c < dew_chunk_count(w->count, GRAIN); c++) {
        volume += w->sums[c][0];
        change += w->sums[c][1];
    }
    if (!(change > 0))
        return dew_ok();
    w->rise_m = fmax(-w->def->most_m, fmin((w->def->volume_m3 - volume) / change, w->def->most_m));
    return dew_parallel_for(w->def->tasks, w->count, GRAIN, lift_chunk, w);
}

// ---- all -----------------------------------------------------------------------------------------

static dew_Status pass(Work *w, dew_ChunkFn *run)
{
    DEW_TRY(dew_parallel_for(w->def->tasks, w->count, GRAIN, run, w));
    dew_Vec3 *x = w->from;
    w->from = w->to;
    w->to = x;
    return dew_ok();
}

static dew_Status fair(Work *w)
{
    dew_Tasks *tasks = w->def->tasks;
    DEW_TRY(dew_parallel_for(tasks, w->count, GRAIN, kind_chunk, w));
    for (int i = 0; i < RINGS && w->def->wet; i++) {
        DEW_TRY(dew_parallel_for(tasks, w->count, GRAIN, ring_chunk, w));
        uint8_t *kind = w->kind;
        w->kind = w->next_kind;
        w->next_kind = kind;
    }
    DEW_TRY(pass(w, border_chunk));
    memcpy(w->old, w->from, (size_t)w->count * sizeof *w->old);
    for (int i = 0; i < w->def->passes; i++)
        DEW_TRY(pass(w, position_chunk));
    DEW_TRY(dew_parallel_for(tasks, w->count, GRAIN, sunk_chunk, w));
    for (int i = 0; i < w->def->passes; i++) {
        DEW_TRY(dew_parallel_for(tasks, w->count, GRAIN, number_chunk, w));
        double *sunk = w->sunk;
        w->sunk = w->next_sunk;
        w->next_sunk = sunk;
    }
    DEW_TRY(dew_parallel_for(tasks, w->count, GRAIN, rise_chunk, w));
    for (int i = 0; i < FOLLOWING_PASSES && w->def->wet; i++)
        DEW_TRY(pass(w, follow_chunk));
    return w->def->volume_m3 > 0 ? correct_volume(w) : dew_ok();
}

static bool allocate(Work *w, dew_Arena *scratch, int64_t triangle_count)
{
    int64_t count = w->count, chunks = dew_chunk_count(count, GRAIN);
    w->first = dew_arena_raw_array(scratch, int32_t, count + 1);
    w->corners = dew_arena_raw_array(scratch, Corner, 3 * triangle_count);
    w->kind = dew_arena_raw_array(scratch, uint8_t, count);
    w->next_kind = dew_arena_raw_array(scratch, uint8_t, count);
    w->from = dew_arena_raw_array(scratch, dew_Vec3, count);
    w->to = dew_arena_raw_array(scratch, dew_Vec3, count);
    w->old = dew_arena_raw_array(scratch, dew_Vec3, count);
    w->normals = dew_arena_raw_array(scratch, dew_Vec3, count);
    w->sunk = dew_arena_raw_array(scratch, double, count);
    w->next_sunk = dew_arena_raw_array(scratch, double, count);
    w->sums = dew_arena_alloc_raw(scratch, chunks, sizeof *w->sums);
    return w->first && w->corners && w->kind && w->next_kind && w->from && w->to && w->old &&
           w->normals && w->sunk && w->next_sunk && w->sums;
}

dew_Status dew_mesh_fair(const dew_FairDef *def, const dew_Triangle *triangles,
                         int64_t triangle_count, dew_Vec3 *positions, int64_t vertex_count)
{
    if (vertex_count == 0)
        return dew_ok();
    size_t size = (size_t)vertex_count * sizeof *positions;
    dew_ArenaMark mark = dew_arena_mark(def->scratch);
    Work w = {.def = def, .count = vertex_count};
    if (!allocate(&w, def->scratch, triangle_count)) {
        dew_arena_rewind(def->scratch, mark);
        return dew_no_memory(size);
    }
    find_corners(&w, triangles, triangle_count);
    memcpy(w.from, positions, size);
    dew_Status status = fair(&w);
    if (status.code == DEW_OK)
        memcpy(positions, w.from, size);
    dew_arena_rewind(def->scratch, mark);
    return status;
}
