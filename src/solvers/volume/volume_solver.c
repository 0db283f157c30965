// Solver `volume`: its state, what World asks of it. The step is in step.c.
#include "solvers/volume/volume_solver.h"

#include "base/status.h"
#include "grid/velocity.h"
#include "scene/traits.h"
#include "solvers/volume/state.h"
#include "wetting/contact_angle.h"

#include <string.h>

static void volume_destroy(dew_SolverState *state)
{
    if (!state)
        return;
    dew_Allocator allocator = state->allocator;
    if (state->tools) {
        dew_poisson_deinit(&state->tools->poisson);
        dew_arena_deinit(&state->tools->scratch);
        dew_array_deinit(&state->tools->pieces);
        dew_free(&allocator, state->tools, sizeof *state->tools);
    }
    dew_volume_markers_destroy(state);
    dew_grid_destroy(state->grid);
    dew_wet_ground_deinit(&state->wet_ground);
    dew_wet_ground_deinit(&state->touched);
    dew_array_deinit(&state->poses);
    dew_array_deinit(&state->waiting);
    dew_array_deinit(&state->motes);
    dew_array_deinit(&state->targets);
    dew_array_deinit(&state->drops);
    dew_arena_deinit(&state->constants);
    dew_free(&allocator, state, sizeof *state);
}

// ---- making ------------------------------------------------------------------------------------

dew_VolumeWetting dew_volume_wetting_of(const dew_MaterialDef *material)
{
    dew_AngleInterval dry = dew_contact_interval(material, 0);
    dew_AngleInterval wet = dew_contact_interval(material, 1);
    return (dew_VolumeWetting){.receding = cos(dry.receding_rad),
                               .advancing = cos(dry.advancing_rad),
                               .wet_advancing = cos(wet.advancing_rad),
                               .dries_after_s = material->dries_after_s,
                               .max_receding_N_m = material->max_receding_tension_N_m};
}

// What one solid's material says. Where affinities vary this is one place of it.
static dew_Status read_solid(const dew_Problem *problem, dew_SolverState *state, int i,
                             dew_VolumeWetting *wetting)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    dew_VolumeLaws *laws = &state->laws;
    dew_MaterialDef m = dew_problem_material(problem, NULL, i, dew_vec(0, 0, 0));
    const dew_SolidDef *def = i < dew_scene_solid_count(scene) ? dew_scene_solid(scene, i) : NULL;
    bool has_map = def && def->affinity_map;
    *wetting = dew_volume_wetting_of(&m);
    laws->has_affinities |= has_map;
    laws->has_history |= has_map || wetting->wet_advancing > wetting->advancing;
    if (i > 0 && m.slip_m != laws->slip_m)
        return dew_fail(DEW_UNSUPPORTED,
                        "solver volume takes one slip length for all solids yet: %g m on "
                        "%s, %g m before",
                        m.slip_m, dew_problem_solid_name(problem, i), laws->slip_m);
    laws->slip_m = m.slip_m;
    return dew_ok();
}

// Solids, then nozzles.
static dew_Status read_walls(const dew_Problem *problem, dew_SolverState *state)
{
    dew_VolumeLaws *laws = &state->laws;
    laws->solid_count = dew_problem_solid_count(problem);
    DEW_TRY(dew_volume_inflows_create(problem, state));
    int count = laws->solid_count + laws->nozzle_count;
    dew_VolumeWetting *wetting = dew_arena_array(&state->constants, dew_VolumeWetting, count);
    uint8_t *is_moving = dew_arena_array(&state->constants, uint8_t, count);
    if (!wetting || !is_moving)
        return dew_no_memory((size_t)count * sizeof *wetting);
    bool has_moving = false;
    for (int i = 0; i < laws->solid_count; i++) {
        DEW_TRY(read_solid(problem, state, i, &wetting[i]));
        is_moving[i] = dew_problem_solid_is_moving(problem, i);
        has_moving |= is_moving[i];
    }
    for (int i = laws->solid_count; i < count; i++) {
        wetting[i] = (dew_VolumeWetting){.is_kept = true};
        is_moving[i] = true;
    }
    laws->wetting = wetting;
    laws->is_moving = is_moving;
    laws->has_solids = count > 0;
    laws->has_motion = has_moving || laws->nozzle_count > 0;
    if (!has_moving)
        return dew_ok();
    DEW_TRY(dew_array_resize(&state->poses, laws->solid_count));
    dew_problem_poses(problem, 0, state->poses.data);
    return dew_ok();
}

