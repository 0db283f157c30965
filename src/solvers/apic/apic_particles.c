// The particles' columns: places, ids, radii (how far inside the surface they mark it), velocities
// with gradients.
#include "base/status.h"
#include "solvers/apic/apic_state.h"
#include "solvers/field_table.h"

void dew_apic_particles_create(dew_SolverState *state, const dew_Problem *problem)
{
    dew_MarkersDef def = dew_default_markers_def();
    def.seed = dew_problem_def(problem)->seed;
    def.allocator = state->liquid.allocator;
    dew_markers_init(&state->markers, &def);
    state->motion = dew_transfer_add_columns(&state->markers.particles);
}

void dew_apic_particles_fields(dew_SolverState *state, dew_FieldList *out)
{
    static const char *const axes[3] = {"particle_x", "particle_y", "particle_z"};
    dew_Array *column = state->markers.particles.column;
    for (int a = 0; a < 3; a++)
        dew_field_list_array(out, axes[a], DEW_FIELD_F64, 1, &column[a]);
    dew_field_list_array(out, "particle_id", DEW_FIELD_U64, 1, &column[3]);
    dew_field_list_array(out, "particle_radius", DEW_FIELD_F64, 1, &column[state->markers.radius]);
    dew_field_list_array(out, "particle_velocity", DEW_FIELD_F64, 3, &column[state->motion]);
    dew_field_list_array(out, "particle_gradient", DEW_FIELD_F32, 9, &column[state->motion + 1]);
    dew_field_list_block(out, "particle_next_id", DEW_FIELD_U64, 1, &state->markers.next_id);
    dew_field_list_block(out, "viscous_wait", DEW_FIELD_F64, 1, &state->viscous_wait_s);
}

dew_Status dew_apic_particles_restored(dew_SolverState *state)
{
    dew_Particles *particles = &state->markers.particles;
    dew_Arena *scratch = &state->liquid.workspace->scratch;
    dew_Status status = dew_particles_restored(particles, state->liquid.grid, scratch);
    dew_arena_clear(scratch);
    return status;
}
