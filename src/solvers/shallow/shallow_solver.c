// Solver `shallow`: makes the state, and hands each step to waves or to films.
//
// films: where surface tension is felt (dew_film_is_wanted). waves: elsewhere.
#include "solvers/shallow/shallow_solver.h"

#include "base/status.h"
#include "solvers/shallow/films/thin_film.h"
#include "solvers/shallow/waves/waves.h"

#include <string.h>

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

static dew_ShallowModel read_model(const dew_Problem *problem)
{
    if (dew_scene_parameter_is(dew_problem_scene(problem), "model", "finite-difference"))
        return DEW_SHALLOW_FINITE_DIFFERENCE;
    if (dew_scene_parameter_is(dew_problem_scene(problem), "model", "finite-volume"))
        return DEW_SHALLOW_FINITE_VOLUME;
    return dew_scene_parameter_is(dew_problem_scene(problem), "model", "level-set")
               ? DEW_SHALLOW_LEVEL_SET
               : DEW_SHALLOW_SEMI_LAGRANGIAN;
}

static dew_ShallowParams read_parameters(const dew_Problem *problem, const dew_ShallowGrid *grid)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    const dew_SceneDef *def = dew_problem_def(problem);
    dew_ShallowParams params = {
        .model = read_model(problem),
        .is_balanced = dew_scene_parameter_is(dew_problem_scene(problem), "shore", "balanced"),
        .cfl = dew_scene_parameter_number(scene, "cfl"),
        .rho_kg_m3 = def->liquid.density_kg_m3,
        .nu_m2_s = def->liquid.viscosity_Pa_s / def->liquid.density_kg_m3,
        .sigma_N_m = def->liquid.surface_tension_N_m,
        .drag = dew_scene_parameter_number(scene, "drag"),
        .dry_m = dew_shallow_shared.dry_cells * grid->dx_m,
        .far_m = DEW_SHALLOW_BAND * fmax(grid->dx_m, grid->has_z ? grid->dz_m : 0),
    };
    params.is_semi_lagrangian =
        params.model == DEW_SHALLOW_FINITE_DIFFERENCE ||
        params.model == DEW_SHALLOW_SEMI_LAGRANGIAN ||
        (params.model == DEW_SHALLOW_LEVEL_SET &&
         dew_scene_parameter_is(dew_problem_scene(problem), "advection", "semi-lagrangian"));
    params.has_differences =
        params.model == DEW_SHALLOW_FINITE_VOLUME &&
        dew_scene_parameter_is(dew_problem_scene(problem), "advection", "differences");
    params.has_fronts = params.model == DEW_SHALLOW_LEVEL_SET && params.is_balanced &&
                        !(params.nu_m2_s > 0) && !(params.drag > 0);
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        params.is_open[side] = !def->domain.wall_material[side];
    for (int i = 0; i < dew_problem_solid_count(problem); i++)
        params.is_ground_moving |= dew_problem_solid_is_moving(problem, i);
    return params;
}

// Sets *out to an array of the arena; false: there is no memory.
#define MAKE(type, out, count)              ((out) = dew_arena_array(arena, type, (count)))
#define MAKE_OF_STATE(type, name, saved_as) &&MAKE(type, s->name, s->grid.count)
#define MAKE_OF_WORK(type, name)            &&MAKE(type, work->name, s->grid.count)

