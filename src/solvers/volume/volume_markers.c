// Marker particles in the step, [Enright2002]: they move with the flow and put back what phi loses of it.
//
// Their number follows the speed ([Wang2005] section 8): 4 per cell of the band at rest, `markers` where the way in
// a step rules its length. They are strewn each tenth step. What changes phi without the flow (pouring, sinks) makes
// those that contradict it be forgotten.
// differs: none within 1.5 cells of a wall, for there the contact angle moves the surface, not the flow alone.
#include "base/status.h"
#include "solvers/volume/state.h"

#define SEED_EVERY 10   // steps
#define CLEAR      1.5  // cells from walls

// ---- making, saving ----------------------------------------------------------------------------

dew_Status dew_volume_markers_create(dew_SolverState *state, int most, uint64_t seed)
{
    const dew_LiquidLaws *laws = &state->liquid.laws;
    dew_MarkersDef def = dew_default_markers_def();
    double h = state->liquid.grid->cell_m;
    def.max_per_cell = most;
    def.min_per_cell = most < def.min_per_cell ? most : def.min_per_cell;
    // Where cfl and the capillary limit allow the same step.
    if (laws->sigma_N_m > 0)
        def.full_speed = laws->cfl * sqrt(2 * DEW_PI * laws->sigma_N_m / (laws->rho_kg_m3 * h)) /
                         laws->tension_factor;
    def.seed = seed;
    def.allocator = state->liquid.allocator;
    state->markers = dew_alloc(&state->liquid.allocator, 1, sizeof *state->markers);
    if (!state->markers)
        return dew_no_memory(sizeof *state->markers);
    dew_markers_init(state->markers, &def);
    return dew_ok();
}

void dew_volume_markers_destroy(dew_SolverState *state)
{
    if (!state->markers)
        return;
    dew_markers_deinit(state->markers);
    dew_free(&state->liquid.allocator, state->markers, sizeof *state->markers);
    state->markers = NULL;
}

void dew_volume_markers_fields(dew_SolverState *state, dew_FieldList *out)
{
    static const char *const names[] = {"marker_x", "marker_y", "marker_z", "marker_id"};
    if (!state->markers)
        return;
    dew_Particles *particles = &state->markers->particles;
    for (int a = 0; a < 4; a++)
        out->field[out->count++] = (dew_Field){.name = names[a],
                                               .type = a < 3 ? DEW_FIELD_F64 : DEW_FIELD_U64,
                                               .components = 1,
                                               .array = &particles->column[a]};
    out->field[out->count++] = (dew_Field){.name = "marker_radius",
                                           .type = DEW_FIELD_F64,
                                           .components = 1,
                                           .array = &particles->column[state->markers->radius]};
    out->field[out->count++] = (dew_Field){.name = "marker_next_id",
                                           .type = DEW_FIELD_U64,
                                           .components = 1,
                                           .block = &state->markers->next_id,
                                           .block_count = 1};
}

dew_Status dew_volume_markers_restored(dew_SolverState *state)
{
    if (!state->markers)
        return dew_ok();
    dew_Particles *particles = &state->markers->particles;
    particles->count = particles->column[0].count;
    particles->is_sorted = false;
    for (int n = 1; n < particles->column_count; n++)
        if (particles->column[n].count != particles->count)
            return dew_fail(DEW_CORRUPT, "the markers' columns are not equally long");
    return dew_particles_sort(particles, state->liquid.grid, &state->liquid.tools->scratch);
}

// ---- the step ----------------------------------------------------------------------------------

// Those near walls go.
static dew_Status leave_walls(dew_SolverState *state, dew_Arena *scratch)
{
    const double *solid = dew_liquid_solid(&state->liquid);
    const dew_Grid *grid = state->liquid.grid;
    dew_Particles *particles = &state->markers->particles;
    if (!solid)
        return dew_ok();
    for (int32_t b = 0; b < grid->brick_count; b++) {
        int64_t from, to;
        dew_particles_of_brick(particles, b, &from, &to);
        dew_Vec3 corner = dew_grid_position(grid, b, 0, 0, 0, DEW_AT_NODE);
        for (int64_t n = from; n < to; n++) {
            dew_Vec3 x =
                dew_scale(1 / grid->cell_m, dew_sub(dew_particles_position(particles, n), corner));
            int64_t at = dew_grid_near(grid, b, (int)floor(x.x), (int)floor(x.y),
                                       grid->depth == 1 ? 0 : (int)floor(x.z));
            if (at >= 0 && solid[at] < CLEAR * grid->cell_m)
                dew_particles_remove(particles, n);
        }
    }
    return dew_particles_sort(particles, grid, scratch);
}

dew_Status dew_volume_markers_move(dew_SolverState *state, const dew_Step *step,
                                   const double *const u[3], dew_Arena *scratch)
{
    dew_Markers *markers = state->markers;
    if (!markers)
        return dew_ok();
    if (step->index % SEED_EVERY == 0 || markers->particles.count == 0) {
        DEW_TRY(dew_markers_seed(markers, state->liquid.grid, dew_liquid_phi(&state->liquid), u,
                                 (uint64_t)step->index, scratch));
        DEW_TRY(leave_walls(state, scratch));
    }
    DEW_TRY(dew_markers_advect(markers, state->liquid.grid, u, step->dt_s, scratch));
    return leave_walls(state, scratch);
}

dew_Status dew_volume_markers_correct(dew_SolverState *state, dew_Arena *scratch)
{
    return !state->markers ? dew_ok()
                           : dew_markers_correct(state->markers, state->liquid.grid,
                                                 dew_liquid_phi(&state->liquid), scratch, NULL);
}

dew_Status dew_volume_markers_end(dew_SolverState *state, bool is_changed, dew_Arena *scratch)
{
    dew_Markers *markers = state->markers;
    if (!markers)
        return dew_ok();
    DEW_TRY(dew_particles_sort(&markers->particles, state->liquid.grid, scratch));
    if (is_changed)
        DEW_TRY(dew_markers_forget(markers, state->liquid.grid, dew_liquid_phi(&state->liquid),
                                   scratch));
    return dew_markers_adjust(markers, state->liquid.grid, dew_liquid_phi(&state->liquid));
}
