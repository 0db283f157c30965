// Solver `apic`: its state, what World asks of it. The step is in apic_step.c.
#include "solvers/apic/apic_solver.h"

#include "base/status.h"
#include "solvers/apic/apic_state.h"
#include "solvers/field_table.h"

static void apic_destroy(dew_SolverState *state)
{
    if (!state)
        return;
    dew_Allocator allocator = state->liquid.allocator;
    dew_markers_deinit(&state->markers);
    dew_liquid_destroy(&state->liquid);
    dew_free(&allocator, state, sizeof *state);
}

static dew_LiquidParams read_params(const dew_Problem *problem)
{
    dew_LiquidParams params = dew_liquid_params(problem);
    params.is_external =
        dew_scene_parameter_is(dew_problem_scene(problem), "surface_tension_force", "external");
    if (dew_scene_parameter_is(dew_problem_scene(problem), "pressure_solver", "miccg"))
        params.pressure_method = DEW_POISSON_MIC0;
    return params;
}

static dew_Status make_parts(const dew_Problem *problem, const dew_CreateDef *def,
                             dew_SolverState *state)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    dew_LiquidParams params = read_params(problem);
    state->kind = dew_scene_parameter_is(dew_problem_scene(problem), "transfer", "pic")
                      ? DEW_TRANSFER_PIC
                  : dew_scene_parameter_is(dew_problem_scene(problem), "transfer", "flip")
                      ? DEW_TRANSFER_FLIP
                      : DEW_TRANSFER_APIC;
    state->is_from_particles =
        dew_scene_parameter_is(dew_problem_scene(problem), "surface", "particles");
    state->per_axis = (int)lround(dew_scene_parameter_number(scene, "particles_per_axis"));
    return dew_liquid_create(problem, def, &params, &state->liquid);
}

static dew_Status apic_create(const dew_Problem *problem, const dew_CreateDef *def,
                              dew_SolverState **out)
{
    *out = NULL;
    dew_SolverState *state = dew_alloc(&def->allocator, 1, sizeof *state);
    if (!state)
        return dew_no_memory(sizeof *state);
    state->liquid.allocator = def->allocator;
    dew_apic_particles_create(state, problem);
    dew_Status status = make_parts(problem, def, state);
    if (status.code != DEW_OK) {
        apic_destroy(state);
        return status;
    }
    *out = state;
    return dew_ok();
}

static dew_Status apic_pour(const dew_Problem *problem, dew_SolverState *state,
                            const dew_Instant *instant, const dew_Blob *blob)
{
    dew_Arena *scratch = &state->liquid.workspace->scratch;
    DEW_TRY(dew_liquid_pour(problem, &state->liquid, instant, blob));
    dew_Status status = dew_apic_reseed(state, DEW_APIC_POURED, scratch);
    dew_arena_clear(scratch);
    return status.code == DEW_OK ? dew_liquid_reserve(&state->liquid) : status;
}

static void apic_measure(const dew_Problem *problem, const dew_SolverState *state,
                         const dew_Instant *instant, dew_Measure *out)
{
    dew_liquid_measure(problem, &state->liquid, instant, out);
    out->particles = state->markers.particles.count;
}

static void apic_fields(dew_SolverState *state, dew_FieldList *out)
{
    *out = (dew_FieldList){.count = 0};
    dew_liquid_fields(&state->liquid, out);
    dew_apic_particles_fields(state, out);
}

static dew_Status apic_restored(const dew_Problem *problem, dew_SolverState *state)
{
    DEW_TRY(dew_liquid_restored(problem, &state->liquid));
    return dew_apic_particles_restored(state);
}

static dew_ParticleView apic_particles(const dew_SolverState *state)
{
    const dew_Particles *particles = &state->markers.particles;
    dew_ParticleView view = {.count = particles->count, .ids = dew_particles_ids(particles)};
    for (int a = 0; a < 3; a++)
        view.axis_m[a] = dew_particles_axis(particles, a);
    view.velocity_m_s = dew_particles_column(particles, state->motion);
    view.velocity_stride = sizeof(dew_Motion) / sizeof(double);
    return view;
}

static void apic_particle_views(const dew_SolverState *state, dew_ParticleViews *out)
{
    const dew_Particles *particles = &state->markers.particles;
    dew_particle_views_begin_particles(out, "particles", particles);
    dew_particle_views_add(out, "radius", "m", DEW_FIELD_F64, 1, sizeof(double),
                           dew_particles_column(particles, state->markers.radius));
    dew_particle_views_add(out, "velocity", "m/s", DEW_FIELD_F64, 3, sizeof(dew_Motion),
                           dew_transfer_motion(particles, state->motion));
    dew_particle_views_add(out, "affine", "1/s", DEW_FIELD_F32, 9, sizeof(dew_Shear),
                           dew_transfer_shear(particles, state->motion));
    dew_liquid_particle_views(&state->liquid, out);
}

// Velocity of a particle, and with the affine transfer its gradient by differences over a cell.
static dew_Status apic_set_velocity(dew_SolverState *state, const dew_VelocityField *velocity,
                                    double time_s)
{
    const dew_Particles *particles = &state->markers.particles;
    dew_Motion *motion = dew_transfer_motion(particles, state->motion);
    dew_Shear *shear = dew_transfer_shear(particles, state->motion);
    double h = state->liquid.grid->cell_m;
    for (int64_t n = 0; n < particles->count; n++) {
        dew_Vec3 p = dew_particles_position(particles, n);
        dew_Vec3 v = velocity->velocity_m_s(velocity->context, p, time_s);
        motion[n] = (dew_Motion){.u = {v.x, v.y, v.z}};
        for (int b = 0; b < 3 && state->kind == DEW_TRANSFER_APIC; b++) {
            dew_Vec3 half = {b == 0 ? 0.5 * h : 0, b == 1 ? 0.5 * h : 0, b == 2 ? 0.5 * h : 0};
            dew_Vec3 high = velocity->velocity_m_s(velocity->context, dew_add(p, half), time_s);
            dew_Vec3 low = velocity->velocity_m_s(velocity->context, dew_sub(p, half), time_s);
            dew_Vec3 slope = dew_scale(1 / h, dew_sub(high, low));
            shear[n].c[0][b] = (float)slope.x;
            shear[n].c[1][b] = (float)slope.y;
            shear[n].c[2][b] = (float)slope.z;
        }
    }
    return dew_liquid_set_velocity(&state->liquid, velocity, time_s);
}

const dew_SolverOps dew_apic_solver_ops = {
    .traits = &dew_apic_solver_traits,
    .stages = dew_liquid_stage_names,
    .create = apic_create,
    .parameters = dew_liquid_op_parameters,
    .pour = apic_pour,
    .max_step_s = dew_liquid_op_max_step,
    .step_at_speed_s = dew_liquid_op_step_at_speed,
    .step = dew_apic_step,
    .surface = dew_liquid_op_surface,
    .measure = apic_measure,
    .fields = apic_fields,
    .restored = apic_restored,
    .destroy = apic_destroy,
    .wetness = dew_liquid_op_wetness,
    .grid = dew_liquid_op_grid,
    .particles = apic_particles,
    .field_views = dew_liquid_op_field_views,
    .particle_views = apic_particle_views,
    .volume_fractions = dew_liquid_op_volume_fractions,
    .set_velocity = apic_set_velocity,
};
