// Bricks that follow the markers, solids in them, and what each cell is ([Durikovic] sections 2.2 and 2.5).
//
// A cell is an obstacle when its middle lies in a solid.
// differs: a cell without markers that has liquid or obstacles on all sides is taken for full; the paper's liquid gets
// holes there. Reseeding then fills it.
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/splash/state.h"

#include <string.h>

// ---- bricks ------------------------------------------------------------------------------------

typedef struct Box {
    int8_t lo[3], hi[3];  // cells of a brick that hold markers; lo > hi: none
} Box;

typedef struct Follow {
    const dew_Problem *problem;
    dew_SolverState *s;
    const dew_Moment *moment;
    Box *boxes;
    bool is_all;  // solids of all bricks are read, else of fresh ones
} Follow;

static int cell_of(double x, double corner, double r, int limit)
{
    int i = (int)((x - corner) * r);
    return i < 0 ? 0 : i >= limit ? limit - 1 : i;
}

static dew_Status box_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Follow *f = context;
    const dew_Grid *grid = f->s->grid;
    double r = 1 / grid->cell_m;
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        Box box = {{127, 127, 127}, {-1, -1, -1}};
        dew_particles_of_brick(&f->s->markers, b, &first, &last);
        dew_Vec3 low = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        const double corner[3] = {low.x, low.y, low.z};
        for (int a = 0; a < 3; a++) {
            const double *x = dew_particles_axis(&f->s->markers, a);
            int limit = a == 2 ? grid->depth : DEW_BRICK;
            for (int64_t n = first; n < last; n++) {
                int i = cell_of(x[n], corner[a], r, limit);
                box.lo[a] = (int8_t)(i < box.lo[a] ? i : box.lo[a]);
                box.hi[a] = (int8_t)(i > box.hi[a] ? i : box.hi[a]);
            }
        }
        const uint8_t *deep = dew_splash_deep(f->s) + b * grid->brick_cells;
        for (int n = 0; n < grid->brick_cells; n++) {
            const int c[3] = {n & 7, n >> 3 & 7, n >> 6};
            for (int a = 0; deep[n] && a < 3; a++) {
                box.lo[a] = (int8_t)(c[a] < box.lo[a] ? c[a] : box.lo[a]);
                box.hi[a] = (int8_t)(c[a] > box.hi[a] ? c[a] : box.hi[a]);
            }
        }
        f->boxes[b] = box;
    }
    return dew_ok();
}

dew_Status dew_splash_want(dew_SolverState *state, const int32_t min[3], const int32_t max[3])
{
    static const int low_side[3] = {DEW_SIDE_LEFT, DEW_SIDE_FLOOR, DEW_SIDE_BACK};
    static const int high_side[3] = {DEW_SIDE_RIGHT, DEW_SIDE_CEILING, DEW_SIDE_FRONT};
    const dew_Grid *grid = state->grid;
    int32_t lo[3] = {0, 0, 0}, hi[3] = {0, 0, 1};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        int32_t first = grid->cell_min[a] - state->laws.reach[low_side[a]];
        int32_t end = grid->cell_max[a] + state->laws.reach[high_side[a]];
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
        dew_splash_nozzle_cells(f->problem, f->s, i, min, max);
        DEW_TRY(dew_splash_want(f->s, min, max));
    }
    return dew_ok();
}

// ---- solids ------------------------------------------------------------------------------------

// What of the tangential velocity goes on into an obstacle: section 2.3.1 has -1 (no slip) and 1 (slip); in between
// the velocity vanishes the slip length behind the wall.
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
    dew_SolidPoint p = dew_problem_nearest(f->problem, f->moment, x, 2 * h);
    uint8_t *kind = &dew_splash_kind(f->s)[at];
    bool is_solid = p.solid_id != DEW_INVALID && p.distance_m < 1e-6 * h;
    if (is_solid) {
        dew_MaterialDef m = dew_problem_material(f->problem, f->moment, p.solid_id, p.point_m);
        *kind = DEW_SPLASH_OBSTACLE;
        ((float *)dew_grid_field(grid, f->s->slip))[at] = slip_factor(m.slip_m, h);
    } else if (*kind == DEW_SPLASH_OBSTACLE) {
        *kind = DEW_SPLASH_EMPTY;
    }
    for (int a = 0; f->s->laws.has_motion && a < dew_grid_axes(grid); a++) {
        x = dew_grid_position(grid, b, i, j, k, (dew_Place)(DEW_AT_FACE_X + a));
        p = dew_problem_nearest(f->problem, f->moment, x, 2 * h);
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
        double d = dew_problem_distance(f->problem, f->moment, dew_add(low, half), reach);
        bool was_solid = !is_fresh[b];
        if (d > reach && !was_solid)
            continue;
        for (int n = 0; n < grid->brick_cells; n++)
            read_cell(f, (int32_t)b, n);
    }
    return dew_ok();
}

