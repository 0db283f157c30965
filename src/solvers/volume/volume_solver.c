// Solver `volume`: its state, what World asks of it. The step is in volume_step.c.
#include "solvers/volume/volume_solver.h"

#include "base/status.h"
#include "solvers/field_table.h"
#include "solvers/volume/volume_state.h"

static void volume_destroy(dew_SolverState *state)
{
    if (!state)
        return;
    dew_Allocator allocator = state->liquid.allocator;
    dew_liquid_markers_destroy(&state->liquid, state->markers);
    dew_liquid_destroy(&state->liquid);
    dew_free(&allocator, state, sizeof *state);
}

static dew_LiquidParams read_params(const dew_Problem *problem)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    dew_LiquidParams params = dew_liquid_params(problem);
    params.is_first_order = dew_liquid_is_chosen(problem, "pressure", "first-order");
    params.is_stencil = dew_liquid_is_chosen(problem, "contact", "stencil");
    params.has_ghost_memory = dew_liquid_is_chosen(problem, "pinning", "memory");
    params.has_friction = !params.is_stencil;
    params.static_m_s = dew_scene_parameter_number(scene, "static_speed");
    return params;
}

static dew_Status make_parts(const dew_Problem *problem, const dew_CreateDef *def,
                             dew_SolverState *state)
{
    dew_LiquidParams params = read_params(problem);
    DEW_TRY(dew_liquid_create(problem, def, &params, &state->liquid));
    int markers = (int)lround(dew_scene_parameter_number(dew_problem_scene(problem), "markers"));
    return markers > 0 ? dew_liquid_markers_create(&state->liquid, markers,
                                                   dew_problem_def(problem)->seed, &state->markers)
                       : dew_ok();
}

static dew_Status volume_create(const dew_Problem *problem, const dew_CreateDef *def,
                                dew_SolverState **out)
{
    *out = NULL;
    dew_SolverState *state = dew_alloc(&def->allocator, 1, sizeof *state);
    if (!state)
        return dew_no_memory(sizeof *state);
    dew_Status status = make_parts(problem, def, state);
    if (status.code != DEW_OK) {
        volume_destroy(state);
        return status;
    }
    *out = state;
    return dew_ok();
}

static dew_Status volume_parameters(const dew_Problem *problem, dew_SolverState *state)
{
    return dew_liquid_parameters(problem, &state->liquid);
}

static dew_Status volume_pour(const dew_Problem *problem, dew_SolverState *state,
                              const dew_Instant *instant, const dew_Blob *blob)
{
    dew_Arena *scratch = &state->liquid.workspace->scratch;
    DEW_TRY(dew_liquid_pour(problem, &state->liquid, instant, blob));
    dew_Status status = dew_liquid_markers_end(&state->liquid, state->markers, true, scratch);
    dew_arena_clear(scratch);
    return status.code == DEW_OK ? dew_liquid_reserve(&state->liquid) : status;
}

static double volume_max_step(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Instant *instant, const char **bound)
{
    return dew_liquid_max_step(problem, &state->liquid, instant, bound);
}

static double volume_step_at_speed(const dew_Problem *problem, const dew_SolverState *state,
                                   const dew_Instant *instant, double speed_m_s, const char **bound)
{
    (void)problem;
    return dew_liquid_step_when_turning(&state->liquid, instant, speed_m_s, bound);
}

static dew_Status volume_surface(const dew_Problem *problem, const dew_SolverState *state,
                                 const dew_Instant *instant, dew_Surface *out)
{
    return dew_liquid_surface(problem, &state->liquid, instant, out);
}

static void volume_measure(const dew_Problem *problem, const dew_SolverState *state,
                           const dew_Instant *instant, dew_Measure *out)
{
    dew_liquid_measure(problem, &state->liquid, instant, out);
    out->particles = state->markers ? state->markers->particles.count : 0;
}

static void volume_fields(dew_SolverState *state, dew_FieldList *out)
{
    *out = (dew_FieldList){.count = 0};
    dew_liquid_fields(&state->liquid, out);
    dew_liquid_markers_fields(state->markers, out);
}

static dew_Status volume_restored(const dew_Problem *problem, dew_SolverState *state)
{
    DEW_TRY(dew_liquid_restored(problem, &state->liquid));
    return dew_liquid_markers_restored(&state->liquid, state->markers);
}

static void volume_wetness(const dew_Problem *problem, const dew_SolverState *state,
                           const dew_Instant *instant, int solid_id, const dew_Vec3 *rest_m,
                           int64_t count, float *out)
{
    dew_liquid_wetness_map(problem, &state->liquid, instant, solid_id, rest_m, count, out);
}

static dew_GridView volume_grid(const dew_SolverState *state)
{
    return dew_liquid_view(&state->liquid);
}

static void volume_field_views(const dew_SolverState *state, dew_FieldViews *out)
{
    dew_liquid_field_views(&state->liquid, out);
}

static void volume_particle_views(const dew_SolverState *state, dew_ParticleViews *out)
{
    if (state->markers) {
        const dew_Particles *particles = &state->markers->particles;
        dew_particle_views_begin_particles(out, "markers", particles);
        dew_particle_views_add(out, "radius", "m", DEW_FIELD_F64, 1, sizeof(double),
                               dew_particles_column(particles, state->markers->radius));
    }
    dew_liquid_particle_views(&state->liquid, out);
}

static dew_Status volume_volume_fractions(const dew_SolverState *state, double *out)
{
    return dew_liquid_fractions_only(&state->liquid, out);
}

static dew_Status volume_set_velocity(dew_SolverState *state, const dew_VelocityField *velocity,
                                      double time_s)
{
    return dew_liquid_set_velocity(&state->liquid, velocity, time_s);
}

const dew_SolverOps dew_volume_solver_ops = {
    .traits = &dew_volume_solver_traits,
    .stages = dew_liquid_stage_names,
    .create = volume_create,
    .parameters = volume_parameters,
    .pour = volume_pour,
    .max_step_s = volume_max_step,
    .step_at_speed_s = volume_step_at_speed,
    .step = dew_volume_step,
    .surface = volume_surface,
    .measure = volume_measure,
    .fields = volume_fields,
    .restored = volume_restored,
    .destroy = volume_destroy,
    .wetness = volume_wetness,
    .grid = volume_grid,
    .field_views = volume_field_views,
    .particle_views = volume_particle_views,
    .volume_fractions = volume_volume_fractions,
    .set_velocity = volume_set_velocity,
};
