// The level set: with `tension`, a level set that is advected with the markers and gives what they
// cannot: the curvature of the surface and the angle at which it meets walls. All of it is done by
// the parts that the solvers on level sets share (solvers/liquid).
//
// Markers are too rough for curvature: smoothed over a cell they still leave a tenth of a cell of
// noise, which bends a surface as much as a drop of ten cells' radius is bent. So phi is carried by
// the velocity and made a distance anew, and markers only bound it: it stays within a cell of where
// their smoothed density says the surface is (one and a half beside walls, where smoothing blunts
// the wedge at the contact line), and each drop of it has the volume of its markers. Where there
// are markers and no level set, after an inflow say, it is made from them; markers that have none,
// as in spray, feel no tension.
//
// The level set's grid begins at the domain's corner, the markers' one cell before: cells and faces
// lie on one another.
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/splash/splash_state.h"

#include <string.h>

// Cells: the smoothed density of a plane is about 1 / (1 + exp(x / WIDTH)), x outside of it.
#define WIDTH 0.456
#define SURE  0.05  // smoothed density this near to 0 or 1 gives only the side of the surface

// ---- making ------------------------------------------------------------------------------------

dew_Status dew_splash_level_set_create(const dew_Problem *problem, const dew_CreateDef *def,
                                       dew_SolverState *state)
{
    const dew_SceneDef *scene = dew_problem_def(problem);
    if (!state->params.has_tension)
        return dew_ok();
    state->level_set = dew_alloc(&state->allocator, 1, sizeof *state->level_set);
    if (!state->level_set)
        return dew_no_memory(sizeof *state->level_set);
    dew_LiquidParams params = {.rho_kg_m3 = state->params.rho_kg_m3,
                               .mu_Pa_s = scene->liquid.viscosity_Pa_s,
                               .sigma_N_m = scene->liquid.surface_tension_N_m,
                               .has_ghost_memory = true,
                               .has_map = scene->output.wetmap};
    dew_liquid_outflow_margins(problem, &params, scene->domain.cell_m);
    DEW_TRY(dew_liquid_create(problem, def, &params, state->level_set));
    state->level_set->params.nozzle_count = 0;  // markers come in as they do without tension
    return dew_ok();
}

void dew_splash_level_set_destroy(dew_SolverState *state)
{
    if (!state->level_set)
        return;
    dew_liquid_destroy(state->level_set);
    dew_free(&state->allocator, state->level_set, sizeof *state->level_set);
}

// ---- between the grids -------------------------------------------------------------------------

// Where in the markers' fields a cell of the level set lies; DEW_INVALID: in no brick.
static int64_t marker_cell(const dew_SolverState *s, int32_t b, int n)
{
    const dew_Grid *grid = s->level_set->grid;
    const int32_t *c = dew_grid_coord(grid, b);
    const int32_t cell[3] = {DEW_BRICK * c[0] + (n & 7) + 1, DEW_BRICK * c[1] + (n >> 3 & 7) + 1,
                             grid->depth == 1 ? 0 : DEW_BRICK * c[2] + (n >> 6) + 1};
    return dew_grid_cell(s->grid, cell);
}

// The other way round.
static int64_t level_set_cell(const dew_SolverState *s, int32_t b, int n)
{
    const dew_Grid *grid = s->grid;
    const int32_t *c = dew_grid_coord(grid, b);
    const int32_t cell[3] = {DEW_BRICK * c[0] + (n & 7) - 1, DEW_BRICK * c[1] + (n >> 3 & 7) - 1,
                             grid->depth == 1 ? 0 : DEW_BRICK * c[2] + (n >> 6) - 1};
    return dew_grid_cell(s->level_set->grid, cell);
}

double dew_splash_level_set_phi(const void *state, int32_t brick, int cell)
{
    const dew_SolverState *s = state;
    int64_t at = level_set_cell(s, brick, cell);
    return at >= 0 ? dew_liquid_phi(s->level_set)[at] : DEW_LIQUID_BAND * s->grid->cell_m;
}

// ---- tension -----------------------------------------------------------------------------------

