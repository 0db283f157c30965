// Momentum: the explicit step of [Durikovic] section 2.4.1, with viscosity per cell by eq. (7).
//
// Fluxes of momentum are central; a face has the larger viscosity of its two cells. Open sides only
// fall: what they need besides is set from their cells (open_sides.h).
// A step that is longer than eqs. (6) and (7) allow is made of a few equal explicit parts, each of
// which keeps them; gravity comes with the first, pressure after the last. Bricks that are slow
// enough do with one part. differs: the paper has one part, so that its steps are 0.58 cells' way
// long at most, not 1. differs: the pressure's gradient comes whole with the projection, not as a
// correction of the last step's.
#include "base/simd.h"
#include "base/status.h"
#include "solvers/splash/splash_state.h"

#include <string.h>

enum { PAD = 1, WIDTH = DEW_BRICK + 2 * PAD };

#define STABLE_RATIO 0.9  // of eq. (6): a brick that keeps it with the whole step needs no parts

typedef struct Work {
    dew_SplashFlow *flow;
    double *const *from, *const *to;
    double dt_s;         // of this part
    bool is_first;       // of several
    double fall[3];      // m/s, what gravity gives in this part: all that it gives, in the first
    double *max_nu;      // per brick
    uint8_t *is_stable;  // per brick: has made the whole step in the first part
} Work;

typedef struct Tiles {
    double u[3][DEW_TILE_SIZE(PAD)];
    double nu[DEW_TILE_SIZE(PAD)];
} Tiles;

static const int stride_of[3] = {1, WIDTH, WIDTH *WIDTH};
static const uint64_t bit_of[DEW_BRICK] = {1, 2, 4, 8, 16, 32, 64, 128};

// Viscosity by eq. (7) of the cell at t of the tiles.
DEW_BODY double viscosity_at(const Tiles *tiles, int axes, int t, double by_speed2, double by_slope,
                             double least)
{
    double speed2 = 0, rise = 0;
    for (int a = 0; a < axes; a++) {
        double lo = tiles->u[a][t], hi = tiles->u[a][t + stride_of[a]];
        double u = 0.5 * (lo + hi), du = hi - lo;
        speed2 += u * u;
        rise = du > rise ? du : rise;
    }
    double nu = by_speed2 * speed2 + by_slope * rise;
    return nu <= least ? least : nu;  // NaN comes through
}

// Cells of the brick, and those below them along each axis, whose faces they share. Returns the
// largest one of liquid cells; *near: of all that were looked at.
DEW_BODY double find_viscosity(const dew_SolverState *s, const uint64_t *liquid, int axes,
                               double dt_s, Tiles *tiles, double *near)
{
    const dew_SplashParams *params = &s->params;
    double safe = params->is_plain ? 0 : DEW_SPLASH_MORE_NU, least = params->nu_m2_s;
    double by_speed2 = safe * 0.5 * dt_s, by_slope = safe * 0.5 * s->grid->cell_m;
    double most[DEW_BRICK] = {0}, all[DEW_BRICK] = {0}, largest = 0, low = 0;
    for (int k = axes == 3 ? -1 : 0; k < (axes == 3 ? DEW_BRICK : 1); k++) {
        // From the layer's first cell that is asked for to its last one, and what lies between the
        // rows.
        int first = dew_tile_at(PAD, -1, -1, k),
            end = dew_tile_at(PAD, DEW_BRICK - 1, DEW_BRICK - 1, k);
        for (int t = first; t <= end; t++)
            tiles->nu[t] = viscosity_at(tiles, axes, t, by_speed2, by_slope, least);
        for (int j = -1; j < DEW_BRICK; j++) {
            const double *nu = tiles->nu + dew_tile_at(PAD, 0, j, k);
            uint64_t bits = j >= 0 && k >= 0 ? liquid[k] >> 8 * j : 0;
            for (int i = 0; i < DEW_BRICK; i++) {
                double of_liquid = bits & bit_of[i] ? nu[i] : 0;
                most[i] = of_liquid <= most[i] ? most[i] : of_liquid;
                all[i] = nu[i] <= all[i] ? all[i] : nu[i];
            }
            low = nu[-1] <= low ? low : nu[-1];
        }
    }
    *near = low;
    for (int i = 0; i < DEW_BRICK; i++) {
        largest = most[i] <= largest ? largest : most[i];
        *near = all[i] <= *near ? *near : all[i];
    }
    return largest;
}

