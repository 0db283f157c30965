// Extension constant along normals [AdalsteinssonSethian1999]: grad q . grad phi = 0, upwind.
//
// With b_a the neighbour along axis a that lies nearer to the surface, and w_a the fall of phi towards it,
// q = sum w_a q(b_a) / sum w_a. Each value depends on values nearer to the surface only, so what the sweeps
// converge to is unique. A sample without any neighbour to follow stays unknown.
#include "base/status.h"
#include "grid/block_sweep.h"
#include "grid/levelset.h"

#include <string.h>

#define WIDTH (DEW_BRICK + 2)

typedef struct Work {
    const dew_Grid *grid;
    const double *phi;
    double sign;  // 1: outwards
    double band_m;
    double *q, *next_q;
    uint8_t *known, *next_known;
    uint8_t *has_changed;  // per brick
} Work;

typedef struct Tiles {
    double phi[DEW_TILE_SIZE(1)], q[DEW_TILE_SIZE(1)];
    uint8_t known[DEW_TILE_SIZE(1)];
} Tiles;

// The value at `at` from its neighbours nearer to the surface. False while one that matters is unknown.
static bool follow(const Tiles *t, int at, double sign, int axes, double *value)
{
    const int stride[3] = {1, WIDTH, WIDTH * WIDTH};
    double sum = 0, weight = 0;
    for (int a = 0; a < axes; a++) {
        double here = sign * t->phi[at];
        double lower = sign * t->phi[at - stride[a]], upper = sign * t->phi[at + stride[a]];
        int from = lower < upper ? at - stride[a] : at + stride[a];
        double fall = here - (lower < upper ? lower : upper);
        if (fall <= 0)
            continue;
        if (!t->known[from])
            return false;
        sum += fall * t->q[from];
        weight += fall;
    }
    if (weight > 0)
        *value = sum / weight;
    return weight > 0;
}

static bool sweep_tiles(Tiles *t, const Work *work)
{
    const dew_Grid *grid = work->grid;
    bool has_changed = false;
    for (int sweep = 0; sweep < 1 << grid->dimensions; sweep++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int i = dew_sweep_index(sweep, 0, n & 7, 8),
                j = dew_sweep_index(sweep, 1, n >> 3 & 7, 8);
            int at = dew_tile_at(1, i, j, dew_sweep_index(sweep, 2, n >> 6, grid->depth));
            if (t->known[at] || !(fabs(t->phi[at]) < work->band_m))
                continue;
            if (follow(t, at, work->sign, dew_grid_axes(grid), &t->q[at])) {
                t->known[at] = 2;
                has_changed = true;
            }
        }
    return has_changed;
}

static dew_Status round_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    const dew_Grid *grid = work->grid;
    Tiles tiles;
    for (int64_t b = begin; b < end; b++) {
        int64_t first = b * grid->brick_cells;
        size_t count = (size_t)grid->brick_cells;
        memcpy(work->next_q + first, work->q + first, count * sizeof(double));
        memcpy(work->next_known + first, work->known + first, count);
        work->has_changed[b] = 0;
        if (!memchr(work->known + first, 0, count))
            continue;
        dew_tile_load_cross(grid, work->phi, (int32_t)b, 1, tiles.phi);
        dew_tile_load_cross(grid, work->q, (int32_t)b, 1, tiles.q);
        dew_tile_load_u8(grid, work->known, (int32_t)b, 1, 0, tiles.known);
        work->has_changed[b] = sweep_tiles(&tiles, work);
        for (int n = 0; work->has_changed[b] && n < grid->brick_cells; n++) {
            int at = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            work->next_q[first + n] = tiles.q[at];
            work->next_known[first + n] = tiles.known[at];
        }
    }
    return dew_ok();
}

static dew_Status store_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    int64_t cells = work->grid->brick_cells;
    for (int64_t b = begin; b < end; b++)
        if (work->has_changed[b]) {
            memcpy(work->q + b * cells, work->next_q + b * cells, (size_t)cells * sizeof(double));
            memcpy(work->known + b * cells, work->next_known + b * cells, (size_t)cells);
        }
    return dew_ok();
}

dew_Status dew_levelset_extend(dew_Grid *grid, const double *phi, double *q, uint8_t *is_known,
                               double band_m, bool is_outwards, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    int64_t count = dew_grid_value_count(grid);
    Work work = {.grid = grid,
                 .phi = phi,
                 .sign = is_outwards ? 1 : -1,
                 .band_m = band_m,
                 .q = q,
                 .known = is_known};
    work.next_q = dew_arena_array(scratch, double, count);
    work.next_known = dew_arena_array(scratch, uint8_t, count);
    work.has_changed = dew_arena_array(scratch, uint8_t, grid->brick_count);
    if (!work.next_q || !work.next_known || !work.has_changed)
        return dew_no_memory((size_t)count * sizeof(double));
    for (bool goes_on = grid->brick_count > 0; goes_on;) {
        DEW_TRY(dew_grid_for(grid, round_chunk, &work));
        DEW_TRY(dew_grid_for(grid, store_chunk, &work));
        goes_on = memchr(work.has_changed, 1, (size_t)grid->brick_count) != NULL;
    }
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

// ---- phi at faces --------------------------------------------------------------------------------

typedef struct Faces {
    const dew_Grid *grid;
    const double *phi;
    int axis;
    double *out;
} Faces;

static dew_Status faces_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Faces *faces = context;
    const dew_Grid *grid = faces->grid;
    const int stride[3] = {1, WIDTH, WIDTH * WIDTH};
    double tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_cross(grid, faces->phi, (int32_t)b, 1, tile);
        for (int n = 0; n < grid->brick_cells; n++) {
            int at = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            faces->out[b * grid->brick_cells + n] =
                0.5 * (tile[at] + tile[at - stride[faces->axis]]);
        }
    }
    return dew_ok();
}

dew_Status dew_levelset_to_faces(dew_Grid *grid, const double *phi, int axis, double *at_faces)
{
    Faces faces = {grid, phi, axis, at_faces};
    return dew_grid_for(grid, faces_chunk, &faces);
}
