// Wind [Wang2005, section 3]: the air's pressure on the side that faces it is part of the pressure at the free
// surface.
#include "problem/wind.h"

#include "base/status.h"
#include "solvers/liquid/liquid.h"

#define REACH 1.5  // cells from the surface, where its pressure is asked for

typedef struct Work {
    const dew_Liquid *liquid;
    dew_Vec3 wind;
    const double *phi, *u[3];
    double *p_surface;
} Work;

static dew_Status wind_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    const int y = DEW_BRICK + 2, z = y * y;
    double tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            if (!(fabs(w->phi[at]) < REACH * grid->cell_m))
                continue;
            if (!is_loaded)
                dew_tile_load_cross(grid, w->phi, (int32_t)b, 1, tile);
            is_loaded = true;
            const double *t = tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            dew_Vec3 normal = dew_normalize(dew_vec(t[1] - t[-1], t[y] - t[-y], t[z] - t[-z]));
            dew_Vec3 air = dew_sub(w->wind, dew_liquid_cell_velocity(grid, w->u, (int32_t)b, n));
            w->p_surface[at] += dew_wind_pressure_Pa(dew_inner(air, normal));
        }
    }
    return dew_ok();
}

dew_Status dew_liquid_wind(dew_Liquid *liquid, dew_Vec3 wind_m_s, double *p_surface)
{
    if (!(dew_length2(wind_m_s) > 0))
        return dew_ok();
    Work work = {
        .liquid = liquid, .wind = wind_m_s, .phi = dew_liquid_phi(liquid), .p_surface = p_surface};
    for (int a = 0; a < liquid->grid->dimensions; a++)
        work.u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
    return dew_grid_for(liquid->grid, wind_chunk, &work);
}
