// Redistancing by fast sweeping [Zhao2005]: first order.
//
// Cells beside the surface keep their crossing distance; all others solve |grad d| = 1 upwind, swept inside
// bricks and exchanged between them until nothing changes. Lengths are in cells.
#include "base/status.h"
#include "grid/block_sweep.h"
#include "grid/redistance.h"

#include <string.h>

#define WIDTH (DEW_BRICK + 2)

typedef struct Work {
    const dew_Grid *grid;
    const double *phi;
    double band;
    double *now, *next;         // distances; beside the surface stored as -1 - d to mark them fixed
    uint8_t *has_changed;       // per brick: in the last round
    uint8_t *was_changed_near;  // per brick: there or beside it, in the round before
} Work;

// No care for NaN, unlike fmin, which costs a call.
static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// Solves sum over axes of max(d - d_a, 0)^2 = 1 for the least d.
static double upwind_solve(double a, double b, double c)
{
    double ab = smaller(a, b), ba = a < b ? b : a;  // to be sorted
    double lo = smaller(ab, c), rest = ab < c ? c : ab;
    double mid = smaller(ba, rest), hi = ba < rest ? rest : ba;
    double d = lo + 1;
    if (d <= mid)
        return d;
    double gap = mid - lo;
    d = 0.5 * (lo + mid + sqrt(2 - gap * gap));
    if (d <= hi)
        return d;
    double sum = lo + mid + hi, square = lo * lo + mid * mid + hi * hi;
    return (sum + sqrt(fmax(sum * sum - 3 * (square - 1), 0))) / 3;
}

static dew_Status start_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    const dew_Grid *grid = work->grid;
    const int stride[3] = {1, WIDTH, WIDTH * WIDTH};
    double tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_cross(grid, work->phi, (int32_t)b, 1, tile);
        for (int n = 0; n < grid->brick_cells; n++) {
            int at = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            double d = dew_crossing_distance(tile, at, stride, dew_grid_axes(grid));
            work->now[b * grid->brick_cells + n] = d < HUGE_VAL ? -1 - d : work->band;
        }
    }
    return dew_ok();
}

static double distance_of(double stored)
{
    return stored < 0 ? -1 - stored : stored;
}

static bool sweep_tile(double *tile, int depth, int dimensions)
{
    const int y = WIDTH, z = WIDTH * WIDTH;
    bool has_changed = false;
    for (int sweep = 0; sweep < 1 << dimensions; sweep++)
        for (int n = 0; n < 64 * depth; n++) {
            int i = dew_sweep_index(sweep, 0, n & 7, 8),
                j = dew_sweep_index(sweep, 1, n >> 3 & 7, 8);
            double *p = tile + dew_tile_at(1, i, j, dew_sweep_index(sweep, 2, n >> 6, depth));
            if (*p < 0)
                continue;
            double a = smaller(distance_of(p[-1]), distance_of(p[1]));
            double b = smaller(distance_of(p[-y]), distance_of(p[y]));
            double c = dimensions == 3 ? smaller(distance_of(p[-z]), distance_of(p[z])) : HUGE_VAL;
            double d = upwind_solve(a, b, c);
            if (d < *p - 1e-9) {
                *p = d;
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
    double tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        int64_t first = b * grid->brick_cells;
        if (!work->was_changed_near[b]) {
            work->has_changed[b] = 0;
            memcpy(work->next + first, work->now + first,
                   (size_t)grid->brick_cells * sizeof(double));
            continue;
        }
        dew_tile_load_or(grid, work->now, (int32_t)b, 1, work->band, tile);
        work->has_changed[b] = sweep_tile(tile, grid->depth, grid->dimensions);
        for (int n = 0; n < grid->brick_cells; n++)
            work->next[b * grid->brick_cells + n] = tile[dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6)];
    }
    return dew_ok();
}

static void note_changes(Work *work)
{
    for (int32_t b = 0; b < work->grid->brick_count; b++) {
        const int32_t *near = dew_grid_neighbours(work->grid, b);
        uint8_t is_near = 0;
        for (int n = 0; n < 27; n++)
            if (near[n] >= 0 && near[n] < work->grid->brick_count && n != 13)
                is_near |= work->has_changed[near[n]];
        work->was_changed_near[b] = is_near;
    }
}

dew_Status dew_redistance_sweep(dew_Grid *grid, double *phi, double band_m, dew_Arena *scratch,
                                dew_Redistanced *told)
{
    int64_t count = dew_grid_value_count(grid);
    Work work = {.grid = grid, .phi = phi, .band = band_m / grid->cell_m};
    work.now = dew_arena_array(scratch, double, count);
    work.next = dew_arena_array(scratch, double, count);
    work.has_changed = dew_arena_array(scratch, uint8_t, grid->brick_count);
    work.was_changed_near = dew_arena_array(scratch, uint8_t, grid->brick_count);
    if (!work.now || !work.next || !work.has_changed || !work.was_changed_near)
        return dew_no_memory((size_t)count * sizeof(double));
    DEW_TRY(dew_grid_for(grid, start_chunk, &work));
    memset(work.was_changed_near, 1, (size_t)grid->brick_count);
    for (bool goes_on = grid->brick_count > 0; goes_on;) {
        DEW_TRY(dew_grid_for(grid, round_chunk, &work));
        double *swap = work.now;
        work.now = work.next;
        work.next = swap;
        note_changes(&work);
        goes_on = memchr(work.has_changed, 1, (size_t)grid->brick_count) != NULL;
    }
    for (int64_t n = 0; n < grid->brick_count * (int64_t)grid->brick_cells; n++) {
        double d = distance_of(work.now[n]);
        told->near_count += d < work.band;
        phi[n] = copysign(fmin(d, work.band) * grid->cell_m, phi[n]);
    }
    return dew_ok();
}
