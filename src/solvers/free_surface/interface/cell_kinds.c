// What each cell is ([Durikovic] sections 2.2 and 2.5), by sets of cells as bits: where liquid and
// its surface are, found by markers, or by a level set and markers far from it.
//
// differs: a cell without markers that has liquid or obstacles on all sides is taken for full; the
// paper's liquid gets holes there. Reseeding then fills it.
#include "base/status.h"
#include "problem/nozzle.h"
#include "solvers/free_surface/cells.h"
#include "solvers/free_surface/liquid.h"

#include <string.h>

typedef struct Kinds {
    const dew_CellsDef *def;
    const dew_Grid *grid;
    bool has_sinks;
    dew_CellSets sets;
    dew_BrickBits *held;  // cells with liquid, sources too
    dew_BrickBits *used;  // these and obstacles; then also holes
    dew_BrickBits *found;
} Kinds;

// A sink is never full: liquid flows into it as into the air.
static bool is_sink(const Kinds *w, int32_t b, int n)
{
    return w->has_sinks &&
           dew_problem_in_sink(w->def->problem, dew_grid_position(w->grid, b, n & 7, n >> 3 & 7,
                                                                  n >> 6, DEW_AT_CELL));
}

// With a level set: what it covers, and markers far from it.
static bool is_in_level_set(const dew_CellsDef *def, int32_t b, int n)
{
    double phi = def->phi(def->context, b, n);
    return phi < 0 || (def->count[(int64_t)b * def->grid->brick_cells + n] > 0 &&
                       phi > DEW_LIQUID_SHELL * def->grid->cell_m);
}

static uint64_t held_by_level_set(const dew_CellsDef *def, int32_t b, int k)
{
    uint64_t held = 0;
    for (int n = 0; n < 64; n++)
        held |= (uint64_t)is_in_level_set(def, b, 64 * k + n) << n;
    return held;
}

static uint64_t without_sinks(const Kinds *w, int32_t b, int k, uint64_t held)
{
    uint64_t rest = w->has_sinks ? held : 0;
    while (rest) {
        int n = dew_bits_take(&rest);
        held &= ~((uint64_t)is_sink(w, b, 64 * k + n) << n);
    }
    return held;
}

static dew_Status presence_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Kinds *w = context;
    const dew_Grid *grid = w->grid;
    for (int64_t b = begin; b < end; b++)
        for (int k = 0; k < grid->depth; k++) {
            int64_t first = b * grid->brick_cells + 64 * k;
            uint64_t solid = dew_bits_plane(w->def->kind + first, 2);
            uint64_t held = w->def->phi ? held_by_level_set(w->def, (int32_t)b, k)
                                        : dew_bits_used(w->def->count + first);
            held = without_sinks(w, (int32_t)b, k, held & ~solid);
            w->sets.solid[b].layer[k] = solid;
            w->held[b].layer[k] = held;
            w->used[b].layer[k] = held | solid;
        }
    return dew_ok();
}

static void mark_source(void *context, const dew_LiquidNozzle *nozzle, const int32_t c[3],
                        int64_t at)
{
    (void)nozzle;
    const Kinds *w = context;
    const dew_Grid *grid = w->grid;
    if (!dew_grid_is_inside(grid, c) || w->def->kind[at] == DEW_CELL_OBSTACLE)
        return;
    int64_t b = at / grid->brick_cells, n = at % grid->brick_cells;
    uint64_t bit = UINT64_C(1) << (n & 63);
    w->sets.source[b].layer[n >> 6] |= bit;
    w->held[b].layer[n >> 6] |= bit;
    w->used[b].layer[n >> 6] |= bit;
}

// Cells before inflows.
static void mark_sources(Kinds *w, double time_s)
{
    for (int64_t i = 0; i < dew_problem_inflow_count(w->def->problem); i++) {
        dew_LiquidNozzle nozzle = dew_liquid_nozzle_at(w->def->problem, w->grid, i);
        if (dew_nozzle_speed_m_s(w->def->problem, i, time_s) > 0)
            dew_liquid_nozzle_cells(&nozzle, w->grid, mark_source, w);
    }
}

// Empty cells without an empty one beside them, at least half of whose sides are liquid's, no
// source's.
static uint64_t find_holes(const Kinds *w, int32_t b, int k)
{
    const dew_Grid *grid = w->grid;
    const int32_t *near = dew_grid_neighbours(grid, b);
    int sides = 2 * dew_grid_axes(grid);
    uint64_t holes = ~w->used[b].layer[k], full[6];
    for (int side = 0; side < sides && holes; side++)
        holes &= dew_bits_beside(w->used, near, grid->depth, side, k);
    for (int side = 0; side < sides && holes; side++)
        full[side] = dew_bits_beside(w->held, near, grid->depth, side, k) &
                     ~dew_bits_beside(w->sets.source, near, grid->depth, side, k);
    for (uint64_t rest = holes; rest;) {
        int n = dew_bits_take(&rest), liquid = 0;
        for (int side = 0; side < sides; side++)
            liquid += (int)(full[side] >> n & 1);
        if (2 * liquid < sides || is_sink(w, b, 64 * k + n))
            holes &= ~(UINT64_C(1) << n);
    }
    return holes;
}