static bool is_chosen(const dew_Scene *scene, const char *knob, const char *choice)
{
    return strcmp(dew_scene_knob_choice(scene, knob), choice) == 0;
}

static void read_laws(const dew_Problem *problem, dew_VolumeLaws *laws)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    const dew_SceneDef *def = dew_problem_def(problem);
    *laws = (dew_VolumeLaws){
        .rho_kg_m3 = def->liquid.density_kg_m3,
        .mu_Pa_s = def->liquid.viscosity_Pa_s,
        .sigma_N_m = def->liquid.surface_tension_N_m,
        .tension_factor = dew_scene_knob_number(scene, "tension_factor"),
        .cfl = dew_scene_knob_number(scene, "cfl"),
        .tolerance = dew_scene_knob_number(scene, "tolerance"),
        .corrections = (int)lround(dew_scene_knob_number(scene, "corrections")),
        .is_first_order = is_chosen(scene, "pressure", "first-order"),
        .is_stencil = is_chosen(scene, "contact", "stencil"),
        .is_remembered = is_chosen(scene, "pinning", "memory"),
        .static_m_s = dew_scene_knob_number(scene, "static_speed"),
        .has_map = def->output.wetmap,
    };
    dew_volume_margins(problem, laws, def->domain.cell_m);
}

static dew_Status make_grid(const dew_Problem *problem, dew_SolverState *state)
{
    const dew_SceneDef *scene = dew_problem_def(problem);
    dew_GridDef def = dew_default_grid_def();
    double counts[3], h = scene->domain.cell_m;
    dew_scene_cell_counts(dew_problem_scene(problem), counts);
    def.dimensions = scene->dimensions;
    def.cell_m = h;
    def.origin_m = scene->domain.min_m;
    if (def.dimensions == 2)
        def.origin_m.z = 0.5 * (scene->domain.min_m.z + scene->domain.max_m.z) - 0.5 * h;
    for (int a = 0; a < 3; a++) {
        if (counts[a] > 1 << 20)
            return dew_fail(DEW_UNSUPPORTED, "%g cells along one side of the domain (at most 2^20)",
                            counts[a]);
        def.cell_max[a] = (int32_t)counts[a];
    }
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        def.margin =
            (int32_t)fmax(def.margin, fmin(ceil(state->laws.margin_m[side] / h) + 4, 1 << 16));
    def.tasks = state->tasks;
    def.allocator = state->allocator;
    return dew_grid_create(&def, &state->grid);
}

static dew_Status make_wall_fields(dew_SolverState *s)
{
    static const char *const open[3] = {"open_x", "open_y", "open_z"};
    static const char *const wall_u[3] = {"wall_u", "wall_v", "wall_w"};
    static const char *const material[5] = {"receding", "advancing", "wet_advancing", "dries_after",
                                            "max_receding"};
    dew_Grid *g = s->grid;
    int32_t none = DEW_INVALID;
    const double never = DEW_VOLUME_NEVER;
    const size_t f64 = sizeof(double), i32 = sizeof(int32_t);
    DEW_TRY(dew_grid_add_field(g, "solid", DEW_AT_CELL, f64, NULL, &s->solid));
    DEW_TRY(dew_grid_add_field(g, "room", DEW_AT_CELL, f64, NULL, &s->room));
    DEW_TRY(dew_grid_add_field(g, "solid_id", DEW_AT_CELL, i32, &none, &s->solid_id));
    for (int a = 0; a < dew_grid_axes(g); a++) {
        dew_Place face = (dew_Place)(DEW_AT_FACE_X + a);
        DEW_TRY(dew_grid_add_field(g, open[a], face, f64, NULL, &s->open[a]));
        if (s->laws.has_motion)
            DEW_TRY(dew_grid_add_field(g, wall_u[a], face, f64, NULL, &s->wall_u[a]));
    }
    for (int k = 0; s->laws.has_affinities && k < 5; k++)
        DEW_TRY(dew_grid_add_field(g, material[k], DEW_AT_CELL, f64, NULL, &s->material[k]));
    return s->laws.has_history
               ? dew_grid_add_field(g, "wet_time", DEW_AT_CELL, f64, &never, &s->wet_time)
               : dew_ok();
}

