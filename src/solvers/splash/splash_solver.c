// Solver `splash`: its state, what World asks of it. The step is in step.c.
#include "solvers/splash/splash_solver.h"

#include "base/status.h"
#include "solvers/liquid/liquid.h"
#include "solvers/splash/state.h"

#include <math.h>
#include <string.h>

#define MAX_TENSION_CFL 0.5  // cells: the skin wants shorter steps than markers alone

static void splash_destroy(dew_SolverState *state)
{
    if (!state)
        return;
    dew_Allocator allocator = state->allocator;
    if (state->tools) {
        dew_poisson_deinit(&state->tools->poisson);
        dew_arena_deinit(&state->tools->scratch);
        dew_grid_destroy(state->tools->fine);
        dew_free(&allocator, state->tools, sizeof *state->tools);
    }
    dew_splash_skin_destroy(state);
    dew_grid_destroy(state->grid);
    dew_particles_deinit(&state->markers);
    dew_array_deinit(&state->waiting);
    dew_free(&allocator, state, sizeof *state);
}

static bool is_chosen(const dew_Scene *scene, const char *knob, const char *choice)
{
    return strcmp(dew_scene_knob_choice(scene, knob), choice) == 0;
}

// The tension may change on the way, but not which fields there are: those of the state before, and those that some event
// will want.
static bool has_tension(const dew_Problem *problem, const dew_FieldList *replaced)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    if (!dew_scene_knob_flag(scene, "tension"))
        return false;
    for (int i = 0; replaced && i < replaced->count; i++)
        if (strcmp(replaced->field[i].name, DEW_SPLASH_SKIN_PHI) == 0)
            return true;
    bool is_wanted = dew_problem_def(problem)->liquid.surface_tension_N_m > 0;
    for (int i = 0; i < dew_scene_event_count(scene); i++) {
        const dew_EventDef *event = dew_scene_event(scene, i);
        is_wanted |= event->kind == DEW_EVENT_LIQUID && event->surface_tension_N_m > 0;
    }
    return !replaced && is_wanted;
}

static dew_SplashLaws read_laws(const dew_Problem *problem, const dew_FieldList *replaced)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    const dew_SceneDef *def = dew_problem_def(problem);
    double h = def->domain.cell_m;
    int per_axis = (int)lround(dew_scene_knob_number(scene, "markers_per_axis"));
    dew_SplashLaws laws = {
        .rho_kg_m3 = def->liquid.density_kg_m3,
        .nu_m2_s = def->liquid.viscosity_Pa_s / def->liquid.density_kg_m3,
        .cfl = dew_scene_knob_number(scene, "cfl"),
        .tolerance = dew_scene_knob_number(scene, "tolerance"),
        .relaxation = dew_scene_knob_number(scene, "relaxation"),
        .is_sor = is_chosen(scene, "pressure", "sor"),
        .is_plain = is_chosen(scene, "viscosity", "liquid"),
        .per_axis = per_axis,
        .per_cell = per_axis * per_axis * (def->dimensions == 2 ? 1 : per_axis),
        .reseed_every = (int)lround(dew_scene_knob_number(scene, "reseed_every")),
        .has_tension = has_tension(problem, replaced),
        .tension_factor = dew_scene_knob_number(scene, "tension_factor"),
        .seed = def->seed,
        .domain = dew_problem_domain(problem),
    };
    laws.marker_m3 = h * h * h / laws.per_cell;
    laws.cfl = laws.has_tension ? fmin(laws.cfl, MAX_TENSION_CFL) : laws.cfl;
    for (int i = 0; i < dew_problem_solid_count(problem); i++)
        laws.has_motion |= dew_problem_solid_is_moving(problem, i);
    dew_LiquidLaws shared = {0};
    dew_liquid_margins(problem, &shared, h);
    memcpy(laws.margin_m, shared.margin_m, sizeof laws.margin_m);
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        laws.reach[side] = def->domain.wall_material[side]
                               ? 1
                               : (int32_t)fmin(ceil(laws.margin_m[side] / h) + 2, 1 << 16);
    return laws;
}

