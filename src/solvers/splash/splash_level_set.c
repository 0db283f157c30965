// The skin: with `tension`, a level set that goes with the markers and tells what they cannot, the curvature of the surface and
// the angle at which it meets walls. All of it is done by the parts that the solvers on level sets share (solvers/liquid).
//
// Markers are too rough for curvature: smoothed over a cell they still leave a tenth of a cell of noise, which bends a
// surface as much as a drop of ten cells' radius is bent. So phi is carried by the velocity and made a distance anew, and
// markers only bound it: it stays within a cell of where their smoothed density says the surface is (one and a half beside walls,
// where smoothing blunts the wedge at the line), and each drop of it has the volume of its markers. Where there are markers
// and no skin, after an inflow say, it is made from them; markers that have none, as in spray, feel no tension.
//
// The skin's grid begins at the domain's corner, the markers' one cell before: cells and faces lie on one another.
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/splash/state.h"

#include <string.h>

#define SLACK      1.0  // cells between the skin and what markers say, and
#define WALL_SLACK 3.0  // beside walls
#define BESIDE     1.5  // cells
#define LOST       1.0  // cells more: then what markers say is taken
#define WIDTH                                                                                      \
    0.456  // cells: the smoothed density of a plane is about 1 / (1 + exp(x / WIDTH)), x outside of it
#define SURE 0.05  // smoothed density this near to 0 or 1 tells only on which side the surface is
#define CARRIED                                                                                    \
    2.0  // cells from the surface in which phi is carried, for velocities are known so far
#define HELD        0.0   // cells outside the skin that markers may be, and
#define LEAST_DEPTH 0.01  // cells
#define UNEVEN      1e-3  // error of a drop's volume that is left
#define SHIFT       0.1   // cells in a step at most, to mend it

// ---- making ------------------------------------------------------------------------------------

dew_Status dew_splash_skin_create(const dew_Problem *problem, const dew_CreateDef *def,
                                  dew_SolverState *state)
{
    const dew_SceneDef *scene = dew_problem_def(problem);
    if (!state->laws.has_tension)
        return dew_ok();
    state->skin = dew_alloc(&state->allocator, 1, sizeof *state->skin);
    if (!state->skin)
        return dew_no_memory(sizeof *state->skin);
    dew_LiquidLaws laws = {.rho_kg_m3 = state->laws.rho_kg_m3,
                           .sigma_N_m = scene->liquid.surface_tension_N_m,
                           .is_remembered = true,
                           .has_map = scene->output.wetmap};
    dew_liquid_margins(problem, &laws, scene->domain.cell_m);
    DEW_TRY(dew_liquid_create(problem, def, &laws, state->skin));
    state->skin->laws.nozzle_count = 0;  // markers come in as they do without tension
    return dew_ok();
}

void dew_splash_skin_destroy(dew_SolverState *state)
{
    if (!state->skin)
        return;
    dew_liquid_destroy(state->skin);
    dew_free(&state->allocator, state->skin, sizeof *state->skin);
}

// ---- between the grids -------------------------------------------------------------------------

// Where in the markers' fields a cell of the skin lies; DEW_INVALID: in no brick.
static int64_t marker_cell(const dew_SolverState *s, int32_t b, int n)
{
    const dew_Grid *grid = s->skin->grid;
    const int32_t *c = dew_grid_coord(grid, b);
    const int32_t cell[3] = {DEW_BRICK * c[0] + (n & 7) + 1, DEW_BRICK * c[1] + (n >> 3 & 7) + 1,
                             grid->depth == 1 ? 0 : DEW_BRICK * c[2] + (n >> 6) + 1};
    return dew_grid_cell(s->grid, cell);
}

// The other way round.
static int64_t skin_cell(const dew_SolverState *s, int32_t b, int n)
{
    const dew_Grid *grid = s->grid;
    const int32_t *c = dew_grid_coord(grid, b);
    const int32_t cell[3] = {DEW_BRICK * c[0] + (n & 7) - 1, DEW_BRICK * c[1] + (n >> 3 & 7) - 1,
                             grid->depth == 1 ? 0 : DEW_BRICK * c[2] + (n >> 6) - 1};
    return dew_grid_cell(s->skin->grid, cell);
}

