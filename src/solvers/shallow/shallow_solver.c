// Solver `shallow`: its state, what World asks of it. The step is in step.c.
#include "solvers/shallow/shallow_solver.h"

#include "base/status.h"
#include "solvers/shallow/film.h"

#include <string.h>

#define DRY 1e-6  // of a cell: thinner is at rest

static void shallow_destroy(dew_SolverState *state)
{
    if (!state)
        return;
    dew_Allocator allocator = state->allocator;
    dew_arena_deinit(&state->arena);
    dew_free(&allocator, state, sizeof *state);
}

static dew_ShallowGrid make_grid(const dew_Problem *problem)
{
    double cells[3];
    dew_scene_cell_counts(dew_problem_scene(problem), cells);
    dew_Box domain = dew_problem_domain(problem);
    double width_m = domain.max.z - domain.min.z;
    dew_ShallowGrid g = {.columns = (int)cells[0], .rows = (int)cells[2]};
    g.has_z = dew_problem_def(problem)->dimensions == 2;
    g.stride = (g.columns + 2 * DEW_SHALLOW_GHOST + 7) / 8 * 8;
    g.count = (int64_t)g.stride * (g.rows + 2 * DEW_SHALLOW_GHOST);
    g.dx_m = (domain.max.x - domain.min.x) / g.columns;
    g.dz_m = width_m > 0 ? width_m / g.rows : dew_problem_def(problem)->domain.cell_m;
    g.min_x_m = domain.min.x;
    g.min_z_m = width_m > 0 ? domain.min.z : domain.min.z - 0.5 * g.dz_m;
    g.cell_m2 = g.dx_m * g.dz_m;
    return g;
}

static bool is_chosen(const dew_Problem *problem, const char *knob, const char *choice)
{
    return strcmp(dew_scene_knob_choice(dew_problem_scene(problem), knob), choice) == 0;
}

static dew_ShallowModel read_model(const dew_Problem *problem)
{
    if (is_chosen(problem, "model", "finite-difference"))
        return DEW_SHALLOW_FINITE_DIFFERENCE;
    if (is_chosen(problem, "model", "finite-volume"))
        return DEW_SHALLOW_FINITE_VOLUME;
    return is_chosen(problem, "model", "level-set") ? DEW_SHALLOW_LEVEL_SET
                                                    : DEW_SHALLOW_SEMI_LAGRANGIAN;
}

static dew_ShallowLaws read_laws(const dew_Problem *problem, const dew_ShallowGrid *grid)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    const dew_SceneDef *def = dew_problem_def(problem);
    dew_ShallowLaws laws = {
        .model = read_model(problem),
        .is_balanced = is_chosen(problem, "shore", "balanced"),
        .cfl = dew_scene_knob_number(scene, "cfl"),
        .rho_kg_m3 = def->liquid.density_kg_m3,
        .nu_m2_s = def->liquid.viscosity_Pa_s / def->liquid.density_kg_m3,
        .sigma_N_m = def->liquid.surface_tension_N_m,
        .drag = dew_scene_knob_number(scene, "drag"),
        .dry_m = DRY * grid->dx_m,
        .far_m = DEW_SHALLOW_BAND * fmax(grid->dx_m, grid->has_z ? grid->dz_m : 0),
    };
    laws.is_semi_lagrangian =
        laws.model == DEW_SHALLOW_FINITE_DIFFERENCE || laws.model == DEW_SHALLOW_SEMI_LAGRANGIAN ||
        (laws.model == DEW_SHALLOW_LEVEL_SET && is_chosen(problem, "advection", "semi-lagrangian"));
    laws.has_differences =
        laws.model == DEW_SHALLOW_FINITE_VOLUME && is_chosen(problem, "advection", "differences");
    laws.has_tips = laws.model == DEW_SHALLOW_LEVEL_SET && laws.is_balanced &&
                    !(laws.nu_m2_s > 0) && !(laws.drag > 0);
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        laws.is_open[side] = !def->domain.wall_material[side];
    for (int i = 0; i < dew_problem_solid_count(problem); i++)
        laws.is_ground_moving |= dew_problem_solid_is_moving(problem, i);
    return laws;
}

static dew_Status make_arrays(dew_SolverState *s)
{
    dew_ShallowWork *work = &s->work;
    double **const arrays[] = {
        &s->depth,     &s->u,           &s->w,        &s->phi,     &s->ground, &s->slip,
        &s->rise,      &work->low,      &s->sill_x,   &s->sill_z,  &work->u,   &work->w,
        &work->flux,   &work->cross,    &work->share, &work->head, &work->psi, &work->line_u,
        &work->line_w, &work->distance, &work->tip_u, &work->tip_w};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        *arrays[k] = dew_arena_array(&s->arena, double, s->grid.count);
        if (!*arrays[k])
            return dew_no_memory((size_t)s->grid.count * sizeof(double));
    }
    work->blocks = (s->grid.columns + DEW_SHALLOW_BLOCK - 1) / DEW_SHALLOW_BLOCK;
    work->max_runs = (work->blocks + 1) / 2;
    int64_t blocks = (int64_t)work->blocks * s->grid.rows;
    work->is_wet = dew_arena_array(&s->arena, uint8_t, blocks);
    work->is_active = dew_arena_array(&s->arena, uint8_t, blocks);
    work->was_active = dew_arena_array(&s->arena, uint8_t, blocks);
    work->runs = dew_arena_array(&s->arena, dew_ShallowRun, (int64_t)work->max_runs * s->grid.rows);
    work->run_count = dew_arena_array(&s->arena, int, s->grid.rows);
    work->band = dew_arena_array(&s->arena, int32_t, (int64_t)s->grid.columns * s->grid.rows);
    work->band_count = dew_arena_array(&s->arena, int, s->grid.rows);
    work->in_band = dew_arena_array(&s->arena, uint8_t, s->grid.count);
    work->is_known = dew_arena_array(&s->arena, uint8_t, s->grid.count);
    work->is_known_next = dew_arena_array(&s->arena, uint8_t, s->grid.count);
    work->is_tip_u = dew_arena_array(&s->arena, uint8_t, s->grid.count);
    work->is_tip_w = dew_arena_array(&s->arena, uint8_t, s->grid.count);
    work->tip_kind = dew_arena_array(&s->arena, uint8_t, s->grid.count);
    work->is_tip_next = dew_arena_array(&s->arena, uint8_t, s->grid.count);
    work->row_sum = dew_arena_array(&s->arena, double, (int64_t)DEW_SHALLOW_SUMS * s->grid.rows);
    if (!work->is_wet || !work->is_active || !work->was_active || !work->runs || !work->run_count ||
        !work->row_sum)
        return dew_no_memory((size_t)blocks);
    return dew_ok();
}