typedef struct Tension {
    const dew_SolverState *s;
    const double *from;
    double *phi, *p;
} Tension;

// What is no liquid cell is none to the pressure either, and the other way round.
static dew_Status tension_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Tension *w = context;
    const dew_Grid *grid = w->s->grid;
    const uint8_t *kind = dew_splash_kind(w->s);
    const double *phi = dew_liquid_phi(w->s->level_set);
    double h = grid->cell_m, least = DEW_LIQUID_MIN_LENGTH * h;
    for (int64_t b = begin; b < end; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n, from = level_set_cell(w->s, (int32_t)b, n);
            double depth = from >= 0 ? phi[from] : DEW_LIQUID_BAND * h;
            w->phi[at] = kind[at] == DEW_CELL_FULL ? fmin(depth, -least) : fmax(depth, least);
            w->p[at] = from >= 0 ? w->from[from] : 0;
        }
    return dew_ok();
}

dew_Status dew_splash_surface_tension(dew_SplashFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_Liquid *level_set = s->level_set;
    if (!level_set)
        return dew_ok();
    DEW_TRY(
        dew_liquid_update_bricks(flow->problem, level_set, flow->step->instant_old, flow->scratch));
    DEW_TRY(dew_liquid_read_solids(flow->problem, level_set, flow->step->instant_old,
                                   DEW_LIQUID_MOVING));
    int64_t count = dew_grid_value_count(s->grid);
    double *p = dew_arena_array(flow->scratch, double, dew_liquid_count(level_set));
    flow->phi = dew_arena_raw_array(flow->scratch, double, count);
    flow->p_surface = dew_arena_raw_array(flow->scratch, double, count);
    if (!p || !flow->phi || !flow->p_surface)
        return dew_no_memory((size_t)count * sizeof(double));
    if (level_set->grid->brick_count > 0)
        DEW_TRY(dew_liquid_surface_tension(level_set, flow->step->instant_old->time_s,
                                           flow->step->dt_s, p, flow->scratch));
    Tension tension = {s, p, flow->phi, flow->p_surface};
    return dew_grid_for(s->grid, tension_chunk, &tension);
}

// ---- pressure ----------------------------------------------------------------------------------

static dew_Status open_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_ProjectionDef *def = ((void *const *)context)[0];
    const dew_SolverState *s = ((void *const *)context)[1];
    const dew_Grid *grid = s->grid;
    uint8_t tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_u8(grid, dew_splash_kind(s), (int32_t)b, 1, DEW_CELL_EMPTY, tile);
        for (int n = 0; n < grid->brick_cells; n++) {
            int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            for (int a = 0; a < dew_grid_axes(grid); a++) {
                uint8_t below = tile[t + dew_splash_beside(2 * a, DEW_BRICK + 2)];
                bool is_closed = tile[t] >= DEW_CELL_SOURCE || below >= DEW_CELL_SOURCE;
                ((double *)def->open[a])[b * grid->brick_cells + n] = is_closed ? 0 : 1;
            }
        }
    }
    return dew_ok();
}

dew_Status dew_splash_define_level_set(dew_SplashFlow *flow, dew_ProjectionDef *def)
{
    dew_SolverState *s = flow->state;
    int64_t count = dew_grid_value_count(s->grid);
    def->phi = flow->phi;
    def->p_surface = flow->p_surface;
    def->corrections = 1;
    for (int a = 0; a < dew_grid_axes(s->grid); a++) {
        def->open[a] = dew_arena_raw_array(flow->scratch, double, count);
        if (!def->open[a])
            return dew_no_memory((size_t)count * sizeof(double));
        def->wall_u[a] = flow->spare[a];  // closed faces have the walls' and inflows' velocities
    }
    void *context[2] = {def, s};
    return dew_grid_for(s->grid, open_chunk, context);
}

// ---- carrying ----------------------------------------------------------------------------------