double dew_splash_skin_phi(const dew_SolverState *state, int32_t brick, int cell)
{
    int64_t at = skin_cell(state, brick, cell);
    return at >= 0 ? dew_liquid_phi(state->skin)[at] : DEW_LIQUID_BAND * state->grid->cell_m;
}

// ---- tension -----------------------------------------------------------------------------------

typedef struct Pull {
    const dew_SolverState *s;
    const double *from;
    double *phi, *p;
} Pull;

// What is no liquid cell is none to the pressure either, and the other way round.
static dew_Status pull_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Pull *w = context;
    const dew_Grid *grid = w->s->grid;
    const uint8_t *kind = dew_splash_kind(w->s);
    const double *phi = dew_liquid_phi(w->s->skin);
    double h = grid->cell_m, least = LEAST_DEPTH * h;
    for (int64_t b = begin; b < end; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n, from = skin_cell(w->s, (int32_t)b, n);
            double depth = from >= 0 ? phi[from] : DEW_LIQUID_BAND * h;
            w->phi[at] = kind[at] == DEW_SPLASH_FULL ? fmin(depth, -least) : fmax(depth, least);
            w->p[at] = from >= 0 ? w->from[from] : 0;
        }
    return dew_ok();
}

dew_Status dew_splash_skin_pull(dew_SplashFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_Liquid *skin = s->skin;
    if (!skin)
        return dew_ok();
    DEW_TRY(dew_liquid_follow(flow->problem, skin, flow->step->moment_old, flow->scratch));
    DEW_TRY(dew_liquid_read_solids(flow->problem, skin, flow->step->moment_old, DEW_LIQUID_MOVING));
    int64_t count = dew_grid_value_count(s->grid);
    double *p = dew_arena_array(flow->scratch, double, dew_liquid_count(skin));
    flow->phi = dew_arena_raw_array(flow->scratch, double, count);
    flow->p_surface = dew_arena_raw_array(flow->scratch, double, count);
    if (!p || !flow->phi || !flow->p_surface)
        return dew_no_memory((size_t)count * sizeof(double));
    if (skin->grid->brick_count > 0)
        DEW_TRY(dew_liquid_tension(skin, flow->step->moment_old->time_s, flow->step->dt_s, p,
                                   flow->scratch));
    Pull pull = {s, p, flow->phi, flow->p_surface};
    return dew_grid_for(s->grid, pull_chunk, &pull);
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
        dew_tile_load_u8(grid, dew_splash_kind(s), (int32_t)b, 1, DEW_SPLASH_EMPTY, tile);
        for (int n = 0; n < grid->brick_cells; n++) {
            int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            for (int a = 0; a < dew_grid_axes(grid); a++) {
                uint8_t below = tile[t + dew_splash_beside(2 * a, DEW_BRICK + 2)];
                bool is_closed = tile[t] >= DEW_SPLASH_SOURCE || below >= DEW_SPLASH_SOURCE;
                ((double *)def->open[a])[b * grid->brick_cells + n] = is_closed ? 0 : 1;
            }
        }
    }
    return dew_ok();
}

