// Solver `splash`: its state, what World asks of it. The step is in splash_step.c.
#include "solvers/splash/splash_solver.h"

#include "base/status.h"
#include "grid/field_view.h"
#include "solvers/field_table.h"
#include "solvers/free_surface/liquid.h"
#include "solvers/splash/splash_state.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define MAX_TENSION_CFL 0.5  // cells: the level set wants shorter steps than markers alone

static void splash_destroy(dew_SolverState *state)
{
    if (!state)
        return;
    dew_Allocator allocator = state->allocator;
    if (state->workspace) {
        dew_poisson_deinit(&state->workspace->poisson);
        dew_arena_deinit(&state->workspace->scratch);
        dew_grid_destroy(state->workspace->fine);
        dew_free(&allocator, state->workspace, sizeof *state->workspace);
    }
    dew_splash_level_set_destroy(state);
    dew_grid_destroy(state->grid);
    dew_particles_deinit(&state->markers);
    dew_array_deinit(&state->waiting);
    dew_free(&allocator, state, sizeof *state);
}

// The surface tension may change between steps, but not which fields there are: events count from
// the start.
static bool has_tension(const dew_Problem *problem)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    if (!dew_scene_parameter_flag(scene, "tension"))
        return false;
    bool is_wanted = dew_problem_def(problem)->liquid.surface_tension_N_m > 0;
    for (int i = 0; i < dew_scene_event_count(scene); i++) {
        const dew_EventDef *event = dew_scene_event(scene, i);
        is_wanted |= event->kind == DEW_EVENT_LIQUID && event->surface_tension_N_m > 0;
    }
    return is_wanted;
}

static dew_SplashParams read_params(const dew_Problem *problem)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    const dew_SceneDef *def = dew_problem_def(problem);
    double h = def->domain.cell_m;
    int per_axis = (int)lround(dew_scene_parameter_number(scene, "markers_per_axis"));
    dew_SplashParams params = {
        .rho_kg_m3 = def->liquid.density_kg_m3,
        .nu_m2_s = def->liquid.viscosity_Pa_s / def->liquid.density_kg_m3,
        .cfl = dew_scene_parameter_number(scene, "cfl"),
        .tolerance = dew_scene_parameter_number(scene, "tolerance"),
        .relaxation = dew_scene_parameter_number(scene, "relaxation"),
        .is_sor = dew_scene_parameter_is(dew_problem_scene(problem), "pressure", "sor"),
        .is_plain = dew_scene_parameter_is(dew_problem_scene(problem), "viscosity", "liquid"),
        .per_axis = per_axis,
        .per_cell = per_axis * per_axis * (def->dimensions == 2 ? 1 : per_axis),
        .reseed_every = (int)lround(dew_scene_parameter_number(scene, "reseed_every")),
        .has_tension = has_tension(problem),
        .tension_factor = dew_scene_parameter_number(scene, "tension_factor"),
        .seed = def->seed,
        .domain = dew_problem_domain(problem),
    };
    params.marker_m3 = h * h * h / params.per_cell;
    params.cfl = params.has_tension ? fmin(params.cfl, MAX_TENSION_CFL) : params.cfl;
    for (int i = 0; i < dew_problem_solid_count(problem); i++)
        params.has_motion |= dew_problem_solid_is_moving(problem, i);
    dew_LiquidParams shared = {0};
    dew_liquid_outflow_margins(problem, &shared, h);
    memcpy(params.margin_m, shared.margin_m, sizeof params.margin_m);
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        params.reach[side] = def->domain.wall_material[side]
                                 ? 1
                                 : (int32_t)fmin(ceil(params.margin_m[side] / h) + 2, 1 << 16);
    return params;
}

// The first cell of the domain is the second of its brick: walls need one cell more on each side,
// and so have it without bricks of their own.
static dew_Status make_grid(const dew_Problem *problem, dew_SolverState *s, int fine,
                            dew_Grid **out)
{
    dew_LiquidGridDef def = {.margin_m = s->params.margin_m,
                             .first = 1,
                             .fine = fine,
                             .max_cells_log2 = 18,
                             .tasks = s->tasks,
                             .allocator = s->allocator};
    return dew_liquid_grid_create(problem, &def, out);
}

enum { HAS_Z = 1, HAS_MOTION = 2 };  // features that fields depend on