// Rate of change of the velocity on the lower face of axis a, without forces.
DEW_BODY double rate_at(const Tiles *tiles, int a, int axes, int t, double r)
{
    const double *u = tiles->u[a];
    int sa = stride_of[a];
    double centre = u[t], up = 0.5 * (centre + u[t + sa]), down = 0.5 * (u[t - sa] + centre);
    double flux = up * up - down * down, around = u[t + sa] + u[t - sa] - 2 * centre;
    for (int b = 0; b < axes; b++) {
        if (b == a)
            continue;
        int sb = stride_of[b];
        const double *v = tiles->u[b];
        double above = 0.25 * (centre + u[t + sb]) * (v[t + sb] + v[t + sb - sa]);
        double below = 0.25 * (u[t - sb] + centre) * (v[t] + v[t - sa]);
        flux += above - below;
        around += u[t + sb] + u[t - sb] - 2 * centre;
    }
    double nu = tiles->nu[t] > tiles->nu[t - sa] ? tiles->nu[t] : tiles->nu[t - sa];
    return nu * r * r * around - r * flux;
}

// Faces between liquid cells are pushed and fall, other ones of liquid cells only fall, and the
// rest stays.
DEW_BODY void step_faces(const Work *w, const Tiles *tiles, int32_t b, int a, int axes, double dt)
{
    const dew_SplashFlow *flow = w->flow;
    const dew_Grid *grid = flow->state->grid;
    const int32_t *near = dew_grid_neighbours(grid, b);
    bool has_level_set = flow->state->level_set != NULL;  // then pressure acts on open sides too
    double r = 1 / grid->cell_m, fall = w->fall[a];
    double *to = w->to[a] + (int64_t)b * grid->brick_cells;
    for (int k = 0; k < grid->depth; k++) {
        dew_SplashFaces faces = dew_splash_faces(grid, &flow->sets, b, a, k);
        uint64_t fixed = flow->sets.source[b].layer[k] |
                         dew_bits_beside(flow->sets.source, near, grid->depth, 2 * a, k);
        uint64_t falling = faces.known & ~fixed,
                 pushed = has_level_set ? falling : faces.wet & ~fixed;
        for (int j = 0; j < DEW_BRICK; j++, falling >>= 8, pushed >>= 8) {
            int row = dew_tile_at(PAD, 0, j, k);
            double *out = to + 8 * (j + 8 * k);
            const double *u = tiles->u[a] + row;
            if (!(falling & 255)) {
                memcpy(out, u, DEW_BRICK * sizeof *out);
                continue;
            }
            double push[DEW_BRICK];
            for (int i = 0; i < DEW_BRICK; i++)
                push[i] = dt * rate_at(tiles, a, axes, row + i, r);
            for (int i = 0; i < DEW_BRICK; i++)
                out[i] =
                    u[i] + (pushed & bit_of[i] ? push[i] : 0) + (falling & bit_of[i] ? fall : 0);
        }
    }
}

// Nothing happens where there is no liquid in the brick or right below it.
static bool has_liquid(const dew_Grid *grid, const dew_SplashSets *sets, int32_t b)
{
    uint64_t any = 0;
    for (int a = 0; a < dew_grid_axes(grid); a++)
        for (int k = 0; k < grid->depth; k++)
            any |= dew_splash_faces(grid, sets, b, a, k).known;
    return any != 0;
}

static void keep(const Work *w, int64_t b)
{
    const dew_Grid *grid = w->flow->state->grid;
    int64_t first = b * grid->brick_cells;
    for (int a = 0; a < dew_grid_axes(grid); a++)
        memcpy(w->to[a] + first, w->from[a] + first, (size_t)grid->brick_cells * sizeof(double));
    w->max_nu[b] = 0;
}

