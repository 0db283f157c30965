// Wetting history: when the cells in walls were last under liquid [Wang2005, section 6].
//
// It lives in a grid of its own, whose bricks come where a wall gets wet and never go, so that a path is
// remembered after the drop and its bricks have left. A cell counts as wet once the line is well past it
// (phi below minus two and a half cells): the drop's own advancing line still meets a dry wall.
#include "base/status.h"
#include "solvers/volume/state.h"
#include "wetting/history.h"

#define WELL_INSIDE 2.5    // cells
#define NEVER       -1e30  // s

dew_Status dew_volume_walls_create(dew_SolverState *state)
{
    const dew_Grid *grid = state->grid;
    dew_GridDef def = dew_default_grid_def();
    const double never = NEVER;
    def.dimensions = grid->dimensions;
    def.cell_m = grid->cell_m;
    def.origin_m = grid->origin_m;
    for (int a = 0; a < 3; a++) {
        def.cell_min[a] = grid->cell_min[a];
        def.cell_max[a] = grid->cell_max[a];
    }
    def.margin = grid->margin;
    def.tasks = state->tasks;
    def.allocator = state->allocator;
    DEW_TRY(dew_grid_create(&def, &state->walls));
    return dew_grid_add_field(state->walls, "wet_time", DEW_AT_CELL, sizeof(double), &never,
                              &state->wet_time);
}

static bool is_wet(const dew_SolverState *state, int64_t at)
{
    double h = state->grid->cell_m, solid = dew_volume_solid(state)[at];
    return solid < 0 && solid >= -DEW_VOLUME_DEPTH * h &&
           dew_volume_phi(state)[at] < -WELL_INSIDE * h;
}

// Wants the bricks that have wet cells; true when one of them is new.
static dew_Status want_wet_bricks(dew_SolverState *state, bool *is_new)
{
    const dew_Grid *grid = state->grid;
    *is_new = false;
    dew_grid_update_begin(state->walls);
    DEW_TRY(dew_grid_want_all_present(state->walls));
    for (int32_t b = 0; b < grid->brick_count; b++) {
        int64_t at = (int64_t)b * grid->brick_cells, end = at + grid->brick_cells;
        while (at < end && !is_wet(state, at))
            at++;
        if (at == end || dew_grid_find(state->walls, dew_grid_coord(grid, b)) >= 0)
            continue;
        DEW_TRY(dew_grid_want(state->walls, dew_grid_coord(grid, b)));
        *is_new = true;
    }
    return dew_ok();
}

dew_Status dew_volume_note_wet(dew_SolverState *state, double time_s)
{
    if (!state->walls)
        return dew_ok();
    bool is_new;
    DEW_TRY(want_wet_bricks(state, &is_new));
    if (is_new)
        DEW_TRY(dew_grid_update_end(state->walls, NULL));
    const dew_Grid *grid = state->grid;
    double *times = dew_grid_f64(state->walls, state->wet_time);
    for (int32_t b = 0; b < grid->brick_count; b++) {
        int32_t to = dew_grid_find(state->walls, dew_grid_coord(grid, b));
        for (int n = 0; to >= 0 && n < grid->brick_cells; n++)
            if (is_wet(state, (int64_t)b * grid->brick_cells + n))
                times[(int64_t)to * grid->brick_cells + n] = time_s;
    }
    return dew_ok();
}

double dew_volume_wetness(const dew_SolverState *state, int32_t brick, int cell, double time_s,
                          double dries_after_s)
{
    int32_t at = state->walls ? dew_grid_find(state->walls, dew_grid_coord(state->grid, brick))
                              : DEW_INVALID;
    if (at < 0)
        return 0;
    double wet_s =
        dew_grid_f64(state->walls, state->wet_time)[(int64_t)at * state->grid->brick_cells + cell];
    return wet_s > NEVER ? dew_wetness(wet_s, time_s, dries_after_s) : 0;
}