static dew_Status velocity_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SplashFlow *flow = context;
    const dew_SolverState *s = flow->state;
    const dew_Grid *grid = s->level_set->grid;
    for (int64_t b = begin; b < end; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t from = marker_cell(s, (int32_t)b, n);
            for (int a = 0; a < dew_grid_axes(grid); a++)
                dew_grid_f64(grid, s->level_set->u[a])[b * grid->brick_cells + n] =
                    from >= 0 ? flow->u[a][from] : 0;
        }
    return dew_ok();
}

dew_Status dew_splash_advect_level_set(dew_SplashFlow *flow)
{
    dew_Liquid *level_set = flow->state->level_set;
    const double *u[3] = {NULL, NULL, NULL};
    if (!level_set || level_set->grid->brick_count == 0)
        return dew_ok();
    int64_t count = dew_liquid_count(level_set);
    flow->phi_before = dew_arena_raw_array(flow->scratch, double, count);
    if (!flow->phi_before)
        return dew_no_memory((size_t)count * sizeof(double));
    memcpy(flow->phi_before, dew_liquid_phi(level_set), (size_t)count * sizeof(double));
    DEW_TRY(dew_grid_for(level_set->grid, velocity_chunk, flow));
    for (int a = 0; a < dew_grid_axes(level_set->grid); a++)
        u[a] = dew_grid_f64(level_set->grid, level_set->u[a]);
    return dew_levelset_advect_weno(level_set->grid, dew_liquid_phi(level_set), u, flow->step->dt_s,
                                    DEW_LIQUID_NEAR * level_set->grid->cell_m, flow->scratch);
}

// ---- holding markers ---------------------------------------------------------------------------

// Markers that the level set has left behind are drawn to it again: each alone in its cell would
// escape ballistically, for no pressure holds it. Those farther away are spray.
static dew_Status hold_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    dew_SolverState *s = context;
    const dew_Grid *grid = s->level_set->grid;
    const double *phi = dew_liquid_phi(s->level_set);
    double h = grid->cell_m, d;
    int axes = dew_grid_axes(grid);
    for (int64_t m = begin; m < end; m++) {
        dew_Vec3 x = dew_particles_position(&s->markers, m);
        if (dew_particles_ids(&s->markers)[m] == DEW_DEAD ||
            !dew_grid_sample(grid, phi, DEW_AT_CELL, x, &d) || d < 0 || d > DEW_LIQUID_SHELL * h)
            continue;
        double slope[3] = {0, 0, 0};
        for (int side = 0; side < 2 * axes; side++) {
            double offset = side & 1 ? 0.5 * h : -0.5 * h, beside = d;
            dew_Vec3 to = dew_vec(side / 2 == 0 ? offset : 0, side / 2 == 1 ? offset : 0,
                                  side / 2 == 2 ? offset : 0);
            dew_grid_sample(grid, phi, DEW_AT_CELL, dew_add(x, to), &beside);
            slope[side / 2] += side & 1 ? beside : -beside;
        }
        dew_Vec3 n = dew_normalize(dew_vec(slope[0], slope[1], slope[2]));
        dew_Vec3 y = dew_add_scaled(x, -d, n);
        if (dew_splash_is_obstacle(s, y))
            continue;
        dew_particles_axis(&s->markers, 0)[m] = y.x;
        dew_particles_axis(&s->markers, 1)[m] = y.y;
        dew_particles_axis(&s->markers, 2)[m] = y.z;
    }
    return dew_ok();
}

dew_Status dew_splash_hold_markers(dew_SolverState *state)
{
    if (!state->level_set || state->level_set->grid->brick_count == 0)
        return dew_ok();
    return dew_parallel_for(state->tasks, state->markers.count, 1024, hold_chunk, state);
}

// ---- what markers say --------------------------------------------------------------------------

typedef struct Bound {
    dew_SolverState *s;
    double *held, *fluid;  // part of each cell that markers fill; 1 where there is no obstacle
    double *fraction;      // the same, smoothed
} Bound;

static dew_Status held_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Bound *w = context;
    const dew_Grid *grid = w->s->grid;
    const uint8_t *kind = dew_splash_kind(w->s), *count = dew_splash_count(w->s);
    double part = 1.0 / w->s->params.per_cell;
    for (int64_t n = begin * grid->brick_cells; n < end * grid->brick_cells; n++) {
        w->fluid[n] = kind[n] != DEW_CELL_OBSTACLE;
        w->held[n] = fmin(part * count[n], 1);
    }
    return dew_ok();
}

