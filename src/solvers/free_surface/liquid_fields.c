// What readers see of liquid on bricks (dew/fields.h), and its velocity as an initial condition.
#include "base/status.h"
#include "grid/field_view.h"
#include "solvers/field_table.h"
#include "solvers/free_surface/liquid.h"

static const char *const velocity_names[3] = {"velocity_x", "velocity_y", "velocity_z"};

void dew_liquid_flow_views(const dew_Grid *grid, const int u[3], int p, dew_FieldViews *out)
{
    for (int a = 0; a < dew_grid_axes(grid); a++)
        out->field[out->count++] =
            dew_grid_view(grid, velocity_names[a], "m/s", (dew_Place)(DEW_AT_FACE_X + a),
                          DEW_FIELD_F64, dew_grid_f64(grid, u[a]));
    out->field[out->count++] =
        dew_grid_view(grid, "pressure", "Pa", DEW_AT_CELL, DEW_FIELD_F64, dew_grid_f64(grid, p));
}

void dew_liquid_field_views(const dew_Liquid *liquid, dew_FieldViews *out)
{
    const dew_Grid *grid = liquid->grid;
    dew_FieldView phi =
        dew_grid_view(grid, "phi", "m", DEW_AT_CELL, DEW_FIELD_F64, dew_liquid_phi(liquid));
    phi.missing = DEW_LIQUID_BAND * grid->cell_m;
    out->field[out->count++] = phi;
    dew_liquid_flow_views(grid, liquid->u, liquid->p, out);
}

void dew_liquid_particle_views(const dew_Liquid *liquid, dew_ParticleViews *out)
{
    const dew_SubgridDroplet *droplet = liquid->droplets.data;
    dew_particle_views_begin(out, "droplets", liquid->droplets.count);
    dew_particle_views_add(out, "position", "m", DEW_FIELD_F64, 3, sizeof *droplet,
                           droplet ? &droplet->position_m : NULL);
    dew_particle_views_add(out, "velocity", "m/s", DEW_FIELD_F64, 3, sizeof *droplet,
                           droplet ? &droplet->velocity_m_s : NULL);
    dew_particle_views_add(out, "volume", "m^3", DEW_FIELD_F64, 1, sizeof *droplet,
                           droplet ? &droplet->volume_m3 : NULL);
    const dew_LiquidDrop *drop = liquid->drops.data;
    dew_particle_views_begin(out, "drops", liquid->drops.count);
    dew_particle_views_add(out, "volume", "m^3", DEW_FIELD_F64, 1, sizeof *drop,
                           drop ? &drop->volume_m3 : NULL);
    dew_particle_views_add(out, "area", "m^2", DEW_FIELD_F64, 1, sizeof *drop,
                           drop ? &drop->area_m2 : NULL);
    dew_particle_views_add(out, "center", "m", DEW_FIELD_F64, 3, sizeof *drop,
                           drop ? &drop->center_m : NULL);
    dew_particle_views_add(out, "cell_count", "1", DEW_FIELD_I64, 1, sizeof *drop,
                           drop ? &drop->cell_count : NULL);
    dew_particle_views_add(out, "target_volume", "m^3", DEW_FIELD_F64, 1, sizeof(double),
                           liquid->targets.data);
}

dew_Status dew_liquid_fractions_only(const dew_Liquid *liquid, double *fraction)
{
    dew_Arena *scratch = &liquid->workspace->scratch;
    int64_t count = dew_liquid_count(liquid);
    double *area_m2 = dew_arena_array(scratch, double, count);
    dew_Status status = area_m2 ? dew_liquid_volume_fractions(liquid, fraction, area_m2)
                                : dew_no_memory((size_t)count * sizeof(double));
    dew_arena_clear(scratch);
    return status;
}

dew_Status dew_liquid_set_velocity(dew_Liquid *liquid, const dew_VelocityField *velocity,
                                   double time_s)
{
    const dew_Grid *grid = liquid->grid;
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        double *u = dew_grid_f64(grid, liquid->u[a]);
        for (int32_t b = 0; b < grid->brick_count; b++)
            for (int n = 0; n < grid->brick_cells; n++) {
                dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6,
                                               (dew_Place)(DEW_AT_FACE_X + a));
                dew_Vec3 v = velocity->velocity_m_s(velocity->context, x, time_s);
                u[(int64_t)b * grid->brick_cells + n] = a == 0 ? v.x : a == 1 ? v.y : v.z;
            }
    }
    return dew_ok();
}

dew_GridView dew_liquid_view(const dew_Liquid *liquid)
{
    dew_GridView view = {.grid = liquid->grid,
                         .phi = dew_liquid_phi(liquid),
                         .solid = dew_liquid_solid(liquid),
                         .far_m = DEW_LIQUID_BAND * liquid->grid->cell_m};
    for (int a = 0; a < liquid->grid->dimensions; a++)
        view.u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
    return view;
}