// The first cell of the domain is the second of its brick: walls need one cell more on each side, and so have it without
// bricks of their own.
static dew_Status make_grid(const dew_Problem *problem, dew_SolverState *s, int fine,
                            dew_Grid **out)
{
    const dew_SceneDef *scene = dew_problem_def(problem);
    dew_GridDef def = dew_default_grid_def();
    double counts[3], h = scene->domain.cell_m;
    dew_scene_cell_counts(dew_problem_scene(problem), counts);
    def.dimensions = scene->dimensions;
    def.cell_m = h / fine;
    def.origin_m = dew_sub(scene->domain.min_m, dew_vec(h, h, h));
    if (def.dimensions == 2)
        def.origin_m.z = 0.5 * (scene->domain.min_m.z + scene->domain.max_m.z) - 0.5 * h;
    for (int a = 0; a < 3; a++) {
        if (counts[a] > 1 << 18)
            return dew_fail(DEW_UNSUPPORTED, "%g cells along one side of the domain (at most 2^18)",
                            counts[a]);
        bool is_flat = a == 2 && def.dimensions == 2;
        def.cell_min[a] = is_flat ? 0 : fine;
        def.cell_max[a] = is_flat ? 1 : fine * (1 + (int32_t)counts[a]);
    }
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        def.margin = (int32_t)fmax(def.margin, fmin(ceil(s->laws.margin_m[side] / h) + 4, 1 << 16));
    def.margin *= fine;
    def.tasks = s->tasks;
    def.allocator = s->allocator;
    return dew_grid_create(&def, out);
}

static dew_Status make_fields(dew_SolverState *s)
{
    static const char *const u[3] = {"u", "v", "w"};
    static const char *const wall_u[3] = {"wall_u", "wall_v", "wall_w"};
    dew_Grid *g = s->grid;
    const size_t f64 = sizeof(double);
    double outside_m = 0.5 * g->cell_m;
    DEW_TRY(dew_grid_add_field(g, "kind", DEW_AT_CELL, 1, NULL, &s->kind));
    DEW_TRY(dew_grid_add_field(g, "count", DEW_AT_CELL, 1, NULL, &s->count));
    DEW_TRY(dew_grid_add_field(g, "deep", DEW_AT_CELL, 1, NULL, &s->deep));
    DEW_TRY(dew_grid_add_field(g, "slip", DEW_AT_CELL, sizeof(float), NULL, &s->slip));
    DEW_TRY(dew_grid_add_field(g, "p", DEW_AT_CELL, f64, NULL, &s->p));
    DEW_TRY(dew_grid_add_field(g, "phi", DEW_AT_CELL, f64, &outside_m, &s->phi));
    for (int a = 0; a < dew_grid_axes(g); a++) {
        dew_Place face = (dew_Place)(DEW_AT_FACE_X + a);
        DEW_TRY(dew_grid_add_field(g, u[a], face, f64, NULL, &s->u[a]));
        if (s->laws.has_motion)
            DEW_TRY(dew_grid_add_field(g, wall_u[a], face, f64, NULL, &s->wall_u[a]));
    }
    return dew_ok();
}

static dew_Status make_parts(const dew_Problem *problem, const dew_FieldList *replaced,
                             dew_SolverState *s)
{
    double far_m = dew_problem_def(problem)->domain.cell_m;
    s->tools = dew_alloc(&s->allocator, 1, sizeof *s->tools);
    if (!s->tools)
        return dew_no_memory(sizeof *s->tools);
    dew_poisson_init(&s->tools->poisson, &s->allocator);
    dew_arena_init(&s->tools->scratch, &s->allocator);
    s->laws = read_laws(problem, replaced);
    DEW_TRY(make_grid(problem, s, 1, &s->grid));
    DEW_TRY(make_fields(s));
    DEW_TRY(make_grid(problem, s, 2, &s->tools->fine));
    DEW_TRY(dew_grid_add_field(s->tools->fine, "wall", DEW_AT_CELL, sizeof(double), &far_m,
                               &s->tools->fine_wall));
    s->numbers.max_step_s = DEW_SPLASH_NO_LIMIT;
    return dew_array_resize(&s->waiting, dew_problem_inflow_count(problem));
}

