// Bricks that follow the markers, solids in them, and how many markers each cell has.
//
// A cell is an obstacle when its middle lies in a solid.
#include "base/simd.h"
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/splash/splash_state.h"

#include <string.h>

// ---- bricks ------------------------------------------------------------------------------------

typedef struct Box {
    int8_t lo[3], hi[3];  // cells of a brick that hold liquid; lo > hi: none
} Box;

typedef struct Follow {
    const dew_Problem *problem;
    dew_SolverState *s;
    const dew_Instant *instant;
    Box *boxes;
    bool is_all;               // solids of all bricks are read, else of fresh ones
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

// Which cells of a brick its markers are in: what dew_splash_cell_in tells, of many.
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
        dew_splash_nozzle_cells(f->problem, f->s, i, DEW_SPLASH_REACH, min, max);
        DEW_TRY(dew_splash_want(f->s, min, max));
    }
    return dew_ok();
}

// ---- solids ------------------------------------------------------------------------------------

// What of the tangential velocity goes on into an obstacle: section 2.3.1 has -1 (no slip) and 1
// (slip); in between the velocity vanishes the slip length behind the wall.
static float slip_factor(double slip_m, double h)
{
    return (float)(isinf(slip_m) ? 1 : (slip_m - 0.5 * h) / (slip_m + 0.5 * h));
}

static void read_cell(const Follow *f, int32_t b, int n)
{
    const dew_Grid *grid = f->s->grid;
    double h = grid->cell_m;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    int i = n & 7, j = n >> 3 & 7, k = n >> 6;
    dew_Vec3 x = dew_grid_position(grid, b, i, j, k, DEW_AT_CELL);
    dew_SolidPoint p = dew_problem_nearest(f->problem, f->instant, x, 2 * h);
    uint8_t *kind = &dew_splash_kind(f->s)[at];
    bool is_solid = p.solid_id != DEW_INVALID && p.distance_m < 1e-6 * h;
    if (is_solid) {
        dew_MaterialDef m = dew_problem_material(f->problem, f->instant, p.solid_id, p.point_m);
        *kind = DEW_SPLASH_OBSTACLE;
        ((float *)dew_grid_field(grid, f->s->slip))[at] = slip_factor(m.slip_m, h);
    } else if (*kind == DEW_SPLASH_OBSTACLE) {
        *kind = DEW_SPLASH_EMPTY;
    }
    for (int a = 0; f->s->params.has_motion && a < dew_grid_axes(grid); a++) {
        x = dew_grid_position(grid, b, i, j, k, (dew_Place)(DEW_AT_FACE_X + a));
        p = dew_problem_nearest(f->problem, f->instant, x, 2 * h);
        double v = p.solid_id == DEW_INVALID ? 0
                   : a == 0                  ? p.velocity_m_s.x
                   : a == 1                  ? p.velocity_m_s.y
                                             : p.velocity_m_s.z;
        dew_grid_f64(grid, f->s->wall_u[a])[at] = v;
    }
}

// Bricks far from all solids are passed over by one question.
static dew_Status solids_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Follow *f = context;
    const dew_Grid *grid = f->s->grid;
    const uint8_t *is_fresh = DEW_ITEMS(&grid->is_fresh, uint8_t);
    double h = grid->cell_m, reach = (0.5 * DEW_BRICK * 1.7320508 + 1) * h;
    dew_Vec3 half = dew_scale(0.5 * h, dew_vec(DEW_BRICK, DEW_BRICK, grid->depth));
    for (int64_t b = begin; b < end; b++) {
        if (!is_fresh[b] && !f->is_all)
            continue;
        dew_Vec3 low = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        double d = dew_problem_distance(f->problem, f->instant, dew_add(low, half), reach);
        bool was_solid = !is_fresh[b];
        if (d > reach && !was_solid)
            continue;
        for (int n = 0; n < grid->brick_cells; n++)
            read_cell(f, (int32_t)b, n);
    }
    return dew_ok();
}

dew_Status dew_splash_read_solids(const dew_Problem *problem, dew_SolverState *state,
                                  const dew_Instant *instant)
{
    Follow f = {problem, state, instant, NULL, state->params.has_motion, NULL};
    return dew_grid_for(state->grid, solids_chunk, &f);
}

dew_Status dew_splash_update_bricks(const dew_Problem *problem, dew_SolverState *state,
                                    const dew_Instant *instant, dew_Arena *scratch)
{
    dew_Grid *grid = state->grid;
    dew_SplashMarkerInfo *marks = &state->workspace->marks;
    bool has_changed;
    int32_t count = grid->brick_count;
    Follow f = {problem, state,
                instant, dew_arena_array(scratch, Box, count),
                false,   dew_arena_array(scratch, dew_SplashPlaces, count)};
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