static dew_Status make_arrays(dew_SolverState *s)
{
    dew_ShallowWork *work = &s->work;
    dew_Arena *arena = &s->arena;
    work->blocks = (s->grid.columns + DEW_SHALLOW_BLOCK - 1) / DEW_SHALLOW_BLOCK;
    work->max_runs = (work->blocks + 1) / 2;
    int64_t rows = s->grid.rows, blocks = work->blocks * rows;
    bool is_made =
        true DEW_SHALLOW_ARRAYS(MAKE_OF_STATE) DEW_SHALLOW_WORK_ARRAYS(MAKE_OF_WORK) &&
        MAKE(uint8_t, work->is_wet, blocks) && MAKE(uint8_t, work->is_active, blocks) &&
        MAKE(uint8_t, work->was_active, blocks) &&
        MAKE(dew_WaveRun, work->runs, work->max_runs * rows) && MAKE(int, work->run_count, rows) &&
        MAKE(int32_t, work->band, s->grid.columns * rows) && MAKE(int, work->band_count, rows) &&
        MAKE(double, work->row_sum, DEW_SHALLOW_SUMS *rows);
    return is_made ? dew_ok() : dew_no_memory((size_t)s->grid.count * sizeof(double));
}

// Waves or films: for the whole run, whatever events make of the surface tension.
static dew_Status make_parts(const dew_Problem *problem, dew_SolverState *s)
{
    s->grid = make_grid(problem);
    s->params = read_parameters(problem, &s->grid);
    s->fastest_g = (double)NAN;
    DEW_TRY(make_arrays(s));
    for (int64_t n = 0; n < s->grid.count; n++)
        s->phi[n] = s->params.far_m;
    int solids = dew_problem_solid_count(problem);
    dew_SolidPose *poses = dew_arena_array(&s->arena, dew_SolidPose, solids);
    if (!poses && solids > 0)
        return dew_no_memory((size_t)solids * sizeof *poses);
    dew_problem_poses(problem, 0, poses);
    dew_Instant start = {.poses = poses};
    DEW_TRY(dew_shallow_make_ground(problem, s, s->params.is_ground_moving ? &start : NULL));
    return dew_film_is_wanted(dew_problem_scene(problem)) ? dew_film_create(problem, s) : dew_ok();
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
    dew_Status status = make_parts(problem, state);
    if (status.code != DEW_OK) {
        shallow_destroy(state);
        return status;
    }
    *out = state;
    return dew_ok();
}

static dew_Status shallow_parameters(const dew_Problem *problem, dew_SolverState *state)
{
    state->params.sigma_N_m = dew_problem_def(problem)->liquid.surface_tension_N_m;
    return state->film ? dew_film_parameters(problem, state) : dew_ok();
}

static void shallow_fields(dew_SolverState *state, dew_FieldList *out)
{
    *out = (dew_FieldList){.count = 0};
#define ADD_FIELD(type, name, saved_as)                                                            \
    if ((saved_as) && (state->name != state->ground || state->params.is_ground_moving))            \
        dew_shallow_add_field(out, saved_as, DEW_SHALLOW_FIELD_TYPE(type), state->name,            \
                              state->grid.count);
    DEW_SHALLOW_ARRAYS(ADD_FIELD)
#undef ADD_FIELD
    if (state->film)
        dew_film_fields(state, out);
}