dew_Status dew_splash_skin_project(dew_SplashFlow *flow)
{
    dew_SolverState *s = flow->state;
    int64_t count = dew_grid_value_count(s->grid);
    dew_ArenaMark mark = dew_arena_mark(flow->scratch);
    dew_ProjectionDef def = dew_default_projection_def();
    dew_ProjectionReport report;
    def.phi = flow->phi;
    def.p_surface = flow->p_surface;
    def.density_kg_m3 = s->laws.rho_kg_m3;
    def.dt_s = flow->step->dt_s;
    def.corrections = 1;
    def.method = s->laws.is_sor ? DEW_POISSON_SOR : DEW_POISSON_MULTIGRID;
    def.solve.tolerance = s->laws.tolerance;
    if (s->laws.is_sor)
        def.solve.max_iterations = 5000;
    for (int a = 0; a < dew_grid_axes(s->grid); a++) {
        double *fixed = dew_arena_raw_array(flow->scratch, double, count);
        def.open[a] = dew_arena_raw_array(flow->scratch, double, count);
        if (!def.open[a] || !fixed)
            return dew_no_memory((size_t)count * sizeof(double));
        memcpy(fixed, flow->spare[a], (size_t)count * sizeof(double));
        def.wall_u[a] = fixed;  // closed faces have the walls' and the inflows' velocities already
    }
    void *context[2] = {&def, s};
    DEW_TRY(dew_grid_for(s->grid, open_chunk, context));
    DEW_TRY(dew_projection_run(&s->tools->poisson, s->grid, &def, flow->spare,
                               dew_grid_f64(s->grid, s->p), NULL, flow->scratch, &report));
    flow->step->iterations += report.solve.iterations;
    dew_arena_rewind(flow->scratch, mark);
    return dew_ok();
}

// ---- carrying ----------------------------------------------------------------------------------

static dew_Status velocity_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SplashFlow *flow = context;
    const dew_SolverState *s = flow->state;
    const dew_Grid *grid = s->skin->grid;
    for (int64_t b = begin; b < end; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t from = marker_cell(s, (int32_t)b, n);
            for (int a = 0; a < dew_grid_axes(grid); a++)
                dew_grid_f64(grid, s->skin->u[a])[b * grid->brick_cells + n] =
                    from >= 0 ? flow->u[a][from] : 0;
        }
    return dew_ok();
}

dew_Status dew_splash_skin_carry(dew_SplashFlow *flow)
{
    dew_Liquid *skin = flow->state->skin;
    const double *u[3] = {NULL, NULL, NULL};
    if (!skin || skin->grid->brick_count == 0)
        return dew_ok();
    int64_t count = dew_liquid_count(skin);
    flow->skin_before = dew_arena_raw_array(flow->scratch, double, count);
    if (!flow->skin_before)
        return dew_no_memory((size_t)count * sizeof(double));
    memcpy(flow->skin_before, dew_liquid_phi(skin), (size_t)count * sizeof(double));
    DEW_TRY(dew_grid_for(skin->grid, velocity_chunk, flow));
    for (int a = 0; a < dew_grid_axes(skin->grid); a++)
        u[a] = dew_grid_f64(skin->grid, skin->u[a]);
    return dew_levelset_advect_weno(skin->grid, dew_liquid_phi(skin), u, flow->step->dt_s,
                                    CARRIED * skin->grid->cell_m, flow->scratch);
}

// ---- holding markers ---------------------------------------------------------------------------

// Markers that the skin has left behind are drawn to it again: each alone in its cell would fly off, for no pressure holds
// it. Those farther away are spray.
static dew_Status hold_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    dew_SolverState *s = context;
    const dew_Grid *grid = s->skin->grid;
    const double *phi = dew_liquid_phi(s->skin);
    double h = grid->cell_m, d;
    int axes = dew_grid_axes(grid);
    for (int64_t m = begin; m < end; m++) {
        dew_Vec3 x = dew_particles_position(&s->markers, m);
        if (dew_particles_ids(&s->markers)[m] == DEW_DEAD ||
            !dew_grid_sample(grid, phi, DEW_AT_CELL, x, &d) || d < HELD * h ||
            d > DEW_SPLASH_SPRAY * h)
            continue;
        double slope[3] = {0, 0, 0};
        for (int side = 0; side < 2 * axes; side++) {
            double way = side & 1 ? 0.5 * h : -0.5 * h, beside = d;
            dew_Vec3 to =
                dew_vec(side / 2 == 0 ? way : 0, side / 2 == 1 ? way : 0, side / 2 == 2 ? way : 0);
            dew_grid_sample(grid, phi, DEW_AT_CELL, dew_add(x, to), &beside);
            slope[side / 2] += side & 1 ? beside : -beside;
        }
        dew_Vec3 n = dew_normalize(dew_vec(slope[0], slope[1], slope[2]));
        dew_Vec3 y = dew_add_scaled(x, HELD * h - d, n);
        if (dew_splash_is_obstacle(s, y))
            continue;
        dew_particles_axis(&s->markers, 0)[m] = y.x;
        dew_particles_axis(&s->markers, 1)[m] = y.y;
        dew_particles_axis(&s->markers, 2)[m] = y.z;
    }
    return dew_ok();
}

