// Velocities that are not computed but set: of inflows, at walls, on open sides ([Durikovic] section 2.3).
//
// Each open side belongs to one liquid cell, so that cells can set theirs in any order.
#include "base/status.h"
#include "solvers/splash/open_sides.h"
#include "solvers/splash/state.h"

typedef struct Work {
    const dew_SolverState *s;
    double *const *u;
} Work;

// Where the velocity of a cell's side lies in the fields; DEW_INVALID: in no brick.
static int64_t face_at(const dew_Grid *grid, int32_t b, int i, int j, int k, int side)
{
    int up = side & 1;
    return dew_grid_near(grid, b, i + (side / 2 == 0 ? up : 0), j + (side / 2 == 1 ? up : 0),
                         k + (side / 2 == 2 ? up : 0));
}

static void set_sides(const Work *w, int32_t b, int n, unsigned pattern)
{
    const dew_Grid *grid = w->s->grid;
    int sides = 2 * dew_grid_axes(grid);
    int64_t at[DEW_SIDES_OF_CELL];
    double u[DEW_SIDES_OF_CELL] = {0};
    for (int s = 0; s < sides; s++) {
        at[s] = face_at(grid, b, n & 7, n >> 3 & 7, n >> 6, s);
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
    int sides = 2 * dew_grid_axes(grid), width = DEW_BRICK + 2;
    const uint8_t *kind = dew_splash_kind(w->s);
    uint8_t tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        bool has_surface = false;
        for (int n = 0; n < grid->brick_cells; n++)
            has_surface |= kind[b * grid->brick_cells + n] == DEW_SPLASH_SURFACE;
        if (!has_surface)
            continue;
        dew_tile_load_u8(grid, kind, (int32_t)b, 1, DEW_SPLASH_EMPTY, tile);
        for (int n = 0; n < grid->brick_cells; n++) {
            int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            unsigned pattern = 0;
            for (int s = 0; s < sides && tile[t] == DEW_SPLASH_SURFACE; s++)
                if (tile[t + dew_splash_beside(s, width)] == DEW_SPLASH_EMPTY)
                    pattern |= 1u << s;
            if (pattern)
                set_sides(w, (int32_t)b, n, pattern);
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
    int width = DEW_BRICK + 2;
    int size = grid->depth == 1 ? 3 * width * width : DEW_TILE_SIZE(1);
    uint8_t tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_u8(grid, dew_splash_kind(w->s), (int32_t)b, 1, DEW_SPLASH_EMPTY, tile);
        bool has_wall = false;
        for (int t = 0; t < size; t++)
            has_wall |= tile[t] == DEW_SPLASH_OBSTACLE;
        for (int a = 0; has_wall && a < dew_grid_axes(grid); a++) {
            const double *wall_u =
                w->s->laws.has_motion ? dew_grid_f64(grid, w->s->wall_u[a]) : NULL;
            for (int n = 0; n < grid->brick_cells; n++) {
                int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
                int64_t at = b * grid->brick_cells + n;
                if ((tile[t] == DEW_SPLASH_OBSTACLE) !=
                    (tile[t + dew_splash_beside(2 * a, width)] == DEW_SPLASH_OBSTACLE))
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
        dew_splash_nozzle_cells(problem, w->s, i, min, max);
        for (c[2] = min[2]; c[2] < max[2]; c[2]++)
            for (c[1] = min[1]; c[1] < max[1]; c[1]++)
                for (c[0] = min[0]; c[0] < max[0]; c[0]++) {
                    int64_t at = dew_grid_cell(grid, c);
                    dew_Vec3 x = dew_add_scaled(grid->origin_m, grid->cell_m,
                                                dew_vec(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5));
                    if (at >= 0 && kind[at] == DEW_SPLASH_SOURCE &&
                        dew_splash_is_before(&nozzle, x))
                        set_source(w, &nozzle, c);
                }
    }
}

dew_Status dew_splash_set_boundary(const dew_Problem *problem, dew_SolverState *state,
                                   double time_s, double *const u[3])
{
    Work work = {state, u};
    set_sources(problem, &work, time_s);
    DEW_TRY(dew_grid_for(state->grid, walls_chunk, &work));
    return dew_grid_for(state->grid, sides_chunk, &work);
}
