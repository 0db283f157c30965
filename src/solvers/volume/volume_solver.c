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
    params.is_first_order =
        dew_scene_parameter_is(dew_problem_scene(problem), "pressure", "first-order");
    params.is_stencil = dew_scene_parameter_is(dew_problem_scene(problem), "contact", "stencil");
    params.has_ghost_memory =
        dew_scene_parameter_is(dew_problem_scene(problem), "pinning", "memory");
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

static dew_Status volume_pour(const dew_Problem *problem, dew_SolverState *state,
                              const dew_Instant *instant, const dew_Blob *blob)
{
    dew_Arena *scratch = &state->liquid.workspace->scratch;
    DEW_TRY(dew_liquid_pour(problem, &state->liquid, instant, blob));
    dew_Status status = dew_liquid_markers_end(&state->liquid, state->markers, true, scratch);
    dew_arena_clear(scratch);
    return status.code == DEW_OK ? dew_liquid_reserve(&state->liquid) : status;
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

const dew_SolverOps dew_volume_solver_ops = {
    .traits = &dew_volume_solver_traits,
    .stages = dew_liquid_stage_names,
    .create = volume_create,
    .parameters = dew_liquid_op_parameters,
    .pour = volume_pour,
    .max_step_s = dew_liquid_op_max_step,
    .step_at_speed_s = dew_liquid_op_step_at_speed,
    .step = dew_volume_step,
    .surface = dew_liquid_op_surface,
    .measure = volume_measure,
    .fields = volume_fields,
    .restored = volume_restored,
    .destroy = volume_destroy,
    .wetness = dew_liquid_op_wetness,
    .grid = dew_liquid_op_grid,
    .field_views = dew_liquid_op_field_views,
    .particle_views = volume_particle_views,
    .volume_fractions = dew_liquid_op_volume_fractions,
    .set_velocity = dew_liquid_op_set_velocity,
};