// A state that takes over from another is of the same kind, whatever the surface tension is by now.
static bool has_film(const dew_Problem *problem, const dew_FieldList *replaced)
{
    for (int i = 0; replaced && i < replaced->count; i++)
        if (strcmp(replaced->field[i].name, DEW_FILM_FIELD) == 0)
            return true;
    return !replaced && dew_film_is_wanted(dew_problem_scene(problem));
}

static dew_Status make_parts(const dew_Problem *problem, const dew_FieldList *replaced,
                             dew_SolverState *s)
{
    s->grid = make_grid(problem);
    s->laws = read_laws(problem, &s->grid);
    s->fastest_g = (double)NAN;
    DEW_TRY(make_arrays(s));
    for (int64_t n = 0; n < s->grid.count; n++)
        s->phi[n] = s->laws.far_m;
    int solids = dew_problem_solid_count(problem);
    dew_SolidPose *poses = dew_arena_array(&s->arena, dew_SolidPose, solids);
    if (!poses && solids > 0)
        return dew_no_memory((size_t)solids * sizeof *poses);
    dew_problem_poses(problem, 0, poses);
    dew_Moment start = {.poses = poses};
    DEW_TRY(dew_shallow_make_ground(problem, s, s->laws.is_ground_moving ? &start : NULL));
    return has_film(problem, replaced) ? dew_film_create(problem, s) : dew_ok();
}

static dew_Status shallow_create(const dew_Problem *problem, const dew_CreateDef *def,
                                 dew_SolverState **out)
{
    *out = NULL;
    dew_SolverState *state = dew_alloc(&def->allocator, 1, sizeof *state);
    if (!state)
        return dew_no_memory(sizeof *state);
    state->allocator = def->allocator;
    state->tasks = def->tasks;
    dew_arena_init(&state->arena, &def->allocator);
    dew_Status status = make_parts(problem, def->replaced, state);
    if (status.code != DEW_OK) {
        shallow_destroy(state);
        return status;
    }
    *out = state;
    return dew_ok();
}

static void add_field(dew_FieldList *list, const char *name, double *block, int64_t count)
{
    list->field[list->count++] = (dew_Field){
        .name = name, .type = DEW_FIELD_F64, .components = 1, .block = block, .block_count = count};
}

static void shallow_fields(dew_SolverState *state, dew_FieldList *out)
{
    *out = (dew_FieldList){.count = 0};
    add_field(out, "depth", state->depth, state->grid.count);
    add_field(out, "velocity_x", state->u, state->grid.count);
    add_field(out, "velocity_z", state->w, state->grid.count);
    add_field(out, "distance", state->phi, state->grid.count);
    if (state->laws.is_ground_moving)
        add_field(out, "ground", state->ground, state->grid.count);
    if (state->film)
        dew_film_fields(state, out);
}

// What the arrays of a step hold outside of its runs must be 0: all blocks are taken as worked on before.
static dew_Status shallow_restored(const dew_Problem *problem, dew_SolverState *state)
{
    (void)problem;
    memset(state->work.is_active, 1, (size_t)state->work.blocks * (size_t)state->grid.rows);
    state->fastest_g = (double)NAN;
    return state->laws.is_ground_moving ? dew_shallow_find_sills(state) : dew_ok();
}

static dew_HeightView shallow_heights(const dew_SolverState *s)
{
    const dew_ShallowGrid *g = &s->grid;
    int64_t first = dew_shallow_at(g, 0, 0);
    return (dew_HeightView){.columns = g->columns,
                            .rows = g->rows,
                            .stride = g->stride,
                            .min_x_m = g->min_x_m,
                            .min_z_m = g->min_z_m,
                            .dx_m = g->dx_m,
                            .dz_m = g->dz_m,
                            .ground_m = s->ground + first,
                            .depth_m = s->depth + first,
                            .u_m_s = s->u + first,
                            .w_m_s = s->w + first,
                            .distance_m = s->phi + first};
}

const dew_SolverOps dew_shallow_solver_ops = {
    .traits = &dew_shallow_solver_traits,
    .create = shallow_create,
    .pour = dew_shallow_pour,
    .max_step_s = dew_shallow_max_step,
    .step_at_speed_s = dew_shallow_step_at_speed,
    .step = dew_shallow_step,
    .surface = dew_shallow_surface,
    .measure = dew_shallow_measure,
    .fields = shallow_fields,
    .restored = shallow_restored,
    .destroy = shallow_destroy,
    .heights = shallow_heights,
};