dew_Status dew_splash_skin_hold(dew_SolverState *state)
{
    if (!state->skin || state->skin->grid->brick_count == 0)
        return dew_ok();
    return dew_parallel_for(state->tasks, state->markers.count, 1024, hold_chunk, state);
}

// ---- what markers say --------------------------------------------------------------------------

typedef struct Bound {
    dew_SolverState *s;
    double *held, *room;  // part of each cell that markers fill; 1 where there is no obstacle
    double *share;        // the same, smoothed
} Bound;

static dew_Status held_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Bound *w = context;
    const dew_Grid *grid = w->s->grid;
    const uint8_t *kind = dew_splash_kind(w->s), *count = dew_splash_count(w->s);
    double part = 1.0 / w->s->laws.per_cell;
    for (int64_t n = begin * grid->brick_cells; n < end * grid->brick_cells; n++) {
        w->room[n] = kind[n] != DEW_SPLASH_OBSTACLE;
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

static dew_Status share_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Bound *w = context;
    const dew_Grid *grid = w->s->grid;
    bool is_flat = grid->depth == 1;
    double held[DEW_TILE_SIZE(1)], room[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_or(grid, w->held, (int32_t)b, 1, 0, held);
        dew_tile_load_or(grid, w->room, (int32_t)b, 1, 1, room);
        for (int n = 0; n < grid->brick_cells; n++) {
            int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            double all = smoothed(room + t, is_flat);
            w->share[b * grid->brick_cells + n] = all > 0 ? smoothed(held + t, is_flat) / all : 0;
        }
    }
    return dew_ok();
}

// phi, in cells, brought to what a cell's share allows.
static double bounded(double phi, double share, double slack)
{
    double some = fmax(SURE, fmin(share, 1 - SURE)), told = -WIDTH * log(some / (1 - some));
    if (share > SURE && phi > told + slack)
        return phi > told + slack + LOST ? told : told + slack;
    if (share < 1 - SURE && phi < told - slack)
        return phi < told - slack - LOST ? told : told - slack;
    return phi;
}

static dew_Status bound_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Bound *w = context;
    const dew_Liquid *skin = w->s->skin;
    const dew_Grid *grid = skin->grid;
    const double *solid = dew_liquid_solid(skin);
    double *phi = dew_liquid_phi(skin), h = grid->cell_m;
    for (int64_t b = begin; b < end; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n, from = marker_cell(w->s, (int32_t)b, n);
            if (solid && solid[at] < 0)
                continue;
            bool is_beside = solid && solid[at] < BESIDE * h;
            double share = from >= 0 ? w->share[from] : 0, slack = is_beside ? WALL_SLACK : SLACK;
            double value = bounded(phi[at] / h, share, slack);
            phi[at] = value == phi[at] / h ? phi[at] : h * value;
        }
    return dew_ok();
}

// Bricks of the skin for all liquid.
static dew_Status want_bricks(const dew_Problem *problem, dew_SolverState *s,
                              const dew_Moment *moment)
{
    const dew_Grid *grid = s->grid;
    const uint8_t *count = dew_splash_count(s);
    bool is_missing = false, has_changed;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            if (!count[(int64_t)b * grid->brick_cells + n] || skin_cell(s, b, n) >= 0)
                continue;
            if (!is_missing) {
                dew_grid_update_begin(s->skin->grid);
                DEW_TRY(dew_grid_want_all_present(s->skin->grid));
            }
            is_missing = true;
            const int32_t *c = dew_grid_coord(grid, b);
            int32_t depth = grid->depth == 1 ? 0 : 1;
            const int32_t at[3] = {DEW_BRICK * c[0] + (n & 7) - 1,
                                   DEW_BRICK * c[1] + (n >> 3 & 7) - 1,
                                   depth * (DEW_BRICK * c[2] + (n >> 6) - 1)};
            const int32_t min[3] = {at[0] - 3, at[1] - 3, at[2] - 3 * depth};
            const int32_t max[3] = {at[0] + 4, at[1] + 4, at[2] + 1 + 3 * depth};
            DEW_TRY(dew_grid_want_box(s->skin->grid, min, max));
        }
    if (!is_missing)
        return dew_ok();
    DEW_TRY(dew_grid_update_end(s->skin->grid, &has_changed));
    return dew_liquid_read_solids(problem, s->skin, moment, DEW_LIQUID_FRESH);
}