// 1 2 1 along each axis.
static double smoothed(const double *t, bool is_flat)
{
    const int y = DEW_BRICK + 2, z = y * y;
    double sum = 0;
    for (int k = is_flat ? 0 : -1; k <= (is_flat ? 0 : 1); k++)
        for (int j = -1; j <= 1; j++) {
            const double *row = t + y * j + z * k;
            sum += (j ? 1 : 2) * (k ? 1 : 2) * (row[-1] + 2 * row[0] + row[1]);
        }
    return sum;
}

static dew_Status fraction_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Bound *w = context;
    const dew_Grid *grid = w->s->grid;
    bool is_flat = grid->depth == 1;
    double held[DEW_TILE_SIZE(1)], fluid[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_or(grid, w->held, (int32_t)b, 1, 0, held);
        dew_tile_load_or(grid, w->fluid, (int32_t)b, 1, 1, fluid);
        for (int n = 0; n < grid->brick_cells; n++) {
            int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            double all = smoothed(fluid + t, is_flat);
            w->fraction[b * grid->brick_cells + n] =
                all > 0 ? smoothed(held + t, is_flat) / all : 0;
        }
    }
    return dew_ok();
}

// phi, in cells, brought to what a cell's share allows.
static double bounded(double phi, double fraction, double slack)
{
    double some = fmax(SURE, fmin(fraction, 1 - SURE)), implied = -WIDTH * log(some / (1 - some));
    if (fraction > SURE && phi > implied + slack)
        return phi > implied + slack + 1 ? implied : implied + slack;
    if (fraction < 1 - SURE && phi < implied - slack)
        return phi < implied - slack - 1 ? implied : implied - slack;
    return phi;
}

static dew_Status bound_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Bound *w = context;
    const dew_Liquid *level_set = w->s->level_set;
    const dew_Grid *grid = level_set->grid;
    const double *solid = dew_liquid_solid(level_set);
    double *phi = dew_liquid_phi(level_set), h = grid->cell_m;
    for (int64_t b = begin; b < end; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n, from = marker_cell(w->s, (int32_t)b, n);
            if (solid && solid[at] < 0)
                continue;
            bool is_beside = solid && solid[at] < DEW_LIQUID_SHELL * h;
            double fraction = from >= 0 ? w->fraction[from] : 0,
                   slack = is_beside ? DEW_LIQUID_SHELLS : 1;
            double value = bounded(phi[at] / h, fraction, slack);
            phi[at] = value == phi[at] / h ? phi[at] : h * value;
        }
    return dew_ok();
}

// Bricks of the level set for all liquid.
static dew_Status want_bricks(const dew_Problem *problem, dew_SolverState *s,
                              const dew_Instant *instant)
{
    const dew_Grid *grid = s->grid;
    const uint8_t *count = dew_splash_count(s);
    bool is_missing = false, has_changed;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            if (!count[(int64_t)b * grid->brick_cells + n] || level_set_cell(s, b, n) >= 0)
                continue;
            if (!is_missing) {
                dew_grid_update_begin(s->level_set->grid);
                DEW_TRY(dew_grid_want_all_present(s->level_set->grid));
            }
            is_missing = true;
            const int32_t *c = dew_grid_coord(grid, b);
            int32_t depth = grid->depth == 1 ? 0 : 1;
            const int32_t at[3] = {DEW_BRICK * c[0] + (n & 7) - 1,
                                   DEW_BRICK * c[1] + (n >> 3 & 7) - 1,
                                   depth * (DEW_BRICK * c[2] + (n >> 6) - 1)};
            const int32_t min[3] = {at[0] - 3, at[1] - 3, at[2] - 3 * depth};
            const int32_t max[3] = {at[0] + 4, at[1] + 4, at[2] + 1 + 3 * depth};
            DEW_TRY(dew_grid_want_box(s->level_set->grid, min, max));
        }
    if (!is_missing)
        return dew_ok();
    DEW_TRY(dew_grid_update_end(s->level_set->grid, &has_changed));
    return dew_liquid_read_solids(problem, s->level_set, instant, DEW_LIQUID_FRESH);
}

