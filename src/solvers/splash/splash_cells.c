// Bricks that follow the markers, and how many markers each cell has.
#include "base/simd.h"
#include "base/status.h"
#include "solvers/splash/splash_state.h"

#include <string.h>

// ---- bricks ------------------------------------------------------------------------------------

typedef struct Box {
    int8_t lo[3], hi[3];  // cells of a brick that hold liquid; lo > hi: none
} Box;

typedef struct Follow {
    const dew_Problem *problem;
    dew_SolverState *s;
    Box *boxes;
    dew_SplashPlaces *places;  // per brick
} Follow;

// Cells that hold liquid, by their counts; deep ones count for their markers.
static Box box_of(const dew_Grid *grid, const uint8_t *count)
{
    dew_BrickBits held = {{0}};
    int lo[3] = {0}, hi[3] = {0};
    for (int k = 0; k < grid->depth; k++)
        held.layer[k] = dew_bits_used(count + 64 * k);
    if (!dew_bits_box(&held, grid->depth, lo, hi))
        return (Box){{127, 127, 127}, {-1, -1, -1}};
    return (Box){{(int8_t)lo[0], (int8_t)lo[1], (int8_t)lo[2]},
                 {(int8_t)hi[0], (int8_t)hi[1], (int8_t)hi[2]}};
}

// Which cells of a brick its markers are in: as dew_splash_cell_in, of many.
DEW_BODY void find_cells(const dew_SolverState *s, int32_t b, int64_t first, int64_t last,
                         uint16_t *cell)
{
    const dew_Grid *grid = s->grid;
    const dew_Vec3 low = dew_grid_position(grid, b, 0, 0, 0, DEW_AT_NODE);
    double r = 1 / grid->cell_m;
    const double *x = dew_particles_axis(&s->markers, 0), *y = dew_particles_axis(&s->markers, 1),
                 *z = dew_particles_axis(&s->markers, 2);
    const int end = DEW_BRICK - 1, top = grid->depth - 1;
    for (int64_t n = first; n < last; n++) {
        int i = (int)((x[n] - low.x) * r), j = (int)((y[n] - low.y) * r),
            k = (int)((z[n] - low.z) * r);
        i = i < 0 ? 0 : i > end ? end : i;
        j = j < 0 ? 0 : j > end ? end : j;
        k = k < 0 ? 0 : k > top ? top : k;
        cell[n] = (uint16_t)(i + 8 * j + 64 * k);
    }
}

// Counts the markers of cells, as soon as those of a brick are together.
DEW_BODY void count_brick_body(void *context, int32_t b)
{
    const Follow *f = context;
    const dew_SolverState *s = f->s;
    const dew_Grid *grid = s->grid;
    int64_t first, last;
    uint8_t *count = dew_splash_count(s) + (int64_t)b * grid->brick_cells;
    const uint8_t *deep = dew_splash_deep(s) + (int64_t)b * grid->brick_cells;
    uint16_t *cell = s->workspace->marks.cell;
    for (int n = 0; n < grid->brick_cells; n++)
        count[n] = (uint8_t)(deep[n] ? s->params.per_cell : 0);
    dew_particles_of_brick(&s->markers, b, &first, &last);
    find_cells(s, b, first, last, cell);
    for (int64_t n = first; n < last; n++)
        count[cell[n]] = (uint8_t)(count[cell[n]] < 255 ? count[cell[n]] + 1 : 255);
    f->boxes[b] = box_of(grid, count);
    f->places[b] = dew_splash_places_of(s, b);
}
static void count_brick_plain(void *context, int32_t b)
{
    count_brick_body(context, b);
}
DEW_WIDE static void count_brick_wide(void *context, int32_t b)
{
    count_brick_body(context, b);
}

dew_Status dew_splash_want(dew_SolverState *state, const int32_t min[3], const int32_t max[3])
{
    static const int low_side[3] = {DEW_SIDE_LEFT, DEW_SIDE_FLOOR, DEW_SIDE_BACK};
    static const int high_side[3] = {DEW_SIDE_RIGHT, DEW_SIDE_CEILING, DEW_SIDE_FRONT};
    const dew_Grid *grid = state->grid;
    int32_t lo[3] = {0, 0, 0}, hi[3] = {0, 0, 1};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        int32_t first = grid->cell_min[a] - state->params.reach[low_side[a]];
        int32_t end = grid->cell_max[a] + state->params.reach[high_side[a]];
        lo[a] = min[a] > first ? min[a] : first;
        hi[a] = max[a] < end ? max[a] : end;
        if (lo[a] >= hi[a])
            return dew_ok();
    }
    return dew_grid_want_box(state->grid, lo, hi);
}