// ---- volumes -----------------------------------------------------------------------------------

// The drop at a cell of the skin or beside it.
static int32_t drop_near(const dew_SolverState *s, int64_t at)
{
    const dew_Grid *grid = s->skin->grid;
    const int32_t *drop = dew_grid_field(grid, s->skin->drop);
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
    double *targets = DEW_ITEMS(&s->skin->targets, double);
    for (int64_t d = 0; d < s->skin->targets.count; d++)
        targets[d] = 0;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            int32_t drop = count[at] ? drop_near(s, skin_cell(s, b, n)) : DEW_INVALID;
            if (drop >= 0 && drop < s->skin->targets.count)
                targets[drop] += count[at] * s->laws.marker_m3;
        }
}

static dew_Status bound_by_markers(const dew_Problem *problem, dew_SolverState *s,
                                   const dew_Moment *moment, dew_Arena *scratch)
{
    int64_t count = dew_grid_value_count(s->grid);
    Bound bound = {s, dew_arena_raw_array(scratch, double, count),
                   dew_arena_raw_array(scratch, double, count),
                   dew_arena_raw_array(scratch, double, count)};
    if (!bound.held || !bound.room || !bound.share)
        return dew_no_memory((size_t)count * sizeof(double));
    DEW_TRY(want_bricks(problem, s, moment));
    DEW_TRY(dew_grid_for(s->grid, held_chunk, &bound));
    DEW_TRY(dew_grid_for(s->grid, share_chunk, &bound));
    return dew_grid_for(s->skin->grid, bound_chunk, &bound);
}

dew_Status dew_splash_skin_settle(dew_SplashFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_Liquid *skin = s->skin;
    const dew_Moment *moment = flow->step->moment;
    if (!skin)
        return dew_ok();
    double band = DEW_LIQUID_BAND * skin->grid->cell_m;
    if (flow->skin_before)
        DEW_TRY(dew_liquid_carry_walls(flow->problem, skin, flow->step, flow->skin_before));
    DEW_TRY(bound_by_markers(flow->problem, s, moment, flow->scratch));
    if (skin->grid->brick_count == 0)
        return dew_liquid_reserve(skin);
    int64_t count = dew_liquid_count(skin);
    double *phi = dew_liquid_phi(skin);
    double *in_walls = dew_arena_raw_array(flow->scratch, double, count);
    if (!in_walls)
        return dew_no_memory((size_t)count * sizeof(double));
    memcpy(in_walls, phi, (size_t)count * sizeof(double));
    DEW_TRY(dew_levelset_redistance(skin->grid, phi, DEW_REDISTANCE_CLOSEST, band, flow->scratch,
                                    NULL));
    const double *solid = dew_liquid_solid(skin);
    for (int64_t n = 0; solid && n < count; n++)
        phi[n] = solid[n] < 0 ? in_walls[n] : phi[n];
    DEW_TRY(dew_liquid_contact(skin, moment->time_s, flow->scratch));
    DEW_TRY(dew_liquid_find_drops(skin, true, flow->scratch));
    set_targets(s);
    if (dew_liquid_worst_error(skin) > UNEVEN) {
        DEW_TRY(dew_liquid_correct(skin, SHIFT, flow->scratch));
        DEW_TRY(dew_liquid_find_drops(skin, true, flow->scratch));
    }
    DEW_TRY(dew_liquid_note_wet(flow->problem, skin, moment));
    return dew_liquid_reserve(skin);
}

