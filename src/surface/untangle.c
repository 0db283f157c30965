// Crossings undone by small steps. See untangle.h.
#include "surface/untangle.h"

#include "base/status.h"
#include "base/union_find.h"
#include "geom/mesh_crossings.h"
#include "surface/remake.h"
#include "surface/step_back.h"

#include <string.h>

#define MAX_ROUNDS       12  // of each kind of move, and of the correction of volumes
#define MARCHED_ATTEMPTS 2   // remake pieces in their shape; later ones as balls
#define MAX_VOLUME_CHANGE                                                                          \
    1e-4                     // of a piece, relative: half the tolerance of frames against the table
#define MAX_PAIRS_MOVED 0.2  // crossing pairs per triangle; more are remade at once

// How the vertices of crossing triangles move.
typedef enum Move {
    DRY_OUTWARD,  // wet vertices stay on their solid
    ALL_OUTWARD,
    SMOOTH_DRY,
    SMOOTH_ALL,
    ALL_INWARD,
    MOVE_COUNT
} Move;

typedef struct Work {
    dew_Surface *surface;
    const dew_Triangle *triangles;
    dew_Vec3 *x;
    int64_t n, triangle_count;
    dew_Vec3 *rounded, *best, *normal, *sum;
    double *edge;                 // sum of lengths around
    uint32_t *count;              // of neighbours, each twice
    uint32_t *piece;              // root of the connected component
    uint8_t *is_moved;            // in this round
    uint8_t *is_apart;            // crosses another piece
    uint8_t *is_asked;            // per triangle: moved in this round
    dew_Array pairs, best_pairs;  // dew_TrianglePair, at x and at `best`, in ascending order
    dew_Array kept;               // scratch
    dew_Array first_pairs;        // before any vertex moved
    dew_Tasks *tasks;
    dew_Arena *scratch;
} Work;

static dew_Status find_pairs(Work *w, const uint8_t *is_asked)
{
    for (int64_t v = 0; v < w->n; v++)
        w->rounded[v] = dew_as_written(w->x[v]);
    dew_CrossingSearch search = {.positions = w->rounded,
                                 .triangles = w->triangles,
                                 .triangle_count = w->triangle_count,
                                 .is_asked = is_asked,
                                 .tasks = w->tasks,
                                 .scratch = w->scratch};
    return dew_mesh_crossings(&search, &w->pairs);
}

// Pairs of which no triangle moved stay; those of triangles that did are searched for anew.
static dew_Status update_pairs(Work *w)
{
    w->kept.count = 0;
    for (int64_t i = 0; i < w->pairs.count; i++) {
        const dew_TrianglePair *pair = &DEW_ITEMS(&w->pairs, dew_TrianglePair)[i];
        if (!w->is_asked[pair->first] && !w->is_asked[pair->second])
            DEW_TRY(dew_array_push(&w->kept, pair));
    }
    DEW_TRY(find_pairs(w, w->is_asked));
    int64_t kept = w->kept.count, found = w->pairs.count;
    DEW_TRY(dew_array_resize(&w->pairs, kept + found));
    dew_TrianglePair *to = DEW_ITEMS(&w->pairs, dew_TrianglePair);
    const dew_TrianglePair *from = DEW_ITEMS(&w->kept, dew_TrianglePair);
    while (kept > 0) {  // merged from the end: no pair is in both
        bool is_found_last = found > 0 && (to[found - 1].first > from[kept - 1].first ||
                                           (to[found - 1].first == from[kept - 1].first &&
                                            to[found - 1].second > from[kept - 1].second));
        int64_t at = kept + found - 1;
        to[at] = is_found_last ? to[--found] : from[--kept];
    }
    return dew_ok();
}

// ---- one round ---------------------------------------------------------------------------------