// Bricks before the inflows, with their solids.
static dew_Status begin(const dew_Problem *problem, dew_SolverState *s)
{
    int64_t count = dew_problem_solid_count(problem);
    dew_SolidPose *poses = dew_arena_array(&s->tools->scratch, dew_SolidPose, count);
    if (!poses)
        return dew_no_memory((size_t)count * sizeof *poses);
    dew_problem_poses(problem, 0, poses);
    dew_Moment moment = {.poses = poses};
    DEW_TRY(dew_splash_follow(problem, s, &moment, &s->tools->scratch));
    DEW_TRY(dew_splash_settle(problem, s, 0, false, &s->tools->scratch));
    dew_arena_clear(&s->tools->scratch);
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
    dew_Status status = make_parts(problem, def->replaced, state);
    if (status.code == DEW_OK)
        status = dew_splash_skin_create(problem, def, state);
    if (status.code == DEW_OK)
        status = begin(problem, state);
    if (status.code != DEW_OK) {
        splash_destroy(state);
        return status;
    }
    *out = state;
    return dew_ok();
}

// Besides what the velocities allow: gravity must not carry what is at rest too far, inflows and walls not either;
// and the skin's waves.
static double bound_step(const dew_SolverState *state, const dew_Moment *moment,
                         double other_speed_m_s, double step, const char **bound)
{
    double h = state->grid->cell_m, way = state->laws.cfl * h, g = dew_length(moment->gravity_m_s2);
    bool has_liquid = dew_splash_marker_count(state) > 0;
    double fall = has_liquid && g > 0 ? sqrt(way / g) : (double)INFINITY;
    double most = fmin(fall, other_speed_m_s > 0 ? way / other_speed_m_s : (double)INFINITY);
    if (most < step) {
        step = most;
        *bound = "cfl";
    }
    if (has_liquid && state->skin) {
        const dew_LiquidLaws *laws = &state->skin->laws;
        double capillary = state->laws.tension_factor *
                           sqrt(laws->rho_kg_m3 * h * h * h / (2 * DEW_PI * laws->sigma_N_m));
        *bound = capillary < step ? "capillary" : *bound;
        step = fmin(step, capillary);
    }
    return step;
}

static double splash_max_step(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Moment *moment, const char **bound)
{
    static const char *const names[] = {NULL, "cfl", "viscosity"};
    const dew_SplashNumbers *numbers = &state->numbers;
    double speed = dew_splash_inflow_speed(problem, moment->time_s);
    for (int i = 0; state->laws.has_motion && i < dew_problem_solid_count(problem); i++)
        speed = fmax(speed, dew_length(moment->poses[i].velocity_m_s));
    bool is_limited =
        dew_splash_marker_count(state) > 0 && numbers->max_step_s < DEW_SPLASH_NO_LIMIT;
    *bound = is_limited ? names[(int)numbers->bound] : NULL;
    return bound_step(state, moment, speed, is_limited ? numbers->max_step_s : (double)INFINITY,
                      bound);
}

static double splash_step_at_speed(const dew_Problem *problem, const dew_SolverState *state,
                                   const dew_Moment *moment, double speed_m_s, const char **bound)
{
    (void)problem;
    bool is_cfl;
    double step = dew_splash_step_at(state, speed_m_s, &is_cfl);
    *bound = isinf(step) ? NULL : is_cfl ? "cfl" : "viscosity";
    return bound_step(state, moment, 0, step, bound);
}

// ---- fields ------------------------------------------------------------------------------------

static void add_grid_field(const dew_Grid *grid, int field, dew_FieldType type, dew_FieldList *out)
{
    dew_GridField *f = &DEW_ITEMS(&grid->fields, dew_GridField)[field];
    out->field[out->count++] = (dew_Field){
        .name = f->name, .type = type, .components = grid->brick_cells, .array = &f->bricks};
}