// ---- the rest ----------------------------------------------------------------------------------

dew_Status dew_splash_skin_pour(const dew_Problem *problem, dew_SolverState *state,
                                const dew_Moment *moment, const dew_Blob *blob)
{
    return state->skin ? dew_liquid_pour(problem, state->skin, moment, blob) : dew_ok();
}

void dew_splash_skin_measure(const dew_Problem *problem, const dew_SolverState *state,
                             const dew_Moment *moment, dew_Measure *out)
{
    dew_Measure of_skin;
    if (!state->skin)
        return;
    dew_liquid_measure(problem, state->skin, moment, &of_skin);
    out->area_m2 = of_skin.area_m2;
    out->surface_J = of_skin.surface_J;
    out->contact_area_m2 = of_skin.contact_area_m2;
    out->contact_angle_rad = of_skin.contact_angle_rad;
    out->contact_angle_min_rad = of_skin.contact_angle_min_rad;
    out->contact_angle_max_rad = of_skin.contact_angle_max_rad;
}

// Markers without a skin are drawn as balls, one for each cell.
static dew_Status collect_strays(const dew_SolverState *s, dew_Array *motes)
{
    const dew_Grid *grid = s->grid;
    const double *phi = dew_liquid_phi(s->skin);
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
            int64_t at = skin_cell(s, b, n);
            if (at >= 0 && phi[at] < DEW_SPLASH_SPRAY * grid->cell_m)
                continue;
            if (place[n] < 0) {
                place[n] = (int32_t)motes->count;
                DEW_TRY(dew_array_resize(motes, motes->count + 1));
                DEW_ITEMS(motes, dew_LiquidMote)[place[n]] = (dew_LiquidMote){0};
            }
            dew_LiquidMote *mote = &DEW_ITEMS(motes, dew_LiquidMote)[place[n]];
            mote->volume_m3 += s->laws.marker_m3;
            mote->position_m = dew_add_scaled(mote->position_m,
                                              1.0 / count[(int64_t)b * grid->brick_cells + n], x);
        }
    }
    return dew_ok();
}

dew_Status dew_splash_skin_surface(const dew_Problem *problem, const dew_SolverState *state,
                                   const dew_Moment *moment, dew_Surface *out)
{
    dew_Liquid seen = *state->skin;
    dew_array_init(&seen.motes, &state->allocator, sizeof(dew_LiquidMote));
    dew_Status status = collect_strays(state, &seen.motes);
    if (status.code == DEW_OK)
        status = dew_liquid_surface(problem, &seen, moment, out);
    dew_array_deinit(&seen.motes);
    return status;
}

void dew_splash_skin_fields(dew_SolverState *state, dew_FieldList *out)
{
    static const char *const names[][2] = {{"brick", "skin_brick"},
                                           {"phi", DEW_SPLASH_SKIN_PHI},
                                           {"p", "skin_p"},
                                           {"u", "skin_u"},
                                           {"v", "skin_v"},
                                           {"w", "skin_w"},
                                           {"wet_time", "skin_wet_time"},
                                           {"target", "skin_target"},
                                           {"mote", "skin_mote"},
                                           {"waiting", "skin_waiting"},
                                           {"pose", "skin_pose"},
                                           {"wet_key", "skin_wet_key"},
                                           {"touched_key", "skin_touched"},
                                           {"wet_place_time", "skin_wet_place_time"},
                                           {"touched_time", "skin_touched_time"}};
    int first = out->count;
    if (!state->skin)
        return;
    dew_liquid_fields(state->skin, out);
    for (int i = first; i < out->count; i++)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            if (strcmp(out->field[i].name, names[k][0]) == 0) {
                out->field[i].name = names[k][1];
                break;
            }
}

dew_Status dew_splash_skin_restored(const dew_Problem *problem, dew_SolverState *state)
{
    return state->skin ? dew_liquid_restored(problem, state->skin) : dew_ok();
}