dew_Status dew_splash_read_solids(const dew_Problem *problem, dew_SolverState *state,
                                  const dew_Moment *moment)
{
    Follow f = {problem, state, moment, NULL, state->laws.has_motion};
    return dew_grid_for(state->grid, solids_chunk, &f);
}

dew_Status dew_splash_follow(const dew_Problem *problem, dew_SolverState *state,
                             const dew_Moment *moment, dew_Arena *scratch)
{
    dew_Grid *grid = state->grid;
    bool has_changed;
    int32_t count = grid->brick_count;
    DEW_TRY(dew_particles_sort(&state->markers, grid, scratch));
    Follow f = {problem, state, moment, dew_arena_array(scratch, Box, count), false};
    if (!f.boxes)
        return dew_no_memory((size_t)count * sizeof *f.boxes);
    DEW_TRY(dew_grid_for(grid, box_chunk, &f));
    dew_grid_update_begin(grid);
    DEW_TRY(want_bricks(&f, count));
    DEW_TRY(dew_grid_update_end(grid, &has_changed));
    if (has_changed || state->laws.has_motion)
        DEW_TRY(dew_splash_read_solids(problem, state, moment));
    return dew_particles_sort(&state->markers, grid, scratch);
}

// ---- markers -----------------------------------------------------------------------------------

static dew_Status count_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SolverState *s = context;
    const dew_Grid *grid = s->grid;
    double r = 1 / grid->cell_m;
    const double *x = dew_particles_axis(&s->markers, 0), *y = dew_particles_axis(&s->markers, 1),
                 *z = dew_particles_axis(&s->markers, 2);
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        uint8_t *count = dew_splash_count(s) + b * grid->brick_cells;
        const uint8_t *deep = dew_splash_deep(s) + b * grid->brick_cells;
        for (int n = 0; n < grid->brick_cells; n++)
            count[n] = (uint8_t)(deep[n] ? s->laws.per_cell : 0);
        dew_particles_of_brick(&s->markers, b, &first, &last);
        dew_Vec3 low = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        for (int64_t n = first; n < last; n++) {
            int c = cell_of(x[n], low.x, r, DEW_BRICK) + 8 * cell_of(y[n], low.y, r, DEW_BRICK) +
                    64 * cell_of(z[n], low.z, r, grid->depth);
            count[c] = (uint8_t)(count[c] < 255 ? count[c] + 1 : 255);
        }
    }
    return dew_ok();
}

dew_Status dew_splash_count_markers(dew_SolverState *state)
{
    return dew_grid_for(state->grid, count_chunk, state);
}

// ---- kinds -------------------------------------------------------------------------------------

typedef struct Kinds {
    const dew_SolverState *s;
    const uint8_t *from;
    uint8_t *to;
    const dew_Problem *problem;
    bool has_sinks;
} Kinds;

// A sink is never full: liquid flows into it as into the air.
static bool is_sink(const Kinds *w, int64_t at)
{
    const dew_Grid *grid = w->s->grid;
    int n = (int)(at % grid->brick_cells);
    int32_t b = (int32_t)(at / grid->brick_cells);
    return w->has_sinks &&
           dew_problem_in_sink(w->problem,
                               dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL));
}

// With a skin: what it covers, and markers far from it.
static bool is_in_skin(const dew_SolverState *s, int64_t at)
{
    int cells = s->grid->brick_cells;
    double phi = dew_splash_skin_phi(s, (int32_t)(at / cells), (int)(at % cells));
    return phi < 0 || (dew_splash_count(s)[at] > 0 && phi > DEW_SPLASH_SPRAY * s->grid->cell_m);
}

static dew_Status presence_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Kinds *w = context;
    const uint8_t *kind = dew_splash_kind(w->s), *count = dew_splash_count(w->s);
    int cells = w->s->grid->brick_cells;
    for (int64_t n = begin * cells; n < end * cells; n++) {
        bool is_held = w->s->skin ? is_in_skin(w->s, n) : count[n] > 0;
        w->to[n] = (uint8_t)(kind[n] == DEW_SPLASH_OBSTACLE ? DEW_SPLASH_OBSTACLE
                             : is_held && !is_sink(w, n)    ? DEW_SPLASH_FULL
                                                            : DEW_SPLASH_EMPTY);
    }
    return dew_ok();
}

// Whether the brick with its neighbourhood is all of one kind, so that nothing is to be decided.
static bool is_uniform(const uint8_t *tile, int size)
{
    for (int n = 1; n < size; n++)
        if (tile[n] != tile[0])
            return false;
    return true;
}