DEW_BODY void step_brick(const Work *w, int64_t b, int axes, Tiles *tiles)
{
    const dew_SplashFlow *flow = w->flow;
    const dew_Grid *grid = flow->state->grid;
    const uint64_t *liquid = flow->sets.liquid[b].layer;
    double h = grid->cell_m, dt = w->is_first ? flow->step->dt_s : w->dt_s, near;
    for (int a = 0; a < axes; a++)
        dew_tile_load(grid, w->from[a], (int32_t)b, PAD, tiles->u[a]);
    w->max_nu[b] = find_viscosity(flow->state, liquid, axes, dt, tiles, &near);
    w->is_stable[b] = w->is_first && near * dt < STABLE_RATIO * h * h / 6;
    if (w->is_first && !w->is_stable[b]) {
        dt = w->dt_s;
        w->max_nu[b] = find_viscosity(flow->state, liquid, axes, dt, tiles, &near);
    }
    step_faces(w, tiles, (int32_t)b, 0, axes, dt);
    step_faces(w, tiles, (int32_t)b, 1, axes, dt);
    if (axes == 3)
        step_faces(w, tiles, (int32_t)b, 2, axes, dt);
}

DEW_BODY dew_Status momentum_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SplashFlow *flow = w->flow;
    const dew_Grid *grid = flow->state->grid;
    Tiles tiles;
    for (int64_t b = begin; b < end; b++) {
        if (w->is_stable[b])
            continue;
        if (has_liquid(grid, &flow->sets, (int32_t)b)) {
            if (grid->depth == 1)
                step_brick(w, b, 2, &tiles);
            else
                step_brick(w, b, 3, &tiles);
        } else {
            keep(w, b);
            w->is_stable[b] = true;
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(momentum_chunk)

// Bricks that are not stable, back from where a later part has put them.
static dew_Status back_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->flow->state->grid;
    for (int64_t b = begin; b < end; b++)
        for (int a = 0; a < dew_grid_axes(grid) && !w->is_stable[b]; a++)
            memcpy(w->flow->spare[a] + b * grid->brick_cells,
                   w->flow->other[a] + b * grid->brick_cells,
                   (size_t)grid->brick_cells * sizeof(double));
    return dew_ok();
}

// All parts, from the velocities of the last step into spare; *nu: the largest viscosity in them.
static dew_Status take_parts(Work *w, int parts, double *nu)
{
    dew_SplashFlow *flow = w->flow;
    const dew_Grid *grid = flow->state->grid;
    dew_Vec3 g = dew_scale(flow->step->dt_s, flow->step->instant->gravity_m_s2);
    double fall[3] = {g.x, g.y, g.z};
    *nu = 0;
    w->dt_s = flow->step->dt_s / parts;
    memset(w->is_stable, 0, (size_t)grid->brick_count);
    for (int k = 0; k < parts; k++) {
        w->is_first = k == 0 && parts > 1;
        w->from = k == 0 ? flow->u : flow->spare;
        w->to = k == 0 ? flow->spare : flow->other;
        for (int a = 0; a < 3; a++)
            w->fall[a] = k == 0 ? fall[a] : 0;
        DEW_TRY(dew_grid_for(grid, momentum_chunk, w));
        for (int32_t b = 0; b < grid->brick_count; b++)
            *nu = w->max_nu[b] <= *nu ? *nu : w->max_nu[b];  // NaN comes through
        if (k > 0)
            DEW_TRY(dew_grid_for(grid, back_chunk, w));
    }
    return dew_ok();
}

dew_Status dew_splash_momentum(dew_SplashFlow *flow)
{
    const dew_Grid *grid = flow->state->grid;
    dew_SplashNumbers *numbers = &flow->state->numbers;
    Work work = {.flow = flow,
                 .max_nu = dew_arena_array(flow->scratch, double, grid->brick_count),
                 .is_stable = dew_arena_array(flow->scratch, uint8_t, grid->brick_count)};
    if (!work.max_nu || !work.is_stable)
        return dew_no_memory((size_t)grid->brick_count * sizeof(double));
    double dt = flow->step->dt_s, h = grid->cell_m, nu = 0;
    int parts = (int)fmin(ceil(dt / numbers->part_s), DEW_SPLASH_PARTS);
    // A wall, or the first parts, may have made it faster than the limit knew.
    for (parts = parts > 1 ? parts : 1; parts <= DEW_SPLASH_PARTS + 1; parts++) {
        DEW_TRY(take_parts(&work, parts, &nu));
        if (nu * dt / parts < h * h / 6)
            break;
    }
    flow->state->counts.parts = parts;
    numbers->max_nu_m2_s = nu;
    if (!(nu * dt / parts < h * h / 6))
        return dew_fail(DEW_DIVERGED, "viscosity %.3g m^2/s in a step of %.3g s breaks eq. (6)", nu,
                        dt / parts);
    return dew_ok();
}
