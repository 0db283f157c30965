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
    dew_grid_destroy(state->walls);
    dew_array_deinit(&state->targets);
    dew_array_deinit(&state->drops);
    dew_arena_deinit(&state->constants);
    dew_free(&allocator, state, sizeof *state);
}

// ---- making ------------------------------------------------------------------------------------

// The material of a solid, as far as it is one: affinity maps are refused.
static dew_Status read_wetting(const dew_Problem *problem, dew_SolverState *state)
{
    int count = dew_problem_solid_count(problem);
    dew_VolumeWetting *wetting = dew_arena_array(&state->constants, dew_VolumeWetting, count);
    if (!wetting)
        return dew_no_memory((size_t)count * sizeof *wetting);
    for (int i = 0; i < count; i++) {
        dew_MaterialDef m = dew_problem_material(problem, NULL, i, dew_vec(0, 0, 0));
        dew_AngleInterval dry = dew_contact_interval(&m, 0), wet = dew_contact_interval(&m, 1);
        wetting[i] = (dew_VolumeWetting){cos(dry.receding_rad), cos(dry.advancing_rad),
                                         cos(wet.advancing_rad), m.dries_after_s,
                                         m.max_receding_tension_N_m};
        state->laws.has_history |= wet.advancing_rad < dry.advancing_rad;
        if (i > 0 && m.slip_m != state->laws.slip_m)
            return dew_fail(DEW_UNSUPPORTED,
                            "solver volume takes one slip length for all solids yet: %g m on "
                            "%s, %g m before",
                            m.slip_m, dew_problem_solid_name(problem, i), state->laws.slip_m);
        state->laws.slip_m = m.slip_m;
    }
    state->laws.wetting = wetting;
    state->laws.has_solids = count > 0;
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
    };
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
    def.tasks = state->tasks;
    def.allocator = state->allocator;
    return dew_grid_create(&def, &state->grid);
}

static dew_Status make_fields(dew_SolverState *s)
{
    static const char *const u[3] = {"u", "v", "w"};
    static const char *const open[3] = {"open_x", "open_y", "open_z"};
    dew_Grid *g = s->grid;
    double far_m = DEW_VOLUME_BAND * g->cell_m;
    int32_t none = DEW_INVALID;
    const size_t f64 = sizeof(double), i32 = sizeof(int32_t);
    DEW_TRY(dew_grid_add_field(g, "phi", DEW_AT_CELL, f64, &far_m, &s->phi));
    DEW_TRY(dew_grid_add_field(g, "p", DEW_AT_CELL, f64, NULL, &s->p));
    DEW_TRY(dew_grid_add_field(g, "drop", DEW_AT_CELL, i32, &none, &s->drop));
    for (int a = 0; a < dew_grid_axes(g); a++)
        DEW_TRY(dew_grid_add_field(g, u[a], (dew_Place)(DEW_AT_FACE_X + a), f64, NULL, &s->u[a]));
    if (!s->laws.has_solids)
        return dew_ok();
    DEW_TRY(dew_grid_add_field(g, "solid", DEW_AT_CELL, f64, NULL, &s->solid));
    DEW_TRY(dew_grid_add_field(g, "room", DEW_AT_CELL, f64, NULL, &s->room));
    DEW_TRY(dew_grid_add_field(g, "solid_id", DEW_AT_CELL, i32, &none, &s->solid_id));
    for (int a = 0; a < dew_grid_axes(g); a++)
        DEW_TRY(
            dew_grid_add_field(g, open[a], (dew_Place)(DEW_AT_FACE_X + a), f64, NULL, &s->open[a]));
    return dew_ok();
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
    DEW_TRY(read_wetting(problem, state));
    DEW_TRY(make_grid(problem, state));
    DEW_TRY(make_fields(state));
    int markers = (int)lround(dew_scene_knob_number(dew_problem_scene(problem), "markers"));
    if (markers > 0)
        DEW_TRY(dew_volume_markers_create(state, markers, dew_problem_def(problem)->seed));
    return state->laws.has_history ? dew_volume_walls_create(state) : dew_ok();
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

static double volume_max_step(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Moment *moment, const char **bound)
{
    (void)problem;
    const dew_VolumeLaws *laws = &state->laws;
    double h = state->grid->cell_m, step = (double)INFINITY;
    const double *u[3] = {NULL, NULL, NULL};
    *bound = NULL;
    if (state->drops.count == 0)
        return step;
    for (int a = 0; a < state->grid->dimensions; a++)
        u[a] = dew_grid_f64(state->grid, state->u[a]);
    dew_Vec3 v = dew_velocity_max(state->grid, u), g = moment->gravity_m_s2;
    step = cfl_step(laws->cfl * h, v.x + v.y + v.z, fabs(g.x) + fabs(g.y) + fabs(g.z));
    *bound = "cfl";
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

static void volume_fields(dew_SolverState *s, dew_FieldList *out)
{
    *out = (dew_FieldList){
        .count = 2,
        .field = {
            {.name = "brick", .type = DEW_FIELD_U64, .components = 1, .array = &s->grid->keys},
            {.name = "target", .type = DEW_FIELD_F64, .components = 1, .array = &s->targets},
        }};
    add_grid_field(s->grid, s->phi, out);
    add_grid_field(s->grid, s->p, out);
    for (int a = 0; a < s->grid->dimensions; a++)
        add_grid_field(s->grid, s->u[a], out);
    dew_volume_markers_fields(s, out);
    if (!s->walls)
        return;
    out->field[out->count++] = (dew_Field){
        .name = "wall_brick", .type = DEW_FIELD_U64, .components = 1, .array = &s->walls->keys};
    add_grid_field(s->walls, s->wet_time, out);
}

static dew_Status volume_restored(const dew_Problem *problem, dew_SolverState *state)
{
    int64_t bricks = state->grid->keys.count, targets = state->targets.count;
    dew_FieldList list;
    volume_fields(state, &list);
    for (int i = 2; i < 4 + state->grid->dimensions; i++)
        if (list.field[i].array->count != bricks)
            return dew_fail(DEW_CORRUPT, "field %s has not as many bricks as the grid",
                            list.field[i].name);
    if (state->walls && list.field[list.count - 1].array->count != state->walls->keys.count)
        return dew_fail(DEW_CORRUPT, "the walls' history has not as many bricks as its grid");
    if (state->walls)
        DEW_TRY(dew_grid_rebuild(state->walls));
    DEW_TRY(dew_grid_rebuild(state->grid));
    DEW_TRY(dew_volume_markers_restored(state));
    DEW_TRY(dew_volume_read_solids(problem, state, NULL, true));
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
};
