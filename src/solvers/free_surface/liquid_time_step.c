// The longest stable step behind a level set: the displacement in it, and the capillary limit.
#include "base/sum.h"
#include "grid/sample.h"
#include "grid/velocity.h"
#include "solvers/free_surface/liquid.h"

// The displacement in a step: v dt + g dt^2 / 2 <= cfl h, solved in the form that does not cancel.
static double cfl_step(double displacement, double speed, double g)
{
    double root = speed + sqrt(speed * speed + 2 * g * displacement);
    return root > 0 ? 2 * displacement / root : (double)INFINITY;
}

typedef struct Fastest {
    const dew_Liquid *liquid;
    const double *u[3];
    double *speed;  // per brick
} Fastest;

// Sum over the axes of the larger face speed of a cell, which bounds the advection of phi.
static double cell_speed(const double *const tiles[3], int at, int axes)
{
    static const int stride[3] = {1, DEW_BRICK + 2, (DEW_BRICK + 2) * (DEW_BRICK + 2)};
    double sum = 0;
    for (int a = 0; a < axes; a++)
        sum += fmax(fabs(tiles[a][at]), fabs(tiles[a][at + stride[a]]));
    return sum;
}

static dew_Status fastest_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Fastest *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double tile[3][DEW_TILE_SIZE(1)], reach = (DEW_LIQUID_REACH + 1) * grid->cell_m;
    const double *const tiles[3] = {tile[0], tile[1], tile[2]};
    for (int64_t b = begin; b < end; b++) {
        const double *phi = dew_liquid_phi(w->liquid) + b * grid->brick_cells;
        double most = 0;
        for (int a = 0; a < dew_grid_axes(grid); a++)
            dew_tile_load_cross(grid, w->u[a], (int32_t)b, 1, tile[a]);
        for (int n = 0; n < grid->brick_cells; n++)
            if (phi[n] < reach)
                most = fmax(most, cell_speed(tiles, dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6),
                                             dew_grid_axes(grid)));
        w->speed[b] = most;
    }
    return dew_ok();
}

// Largest sum of components of the cells near the surface: no liquid or wall is faster.
static double fastest(const dew_Liquid *liquid, const int field[3])
{
    dew_Grid *grid = liquid->grid;
    dew_Arena *scratch = &liquid->workspace->scratch;
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Fastest work = {.liquid = liquid,
                    .speed = dew_arena_raw_array(scratch, double, grid->brick_count)};
    for (int a = 0; a < grid->dimensions; a++)
        work.u[a] = dew_grid_f64(grid, field[a]);
    if (!work.speed) {  // all cells, each axis on its own
        dew_Vec3 v = dew_velocity_max(grid, work.u);
        return v.x + v.y + v.z;
    }
    dew_grid_for(grid, fastest_chunk, &work);
    double most = dew_max_abs(grid->tasks, work.speed, grid->brick_count);
    dew_arena_rewind(scratch, mark);
    return most;
}

double dew_liquid_capillary_s(const dew_LiquidParams *params, double cell_m)
{
    double h = cell_m;
    return params->sigma_N_m > 0
               ? sqrt(params->rho_kg_m3 * h * h * h / (2 * DEW_PI * params->sigma_N_m))
               : (double)INFINITY;
}

double dew_liquid_step_at(const dew_Liquid *liquid, const dew_Instant *instant, double speed_m_s,
                          const char **bound)
{
    const dew_LiquidParams *params = &liquid->params;
    dew_Vec3 g = instant->gravity_m_s2;
    double h = liquid->grid->cell_m,
           step = cfl_step(params->cfl * h, speed_m_s, fabs(g.x) + fabs(g.y) + fabs(g.z));
    *bound = step < (double)INFINITY ? "cfl" : NULL;
    double capillary = params->tension_factor * dew_liquid_capillary_s(params, h);
    *bound = capillary < step ? "capillary" : *bound;
    return fmin(step, capillary);
}

double dew_liquid_step_when_turning(const dew_Liquid *liquid, const dew_Instant *instant,
                                    double speed_m_s, const char **bound)
{
    return dew_liquid_step_at(liquid, instant, dew_grid_axes(liquid->grid) * speed_m_s, bound);
}

double dew_liquid_max_step(const dew_Problem *problem, const dew_Liquid *liquid,
                           const dew_Instant *instant, const char **bound)
{
    double inflow = dew_liquid_inflow_speed(problem, instant->time_s, true);
    *bound = NULL;
    if (liquid->drops.count == 0 && !(inflow > 0))
        return (double)INFINITY;
    double speed = fmax(fastest(liquid, liquid->u), inflow);
    if (liquid->params.has_motion)
        speed = fmax(speed, fastest(liquid, liquid->wall_u));
    return dew_liquid_step_at(liquid, instant, speed, bound);
}
