// Velocities where there is no liquid: two layers of faces beyond the surface, and the inside of obstacles.
//
// Markers and newly wetted cells find them there. A face between empty cells takes the mean of its neighbours that
// are known, layer by layer. A face inside an obstacle takes that of its neighbours outside, times the slip factor:
// [Durikovic] section 2.3.1 has -1 and 1.
#include "base/status.h"
#include "solvers/splash/state.h"

#include <string.h>

typedef struct Work {
    const dew_SplashFlow *flow;
    double *const *from;
    double *const *to;
    uint8_t *const *face;
    uint8_t *const *face_to;
    bool is_inside;  // obstacles, else empty cells
} Work;

static bool is_known(uint8_t face)
{
    return face == DEW_SPLASH_KNOWN || face == DEW_SPLASH_NEAR;
}

// Mean over the neighbours that are known; along the axis itself only beyond the surface.
static bool mean_around(const double *u, const uint8_t *face, int t, int axis, int axes,
                        bool is_inside, double *mean)
{
    double sum = 0;
    int count = 0;
    for (int s = 0; s < 2 * axes; s++) {
        int beside = t + dew_splash_beside(s, DEW_BRICK + 2);
        if ((is_inside && s / 2 == axis) || !is_known(face[beside]))
            continue;
        sum += u[beside];
        count++;
    }
    *mean = count > 0 ? sum / count : 0;
    return count > 0;
}

static double inside(const Work *w, int a, int64_t at, double mean)
{
    const dew_SolverState *s = w->flow->state;
    double slip = (double)((const float *)dew_grid_field(s->grid, s->slip))[at];
    double wall = s->laws.has_motion ? dew_grid_f64(s->grid, s->wall_u[a])[at] : 0;
    return wall + slip * (mean - wall);
}

static void extend_axis(const Work *w, int32_t b, int a)
{
    const dew_Grid *grid = w->flow->state->grid;
    int64_t first = (int64_t)b * grid->brick_cells;
    uint8_t wanted = w->is_inside ? DEW_SPLASH_INSIDE : DEW_SPLASH_FAR;
    const uint8_t *own = w->face[a] + first;
    bool has_wanted = false;
    for (int n = 0; n < grid->brick_cells; n++)
        has_wanted |= own[n] == wanted;
    memcpy(w->to[a] + first, w->from[a] + first, (size_t)grid->brick_cells * sizeof(double));
    memcpy(w->face_to[a] + first, own, (size_t)grid->brick_cells);
    if (!has_wanted)
        return;
    double u[DEW_TILE_SIZE(1)];
    uint8_t face[DEW_TILE_SIZE(1)];
    dew_tile_load_u8(grid, w->face[a], b, 1, DEW_SPLASH_FAR, face);
    dew_tile_load_cross(grid, w->from[a], b, 1, u);
    for (int n = 0; n < grid->brick_cells; n++) {
        double mean;
        int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
        if (own[n] != wanted ||
            !mean_around(u, face, t, a, dew_grid_axes(grid), w->is_inside, &mean))
            continue;
        w->to[a][first + n] = w->is_inside ? inside(w, a, first + n, mean) : mean;
        if (!w->is_inside)
            w->face_to[a][first + n] = DEW_SPLASH_NEAR;
    }
}

static dew_Status extend_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t b = begin; b < end; b++)
        for (int a = 0; a < dew_grid_axes(w->flow->state->grid); a++)
            extend_axis(w, (int32_t)b, a);
    return dew_ok();
}

dew_Status dew_splash_extend(dew_SplashFlow *flow)
{
    const dew_Grid *grid = flow->state->grid;
    Work near = {flow, flow->spare, flow->u, flow->face, flow->face_to, false};
    Work next = {flow, flow->u, flow->spare, flow->face_to, flow->face, false};
    Work walls = {flow, flow->spare, flow->u, flow->face, flow->face_to, true};
    DEW_TRY(dew_grid_for(grid, extend_chunk, &near));
    DEW_TRY(dew_grid_for(grid, extend_chunk, &next));
    return dew_grid_for(grid, extend_chunk, &walls);
}