static dew_Status make_fields(dew_SolverState *s)
{
    static const char *const u[3] = {"u", "v", "w"};
    dew_Grid *g = s->grid;
    double far_m = DEW_VOLUME_BAND * g->cell_m;
    int32_t none = DEW_INVALID;
    const size_t f64 = sizeof(double), i32 = sizeof(int32_t);
    DEW_TRY(dew_grid_add_field(g, "phi", DEW_AT_CELL, f64, &far_m, &s->phi));
    DEW_TRY(dew_grid_add_field(g, "p", DEW_AT_CELL, f64, NULL, &s->p));
    DEW_TRY(dew_grid_add_field(g, "drop", DEW_AT_CELL, i32, &none, &s->drop));
    for (int a = 0; a < dew_grid_axes(g); a++)
        DEW_TRY(dew_grid_add_field(g, u[a], (dew_Place)(DEW_AT_FACE_X + a), f64, NULL, &s->u[a]));
    return s->laws.has_solids ? make_wall_fields(s) : dew_ok();
}

static dew_Status make_parts(const dew_Problem *problem, dew_SolverState *state)
{
    state->tools = dew_alloc(&state->allocator, 1, sizeof *state->tools);
    if (!state->tools)
        return dew_no_memory(sizeof *state->tools);
    dew_poisson_init(&state->tools->poisson, &state->allocator);
    dew_arena_init(&state->tools->scratch, &state->allocator);
    dew_array_init(&state->tools->pieces, &state->allocator, sizeof(dew_LevelsetDrop));
    read_laws(problem, &state->laws);
    DEW_TRY(make_grid(problem, state));
    DEW_TRY(read_walls(problem, state));
    DEW_TRY(make_fields(state));
    int markers = (int)lround(dew_scene_knob_number(dew_problem_scene(problem), "markers"));
    return markers > 0 ? dew_volume_markers_create(state, markers, dew_problem_def(problem)->seed)
                       : dew_ok();
}

static dew_Status volume_create(const dew_Problem *problem, const dew_CreateDef *def,
                                dew_SolverState **out)
{
    *out = NULL;
    dew_SolverState *state = dew_alloc(&def->allocator, 1, sizeof *state);
    if (!state)
        return dew_no_memory(sizeof *state);
    state->allocator = def->allocator;
    state->tasks = def->tasks;
    dew_array_init(&state->targets, &state->allocator, sizeof(double));
    dew_array_init(&state->drops, &state->allocator, sizeof(dew_VolumeDrop));
    dew_array_init(&state->motes, &state->allocator, sizeof(dew_VolumeMote));
    dew_array_init(&state->poses, &state->allocator, sizeof(dew_SolidPose));
    dew_array_init(&state->waiting, &state->allocator, sizeof(double));
    double cube_m = dew_problem_def(problem)->domain.cell_m;
    dew_wet_ground_init(&state->wet_ground, &state->allocator, cube_m);
    dew_wet_ground_init(&state->touched, &state->allocator, cube_m);
    dew_arena_init(&state->constants, &state->allocator);
    dew_Status status = make_parts(problem, state);
    if (status.code != DEW_OK) {
        volume_destroy(state);
        return status;
    }
    *out = state;
    return dew_ok();
}