static void mark_pairs(Work *w)
{
    memset(w->is_moved, 0, (size_t)w->n);
    memset(w->is_apart, 0, (size_t)w->n);
    for (int64_t i = 0; i < w->pairs.count; i++) {
        dew_TrianglePair pair = DEW_ITEMS(&w->pairs, dew_TrianglePair)[i];
        const uint32_t *a = w->triangles[pair.first].v, *b = w->triangles[pair.second].v;
        bool is_apart = w->piece[a[0]] != w->piece[b[0]];
        for (int c = 0; c < 3; c++) {
            w->is_moved[a[c]] = w->is_moved[b[c]] = 1;
            if (is_apart)
                w->is_apart[a[c]] = w->is_apart[b[c]] = 1;
        }
    }
}

// The vertices around those marked, too.
static void mark_ring(Work *w)
{
    for (int64_t t = 0; t < w->triangle_count; t++) {
        const uint32_t *v = w->triangles[t].v;
        if (w->is_moved[v[0]] == 1 || w->is_moved[v[1]] == 1 || w->is_moved[v[2]] == 1)
            for (int c = 0; c < 3; c++)
                w->is_moved[v[c]] = w->is_moved[v[c]] == 1 ? 1 : 2;
    }
    for (int64_t v = 0; v < w->n; v++)
        w->is_moved[v] = w->is_moved[v] != 0;
}

// Normals, neighbours and edges of marked vertices.
static void gather(Work *w)
{
    for (int64_t v = 0; v < w->n; v++) {
        w->normal[v] = w->sum[v] = dew_vec(0, 0, 0);
        w->edge[v] = 0;
        w->count[v] = 0;
    }
    for (int64_t t = 0; t < w->triangle_count; t++) {
        const uint32_t *v = w->triangles[t].v;
        if (!w->is_moved[v[0]] && !w->is_moved[v[1]] && !w->is_moved[v[2]])
            continue;
        dew_Vec3 n = dew_cross(dew_sub(w->x[v[1]], w->x[v[0]]), dew_sub(w->x[v[2]], w->x[v[0]]));
        for (int c = 0; c < 3; c++) {
            uint32_t o = v[c];
            w->normal[o] = dew_add(w->normal[o], n);
            for (int k = 1; k < 3; k++) {
                uint32_t other = v[(c + k) % 3];
                w->sum[o] = dew_add(w->sum[o], w->x[other]);
                w->edge[o] += dew_distance(w->x[o], w->x[other]);
                w->count[o]++;
            }
        }
    }
}

static dew_Vec3 moved(const Work *w, int64_t v, Move move, int round)
{
    bool is_wet = DEW_ITEMS(&w->surface->wet, float)[v] > 0;
    dew_Vec3 x = w->x[v], n = w->normal[v];
    if (w->count[v] == 0 || (is_wet && (move == DRY_OUTWARD || move == SMOOTH_DRY)))
        return x;
    // Of the mean edge; in the last round a quarter of it.
    double step = 0.25 * (1 + round) / MAX_ROUNDS * w->edge[v] / w->count[v];
    n = dew_length2(n) > 0 ? dew_normalize(n) : n;
    if (w->is_apart[v])
        return dew_add_scaled(x, -step, n);
    if (move == SMOOTH_DRY || move == SMOOTH_ALL) {
        dew_Vec3 mean = dew_scale(1.0 / w->count[v], w->sum[v]);
        return dew_combine(0.5, x, 0.5, mean);
    }
    return dew_add_scaled(x, move == ALL_INWARD ? -step : step, n);
}

static dew_Status move_round(Work *w, Move move, int round)
{
    mark_pairs(w);
    if (move >= SMOOTH_DRY)
        for (int ring = 0; ring < round / 4; ring++)
            mark_ring(w);
    gather(w);
    for (int64_t v = 0; v < w->n; v++)
        w->sum[v] = w->is_moved[v] ? moved(w, v, move, round) : w->x[v];
    memcpy(w->x, w->sum, (size_t)w->n * sizeof *w->x);
    for (int64_t t = 0; t < w->triangle_count; t++) {
        const uint32_t *v = w->triangles[t].v;
        w->is_asked[t] = w->is_moved[v[0]] | w->is_moved[v[1]] | w->is_moved[v[2]];
    }
    DEW_TRY(update_pairs(w));
    if (w->pairs.count < w->best_pairs.count) {
        DEW_TRY(dew_array_copy(&w->best_pairs, &w->pairs));
        memcpy(w->best, w->x, (size_t)w->n * sizeof *w->x);
    }
    return dew_ok();
}

