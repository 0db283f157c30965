// Velocities that are not computed but set: of inflows, at walls, on open sides ([Durikovic]
// section 2.3).
//
// Each open side belongs to one liquid cell, so that cells can set theirs in any order.
#include "base/status.h"
#include "solvers/splash/open_sides.h"
#include "solvers/splash/splash_state.h"

typedef struct Work {
    const dew_SolverState *s;
    const dew_SplashSets *sets;
    double *const *u;
} Work;

static void set_sides(const Work *w, const int32_t *near, int n, unsigned pattern)
{
    const dew_Grid *grid = w->s->grid;
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
    const dew_Grid *grid = w->s->grid;
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
    const dew_Grid *grid = w->s->grid;
    for (int64_t b = begin; b < end; b++)
        for (int a = 0; a < dew_grid_axes(grid); a++) {
            const double *wall_u =
                w->s->params.has_motion ? dew_grid_f64(grid, w->s->wall_u[a]) : NULL;
            for (int k = 0; k < grid->depth; k++) {
                uint64_t wall = dew_splash_faces(grid, w->sets, (int32_t)b, a, k).wall;
                while (wall) {
                    int64_t at = b * grid->brick_cells + 64 * k + dew_bits_take(&wall);
                    w->u[a][at] = wall_u ? wall_u[at] : 0;
                }
            }
        }
    return dew_ok();
}

static void set_source(const Work *w, const dew_SplashNozzle *nozzle, const int32_t c[3])
{
    const dew_Grid *grid = w->s->grid;
    const double v[3] = {nozzle->speed_m_s * nozzle->normal.x, nozzle->speed_m_s * nozzle->normal.y,
                         nozzle->speed_m_s * nozzle->normal.z};
    for (int s = 0; s < 2 * dew_grid_axes(grid); s++) {
        int32_t f[3] = {c[0] + (s == 1), c[1] + (s == 3), c[2] + (s == 5)};
        int64_t at = dew_grid_cell(grid, f);
        if (at >= 0)
            w->u[s / 2][at] = v[s / 2];
    }
}

static void set_sources(const dew_Problem *problem, const Work *w, double time_s)
{
    const dew_Grid *grid = w->s->grid;
    const uint8_t *kind = dew_splash_kind(w->s);
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++) {
        dew_SplashNozzle nozzle;
        int32_t min[3], max[3], c[3];
        if (!dew_splash_nozzle_at(problem, w->s, i, time_s, &nozzle))
            continue;
        dew_splash_nozzle_cells(problem, w->s, i, 0, min, max);
        for (c[2] = min[2]; c[2] < max[2]; c[2]++)
            for (c[1] = min[1]; c[1] < max[1]; c[1]++)
                for (c[0] = min[0]; c[0] < max[0]; c[0]++) {
                    dew_Vec3 x = dew_add_scaled(grid->origin_m, grid->cell_m,
                                                dew_vec(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5));
                    if (!dew_splash_is_before(&nozzle, x))
                        continue;
                    int64_t at = dew_grid_cell(grid, c);
                    if (at >= 0 && kind[at] == DEW_SPLASH_SOURCE)
                        set_source(w, &nozzle, c);
                }
    }
}

dew_Status dew_splash_set_boundary(const dew_Problem *problem, dew_SolverState *state,
                                   const dew_SplashSets *sets, double time_s, double *const u[3])
{
    Work work = {state, sets, u};
    set_sources(problem, &work, time_s);
    DEW_TRY(dew_grid_for(state->grid, walls_chunk, &work));
    return dew_grid_for(state->grid, sides_chunk, &work);
}
