// Fairing of a mesh by a low-pass filter that keeps the volume of thin parts.
//
// Each of n passes moves every vertex by half of its Laplacian, L x = (mean of the neighbours) - x.
// That removes bumps, but shrinks curved parts. The displacement of each vertex against its normal,
// s = (x_old - x) . N, is filtered by the same passes as a scalar on the mesh and then added back,
// x + s N. A ball, a jet or a sheet shrinks evenly and so is restored whatever its size; the
// displacements of bumps have both signs and vanish in the mean. A mode with eigenvalue k of -L
// keeps g (2 - g) of its height, g = (1 - k / 2)^n: a flat pass band as that of [Taubin1995], but
// without the shrinking of pieces of a few triangles.
//
// Where a free surface meets a wall its border slides along it; it is first moved up to its free
// neighbours, since marching cubes cut off such edges.
#include "geom/mesh_fair.h"
#include "base/status.h"

#include <string.h>

#define MIN_WALL_COSINE 0.9  // between the normals of one wall: 26 degrees

// What a vertex may do: stay; follow those that slide, along walls; slide along a wall where the
// free surface meets it; go anywhere.
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
    double *inset, *next_inset;
    dew_Vec3 *normals;
    double (*sums)[2];  // per chunk: volume, and its change per displacement along normals
    double rise_m;
} Work;

// ---- who is beside whom -------------------------------------------------------------------------

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

// ---- passes -------------------------------------------------------------------------------------

// The part of a displacement that a vertex may make.
static dew_Vec3 allowed(const Work *w, int64_t v, dew_Vec3 step)
{
    if (w->kind[v] == FREE)
        return step;
    dew_Vec3 n = w->def->wall_normals[v];
    return dew_add_scaled(step, -dew_inner(step, n), n);
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
                dew_add(x, allowed(w, v, dew_scale(0.5, dew_sub(dew_scale(1.0 / count, sum), x))));
    }
    return dew_ok();
}

// Normals of the free surface, and its displacement against them.
static dew_Status inset_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
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
        w->inset[v] = dew_inner(dew_sub(w->old[v], x), w->normals[v]);
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
        w->next_inset[v] = w->inset[v];
        if (w->kind[v] < SLIDING)
            continue;
        for (int32_t c = w->first[v]; c < w->first[v + 1]; c++) {
            uint32_t u = w->corners[c].next;
            if (w->kind[u] < SLIDING)
                continue;
            sum += w->inset[u];
            count++;
        }
        if (count > 0)
            w->next_inset[v] += 0.5 * (sum / count - w->inset[v]);
    }
    return dew_ok();
}

static dew_Status rise_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t v = begin; v < end; v++)
        if (w->kind[v] >= SLIDING)
            w->from[v] = dew_add(w->from[v], allowed(w, v, dew_scale(w->inset[v], w->normals[v])));
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
        dew_Vec3 step = allowed(w, v, dew_scale(1.0 / (w->first[v + 1] - w->first[v]), sum));
        for (int32_t c = w->first[v]; c < w->first[v + 1]; c++) {
            dew_Vec3 n = normals[w->corners[c].next];
            if (dew_inner(n, normals[v]) < MIN_WALL_COSINE)
                step = dew_add_scaled(step, -dew_inner(step, n), n);
        }
        w->to[v] = dew_add(x, step);
    }
    return dew_ok();
}

// ---- volume -------------------------------------------------------------------------------------

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
    DEW_TRY(dew_parallel_for(w->def->tasks, w->count, DEW_CHUNK_ITEMS, volume_chunk, w));
    for (int64_t c = 0; c < dew_chunk_count(w->count, DEW_CHUNK_ITEMS); c++) {
        volume += w->sums[c][0];
        change += w->sums[c][1];
    }
    if (!(change > 0))
        return dew_ok();
    w->rise_m = fmax(-w->def->most_m, fmin((w->def->volume_m3 - volume) / change, w->def->most_m));
    return dew_parallel_for(w->def->tasks, w->count, DEW_CHUNK_ITEMS, lift_chunk, w);
}

// ---- all ----------------------------------------------------------------------------------------

static dew_Status pass(Work *w, dew_ChunkFn *run)
{
    DEW_TRY(dew_parallel_for(w->def->tasks, w->count, DEW_CHUNK_ITEMS, run, w));
    dew_Vec3 *x = w->from;
    w->from = w->to;
    w->to = x;
    return dew_ok();
}

static dew_Status fair(Work *w)
{
    dew_Tasks *tasks = w->def->tasks;
    DEW_TRY(dew_parallel_for(tasks, w->count, DEW_CHUNK_ITEMS, kind_chunk, w));
    for (int i = 0; i < RINGS && w->def->wet; i++) {
        DEW_TRY(dew_parallel_for(tasks, w->count, DEW_CHUNK_ITEMS, ring_chunk, w));
        uint8_t *kind = w->kind;
        w->kind = w->next_kind;
        w->next_kind = kind;
    }
    DEW_TRY(pass(w, border_chunk));
    memcpy(w->old, w->from, (size_t)w->count * sizeof *w->old);
    for (int i = 0; i < w->def->passes; i++)
        DEW_TRY(pass(w, position_chunk));
    DEW_TRY(dew_parallel_for(tasks, w->count, DEW_CHUNK_ITEMS, inset_chunk, w));
    for (int i = 0; i < w->def->passes; i++) {
        DEW_TRY(dew_parallel_for(tasks, w->count, DEW_CHUNK_ITEMS, number_chunk, w));
        double *inset = w->inset;
        w->inset = w->next_inset;
        w->next_inset = inset;
    }
    DEW_TRY(dew_parallel_for(tasks, w->count, DEW_CHUNK_ITEMS, rise_chunk, w));
    for (int i = 0; i < FOLLOWING_PASSES && w->def->wet; i++)
        DEW_TRY(pass(w, follow_chunk));
    return w->def->volume_m3 > 0 ? correct_volume(w) : dew_ok();
}

static bool allocate(Work *w, dew_Arena *scratch, int64_t triangle_count)
{
    int64_t count = w->count, chunks = dew_chunk_count(count, DEW_CHUNK_ITEMS);
    w->first = dew_arena_raw_array(scratch, int32_t, count + 1);
    w->corners = dew_arena_raw_array(scratch, Corner, 3 * triangle_count);
    w->kind = dew_arena_raw_array(scratch, uint8_t, count);
    w->next_kind = dew_arena_raw_array(scratch, uint8_t, count);
    w->from = dew_arena_raw_array(scratch, dew_Vec3, count);
    w->to = dew_arena_raw_array(scratch, dew_Vec3, count);
    w->old = dew_arena_raw_array(scratch, dew_Vec3, count);
    w->normals = dew_arena_raw_array(scratch, dew_Vec3, count);
    w->inset = dew_arena_raw_array(scratch, double, count);
    w->next_inset = dew_arena_raw_array(scratch, double, count);
    w->sums = dew_arena_alloc_raw(scratch, chunks, sizeof *w->sums);
    return w->first && w->corners && w->kind && w->next_kind && w->from && w->to && w->old &&
           w->normals && w->inset && w->next_inset && w->sums;
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