static unsigned features_of(const dew_SolverState *s)
{
    return (dew_grid_axes(s->grid) == 3 ? HAS_Z : 0) | (s->params.has_motion ? HAS_MOTION : 0);
}

// All fields of the grid.
#define ROW(text, kind_of, where, member, feature_bits, what, value)                               \
    {                                                                                              \
        .name = (text), .type = DEW_FIELD_##kind_of, .components = 1, .place = DEW_AT_##where,     \
        .offset = offsetof(dew_SolverState, member), .needs = (feature_bits),                      \
        .role = DEW_FIELD_##what, .initial = (value), .is_initial_cells = true                     \
    }
static const dew_FieldRow rows[] = {
    ROW("kind", U8, CELL, kind, 0, STATE, 0),
    ROW("count", U8, CELL, count, 0, STATE, 0),
    ROW("deep", U8, CELL, deep, 0, STATE, 0),
    ROW("slip", F32, CELL, slip, 0, STATE, 0),
    ROW("p", F64, CELL, p, 0, STATE, 0),
    ROW("phi", F64, CELL, phi, 0, DERIVED, 0.5),
    ROW("u", F64, FACE_X, u[0], 0, STATE, 0),
    ROW("wall_u", F64, FACE_X, wall_u[0], HAS_MOTION, STATE, 0),
    ROW("v", F64, FACE_Y, u[1], 0, STATE, 0),
    ROW("wall_v", F64, FACE_Y, wall_u[1], HAS_MOTION, STATE, 0),
    ROW("w", F64, FACE_Z, u[2], HAS_Z, STATE, 0),
    ROW("wall_w", F64, FACE_Z, wall_u[2], HAS_MOTION | HAS_Z, STATE, 0),
};
#undef ROW
#define ROW_COUNT ((int)(sizeof rows / sizeof rows[0]))

static dew_Status make_parts(const dew_Problem *problem, dew_SolverState *s)
{
    double far_m = dew_problem_def(problem)->domain.cell_m;
    s->workspace = dew_alloc(&s->allocator, 1, sizeof *s->workspace);
    if (!s->workspace)
        return dew_no_memory(sizeof *s->workspace);
    dew_poisson_init(&s->workspace->poisson, &s->allocator);
    dew_arena_init(&s->workspace->scratch, &s->allocator);
    s->params = read_params(problem);
    DEW_TRY(make_grid(problem, s, 1, &s->grid));
    DEW_TRY(dew_field_table_create(rows, ROW_COUNT, features_of(s), s->grid, s));
    DEW_TRY(make_grid(problem, s, 2, &s->workspace->fine));
    DEW_TRY(dew_grid_add_field(s->workspace->fine, "wall", DEW_AT_CELL, sizeof(double), &far_m,
                               &s->workspace->fine_wall));
    s->numbers.max_step_s = DEW_LIQUID_NEVER_S;
    return dew_array_resize(&s->waiting, dew_problem_inflow_count(problem));
}

// Bricks before the inflows, with their solids.
static dew_Status begin(const dew_Problem *problem, dew_SolverState *s)
{
    int64_t count = dew_problem_solid_count(problem);
    dew_SolidPose *poses = dew_arena_array(&s->workspace->scratch, dew_SolidPose, count);
    if (!poses)
        return dew_no_memory((size_t)count * sizeof *poses);
    dew_problem_poses(problem, 0, poses);
    dew_Instant instant = {.poses = poses};
    DEW_TRY(dew_splash_update_bricks(problem, s, &instant, &s->workspace->scratch));
    DEW_TRY(dew_splash_settle(problem, s, 0, false, &s->workspace->scratch));
    dew_arena_clear(&s->workspace->scratch);
    return dew_ok();
}

static dew_Status splash_create(const dew_Problem *problem, const dew_CreateDef *def,
                                dew_SolverState **out)
{
    *out = NULL;
    dew_SolverState *state = dew_alloc(&def->allocator, 1, sizeof *state);
    if (!state)
        return dew_no_memory(sizeof *state);
    state->allocator = def->allocator;
    state->tasks = def->tasks;
    dew_particles_init(&state->markers, &state->allocator);
    dew_array_init(&state->waiting, &state->allocator, sizeof(double));
    dew_Status status = make_parts(problem, state);
    if (status.code == DEW_OK)
        status = dew_splash_level_set_create(problem, def, state);
    if (status.code == DEW_OK)
        status = begin(problem, state);
    if (status.code != DEW_OK) {
        splash_destroy(state);
        return status;
    }
    *out = state;
    return dew_ok();
}