// ---- volumes -----------------------------------------------------------------------------------

// The drop at a cell of the level set or beside it.
static int32_t drop_near(const dew_SolverState *s, int64_t at)
{
    const dew_Grid *grid = s->level_set->grid;
    const int32_t *drop = dew_grid_field(grid, s->level_set->drop);
    if (at < 0 || drop[at] >= 0)
        return at < 0 ? DEW_INVALID : drop[at];
    int32_t b = (int32_t)(at / grid->brick_cells);
    int n = (int)(at % grid->brick_cells), layers = grid->depth == 1 ? 0 : 1;
    for (int k = -layers; k <= layers; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                int64_t near = dew_grid_near(grid, b, (n & 7) + i, (n >> 3 & 7) + j, (n >> 6) + k);
                if (near >= 0 && drop[near] >= 0)
                    return drop[near];
            }
    return DEW_INVALID;
}

// The volume of its markers is what a drop should have.
static void set_targets(dew_SolverState *s)
{
    const dew_Grid *grid = s->grid;
    const uint8_t *count = dew_splash_count(s);
    double *targets = DEW_ITEMS(&s->level_set->targets, double);
    for (int64_t d = 0; d < s->level_set->targets.count; d++)
        targets[d] = 0;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            int32_t drop = count[at] ? drop_near(s, level_set_cell(s, b, n)) : DEW_INVALID;
            if (drop >= 0 && drop < s->level_set->targets.count)
                targets[drop] += count[at] * s->params.marker_m3;
        }
}

static dew_Status bound_by_markers(const dew_Problem *problem, dew_SolverState *s,
                                   const dew_Instant *instant, dew_Arena *scratch)
{
    int64_t count = dew_grid_value_count(s->grid);
    Bound bound = {s, dew_arena_raw_array(scratch, double, count),
                   dew_arena_raw_array(scratch, double, count),
                   dew_arena_raw_array(scratch, double, count)};
    if (!bound.held || !bound.fluid || !bound.fraction)
        return dew_no_memory((size_t)count * sizeof(double));
    DEW_TRY(want_bricks(problem, s, instant));
    DEW_TRY(dew_grid_for(s->grid, held_chunk, &bound));
    DEW_TRY(dew_grid_for(s->grid, fraction_chunk, &bound));
    return dew_grid_for(s->level_set->grid, bound_chunk, &bound);
}

dew_Status dew_splash_update_level_set(dew_SplashFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_Liquid *level_set = s->level_set;
    const dew_Instant *instant = flow->step->instant;
    if (!level_set)
        return dew_ok();
    double band = DEW_LIQUID_BAND * level_set->grid->cell_m;
    if (flow->phi_before)
        DEW_TRY(dew_liquid_carry_walls(flow->problem, level_set, flow->step, flow->phi_before));
    DEW_TRY(bound_by_markers(flow->problem, s, instant, flow->scratch));
    if (level_set->grid->brick_count == 0)
        return dew_liquid_reserve(level_set);
    int64_t count = dew_liquid_count(level_set);
    double *phi = dew_liquid_phi(level_set);
    double *in_walls = dew_arena_raw_array(flow->scratch, double, count);
    if (!in_walls)
        return dew_no_memory((size_t)count * sizeof(double));
    memcpy(in_walls, phi, (size_t)count * sizeof(double));
    DEW_TRY(dew_levelset_redistance(level_set->grid, phi, DEW_REDISTANCE_CLOSEST, band,
                                    flow->scratch, NULL));
    const double *solid = dew_liquid_solid(level_set);
    for (int64_t n = 0; solid && n < count; n++)
        phi[n] = solid[n] < 0 ? in_walls[n] : phi[n];
    DEW_TRY(dew_liquid_impose_angle(level_set, instant->time_s, flow->scratch));
    DEW_TRY(dew_liquid_label_drops(level_set, true, flow->scratch));
    set_targets(s);
    if (dew_liquid_worst_error(level_set) > DEW_LIQUID_ALLOWANCE / 10) {
        DEW_TRY(dew_liquid_correct_volumes(level_set, DEW_LIQUID_SHIFT, flow->scratch));
        DEW_TRY(dew_liquid_label_drops(level_set, true, flow->scratch));
    }
    DEW_TRY(dew_liquid_record_wetting(flow->problem, level_set, instant));
    return dew_liquid_reserve(level_set);
}

