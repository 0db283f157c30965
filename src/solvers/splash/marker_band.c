// The band: only cells near the surface hold markers; deep cells, all around which is full, are
// known to be liquid without. Markers in deep cells carry no information, and would be the
// majority.
//
// A deep cell counts for as many markers as a full cell should have. Where a cell becomes deep its
// markers go; what that gives and takes is part of the account `owed`. Where it is deep no more it
// gets them all back (marker_reseeding.c). The band is three full cells wide behind the surface
// cells, more where many steps pass between two updates, so that the surface cannot come to its
// end. (Two would do for that, and need a quarter fewer markers; but then so many come and go that
// volume is kept worse, to 2 %.)
//
// Next to solids that move there is a band too: a solid that comes over a cell leads its markers
// out (splash_markers.c), but a deep cell has none to lead, so that a layer of cells before the
// solid would be lost at once. Which solid a cell belongs to is not kept: where one moves, all
// inside the domain count as moving.
#include "base/status.h"
#include "solvers/splash/splash_state.h"

#include <string.h>

typedef struct Work {
    dew_SolverState *s;
    const dew_BrickBits *deep, *next;  // new; and with the cells next to them
    uint8_t *inner;   // 1: full, deep or next to it; DEW_SPLASH_RISEN added: was deep
    int64_t *change;  // per brick: markers given by deepening, less those taken
} Work;

static void write_inner(const dew_BrickBits *next, int depth, uint8_t *inner)
{
    for (int row = 0; row < DEW_BRICK * depth; row++) {
        uint64_t bytes = dew_bits_spread(next->layer[row >> 3] >> 8 * (row & 7));
        memcpy(inner + DEW_BRICK * row, &bytes, sizeof bytes);
    }
}

// Markers of deep cells go; the counts become those of markers alone, for cells that come up.
static dew_Status sink_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    dew_SolverState *s = w->s;
    const dew_Grid *grid = s->grid;
    int full = s->params.per_cell;
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last, change = 0;
        const uint64_t *deep = w->deep[b].layer;
        uint8_t *inner = w->inner + b * grid->brick_cells;
        uint8_t *count = dew_splash_count(s) + b * grid->brick_cells;
        uint8_t *was = dew_splash_deep(s) + b * grid->brick_cells;
        uint64_t any = 0;
        write_inner(&w->next[b], grid->depth, inner);
        for (int k = 0; k < grid->depth; k++) {
            uint64_t old = dew_bits_used(was + 64 * k), risen = old & ~deep[k];
            change += full * (__builtin_popcountll(deep[k]) - __builtin_popcountll(old));
            any |= deep[k];
            while (risen) {
                int n = 64 * k + dew_bits_take(&risen);
                count[n] = (uint8_t)(count[n] - full);
                inner[n] |= DEW_SPLASH_RISEN;
                was[n] = 0;
            }
        }
        dew_particles_of_brick(&s->markers, b, &first, &last);
        dew_Vec3 low = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        for (int64_t n = first; n < last && any; n++) {
            int c = dew_splash_cell_of(s, low, n);
            if (!(deep[c >> 6] >> (c & 63) & 1))
                continue;
            dew_splash_remove(s, n);
            change--;
        }
        for (int k = 0; k < grid->depth; k++)
            for (uint64_t rest = deep[k]; rest;) {
                int n = 64 * k + dew_bits_take(&rest);
                count[n] = (uint8_t)full;
                was[n] = 1;
            }
        w->change[b] = change;
    }
    return dew_ok();
}

// Solids that stay where they are, of a layer of a brick: behind these no band is needed.
static uint64_t resting(const dew_SolverState *s, int32_t b, int k, uint64_t solid)
{
    bool is_own = b < s->grid->brick_count;
    for (uint64_t rest = s->params.has_motion && is_own ? solid : 0; rest;) {
        int n = dew_bits_take(&rest);
        dew_Vec3 x = dew_grid_position(s->grid, b, n & 7, n >> 3, k, DEW_AT_CELL);
        x.z = s->grid->dimensions == 2 ? s->params.domain.min.z : x.z;
        solid &= ~((uint64_t)dew_box_contains(s->params.domain, x) << n);
    }
    return solid;
}

// Between two reseedings the surface must not come to a deep cell.
static int band_cells(const dew_SplashParams *params)
{
    int displacement = (int)ceil(params->reseed_every * params->cfl);
    return displacement > DEW_SPLASH_REACH ? displacement : DEW_SPLASH_REACH;
}

dew_Status dew_splash_find_band(dew_SolverState *state, const dew_CellSets *sets, uint8_t *inner,
                                int64_t *change, dew_Arena *scratch)
{
    const dew_Grid *grid = state->grid;
    int64_t count = grid->brick_count + grid->ghost_count;
    dew_BrickBits *set = dew_arena_array(scratch, dew_BrickBits, count);
    dew_BrickBits *spare = dew_arena_array(scratch, dew_BrickBits, count);
    dew_BrickBits *next = dew_arena_array(scratch, dew_BrickBits, count);
    Work work = {state, set, next, inner, dew_arena_raw_array(scratch, int64_t, grid->brick_count)};
    if (!set || !spare || !next || !work.change)
        return dew_no_memory((size_t)count * sizeof *set);
    for (int64_t b = 0; b < count; b++)
        for (int k = 0; k < grid->depth; k++)
            set[b].layer[k] =
                sets->full[b].layer[k] | resting(state, (int32_t)b, k, sets->solid[b].layer[k]);
    dew_bits_grow(grid, 1 - band_cells(&state->params), &set, &spare);
    for (int64_t b = 0; b < count; b++)
        for (int k = 0; k < grid->depth; k++)
            next[b].layer[k] = set[b].layer[k] & sets->full[b].layer[k];
    dew_bits_grow(grid, -1, &set, &spare);
    for (int64_t b = 0; b < count; b++)
        for (int k = 0; k < grid->depth; k++)
            set[b].layer[k] &= sets->full[b].layer[k];
    work.deep = set;
    DEW_TRY(dew_grid_for(grid, sink_chunk, &work));
    *change = 0;
    for (int32_t b = 0; b < grid->brick_count; b++)
        *change += work.change[b];
    state->markers.is_sorted = false;
    return dew_ok();
}
