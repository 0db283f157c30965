// What a contact line that moves costs: beside walls the surface pushes back with p = c sqrt(rho sigma / h) u_n, u_n its
// speed along its normal, seen from the wall.
//
// Beside a wall the velocity that carries phi and the curvature that drives it are both looked up above the wall, and
// neither is the transpose of the other: short waves may come back from the line stronger than they went (by e in 2 ms
// at 30 degrees and h = 0.06 mm). A wave of the number k opposes rho omega / k = sqrt(rho sigma k) to a pressure; c is the
// part of one with k h = 1 that is swallowed. The cosine of a moving line's angle is off by c sqrt(rho h / sigma) u_n: 1.6
// degrees at 5 cm/s, 90 degrees and h = 0.06 mm, and less on finer grids. With c = 0.3 a drop of 10 mm^3 at 30 degrees, h = 0.24 mm,
// still goes from rest to 0.6 cm/s within 50 ms; with 0.6 it stays at 0.02. The flow in the wedge, which no grid resolves, does as much
// [Voinov1976]. What rests does not feel it; walls that slip freely have none.
#include "base/status.h"
#include "solvers/liquid/liquid.h"

#define FRICTION 0.6  // c
#define IN_STEP  0.8  // of a cell's momentum at most in a step: it acts explicitly
#define REACH    1.5  // cells from the surface, where its pressure is asked for
#define BESIDE   2.0  // cells from the wall, over which it fades away

typedef struct Work {
    const dew_Liquid *liquid;
    const double *phi, *solid, *u[3], *wall_u[3];
    const double *slip;  // NULL: the same for all
    dew_Vec3 falls;      // what gravity has just given and pressure will take away
    double most_Pa_s_m;
    double *p_surface;
} Work;

// Seen from the wall.
static dew_Vec3 velocity_of(const Work *w, int32_t b, int n)
{
    const dew_Grid *grid = w->liquid->grid;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    dew_Vec3 wall = {0, 0, 0};
    if (w->wall_u[0])
        wall = dew_vec(w->wall_u[0][at], w->wall_u[1][at], w->wall_u[2] ? w->wall_u[2][at] : 0);
    return dew_sub(dew_sub(dew_liquid_cell_velocity(grid, w->u, b, n), wall), w->falls);
}

static dew_Status friction_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    const int y = DEW_BRICK + 2, z = y * y;
    double tile[DEW_TILE_SIZE(1)], h = grid->cell_m;
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            double part = fmin(1, 1 - w->solid[at] / (BESIDE * h));
            bool slips = isinf(w->slip ? w->slip[at] : w->liquid->laws.slip_m);
            if (!(fabs(w->phi[at]) < REACH * h) || !(part > 0) || slips)
                continue;
            if (!is_loaded)
                dew_tile_load_cross(grid, w->phi, (int32_t)b, 1, tile);
            is_loaded = true;
            const double *t = tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            dew_Vec3 normal = dew_normalize(dew_vec(t[1] - t[-1], t[y] - t[-y], t[z] - t[-z]));
            w->p_surface[at] +=
                w->most_Pa_s_m * part * dew_inner(velocity_of(w, (int32_t)b, n), normal);
        }
    }
    return dew_ok();
}

dew_Status dew_liquid_line_friction(dew_Liquid *liquid, const dew_Step *step, double *p_surface)
{
    const dew_LiquidLaws *laws = &liquid->laws;
    if (!laws->has_solids || !laws->has_friction)
        return dew_ok();
    Work work = {.liquid = liquid,
                 .phi = dew_liquid_phi(liquid),
                 .solid = dew_liquid_solid(liquid),
                 .slip = laws->has_slips ? dew_grid_f64(liquid->grid, liquid->slip) : NULL,
                 .falls = dew_scale(step->dt_s, step->moment->gravity_m_s2),
                 .p_surface = p_surface};
    double h = liquid->grid->cell_m, most = IN_STEP * laws->rho_kg_m3 * h / step->dt_s;
    work.most_Pa_s_m = fmin(FRICTION * sqrt(laws->rho_kg_m3 * laws->sigma_N_m / h), most);
    for (int a = 0; a < liquid->grid->dimensions; a++) {
        work.u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
        work.wall_u[a] = laws->has_motion ? dew_grid_f64(liquid->grid, liquid->wall_u[a]) : NULL;
    }
    return dew_grid_for(liquid->grid, friction_chunk, &work);
}
