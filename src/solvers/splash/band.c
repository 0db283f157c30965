// The band: only cells near the surface hold markers; deep cells, all around which is full, are known to be liquid
// without. A marker of a deep cell would tell nothing, and most would be there.
//
// A deep cell counts for as many markers as a full cell should have. Where a cell becomes deep its markers go; what that
// gives and takes is part of the account `owed`. Where it is deep no more it gets them all back (reseed.c). The band is three full cells wide,
// so that between two updates, each a few steps apart, the surface cannot come to its end.
#include "base/status.h"
#include "solvers/splash/state.h"

#include <string.h>

enum { PAD = 3, WIDTH = DEW_BRICK + 2 * PAD };

typedef struct Work {
    dew_SolverState *s;
    uint8_t *deep;    // new
    uint8_t *inner;   // 1: full, with no surface cell beside; DEW_SPLASH_RISEN added: was deep
    int64_t *change;  // per brick: markers given by deepening, less those taken
} Work;

// Cells around which the cube of `reach` cells in all directions is full or solid, along one axis after the other.
static void erode(uint8_t *tile, int layers, int reach)
{
    uint8_t line[WIDTH];
    for (int a = 0; a < (layers == 1 ? 2 : 3); a++) {
        int stride = a == 0 ? 1 : a == 1 ? WIDTH : WIDTH * WIDTH;
        for (int k = 0; k < (a == 2 ? WIDTH : layers); k++)
            for (int j = 0; j < WIDTH; j++) {
                int base = a == 0   ? WIDTH * j + WIDTH * WIDTH * k
                           : a == 1 ? j + WIDTH * WIDTH * k
                                    : j + WIDTH * k;
                uint8_t *t = tile + base;
                for (int i = PAD; i < WIDTH - PAD; i++) {
                    uint8_t all = 1;
                    for (int d = -reach; d <= reach; d++)
                        all &= t[(i + d) * stride];
                    line[i] = all;
                }
                for (int i = PAD; i < WIDTH - PAD; i++)
                    t[i * stride] = line[i];
            }
    }
}

static dew_Status find_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->s->grid;
    const uint8_t *kind = dew_splash_kind(w->s);
    int layers = grid->depth == 1 ? 1 : WIDTH;
    uint8_t tile[DEW_TILE_SIZE(PAD)], copy[DEW_TILE_SIZE(PAD)];
    for (int64_t b = begin; b < end; b++) {
        uint8_t *deep = w->deep + b * grid->brick_cells;
        uint8_t *inner = w->inner + b * grid->brick_cells;
        bool has_full = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            has_full |= kind[b * grid->brick_cells + n] == DEW_SPLASH_FULL;
            deep[n] = inner[n] = 0;
        }
        if (!has_full)
            continue;
        dew_tile_load_u8(grid, kind, (int32_t)b, PAD, DEW_SPLASH_EMPTY, tile);
        uint8_t *first = grid->depth == 1 ? tile + PAD * WIDTH * WIDTH : tile;
        int size = layers * WIDTH * WIDTH;
        for (int t = 0; t < size; t++)
            first[t] = first[t] == DEW_SPLASH_FULL || first[t] == DEW_SPLASH_OBSTACLE;
        memcpy(copy, tile, sizeof copy);
        erode(first, layers, PAD);
        erode(grid->depth == 1 ? copy + PAD * WIDTH * WIDTH : copy, layers, PAD - 1);
        for (int n = 0; n < grid->brick_cells; n++) {
            int t = dew_tile_at(PAD, n & 7, n >> 3 & 7, n >> 6);
            bool is_full = kind[b * grid->brick_cells + n] == DEW_SPLASH_FULL;
            deep[n] = tile[t] && is_full;
            inner[n] = copy[t] && is_full;
        }
    }
    return dew_ok();
}

// Markers of deep cells go; the counts become those of markers alone, for cells that come up.
static dew_Status sink_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    dew_SolverState *s = w->s;
    const dew_Grid *grid = s->grid;
    int full = s->laws.per_cell;
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last, change = 0;
        const uint8_t *deep = w->deep + b * grid->brick_cells;
        uint8_t *inner = w->inner + b * grid->brick_cells;
        uint8_t *count = dew_splash_count(s) + b * grid->brick_cells;
        uint8_t *was = dew_splash_deep(s) + b * grid->brick_cells;
        bool has_deep = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            change += full * (deep[n] - was[n]);
            has_deep |= deep[n];
            if (!was[n] || deep[n])
                continue;
            count[n] = (uint8_t)(count[n] - full);
            inner[n] |= DEW_SPLASH_RISEN;
        }
        dew_particles_of_brick(&s->markers, b, &first, &last);
        dew_Vec3 low = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        for (int64_t n = first; n < last && has_deep; n++) {
            int c = dew_splash_cell_in(grid, low, dew_particles_position(&s->markers, n));
            if (!deep[c])
                continue;
            dew_particles_ids(&s->markers)[n] = DEW_DEAD;
            change--;
        }
        for (int n = 0; n < grid->brick_cells; n++) {
            count[n] = deep[n] ? (uint8_t)full : count[n];
            was[n] = deep[n];
        }
        w->change[b] = change;
    }
    return dew_ok();
}

dew_Status dew_splash_find_band(dew_SolverState *state, uint8_t *inner, int64_t *change,
                                dew_Arena *scratch)
{
    const dew_Grid *grid = state->grid;
    int64_t count = dew_grid_value_count(grid);
    Work work = {state, dew_arena_raw_array(scratch, uint8_t, count), inner,
                 dew_arena_raw_array(scratch, int64_t, grid->brick_count)};
    if (!work.deep || !work.change)
        return dew_no_memory((size_t)count);
    DEW_TRY(dew_grid_for(grid, find_chunk, &work));
    DEW_TRY(dew_grid_for(grid, sink_chunk, &work));
    *change = 0;
    for (int32_t b = 0; b < grid->brick_count; b++)
        *change += work.change[b];
    state->markers.is_sorted = false;
    return dew_ok();
}