static dew_Status holes_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Kinds *w = context;
    for (int64_t b = begin; b < end; b++)
        for (int k = 0; k < w->grid->depth; k++)
            w->found[b].layer[k] = w->def->phi ? 0 : find_holes(w, (int32_t)b, k);
    return dew_ok();
}

// Cells that the level set covers are no surface cells.
static uint64_t without_level_set(const dew_CellsDef *def, int32_t b, int k, uint64_t open)
{
    uint64_t rest = def->phi ? open : 0;
    while (rest) {
        int n = dew_bits_take(&rest);
        open &= ~((uint64_t)(def->phi(def->context, b, 64 * k + n) < 0) << n);
    }
    return open;
}

static void write_kinds(const dew_CellSets *sets, int64_t b, int k, uint8_t *kind)
{
    for (int j = 0; j < DEW_BRICK; j++) {
        int row = 8 * j;
        uint64_t bytes = dew_bits_spread(sets->surface[b].layer[k] >> row) * DEW_CELL_SURFACE +
                         dew_bits_spread(sets->full[b].layer[k] >> row) * DEW_CELL_FULL +
                         dew_bits_spread(sets->source[b].layer[k] >> row) * DEW_CELL_SOURCE +
                         dew_bits_spread(sets->solid[b].layer[k] >> row) * DEW_CELL_OBSTACLE;
        memcpy(kind + row, &bytes, sizeof bytes);
    }
}

static dew_Status surface_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Kinds *w = context;
    const dew_Grid *grid = w->grid;
    const dew_CellSets *sets = &w->sets;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        for (int k = 0; k < grid->depth; k++) {
            uint64_t source = sets->source[b].layer[k], closed = ~UINT64_C(0);
            uint64_t liquid = w->held[b].layer[k] | w->found[b].layer[k];
            for (int side = 0; side < 2 * dew_grid_axes(grid); side++)
                closed &= dew_bits_beside(w->used, near, grid->depth, side, k) |
                          dew_bits_beside(w->found, near, grid->depth, side, k);
            uint64_t open = without_level_set(w->def, (int32_t)b, k, liquid & ~source & ~closed);
            sets->surface[b].layer[k] = open;
            sets->full[b].layer[k] = liquid & ~source & ~open;
            sets->liquid[b].layer[k] = liquid;
            write_kinds(sets, b, k, w->def->kind + b * grid->brick_cells + 64 * k);
        }
    }
    return dew_ok();
}

static dew_Status take_sets(const dew_Grid *grid, dew_Arena *scratch, dew_CellSets *sets)
{
    int64_t count = grid->brick_count + grid->ghost_count;
    dew_BrickBits **all[] = {&sets->solid, &sets->source, &sets->surface, &sets->full,
                             &sets->liquid};
    for (int i = 0; i < 5; i++) {
        *all[i] = dew_arena_array(scratch, dew_BrickBits, count);
        if (!*all[i])
            return dew_no_memory((size_t)count * sizeof(dew_BrickBits));
    }
    return dew_ok();
}

dew_Status dew_cells_find_kinds(const dew_CellsDef *def, double time_s, dew_Arena *scratch,
                                dew_CellSets *sets)
{
    const dew_Grid *grid = def->grid;
    int64_t count = grid->brick_count + grid->ghost_count;
    Kinds work = {.def = def,
                  .grid = grid,
                  .has_sinks = dew_problem_sink_count(def->problem) > 0,
                  .held = dew_arena_array(scratch, dew_BrickBits, count),
                  .used = dew_arena_array(scratch, dew_BrickBits, count),
                  .found = dew_arena_array(scratch, dew_BrickBits, count)};
    if (!work.held || !work.used || !work.found)
        return dew_no_memory((size_t)count * sizeof(dew_BrickBits));
    DEW_TRY(take_sets(grid, scratch, &work.sets));
    DEW_TRY(dew_grid_for(grid, presence_chunk, &work));
    mark_sources(&work, time_s);
    DEW_TRY(dew_grid_for(grid, holes_chunk, &work));
    DEW_TRY(dew_grid_for(grid, surface_chunk, &work));
    *sets = work.sets;
    return dew_ok();
}

typedef struct Sets {
    const dew_Grid *grid;
    const uint8_t *kind;
    dew_CellSets sets;
} Sets;

static dew_Status sets_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Sets *w = context;
    for (int64_t b = begin; b < end; b++)
        for (int k = 0; k < w->grid->depth; k++) {
            const uint8_t *kind = w->kind + b * w->grid->brick_cells + 64 * k;
            uint64_t low = dew_bits_plane(kind, 0), high = dew_bits_plane(kind, 1);
            w->sets.solid[b].layer[k] = dew_bits_plane(kind, 2);
            w->sets.source[b].layer[k] = low & high;
            w->sets.surface[b].layer[k] = low & ~high;
            w->sets.full[b].layer[k] = high & ~low;
            w->sets.liquid[b].layer[k] = low | high;
        }
    return dew_ok();
}

dew_Status dew_cells_find_sets(const dew_Grid *grid, const uint8_t *kind, dew_Arena *scratch,
                               dew_CellSets *sets)
{
    Sets work = {.grid = grid, .kind = kind};
    DEW_TRY(take_sets(grid, scratch, &work.sets));
    *sets = work.sets;
    return dew_grid_for(grid, sets_chunk, &work);
}