static dew_Status holes_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Kinds *w = context;
    const dew_Grid *grid = w->s->grid;
    int sides = 2 * dew_grid_axes(grid), width = DEW_BRICK + 2;
    int size = grid->depth == 1 ? 3 * width * width : DEW_TILE_SIZE(1);
    uint8_t tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_u8(grid, w->from, (int32_t)b, 1, DEW_SPLASH_EMPTY, tile);
        if (is_uniform(tile, size)) {
            memset(w->to + b * grid->brick_cells, tile[0], (size_t)grid->brick_cells);
            continue;
        }
        for (int n = 0; n < grid->brick_cells; n++) {
            int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6), liquid = 0, empty = 0;
            for (int s = 0; s < sides && tile[t] == DEW_SPLASH_EMPTY; s++) {
                uint8_t beside = tile[t + dew_splash_beside(s, width)];
                liquid += beside == DEW_SPLASH_FULL;
                empty += beside == DEW_SPLASH_EMPTY;
            }
            int64_t at = b * grid->brick_cells + n;
            bool is_hole =
                tile[t] == DEW_SPLASH_EMPTY && empty == 0 && 2 * liquid >= sides && !w->s->skin;
            w->to[at] = is_hole && !is_sink(w, at) ? DEW_SPLASH_FULL : tile[t];
        }
    }
    return dew_ok();
}

static dew_Status surface_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Kinds *w = context;
    const dew_Grid *grid = w->s->grid;
    int sides = 2 * dew_grid_axes(grid), width = DEW_BRICK + 2;
    int size = grid->depth == 1 ? 3 * width * width : DEW_TILE_SIZE(1);
    uint8_t tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        uint8_t *to = w->to + b * grid->brick_cells;
        dew_tile_load_u8(grid, w->from, (int32_t)b, 1, DEW_SPLASH_EMPTY, tile);
        if (is_uniform(tile, size)) {
            memset(to, tile[0], (size_t)grid->brick_cells);
            continue;
        }
        for (int n = 0; n < grid->brick_cells; n++) {
            int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            to[n] = tile[t];
            for (int s = 0; s < sides && tile[t] == DEW_SPLASH_FULL; s++)
                if (tile[t + dew_splash_beside(s, width)] == DEW_SPLASH_EMPTY &&
                    !(w->s->skin && dew_splash_skin_phi(w->s, (int32_t)b, n) < 0))
                    to[n] = DEW_SPLASH_SURFACE;
        }
    }
    return dew_ok();
}

// Cells before inflows.
static void mark_sources(const dew_Problem *problem, const dew_SolverState *s, double time_s,
                         uint8_t *kind)
{
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++) {
        dew_SplashNozzle nozzle;
        int32_t min[3], max[3], c[3];
        if (!dew_splash_nozzle_at(problem, s, i, time_s, &nozzle))
            continue;
        dew_splash_nozzle_cells(problem, s, i, min, max);
        for (c[2] = min[2]; c[2] < max[2]; c[2]++)
            for (c[1] = min[1]; c[1] < max[1]; c[1]++)
                for (c[0] = min[0]; c[0] < max[0]; c[0]++) {
                    int64_t at = dew_grid_cell(s->grid, c);
                    dew_Vec3 x = dew_add_scaled(s->grid->origin_m, s->grid->cell_m,
                                                dew_vec(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5));
                    if (at >= 0 && kind[at] != DEW_SPLASH_OBSTACLE &&
                        dew_grid_is_inside(s->grid, c) && dew_splash_is_before(&nozzle, x))
                        kind[at] = DEW_SPLASH_SOURCE;
                }
    }
}

dew_Status dew_splash_find_kinds(const dew_Problem *problem, dew_SolverState *state, double time_s,
                                 dew_Arena *scratch)
{
    int64_t count = dew_grid_value_count(state->grid);
    uint8_t *a = dew_arena_array(scratch, uint8_t, count);
    uint8_t *b = dew_arena_array(scratch, uint8_t, count);
    if (!a || !b)
        return dew_no_memory((size_t)count);
    bool has_sinks = dew_problem_sink_count(problem) > 0;
    Kinds presence = {state, NULL, a, problem, has_sinks},
          holes = {state, a, b, problem, has_sinks};
    DEW_TRY(dew_grid_for(state->grid, presence_chunk, &presence));
    mark_sources(problem, state, time_s, a);
    DEW_TRY(dew_grid_for(state->grid, holes_chunk, &holes));
    Kinds surface = {state, b, dew_splash_kind(state), problem, has_sinks};
    return dew_grid_for(state->grid, surface_chunk, &surface);
}
