// Surface tension as a force at the liquid's boundary cells before the pressure, [Bhargava] eq.
// (7):
//   F = -gamma kappa N / rho, here times a delta function of the distance, for per mass and length
//   it is no force.
//
// The delta is a hat over the two cells inside the surface, so that all of the force acts on liquid
// and pressure 0 at the surface stays right: across the hat the pressure rises by gamma kappa. It
// is explicit and follows every bump, so it is to compare; the pressure at the surface (`ghost`) is
// the default.
#include "base/status.h"
#include "solvers/apic/apic_state.h"

typedef struct Work {
    const dew_Grid *grid;
    const double *phi, *kappa;
    double *const *u;
    double kick;  // gamma dt / rho
} Work;

static dew_Status force_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    static const int stride[3] = {1, DEW_BRICK + 2, (DEW_BRICK + 2) * (DEW_BRICK + 2)};
    const Work *w = context;
    const dew_Grid *grid = w->grid;
    double phi[DEW_TILE_SIZE(1)], kappa[DEW_TILE_SIZE(1)], h = grid->cell_m;
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_cross(grid, w->phi, (int32_t)b, 1, phi);
        dew_tile_load_cross(grid, w->kappa, (int32_t)b, 1, kappa);
        for (int a = 0; a < dew_grid_axes(grid); a++)
            for (int n = 0; n < grid->brick_cells; n++) {
                int at = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6), low = at - stride[a];
                double depth = -0.5 * (phi[at] + phi[low]) / h;
                double delta = fmax(1 - fabs(depth - 1), 0) / h;
                double N = (phi[at] - phi[low]) / h;
                w->u[a][b * grid->brick_cells + n] -=
                    w->kick * 0.5 * (kappa[at] + kappa[low]) * N * delta;
            }
    }
    return dew_ok();
}

dew_Status dew_apic_external_tension(dew_LiquidFlow *flow)
{
    const dew_Liquid *liquid = flow->liquid;
    if (!liquid->params.is_external || !(liquid->params.sigma_N_m > 0))
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(flow->scratch);
    int64_t count = dew_liquid_count(liquid);
    double *kappa = dew_arena_array(flow->scratch, double, count);
    if (!kappa)
        return dew_no_memory((size_t)count * sizeof *kappa);
    DEW_TRY(dew_levelset_curvature(liquid->grid, dew_liquid_phi(liquid),
                                   DEW_LIQUID_REACH * liquid->grid->cell_m, kappa));
    Work work = {.grid = liquid->grid,
                 .phi = dew_liquid_phi(liquid),
                 .kappa = kappa,
                 .u = flow->u,
                 .kick = liquid->params.sigma_N_m * flow->step->dt_s / liquid->params.rho_kg_m3};
    DEW_TRY(dew_grid_for(liquid->grid, force_chunk, &work));
    dew_arena_rewind(flow->scratch, mark);
    return dew_ok();
}
