// The particles' columns: places, ids, radii (how far inside the surface they mark it), velocities with gradients.
#include "base/status.h"
#include "solvers/apic/state.h"

void dew_apic_particles_create(dew_SolverState *state, const dew_Problem *problem)
{
    dew_MarkersDef def = dew_default_markers_def();
    def.seed = dew_problem_def(problem)->seed;
    def.allocator = state->liquid.allocator;
    dew_markers_init(&state->markers, &def);
    state->motion = dew_transfer_add_columns(&state->markers.particles);
}

static void add_column(dew_SolverState *state, dew_FieldList *out, const char *name, int column,
                       dew_FieldType type, int components)
{
    out->field[out->count++] = (dew_Field){.name = name,
                                           .type = type,
                                           .components = components,
                                           .array = &state->markers.particles.column[column]};
}

void dew_apic_particles_fields(dew_SolverState *state, dew_FieldList *out)
{
    static const char *const axes[3] = {"particle_x", "particle_y", "particle_z"};
    for (int a = 0; a < 3; a++)
        add_column(state, out, axes[a], a, DEW_FIELD_F64, 1);
    add_column(state, out, "particle_id", 3, DEW_FIELD_U64, 1);
    add_column(state, out, "particle_radius", state->markers.radius, DEW_FIELD_F64, 1);
    add_column(state, out, "particle_velocity", state->motion, DEW_FIELD_F64, 3);
    add_column(state, out, "particle_gradient", state->motion + 1, DEW_FIELD_F32, 9);
    out->field[out->count++] = (dew_Field){.name = "particle_next_id",
                                           .type = DEW_FIELD_U64,
                                           .components = 1,
                                           .block = &state->markers.next_id,
                                           .block_count = 1};
    out->field[out->count++] = (dew_Field){.name = "viscous_wait",
                                           .type = DEW_FIELD_F64,
                                           .components = 1,
                                           .block = &state->viscous_wait_s,
                                           .block_count = 1};
}

dew_Status dew_apic_particles_restored(dew_SolverState *state)
{
    dew_Particles *particles = &state->markers.particles;
    particles->count = particles->column[0].count;
    particles->is_sorted = false;
    for (int n = 1; n < particles->column_count; n++)
        if (particles->column[n].count != particles->count)
            return dew_fail(DEW_CORRUPT, "the particles' columns are not equally long");
    dew_Arena *scratch = &state->liquid.tools->scratch;
    dew_Status status = dew_particles_sort(particles, state->liquid.grid, scratch);
    dew_arena_clear(scratch);
    return status;
}