static dew_Status try_moves(Work *w)
{
    if ((double)w->pairs.count > MAX_PAIRS_MOVED * (double)w->triangle_count)
        return dew_ok();
    for (int move = 0; move < MOVE_COUNT && w->best_pairs.count > 0; move++) {
        int64_t begun = w->pairs.count;  // more than that: vertices move into other triangles
        for (int round = 0;
             round < MAX_ROUNDS && w->best_pairs.count > 0 && w->pairs.count <= begun; round++)
            DEW_TRY(move_round(w, (Move)move, round));
        memcpy(w->x, w->best, (size_t)w->n * sizeof *w->x);
        DEW_TRY(dew_array_copy(&w->pairs, &w->best_pairs));
    }
    return dew_ok();
}

// ---- volumes -----------------------------------------------------------------------------------

static void piece_volumes(const Work *w, const dew_Vec3 *x, double *volume)
{
    for (int64_t v = 0; v < w->n; v++)
        volume[v] = 0;
    for (int64_t t = 0; t < w->triangle_count; t++) {
        const uint32_t *v = w->triangles[t].v;
        uint32_t o = w->piece[v[0]];  // about a vertex of the piece: small numbers round less
        dew_Vec3 a = dew_sub(x[v[0]], x[o]), b = dew_sub(x[v[1]], x[o]), c = dew_sub(x[v[2]], x[o]);
        volume[o] += dew_inner(a, dew_cross(b, c)) / 6;
    }
}

// Dry vertices move along their normals to give each piece its volume; *error: the worst relative
// one before.
static void shift_dry(Work *w, const double *wanted, double *volume, double *area, double *error)
{
    const float *wet = DEW_ITEMS(&w->surface->wet, float);
    *error = 0;
    piece_volumes(w, w->x, volume);
    gather(w);
    for (int64_t v = 0; v < w->n; v++)
        area[v] = 0;
    for (int64_t v = 0; v < w->n; v++)
        area[w->piece[v]] += wet[v] > 0 ? 0 : dew_length(w->normal[v]) / 6;
    for (int64_t v = 0; v < w->n; v++) {
        uint32_t o = w->piece[v];
        if (v == o && wanted[o] != 0)
            *error = fmax(*error, fabs(volume[o] / wanted[o] - 1));
        if (wet[v] > 0 || !(area[o] > 0) || !(dew_length2(w->normal[v]) > 0))
            continue;
        double shift = (wanted[o] - volume[o]) / area[o];
        w->x[v] = dew_add_scaled(w->x[v], shift, dew_normalize(w->normal[v]));
    }
}

// What steps back because it would cross again is made up for by the others, in the next round.
static dew_Status restore_volumes(Work *w, const double *wanted)
{
    double *volume = dew_arena_raw_array(w->scratch, double, w->n);
    double *area = dew_arena_raw_array(w->scratch, double, w->n), error;
    if (!volume || !area)
        return dew_no_memory((size_t)w->n * sizeof *volume);
    memset(w->is_moved, 1, (size_t)w->n);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        memcpy(w->best, w->x, (size_t)w->n * sizeof *w->x);
        shift_dry(w, wanted, volume, area, &error);
        if (error < (double)FLT_EPSILON) {  // the rounding of a frame
            memcpy(w->x, w->best, (size_t)w->n * sizeof *w->x);
            break;
        }
        dew_StepBack back = {.triangles = w->triangles,
                             .triangle_count = w->triangle_count,
                             .vertex_count = w->n,
                             .safe = w->best,
                             .positions = w->x,
                             .tasks = w->tasks,
                             .scratch = w->scratch};
        DEW_TRY(dew_surface_step_back(&back, NULL));
    }
    return dew_ok();
}