// What the arrays of a step hold outside of its runs must be 0: all blocks are taken as worked on
// before.
static dew_Status shallow_restored(const dew_Problem *problem, dew_SolverState *state)
{
    (void)problem;
    memset(state->work.is_active, 1, (size_t)state->work.blocks * (size_t)state->grid.rows);
    state->fastest_g = (double)NAN;
    return state->params.is_ground_moving ? dew_shallow_find_sills(state) : dew_ok();
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

static void shallow_field_views(const dew_SolverState *s, dew_FieldViews *out)
{
    const dew_ShallowGrid *g = &s->grid;
    int64_t first = dew_shallow_at(g, 0, 0);
    const struct {
        const char *name, *unit;
        dew_Place place;
        const double *values;
        double missing;
    } list[] = {
        {"ground", "m", DEW_AT_CELL, s->ground, 0},
        {"depth", "m", DEW_AT_CELL, s->depth, 0},
        {"velocity_x", "m/s", DEW_AT_FACE_X, s->u, 0},
        {"velocity_z", "m/s", DEW_AT_FACE_Z, s->w, 0},
        {"distance", "m", DEW_AT_CELL, s->phi, s->params.far_m},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        out->field[out->count++] = (dew_FieldView){
            .name = list[i].name,
            .unit = list[i].unit,
            .layout = DEW_LAYOUT_COLUMNS,
            .type = DEW_FIELD_F64,
            .place = list[i].place,
            .missing = list[i].missing,
            .values = list[i].values + first,
            .value_count = (int64_t)g->columns * g->rows,
            .columns = {g->columns, g->rows, g->stride, g->min_x_m, g->min_z_m, g->dx_m, g->dz_m}};
}

static void set_array(const dew_SolverState *s, const double *values, int first_column,
                      int first_row, double *out)
{
    const dew_ShallowGrid *g = &s->grid;
    for (int row = first_row; row < g->rows; row++)
        for (int i = first_column; i < g->columns; i++)
            out[dew_shallow_at(g, i, row)] = values[(int64_t)row * g->columns + i];
}

static dew_Status shallow_set_columns(dew_SolverState *state, const dew_ColumnsDef *def)
{
    if (state->film)
        return dew_fail(DEW_UNSUPPORTED, "columns of a thin film cannot be set (set "
                                         "liquid.surface_tension to 0 for waves)");
    if (def->ground_m) {
        set_array(state, def->ground_m, 0, 0, state->ground);
        dew_shallow_mirror(state, state->ground);
        DEW_TRY(dew_shallow_find_sills(state));
    }
    if (def->depth_m) {
        set_array(state, def->depth_m, 0, 0, state->depth);
        dew_shallow_mirror(state, state->depth);
    }
    if (def->u_m_s)
        set_array(state, def->u_m_s, 1, 0, state->u);
    if (def->w_m_s)
        set_array(state, def->w_m_s, 0, 1, state->w);
    dew_wave_shoreline_from_depth(state, dew_shallow_whole(&state->grid));
    return dew_ok();
}

static double shallow_max_step(const dew_Problem *problem, const dew_SolverState *state,
                               const dew_Instant *instant, const char **bound)
{
    (void)problem;
    return state->film ? dew_film_max_step(state, instant, bound)
                       : dew_wave_max_step(state, instant, bound);
}

static double shallow_step_at_speed(const dew_Problem *problem, const dew_SolverState *state,
                                    const dew_Instant *instant, double speed_m_s,
                                    const char **bound)
{
    (void)problem;
    double deepest_m = 0;
    for (int row = 0; row < state->grid.rows; row++)
        for (int i = 0; i < state->grid.columns; i++)
            deepest_m = fmax(deepest_m, state->depth[dew_shallow_at(&state->grid, i, row)]);
    return state->film ? dew_film_step_at_speed(state, instant, deepest_m, speed_m_s, bound)
                       : dew_wave_step_at_speed(state, instant, deepest_m, speed_m_s, bound);
}

static dew_Status shallow_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    dew_ShallowFlow flow = {.problem = problem,
                            .state = state,
                            .step = step,
                            .gravity = dew_shallow_gravity(step->instant),
                            .dt_s = step->dt_s,
                            .outflow_fraction = 1};
    return state->film ? dew_film_step(&flow) : dew_wave_step(&flow);
}

const dew_SolverOps dew_shallow_solver_ops = {
    .traits = &dew_shallow_solver_traits,
    .create = shallow_create,
    .parameters = shallow_parameters,
    .pour = dew_shallow_pour,
    .max_step_s = shallow_max_step,
    .step_at_speed_s = shallow_step_at_speed,
    .step = shallow_step,
    .surface = dew_shallow_surface,
    .measure = dew_shallow_measure,
    .fields = shallow_fields,
    .restored = shallow_restored,
    .destroy = shallow_destroy,
    .heights = shallow_heights,
    .field_views = shallow_field_views,
    .set_columns = shallow_set_columns,
};