static void splash_fields(dew_SolverState *s, dew_FieldList *out)
{
    static const char *const axes[3] = {"marker_x", "marker_y", "marker_z"};
    *out = (dew_FieldList){.count = 0};
    out->field[out->count++] = (dew_Field){
        .name = "brick", .type = DEW_FIELD_U64, .components = 1, .array = &s->grid->keys};
    add_grid_field(s->grid, s->kind, DEW_FIELD_U8, out);
    add_grid_field(s->grid, s->count, DEW_FIELD_U8, out);
    add_grid_field(s->grid, s->deep, DEW_FIELD_U8, out);
    add_grid_field(s->grid, s->slip, DEW_FIELD_F32, out);
    add_grid_field(s->grid, s->p, DEW_FIELD_F64, out);
    for (int a = 0; a < dew_grid_axes(s->grid); a++) {
        add_grid_field(s->grid, s->u[a], DEW_FIELD_F64, out);
        if (s->laws.has_motion)
            add_grid_field(s->grid, s->wall_u[a], DEW_FIELD_F64, out);
    }
    for (int a = 0; a < 3; a++)
        out->field[out->count++] = (dew_Field){.name = axes[a],
                                               .type = DEW_FIELD_F64,
                                               .components = 1,
                                               .array = &s->markers.column[a]};
    out->field[out->count++] = (dew_Field){.name = "marker_id",
                                           .type = DEW_FIELD_U64,
                                           .components = 1,
                                           .array = &s->markers.column[3]};
    out->field[out->count++] = (dew_Field){.name = "marker_next_id",
                                           .type = DEW_FIELD_U64,
                                           .components = 1,
                                           .block = &s->next_id,
                                           .block_count = 1};
    out->field[out->count++] = (dew_Field){
        .name = "waiting", .type = DEW_FIELD_F64, .components = 1, .array = &s->waiting};
    out->field[out->count++] = (dew_Field){.name = "numbers",
                                           .type = DEW_FIELD_F64,
                                           .components = DEW_SPLASH_NUMBERS,
                                           .block = &s->numbers,
                                           .block_count = 1};
    dew_splash_skin_fields(s, out);
}

static dew_Status check_restored(const dew_Problem *problem, dew_SolverState *s)
{
    dew_FieldList list;
    splash_fields(s, &list);
    int fields = 5 + dew_grid_axes(s->grid) * (s->laws.has_motion ? 2 : 1);
    for (int i = 1; i <= fields; i++)
        if (list.field[i].array->count != s->grid->keys.count)
            return dew_fail(DEW_CORRUPT, "field %s has not as many bricks as the grid",
                            list.field[i].name);
    const dew_Array *kinds = list.field[1].array;
    const uint8_t *kind = kinds->data, *deep = list.field[3].array->data;
    for (int64_t n = 0; n < kinds->count * s->grid->brick_cells; n++)
        if (kind[n] > DEW_SPLASH_OBSTACLE || deep[n] > 1)
            return dew_fail(DEW_CORRUPT, "a cell has the impossible kind %d", kind[n]);
    for (int c = 1; c < s->markers.column_count; c++)
        if (s->markers.column[c].count != s->markers.column[0].count)
            return dew_fail(DEW_CORRUPT, "the markers' columns are not equally long");
    if (s->waiting.count != dew_problem_inflow_count(problem))
        return dew_fail(DEW_CORRUPT, "the accounts are not those of the scene's sources");
    if (!(s->numbers.bound >= 0 && s->numbers.bound <= 2))
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
    dew_Status status = dew_particles_group(&state->markers, state->grid, &state->tools->scratch);
    dew_arena_clear(&state->tools->scratch);
    if (status.code == DEW_OK && state->markers.count != count)
        return dew_fail(DEW_CORRUPT, "some markers lie outside all bricks");
    return status.code == DEW_OK ? dew_splash_skin_restored(problem, state) : status;
}

static dew_GridView splash_grid(const dew_SolverState *state)
{
    if (state->skin)
        return dew_liquid_view(state->skin);
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

const dew_SolverOps dew_splash_solver_ops = {
    .traits = &dew_splash_solver_traits,
    .create = splash_create,
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
};