// ---- all of it ---------------------------------------------------------------------------------

static dew_Status prepare(Work *w)
{
    w->best = dew_arena_raw_array(w->scratch, dew_Vec3, w->n);
    w->normal = dew_arena_raw_array(w->scratch, dew_Vec3, w->n);
    w->sum = dew_arena_raw_array(w->scratch, dew_Vec3, w->n);
    w->edge = dew_arena_raw_array(w->scratch, double, w->n);
    w->count = dew_arena_raw_array(w->scratch, uint32_t, w->n);
    w->piece = dew_arena_raw_array(w->scratch, uint32_t, w->n);
    w->is_moved = dew_arena_array(w->scratch, uint8_t, w->n);
    w->is_apart = dew_arena_array(w->scratch, uint8_t, w->n);
    w->is_asked = dew_arena_array(w->scratch, uint8_t, w->triangle_count);
    if (!w->best || !w->normal || !w->sum || !w->edge || !w->count || !w->piece || !w->is_moved ||
        !w->is_apart || !w->is_asked)
        return dew_no_memory((size_t)w->n * sizeof *w->best);
    for (int64_t v = 0; v < w->n; v++)
        w->piece[v] = (uint32_t)v;
    for (int64_t t = 0; t < w->triangle_count; t++) {
        dew_join_vertices(w->piece, w->triangles[t].v[0], w->triangles[t].v[1]);
        dew_join_vertices(w->piece, w->triangles[t].v[0], w->triangles[t].v[2]);
    }
    for (int64_t v = 0; v < w->n; v++)
        w->piece[v] = dew_vertex_root(w->piece, (uint32_t)v);
    memcpy(w->best, w->x, (size_t)w->n * sizeof *w->x);
    DEW_TRY(dew_array_copy(&w->first_pairs, &w->pairs));
    return dew_array_copy(&w->best_pairs, &w->pairs);
}

// Copies of where the vertices were and of what the pieces enclosed.
typedef struct Before {
    dew_Vec3 *x;
    double *volume;
} Before;

// Groups of pieces that still cross, or have lost too much of their volume, are back where they
// were. Pieces that crossed there belong to one group, too: each made anew by itself would cross
// again.
static dew_Status give_up(Work *w, const Before *before, uint32_t *group, uint8_t *is_bad,
                          bool *has_any)
{
    double *volume = dew_arena_raw_array(w->scratch, double, w->n);
    if (!volume)
        return dew_no_memory((size_t)w->n * sizeof *volume);
    piece_volumes(w, w->x, volume);
    memcpy(group, w->piece, (size_t)w->n * sizeof *group);
    for (int64_t i = 0; i < w->first_pairs.count; i++) {
        dew_TrianglePair pair = DEW_ITEMS(&w->first_pairs, dew_TrianglePair)[i];
        dew_join_vertices(group, w->triangles[pair.first].v[0], w->triangles[pair.second].v[0]);
    }
    for (int64_t i = 0; i < w->pairs.count; i++) {
        dew_TrianglePair pair = DEW_ITEMS(&w->pairs, dew_TrianglePair)[i];
        uint32_t a = w->triangles[pair.first].v[0], b = w->triangles[pair.second].v[0];
        dew_join_vertices(group, a, b);
        is_bad[w->piece[a]] = is_bad[w->piece[b]] = 1;
    }
    for (uint32_t v = 0; v < w->n; v++)
        if (w->piece[v] == v &&
            fabs(volume[v] - before->volume[v]) > MAX_VOLUME_CHANGE * before->volume[v])
            is_bad[v] = 1;
    for (uint32_t v = 0; v < w->n; v++) {
        uint32_t o = w->piece[v];
        group[v] = dew_vertex_root(group, v);
        if (is_bad[o])
            is_bad[group[v]] = 1;
    }
    for (uint32_t v = 0; v < w->n; v++) {
        is_bad[v] = is_bad[group[v]];
        *has_any = *has_any || is_bad[v];
        if (is_bad[v])
            w->x[v] = before->x[v];
    }
    return dew_ok();
}

