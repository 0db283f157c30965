// Velocities that are not computed but set, where liquid is told by cells as a whole: of inflows, at
// walls, on open sides ([Durikovic] section 2.3).
//
// Each open side belongs to one liquid cell, so that cells can set theirs in any order.
#include "base/status.h"
#include "problem/nozzle.h"
#include "solvers/free_surface/boundary/open_sides.h"
#include "solvers/free_surface/cells.h"
#include "solvers/free_surface/liquid.h"

typedef struct Work {
    const dew_Grid *grid;
    const dew_CellSets *sets;
    const double *const *wall_u;
    double *const *u;
    double speed_m_s;  // of the inflow that is set now
} Work;

static void set_sides(const Work *w, const int32_t *near, int n, unsigned pattern)
{
    const dew_Grid *grid = w->grid;
    int sides = 2 * dew_grid_axes(grid);
    int64_t at[6], own = (int64_t)near[13] * grid->brick_cells + n;
    double u[6] = {0};
    for (int s = 0; s < sides; s++) {
        int64_t up = s & 1 ? dew_bits_index(grid, near, n, s) : own;
        at[s] = up >= 0 ? up : DEW_INVALID;
        u[s] = at[s] >= 0 ? w->u[s / 2][at[s]] : 0;
    }
    dew_open_sides_set(pattern, u);
    for (int s = 0; s < sides; s++)
        if (pattern >> s & 1 && at[s] >= 0)
            w->u[s / 2][at[s]] = u[s];
}

static dew_Status sides_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->grid;
    int sides = 2 * dew_grid_axes(grid);
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        for (int k = 0; k < grid->depth; k++) {
            uint64_t rest = w->sets->surface[b].layer[k], open[6];
            for (int s = 0; s < sides && rest; s++)
                open[s] = ~(dew_bits_beside(w->sets->liquid, near, grid->depth, s, k) |
                            dew_bits_beside(w->sets->solid, near, grid->depth, s, k));
            while (rest) {
                int n = dew_bits_take(&rest);
                unsigned pattern = 0;
                for (int s = 0; s < sides; s++)
                    pattern |= (unsigned)(open[s] >> n & 1) << s;
                if (pattern)
                    set_sides(w, near, 64 * k + n, pattern);
            }
        }
    }
    return dew_ok();
}

// A face with an obstacle on just one side has the obstacle's velocity.
static dew_Status walls_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->grid;
    for (int64_t b = begin; b < end; b++)
        for (int a = 0; a < dew_grid_axes(grid); a++) {
            const double *wall_u = w->wall_u[a];
            for (int k = 0; k < grid->depth; k++) {
                uint64_t wall = dew_cell_faces(grid, w->sets, (int32_t)b, a, k).wall;
                while (wall) {
                    int64_t at = b * grid->brick_cells + 64 * k + dew_bits_take(&wall);
                    w->u[a][at] = wall_u ? wall_u[at] : 0;
                }
            }
        }
    return dew_ok();
}

static void set_source(void *context, const dew_LiquidNozzle *nozzle, const int32_t c[3],
                       int64_t at)
{
    const Work *w = context;
    int64_t b = at / w->grid->brick_cells, n = at % w->grid->brick_cells;
    dew_Vec3 v = dew_scale(w->speed_m_s, nozzle->normal);
    const double along[3] = {v.x, v.y, v.z};
    if (!(w->sets->source[b].layer[n >> 6] >> (n & 63) & 1))
        return;
    for (int s = 0; s < 2 * dew_grid_axes(w->grid); s++) {
        int64_t face =
            dew_grid_cell(w->grid, (int32_t[3]){c[0] + (s == 1), c[1] + (s == 3), c[2] + (s == 5)});
        if (face >= 0)
            w->u[s / 2][face] = along[s / 2];
    }
}

dew_Status dew_cells_set_boundary(const dew_Problem *problem, const dew_Grid *grid,
                                  const dew_CellSets *sets, const double *const wall_u[3],
                                  double time_s, double *const u[3])
{
    Work work = {grid, sets, wall_u, u, 0};
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++) {
        work.speed_m_s = dew_nozzle_speed_m_s(problem, i, time_s);
        if (!(work.speed_m_s > 0))
            continue;
        dew_LiquidNozzle nozzle = dew_liquid_nozzle_at(problem, grid, i);
        dew_liquid_nozzle_cells(&nozzle, grid, set_source, &work);
    }
    DEW_TRY(dew_grid_for(grid, walls_chunk, &work));
    return dew_grid_for(grid, sides_chunk, &work);
}