// ---- step length -------------------------------------------------------------------------------

// The way in a step: v dt + g dt^2 / 2 <= cfl h, solved in the form that does not cancel.
static double cfl_step(double way, double speed, double g)
{
    double root = speed + sqrt(speed * speed + 2 * g * way);
    return root > 0 ? 2 * way / root : (double)INFINITY;
}

static dew_Vec3 fastest(const dew_SolverState *state, const int field[3])
{
    const double *u[3] = {NULL, NULL, NULL};
    for (int a = 0; a < state->grid->dimensions; a++)
        u[a] = dew_grid_f64(state->grid, field[a]);
    return dew_velocity_max(state->grid, u);
}

static double volume_max_step(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Moment *moment, const char **bound)
{
    const dew_VolumeLaws *laws = &state->laws;
    double h = state->grid->cell_m, wait_s,
           inflow = dew_volume_inflow_speed(problem, moment->time_s, &wait_s);
    *bound = wait_s < (double)INFINITY ? "source" : NULL;
    if (state->drops.count == 0 && !(inflow > 0))
        return wait_s;
    dew_Vec3 v = fastest(state, state->u), g = moment->gravity_m_s2;
    if (laws->has_motion) {
        dew_Vec3 wall = fastest(state, state->wall_u);
        v = dew_vec(fmax(v.x, wall.x), fmax(v.y, wall.y), fmax(v.z, wall.z));
    }
    double step =
        cfl_step(laws->cfl * h, fmax(v.x + v.y + v.z, inflow), fabs(g.x) + fabs(g.y) + fabs(g.z));
    if (step < wait_s)
        *bound = "cfl";
    step = fmin(step, wait_s);
    if (laws->sigma_N_m > 0) {
        double capillary = laws->tension_factor *
                           sqrt(laws->rho_kg_m3 * h * h * h / (2 * DEW_PI * laws->sigma_N_m));
        if (capillary < step) {
            step = capillary;
            *bound = "capillary";
        }
    }
    return step;
}

// ---- fields ------------------------------------------------------------------------------------

static void add_grid_field(const dew_Grid *grid, int field, dew_FieldList *out)
{
    dew_GridField *f = &DEW_ITEMS(&grid->fields, dew_GridField)[field];
    out->field[out->count++] = (dew_Field){.name = f->name,
                                           .type = DEW_FIELD_F64,
                                           .components = grid->brick_cells,
                                           .array = &f->bricks};
}

static void add_array(dew_FieldList *out, const char *name, dew_FieldType type, int components,
                      dew_Array *array)
{
    out->field[out->count++] =
        (dew_Field){.name = name, .type = type, .components = components, .array = array};
}

static void volume_fields(dew_SolverState *s, dew_FieldList *out)
{
    const int pose = sizeof(dew_SolidPose) / sizeof(double);
    *out = (dew_FieldList){.count = 0};
    add_array(out, "brick", DEW_FIELD_U64, 1, &s->grid->keys);
    add_grid_field(s->grid, s->phi, out);
    add_grid_field(s->grid, s->p, out);
    for (int a = 0; a < s->grid->dimensions; a++)
        add_grid_field(s->grid, s->u[a], out);
    if (s->laws.has_history)
        add_grid_field(s->grid, s->wet_time, out);
    dew_volume_markers_fields(s, out);
    add_array(out, "target", DEW_FIELD_F64, 1, &s->targets);
    add_array(out, "mote", DEW_FIELD_F64, sizeof(dew_VolumeMote) / sizeof(double), &s->motes);
    add_array(out, "waiting", DEW_FIELD_F64, 1, &s->waiting);
    add_array(out, "pose", DEW_FIELD_F64, pose, &s->poses);
    if (s->laws.has_history) {
        add_array(out, "wet_key", DEW_FIELD_U64, 1, &s->wet_ground.keys);
        add_array(out, "wet_place_time", DEW_FIELD_F64, 1, &s->wet_ground.times);
    }
    if (s->laws.has_map) {
        add_array(out, "touched_key", DEW_FIELD_U64, 1, &s->touched.keys);
        add_array(out, "touched_time", DEW_FIELD_F64, 1, &s->touched.times);
    }
}

