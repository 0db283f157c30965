// The boundary where liquid is given by whole cells: which cells are obstacles, and velocities
// that are not computed but set, of inflows, at walls, on open sides ([Durikovic] section 2.3).
//
// A cell is an obstacle when its middle lies in a solid.
//
// Each open side belongs to one liquid cell, so that cells can set theirs in any order.
#include "base/status.h"
#include "problem/nozzle.h"
#include "solvers/free_surface/boundary/open_sides.h"
#include "solvers/free_surface/cells.h"
#include "solvers/free_surface/liquid.h"

#include <math.h>

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

// ---- Obstacles ----------------------------------------------------------------------------------

typedef struct Solids {
    const dew_Problem *problem;
    const dew_Grid *grid;
    const dew_Instant *instant;
    const dew_CellSolids *out;
} Solids;

// What of the tangential velocity goes on into an obstacle: section 2.3.1 has -1 (no slip) and 1
// (slip); in between the velocity vanishes the slip length behind the wall.
static float slip_factor(double slip_m, double h)
{
    return (float)(isinf(slip_m) ? 1 : (slip_m - 0.5 * h) / (slip_m + 0.5 * h));
}

static void read_cell(const Solids *w, int32_t b, int n)
{
    const dew_Grid *grid = w->grid;
    double h = grid->cell_m;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    int i = n & 7, j = n >> 3 & 7, k = n >> 6;
    dew_Vec3 x = dew_grid_position(grid, b, i, j, k, DEW_AT_CELL);
    dew_SolidPoint p = dew_problem_nearest(w->problem, w->instant, x, 2 * h);
    uint8_t *kind = &w->out->kind[at];
    bool is_solid = p.solid_id != DEW_INVALID && p.distance_m < 1e-6 * h;
    if (is_solid) {
        dew_MaterialDef m = dew_problem_material(w->problem, w->instant, p.solid_id, p.point_m);
        *kind = DEW_CELL_OBSTACLE;
        w->out->slip[at] = slip_factor(m.slip_m, h);
    } else if (*kind == DEW_CELL_OBSTACLE) {
        *kind = DEW_CELL_EMPTY;
    }
    for (int a = 0; a < dew_grid_axes(grid) && w->out->wall_u[a]; a++) {
        x = dew_grid_position(grid, b, i, j, k, (dew_Place)(DEW_AT_FACE_X + a));
        p = dew_problem_nearest(w->problem, w->instant, x, 2 * h);
        const double v[3] = {p.velocity_m_s.x, p.velocity_m_s.y, p.velocity_m_s.z};
        w->out->wall_u[a][at] = p.solid_id == DEW_INVALID ? 0 : v[a];
    }
}

// Bricks far from all solids are passed over by one question.
static dew_Status solids_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Solids *w = context;
    const dew_Grid *grid = w->grid;
    const uint8_t *is_fresh = DEW_ITEMS(&grid->is_fresh, uint8_t);
    double h = grid->cell_m, reach = (0.5 * DEW_BRICK * 1.7320508 + 1) * h;
    dew_Vec3 half = dew_scale(0.5 * h, dew_vec(DEW_BRICK, DEW_BRICK, grid->depth));
    for (int64_t b = begin; b < end; b++) {
        if (!is_fresh[b] && !w->out->is_all)
            continue;
        dew_Vec3 low = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        double d = dew_problem_distance(w->problem, w->instant, dew_add(low, half), reach);
        if (d > reach && is_fresh[b])
            continue;
        for (int n = 0; n < grid->brick_cells; n++)
            read_cell(w, (int32_t)b, n);
    }
    return dew_ok();
}

dew_Status dew_cells_read_solids(const dew_Problem *problem, const dew_Grid *grid,
                                 const dew_Instant *instant, const dew_CellSolids *out)
{
    Solids work = {problem, grid, instant, out};
    return dew_grid_for(grid, solids_chunk, &work);
}