// ---- the rest ----------------------------------------------------------------------------------

dew_Status dew_splash_level_set_pour(const dew_Problem *problem, dew_SolverState *state,
                                     const dew_Instant *instant, const dew_Blob *blob)
{
    return state->level_set ? dew_liquid_pour(problem, state->level_set, instant, blob) : dew_ok();
}

void dew_splash_level_set_measure(const dew_Problem *problem, const dew_SolverState *state,
                                  const dew_Instant *instant, dew_Measure *out)
{
    dew_Measure of_level_set;
    if (!state->level_set)
        return;
    dew_liquid_measure(problem, state->level_set, instant, &of_level_set);
    out->area_m2 = of_level_set.area_m2;
    out->surface_J = of_level_set.surface_J;
    out->contact_area_m2 = of_level_set.contact_area_m2;
    out->contact_angle_rad = of_level_set.contact_angle_rad;
    out->contact_angle_min_rad = of_level_set.contact_angle_min_rad;
    out->contact_angle_max_rad = of_level_set.contact_angle_max_rad;
}

// Markers without a level set are drawn as balls, one for each cell.
static dew_Status collect_strays(const dew_SolverState *s, dew_Array *droplets)
{
    const dew_Grid *grid = s->grid;
    const double *phi = dew_liquid_phi(s->level_set);
    const uint8_t *count = dew_splash_count(s);
    for (int32_t b = 0; b < grid->brick_count; b++) {
        int64_t first, last;
        dew_particles_of_brick(&s->markers, b, &first, &last);
        dew_Vec3 low = dew_grid_position(grid, b, 0, 0, 0, DEW_AT_NODE);
        int32_t place[DEW_BRICK_CELLS];
        memset(place, 0xff, sizeof place);
        for (int64_t m = first; m < last; m++) {
            dew_Vec3 x = dew_particles_position(&s->markers, m);
            int n = dew_splash_cell_in(grid, low, x);
            int64_t at = level_set_cell(s, b, n);
            if (at >= 0 && phi[at] < DEW_LIQUID_SHELL * grid->cell_m)
                continue;
            if (place[n] < 0) {
                place[n] = (int32_t)droplets->count;
                DEW_TRY(dew_array_resize(droplets, droplets->count + 1));
                DEW_ITEMS(droplets, dew_SubgridDroplet)[place[n]] = (dew_SubgridDroplet){0};
            }
            dew_SubgridDroplet *droplet = &DEW_ITEMS(droplets, dew_SubgridDroplet)[place[n]];
            droplet->volume_m3 += s->params.marker_m3;
            droplet->position_m = dew_add_scaled(
                droplet->position_m, 1.0 / count[(int64_t)b * grid->brick_cells + n], x);
        }
    }
    return dew_ok();
}

dew_Status dew_splash_level_set_surface(const dew_Problem *problem, const dew_SolverState *state,
                                        const dew_Instant *instant, dew_Surface *out)
{
    dew_Liquid seen = *state->level_set;
    dew_array_init(&seen.droplets, &state->allocator, sizeof(dew_SubgridDroplet));
    dew_Status status = collect_strays(state, &seen.droplets);
    if (status.code == DEW_OK)
        status = dew_liquid_surface(problem, &seen, instant, out);
    dew_array_deinit(&seen.droplets);
    return status;
}

dew_Status dew_splash_level_set_restored(const dew_Problem *problem, dew_SolverState *state)
{
    return state->level_set ? dew_liquid_restored(problem, state->level_set) : dew_ok();
}