// Are the arrays as long as the grid and the scene want them?
static dew_Status check_restored(const dew_Problem *problem, dew_SolverState *state)
{
    dew_FieldList list;
    volume_fields(state, &list);
    int fields = 2 + state->grid->dimensions + state->laws.has_history;
    for (int i = 1; i <= fields; i++)
        if (list.field[i].array->count != state->grid->keys.count)
            return dew_fail(DEW_CORRUPT, "field %s has not as many bricks as the grid",
                            list.field[i].name);
    if (state->waiting.count != dew_problem_inflow_count(problem))
        return dew_fail(DEW_CORRUPT, "the accounts are not those of the scene's sources");
    if (state->poses.count != 0 && state->poses.count != state->laws.solid_count)
        return dew_fail(DEW_CORRUPT, "the poses are not those of the scene's solids");
    if (state->laws.has_history)
        DEW_TRY(dew_wet_ground_restored(&state->wet_ground));
    return state->laws.has_map ? dew_wet_ground_restored(&state->touched) : dew_ok();
}

// The solids again; but what their cells remember is state.
static dew_Status restore_solids(const dew_Problem *problem, dew_SolverState *state)
{
    dew_Arena *scratch = &state->tools->scratch;
    size_t size = (size_t)dew_volume_count(state) * sizeof(double);
    double *kept = NULL;
    if (state->laws.has_history) {
        kept = dew_arena_array(scratch, double, dew_volume_count(state));
        if (!kept)
            return dew_no_memory(size);
        memcpy(kept, dew_grid_f64(state->grid, state->wet_time), size);
    }
    dew_Moment room;
    DEW_TRY(
        dew_volume_read_solids(problem, state, dew_volume_moment(state, &room), DEW_VOLUME_ALL));
    if (kept)
        memcpy(dew_grid_f64(state->grid, state->wet_time), kept, size);
    return dew_ok();
}

static dew_Status volume_restored(const dew_Problem *problem, dew_SolverState *state)
{
    int64_t targets = state->targets.count;
    DEW_TRY(check_restored(problem, state));
    DEW_TRY(dew_grid_rebuild(state->grid));
    DEW_TRY(dew_volume_markers_restored(state));
    DEW_TRY(restore_solids(problem, state));
    // Numbers of drops follow from phi: finding them anew gives those that the targets are for.
    dew_Array saved = state->targets;
    dew_array_init(&state->targets, &state->allocator, sizeof(double));
    dew_Status status = dew_volume_find_drops(state, true, &state->tools->scratch);
    dew_array_deinit(&state->targets);
    state->targets = saved;
    dew_arena_clear(&state->tools->scratch);
    if (status.code == DEW_OK && state->drops.count != targets)
        return dew_fail(DEW_CORRUPT, "%lld targets for %lld drops", (long long)targets,
                        (long long)state->drops.count);
    return status.code == DEW_OK ? dew_volume_reserve(state) : status;
}

static dew_GridView volume_grid(const dew_SolverState *state)
{
    dew_GridView view = {.grid = state->grid,
                         .phi = dew_volume_phi(state),
                         .far_m = DEW_VOLUME_BAND * state->grid->cell_m};
    for (int a = 0; a < state->grid->dimensions; a++)
        view.u[a] = dew_grid_f64(state->grid, state->u[a]);
    return view;
}

const dew_SolverOps dew_volume_solver_ops = {
    .traits = &dew_volume_solver_traits,
    .create = volume_create,
    .pour = dew_volume_pour,
    .max_step_s = volume_max_step,
    .step = dew_volume_step,
    .surface = dew_volume_surface,
    .measure = dew_volume_measure,
    .fields = volume_fields,
    .restored = volume_restored,
    .destroy = volume_destroy,
    .wetness = dew_volume_wetness_map,
    .grid = volume_grid,
};