static dew_Status splash_parameters(const dew_Problem *problem, dew_SolverState *state)
{
    return state->level_set ? dew_liquid_parameters(problem, state->level_set) : dew_ok();
}

// Besides what the velocities allow: gravity must not carry what is at rest too far, inflows and
// walls not either; and the level set's waves.
static double bound_step(const dew_SolverState *state, const dew_Instant *instant,
                         double other_speed_m_s, double step, const char **bound)
{
    double h = state->grid->cell_m, displacement = state->params.cfl * h,
           g = dew_length(instant->gravity_m_s2);
    bool has_liquid = dew_splash_marker_count(state) > 0;
    double fall = has_liquid && g > 0 ? sqrt(displacement / g) : (double)INFINITY;
    double most =
        fmin(fall, other_speed_m_s > 0 ? displacement / other_speed_m_s : (double)INFINITY);
    if (most < step) {
        step = most;
        *bound = "cfl";
    }
    if (has_liquid && state->level_set) {
        double capillary =
            state->params.tension_factor * dew_liquid_capillary_s(&state->level_set->params, h);
        *bound = capillary < step ? "capillary" : *bound;
        step = fmin(step, capillary);
    }
    return step;
}

static double splash_max_step(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Instant *instant, const char **bound)
{
    static const char *const names[] = {NULL, "cfl", "viscosity"};
    const dew_SplashNumbers *numbers = &state->numbers;
    double speed = dew_liquid_inflow_speed(problem, instant->time_s, false);
    for (int i = 0; state->params.has_motion && i < dew_problem_solid_count(problem); i++)
        speed = fmax(speed, dew_length(instant->poses[i].velocity_m_s));
    bool is_limited =
        dew_splash_marker_count(state) > 0 && numbers->max_step_s < DEW_LIQUID_NEVER_S;
    *bound = is_limited ? names[state->counts.bound] : NULL;
    return bound_step(state, instant, speed, is_limited ? numbers->max_step_s : (double)INFINITY,
                      bound);
}

static double splash_step_at_speed(const dew_Problem *problem, const dew_SolverState *state,
                                   const dew_Instant *instant, double speed_m_s, const char **bound)
{
    (void)problem;
    bool is_cfl;
    double step = dew_splash_step_at(state, speed_m_s, &is_cfl);
    *bound = isinf(step) ? NULL : is_cfl ? "cfl" : "viscosity";
    return bound_step(state, instant, 0, step, bound);
}

// ---- fields ------------------------------------------------------------------------------------

static void splash_fields(dew_SolverState *s, dew_FieldList *out)
{
    static const char *const axes[3] = {"marker_x", "marker_y", "marker_z"};
    *out = (dew_FieldList){.count = 0};
    dew_field_list_array(out, "brick", DEW_FIELD_U64, 1, &s->grid->keys);
    dew_field_table_list(rows, ROW_COUNT, features_of(s), s->grid, s, out);
    for (int a = 0; a < 3; a++)
        dew_field_list_array(out, axes[a], DEW_FIELD_F64, 1, &s->markers.column[a]);
    dew_field_list_array(out, "marker_id", DEW_FIELD_U64, 1, &s->markers.column[3]);
    dew_field_list_block(out, "marker_next_id", DEW_FIELD_U64, 1, &s->next_id);
    dew_field_list_array(out, "waiting", DEW_FIELD_F64, 1, &s->waiting);
    dew_field_list_block(out, "numbers", DEW_FIELD_F64, DEW_SPLASH_NUMBERS, &s->numbers);
    dew_field_list_block(out, "counts", DEW_FIELD_I64, DEW_SPLASH_COUNTS, &s->counts);
    if (s->level_set) {
        int first = out->count;
        dew_liquid_fields(s->level_set, out);
        dew_field_list_nest(out, first, DEW_SPLASH_LEVEL_SET);
    }
}