static dew_Status want_bricks(const Follow *f, int32_t brick_count)
{
    dew_Grid *grid = f->s->grid;
    int32_t min[3], max[3];
    for (int32_t b = 0; b < brick_count; b++) {
        const int32_t *c = dew_grid_coord(grid, b);
        if (f->boxes[b].hi[0] < 0)
            continue;
        for (int a = 0; a < 3; a++) {
            int32_t size = a == 2 ? grid->depth : DEW_BRICK, reach = DEW_SPLASH_REACH;
            reach = a == 2 && grid->depth == 1 ? 0 : reach;
            min[a] = size * c[a] + f->boxes[b].lo[a] - reach;
            max[a] = size * c[a] + f->boxes[b].hi[a] + 1 + reach;
        }
        DEW_TRY(dew_splash_want(f->s, min, max));
    }
    for (int64_t i = 0; i < dew_problem_inflow_count(f->problem); i++) {
        dew_LiquidNozzle nozzle = dew_liquid_nozzle_at(f->problem, grid, i);
        dew_liquid_nozzle_box(&nozzle, grid, DEW_SPLASH_REACH, min, max);
        DEW_TRY(dew_splash_want(f->s, min, max));
    }
    return dew_ok();
}

// ---- following ---------------------------------------------------------------------------------

dew_Status dew_splash_read_solids(const dew_Problem *problem, dew_SolverState *state,
                                  const dew_Instant *instant)
{
    dew_CellSolids solids = {.kind = dew_splash_kind(state),
                             .slip = dew_grid_field(state->grid, state->slip),
                             .is_all = state->params.has_motion};
    for (int a = 0; state->params.has_motion && a < dew_grid_axes(state->grid); a++)
        solids.wall_u[a] = dew_grid_f64(state->grid, state->wall_u[a]);
    return dew_cells_read_solids(problem, state->grid, instant, &solids);
}

dew_Status dew_splash_update_bricks(const dew_Problem *problem, dew_SolverState *state,
                                    const dew_Instant *instant, dew_Arena *scratch)
{
    dew_Grid *grid = state->grid;
    dew_SplashMarkerInfo *marks = &state->workspace->marks;
    bool has_changed;
    int32_t count = grid->brick_count;
    Follow f = {problem, state, dew_arena_array(scratch, Box, count),
                dew_arena_array(scratch, dew_SplashPlaces, count)};
    marks->cell = dew_arena_raw_array(scratch, uint16_t, state->markers.count);
    if (!f.boxes || !f.places || !marks->cell)
        return dew_no_memory((size_t)state->markers.count * sizeof *marks->cell);
    dew_GroupDef def = {marks->left_brick, marks->left_brick_count,
                        dew_is_wide() ? count_brick_wide : count_brick_plain, &f};
    DEW_TRY(dew_particles_group_as(&state->markers, grid, &def, scratch));
    marks->left_brick = NULL;
    dew_splash_add_places(state, f.places);
    dew_grid_update_begin(grid);
    DEW_TRY(want_bricks(&f, count));
    DEW_TRY(dew_grid_update_end(grid, &has_changed));
    if (has_changed || state->params.has_motion)
        DEW_TRY(dew_splash_read_solids(problem, state, instant));
    return dew_particles_group(&state->markers, grid, scratch);
}

// ---- without motion -----------------------------------------------------------------------------

static void place_brick(void *context, int32_t b)
{
    const Follow *f = context;
    f->places[b] = dew_splash_places_of(f->s, b);
}

dew_Status dew_splash_regroup(dew_SolverState *state, dew_Arena *scratch)
{
    dew_SplashMarkerInfo *marks = &state->workspace->marks;
    int32_t count = state->grid->brick_count;
    Follow f = {.s = state, .places = dew_arena_array(scratch, dew_SplashPlaces, count)};
    if (!f.places)
        return dew_no_memory((size_t)count * sizeof *f.places);
    dew_GroupDef def = {marks->left_brick, marks->left_brick_count, place_brick, &f};
    DEW_TRY(dew_particles_group_as(&state->markers, state->grid, &def, scratch));
    marks->left_brick = NULL;
    marks->cell = NULL;
    dew_splash_add_places(state, f.places);
    return dew_ok();
}