static dew_Status untangle(Work *w, bool as_balls, bool *has_remade)
{
    w->rounded = dew_arena_raw_array(w->scratch, dew_Vec3, w->n);
    if (!w->rounded)
        return dew_no_memory((size_t)w->n * sizeof *w->rounded);
    DEW_TRY(find_pairs(w, NULL));
    if (w->pairs.count == 0)
        return dew_ok();
    DEW_TRY(prepare(w));
    Before before = {dew_arena_raw_array(w->scratch, dew_Vec3, w->n),
                     dew_arena_raw_array(w->scratch, double, w->n)};
    uint32_t *group = dew_arena_raw_array(w->scratch, uint32_t, w->n);
    uint8_t *is_bad = dew_arena_array(w->scratch, uint8_t, w->n);
    if (!before.x || !before.volume || !group || !is_bad)
        return dew_no_memory((size_t)w->n * sizeof *before.x);
    memcpy(before.x, w->x, (size_t)w->n * sizeof *w->x);
    piece_volumes(w, w->x, before.volume);
    DEW_TRY(try_moves(w));
    if (w->pairs.count == 0)
        DEW_TRY(restore_volumes(w, before.volume));
    DEW_TRY(give_up(w, &before, group, is_bad, has_remade));
    dew_RemakeDef def = {.group = group, .is_bad = is_bad, .as_balls = as_balls, .tasks = w->tasks};
    return *has_remade ? dew_surface_remake(w->surface, &def) : dew_ok();
}

static dew_Status untangle_once(dew_Surface *surface, dew_Tasks *tasks, bool as_balls,
                                bool *has_remade, int64_t *left)
{
    Work w = {.surface = surface,
              .triangles = DEW_ITEMS(&surface->triangles, dew_Triangle),
              .x = DEW_ITEMS(&surface->positions, dew_Vec3),
              .n = surface->positions.count,
              .triangle_count = surface->triangles.count,
              .tasks = tasks,
              .scratch = &surface->scratch};
    dew_Status status = dew_ok();
    dew_ArenaMark mark = dew_arena_mark(w.scratch);
    dew_Array *const arrays[] = {&w.pairs, &w.best_pairs, &w.kept, &w.first_pairs};
    for (int k = 0; k < 4; k++)
        dew_array_init(arrays[k], &surface->allocator, sizeof(dew_TrianglePair));
    *has_remade = false;
    if (w.triangle_count > 0)
        status = untangle(&w, as_balls, has_remade);
    *left = w.pairs.count;
    for (int k = 0; k < 4; k++)
        dew_array_deinit(arrays[k]);
    dew_arena_rewind(w.scratch, mark);
    return status;
}

// What is made anew may cross its neighbours, and is then made one with them. A ball crosses no
// part of itself, so every attempt that makes balls leaves fewer pieces that can cross: there is an
// end.
dew_Status dew_surface_untangle(dew_Surface *surface, dew_Tasks *tasks, int64_t *left)
{
    bool has_remade = true;
    int64_t pairs = 0, last_pairs = -1, last_count = -1;
    for (int attempt = 0; has_remade; attempt++) {
        int64_t count = surface->positions.count;
        DEW_TRY(untangle_once(surface, tasks, attempt >= MARCHED_ATTEMPTS, &has_remade, &pairs));
        if (attempt > MARCHED_ATTEMPTS && pairs == last_pairs && count == last_count)
            break;  // pieces without volume, which cannot be made anew
        last_pairs = pairs;
        last_count = count;
    }
    if (left)
        *left = pairs;
    return dew_ok();
}