static dew_Status check_restored(const dew_Problem *problem, dew_SolverState *s)
{
    DEW_TRY(dew_field_table_check(rows, ROW_COUNT, features_of(s), s->grid, s));
    const uint8_t *kind = dew_splash_kind(s), *deep = dew_splash_deep(s);
    for (int64_t n = 0; n < s->grid->keys.count * s->grid->brick_cells; n++)
        if (kind[n] > DEW_CELL_OBSTACLE || deep[n] > 1)
            return dew_fail(DEW_CORRUPT, "a cell has the impossible kind %d", kind[n]);
    for (int c = 1; c < s->markers.column_count; c++)
        if (s->markers.column[c].count != s->markers.column[0].count)
            return dew_fail(DEW_CORRUPT, "the markers' columns are not equally long");
    if (s->waiting.count != dew_problem_inflow_count(problem))
        return dew_fail(DEW_CORRUPT, "the accounts are not those of the scene's sources");
    const int64_t *counters = (const int64_t *)&s->counts;
    for (int k = 0; k < DEW_SPLASH_COUNTS; k++)
        if (counters[k] > INT32_MAX || counters[k] < -INT32_MAX)
            return dew_fail(DEW_CORRUPT, "a counter of the markers is impossible");
    if (s->counts.bound < 0 || s->counts.bound > 2)
        return dew_fail(DEW_CORRUPT, "the step is bound by something unknown");
    return dew_ok();
}

static dew_Status splash_restored(const dew_Problem *problem, dew_SolverState *state)
{
    DEW_TRY(check_restored(problem, state));
    int64_t count = state->markers.column[0].count;
    state->markers.count = count;
    state->markers.is_sorted = false;
    DEW_TRY(dew_grid_rebuild(state->grid));
    dew_Status status =
        dew_particles_group(&state->markers, state->grid, &state->workspace->scratch);
    dew_arena_clear(&state->workspace->scratch);
    if (status.code == DEW_OK && state->markers.count != count)
        return dew_fail(DEW_CORRUPT, "some markers lie outside all bricks");
    return status.code == DEW_OK ? dew_splash_level_set_restored(problem, state) : status;
}

static dew_GridView splash_grid(const dew_SolverState *state)
{
    if (state->level_set)
        return dew_liquid_view(state->level_set);
    dew_splash_make_phi(state);
    dew_GridView view = {.grid = state->grid,
                         .phi = dew_grid_f64(state->grid, state->phi),
                         .far_m = 0.5 * state->grid->cell_m};
    for (int a = 0; a < dew_grid_axes(state->grid); a++)
        view.u[a] = dew_grid_f64(state->grid, state->u[a]);
    return view;
}

static dew_ParticleView splash_particles(const dew_SolverState *state)
{
    dew_ParticleView view = {.count = state->markers.count,
                             .ids = dew_particles_ids(&state->markers)};
    for (int a = 0; a < 3; a++)
        view.axis_m[a] = dew_particles_axis(&state->markers, a);
    return view;
}

// With tension phi is that of the level set, on bricks of its own.
static void splash_field_views(const dew_SolverState *state, dew_FieldViews *out)
{
    dew_GridView phi = splash_grid(state);
    dew_FieldView view = dew_grid_view(phi.grid, "phi", "m", DEW_AT_CELL, DEW_FIELD_F64, phi.phi);
    view.missing = phi.far_m;
    out->field[out->count++] = view;
    dew_liquid_flow_views(state->grid, state->u, state->p, out);
}

static void splash_particle_views(const dew_SolverState *state, dew_ParticleViews *out)
{
    dew_particle_views_begin_particles(out, "markers", &state->markers);
    if (state->level_set)
        dew_liquid_particle_views(state->level_set, out);
}

const dew_SolverOps dew_splash_solver_ops = {
    .traits = &dew_splash_solver_traits,
    .stages = dew_splash_stage_names,
    .create = splash_create,
    .parameters = splash_parameters,
    .pour = dew_splash_pour,
    .max_step_s = splash_max_step,
    .step_at_speed_s = splash_step_at_speed,
    .step = dew_splash_step,
    .surface = dew_splash_surface,
    .measure = dew_splash_measure,
    .fields = splash_fields,
    .restored = splash_restored,
    .destroy = splash_destroy,
    .grid = splash_grid,
    .particles = splash_particles,
    .field_views = splash_field_views,
    .particle_views = splash_particle_views,
};
