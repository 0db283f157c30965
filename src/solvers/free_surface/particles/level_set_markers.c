// Marker particles in the step, [Enright2002]: they move with the flow and restore what phi loses.
//
// Their number depends on the speed ([Wang2005] section 8): 4 per cell of the band at rest,
// `markers` where the displacement in a step limits it. They are sampled anew each tenth step.
// Where something other than the flow changes phi (pouring, sinks), contradicting markers are
// removed.
// differs: none within 1.5 cells of a wall, for there the contact angle moves the surface, not the
// flow alone.
#include "base/status.h"
#include "solvers/field_table.h"
#include "solvers/free_surface/liquid.h"

// ---- making, saving ----------------------------------------------------------------------------

dew_Status dew_liquid_markers_create(dew_Liquid *liquid, int most, uint64_t seed, dew_Markers **out)
{
    const dew_LiquidParams *params = &liquid->params;
    dew_MarkersDef def = dew_default_markers_def();
    double h = liquid->grid->cell_m;
    def.max_per_cell = most;
    def.min_per_cell = most < def.min_per_cell ? most : def.min_per_cell;
    // Where cfl and the capillary limit allow the same step.
    if (params->sigma_N_m > 0)
        def.full_speed = params->cfl *
                         sqrt(2 * DEW_PI * params->sigma_N_m / (params->rho_kg_m3 * h)) /
                         params->tension_factor;
    def.seed = seed;
    def.allocator = liquid->allocator;
    *out = dew_alloc(&liquid->allocator, 1, sizeof **out);
    if (!*out)
        return dew_no_memory(sizeof **out);
    dew_markers_init(*out, &def);
    return dew_ok();
}

void dew_liquid_markers_destroy(const dew_Liquid *liquid, dew_Markers *markers)
{
    if (!markers)
        return;
    dew_markers_deinit(markers);
    dew_free(&liquid->allocator, markers, sizeof *markers);
}

void dew_liquid_markers_fields(dew_Markers *markers, dew_FieldList *out)
{
    static const char *const names[] = {"marker_x", "marker_y", "marker_z", "marker_id"};
    if (!markers)
        return;
    dew_Array *column = markers->particles.column;
    for (int a = 0; a < 4; a++)
        dew_field_list_array(out, names[a], a < 3 ? DEW_FIELD_F64 : DEW_FIELD_U64, 1, &column[a]);
    dew_field_list_array(out, "marker_radius", DEW_FIELD_F64, 1, &column[markers->radius]);
    dew_field_list_block(out, "marker_next_id", DEW_FIELD_U64, 1, &markers->next_id);
}

dew_Status dew_liquid_markers_restored(dew_Liquid *liquid, dew_Markers *markers)
{
    if (!markers)
        return dew_ok();
    return dew_particles_restored(&markers->particles, liquid->grid, &liquid->workspace->scratch);
}

// ---- the step ----------------------------------------------------------------------------------

// Those near walls go.
static dew_Status leave_walls(const dew_Liquid *liquid, dew_Markers *markers, dew_Arena *scratch)
{
    const double *solid = dew_liquid_solid(liquid);
    const dew_Grid *grid = liquid->grid;
    dew_Particles *particles = &markers->particles;
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
            if (at >= 0 && solid[at] < DEW_LIQUID_SHELL * grid->cell_m)
                dew_particles_remove(particles, n);
        }
    }
    return dew_particles_sort(particles, grid, scratch);
}

dew_Status dew_liquid_markers_move(dew_Liquid *liquid, dew_Markers *markers, const dew_Step *step,
                                   const double *const u[3], dew_Arena *scratch)
{
    if (!markers)
        return dew_ok();
    if (step->index % DEW_LIQUID_INTERVAL == 0 || markers->particles.count == 0) {
        DEW_TRY(dew_markers_seed(markers, liquid->grid, dew_liquid_phi(liquid), u,
                                 (uint64_t)step->index, scratch));
        DEW_TRY(leave_walls(liquid, markers, scratch));
    }
    DEW_TRY(dew_markers_advect(markers, liquid->grid, u, step->dt_s, scratch));
    return leave_walls(liquid, markers, scratch);
}

dew_Status dew_liquid_markers_correct(dew_Liquid *liquid, dew_Markers *markers, dew_Arena *scratch)
{
    return !markers
               ? dew_ok()
               : dew_markers_correct(markers, liquid->grid, dew_liquid_phi(liquid), scratch, NULL);
}

dew_Status dew_liquid_markers_end(dew_Liquid *liquid, dew_Markers *markers, bool is_changed,
                                  dew_Arena *scratch)
{
    if (!markers)
        return dew_ok();
    DEW_TRY(dew_particles_sort(&markers->particles, liquid->grid, scratch));
    if (is_changed)
        DEW_TRY(dew_markers_forget(markers, liquid->grid, dew_liquid_phi(liquid), scratch));
    return dew_markers_adjust(markers, liquid->grid, dew_liquid_phi(liquid));
}
