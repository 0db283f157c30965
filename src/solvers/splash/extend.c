// Velocities where there is no liquid: two layers of faces beyond the surface, and the inside of obstacles.
//
// Markers and newly wetted cells find them there. A face between empty cells takes the mean of its neighbours that
// are known, layer by layer. A face inside an obstacle takes that of its neighbours outside, times the slip factor:
// [Durikovic] section 2.3.1 has -1 and 1. All of it is done on one tile per brick, whose borders are computed twice.
#include "base/status.h"
#include "grid/wide.h"
#include "solvers/splash/state.h"

#include <string.h>

enum { PAD = 3, WIDTH = DEW_BRICK + 2 * PAD, LAYER = WIDTH * WIDTH };

// A component around a brick; `known` is 1 where it is known, `empty` where it may be found.
typedef struct Tile {
    double u[DEW_TILE_SIZE(PAD)], known[DEW_TILE_SIZE(PAD)], empty[DEW_TILE_SIZE(PAD)];
    double next_u[DEW_TILE_SIZE(PAD)], next_known[DEW_TILE_SIZE(PAD)];
    uint8_t face[DEW_TILE_SIZE(PAD)];
    bool has_far;  // some face is between empty cells
} Tile;

// One layer of empty faces, from (u, known) to (to_u, to_known): plain arithmetic, so that it is done in vectors. What the
// ends of rows take from the other side of the tile lies farther from the brick than anything that is asked for.
DEW_BODY void add_layer(const double *u, const double *known, const double *empty, bool is_flat,
                        double *to_u, double *to_known)
{
    int begin = is_flat ? PAD * LAYER : LAYER, end = is_flat ? begin + LAYER : (WIDTH - 1) * LAYER;
    for (int t = begin; t < end; t++) {
        double sum = known[t - 1] * u[t - 1] + known[t + 1] * u[t + 1] +
                     known[t - WIDTH] * u[t - WIDTH] + known[t + WIDTH] * u[t + WIDTH];
        double count = known[t - 1] + known[t + 1] + known[t - WIDTH] + known[t + WIDTH];
        if (!is_flat) {
            sum += known[t - LAYER] * u[t - LAYER] + known[t + LAYER] * u[t + LAYER];
            count += known[t - LAYER] + known[t + LAYER];
        }
        double found = count > 0 ? empty[t] : 0;
        to_u[t] = found > 0 ? sum / (count > 0 ? count : 1) : u[t];
        to_known[t] = known[t] + found * (1 - known[t]);
    }
}

DEW_BODY void add_layers(Tile *tile, bool is_flat)
{
    add_layer(tile->u, tile->known, tile->empty, is_flat, tile->next_u, tile->next_known);
    int begin = is_flat ? PAD * LAYER : LAYER, end = is_flat ? begin + LAYER : (WIDTH - 1) * LAYER;
    for (int t = begin; t < end; t++)  // found once, found for good
        tile->empty[t] *= 1 - tile->next_known[t];
    add_layer(tile->next_u, tile->next_known, tile->empty, is_flat, tile->u, tile->known);
}
DEW_WIDE static void add_layers_wide(Tile *tile, bool is_flat)
{
    add_layers(tile, is_flat);
}
static void add_layers_plain(Tile *tile, bool is_flat)
{
    add_layers(tile, is_flat);
}

// Mean over the neighbours along the wall that are known.
static bool mean_along(const Tile *tile, int t, int axis, int axes, double *mean)
{
    double sum = 0, count = 0;
    for (int s = 0; s < 2 * axes; s++) {
        int beside = t + dew_splash_beside(s, WIDTH);
        if (s / 2 == axis)
            continue;
        sum += tile->known[beside] * tile->u[beside];
        count += tile->known[beside];
    }
    *mean = count > 0 ? sum / count : 0;
    return count > 0;
}

// Loads the tile; false: nothing is known in it.
static bool load(const dew_SplashFlow *flow, int32_t b, int a, Tile *tile)
{
    const dew_Grid *grid = flow->state->grid;
    bool is_flat = grid->depth == 1, has_known = false;
    int begin = is_flat ? (PAD - 1) * LAYER : 0, end = is_flat ? (PAD + 2) * LAYER : WIDTH * LAYER;
    dew_tile_load_u8(grid, flow->face[a], b, PAD, DEW_SPLASH_FAR, tile->face);
    tile->has_far = false;
    for (int t = begin; t < end; t++) {
        has_known |= tile->face[t] == DEW_SPLASH_KNOWN;
        tile->has_far |= tile->face[t] == DEW_SPLASH_FAR;
    }
    if (!has_known)
        return false;
    dew_tile_load(grid, flow->spare[a], b, PAD, tile->u);
    for (int t = begin; t < end; t++) {
        tile->known[t] = tile->face[t] == DEW_SPLASH_KNOWN;
        tile->empty[t] = tile->face[t] == DEW_SPLASH_FAR;
    }
    return true;
}

static double inside(const dew_SolverState *s, int a, int64_t at, double mean)
{
    double slip = (double)((const float *)dew_grid_field(s->grid, s->slip))[at];
    double wall = s->laws.has_motion ? dew_grid_f64(s->grid, s->wall_u[a])[at] : 0;
    return wall + slip * (mean - wall);
}

static void extend_axis(const dew_SplashFlow *flow, int32_t b, int a, Tile *tile)
{
    const dew_Grid *grid = flow->state->grid;
    int64_t first = (int64_t)b * grid->brick_cells;
    const uint8_t *own = flow->face[a] + first;
    double *to = flow->u[a] + first;
    bool has_far = false, has_inside = false;
    for (int n = 0; n < grid->brick_cells; n++) {
        has_far |= own[n] == DEW_SPLASH_FAR;
        has_inside |= own[n] == DEW_SPLASH_INSIDE;
    }
    memcpy(to, flow->spare[a] + first, (size_t)grid->brick_cells * sizeof(double));
    if (!has_far && !has_inside)
        return;
    if (!load(flow, b, a, tile))
        return;
    if (tile->has_far)
        (dew_is_wide() ? add_layers_wide : add_layers_plain)(tile, grid->depth == 1);
    for (int n = 0; n < grid->brick_cells; n++) {
        double mean;
        int t = dew_tile_at(PAD, n & 7, n >> 3 & 7, n >> 6);
        if (own[n] == DEW_SPLASH_FAR)
            to[n] = tile->u[t];
        else if (own[n] == DEW_SPLASH_INSIDE && mean_along(tile, t, a, dew_grid_axes(grid), &mean))
            to[n] = inside(flow->state, a, first + n, mean);
    }
}

static dew_Status extend_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SplashFlow *flow = context;
    Tile tile;
    for (int64_t b = begin; b < end; b++)
        for (int a = 0; a < dew_grid_axes(flow->state->grid); a++)
            extend_axis(flow, (int32_t)b, a, &tile);
    return dew_ok();
}

dew_Status dew_splash_extend(dew_SplashFlow *flow)
{
    return dew_grid_for(flow->state->grid, extend_chunk, flow);
}
