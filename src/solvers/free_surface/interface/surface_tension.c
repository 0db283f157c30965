// Surface tension as the pressure at the free surface, sigma times its curvature, smoothed as an
// implicit scheme would smooth it.
//
// 1. Curvature of the levels of phi at cells [Wang2005 eq. 9].
// 2. Each cell of the shell |phi| < 1.5 h takes the curvature at its closest point of the surface.
//    Where that is in a wall it is taken from 0.3 h above, along the surface. Beyond an edge it may
//    not come out of the wall so: such cells are left out, and get the mean of their neighbours.
// 3. Diffusion along the surface for the pseudo-time tau = (pi/4) sigma dt^2 / (rho h), the core of
//    [Sussman2009]: waves that the step cannot follow feel less tension. In a thin shell through
//    whose sides nothing flows, diffusion in space is diffusion along the surface; explicit sweeps
//    over the list of its cells do it.
// differs: with D the diffusion, what is applied is 2 D - D^2 = 1 - (1 - D)^2, which leaves long
// waves alone to the second order in tau: the frequency of a drop of 16 cells' radius falls by 0.1
// % instead of 1.3 %. A part beta of the curvature is not smoothed, as much as a step of 0.7 times
// the capillary limit could take: D leaves the shortest waves no tension at all, and longer ones
// then lose their energy to them (half as much again as to viscosity at 12 cells' radius and three
// times the limit).
//
// Drops of 27 cells or fewer feel no tension, as in [Wang2005] section 8.
#include "base/status.h"
#include "problem/wind.h"
#include "solvers/free_surface/liquid.h"

#define WIDTH  (DEW_BRICK + 2 * DEW_LIQUID_PAD)
#define SWEEP  (1.0 / 12)  // h^2 of pseudo-time in a sweep at most: beyond, the shortest waves turn
#define LEAST  (1.0 / 16)  // h^2: beta tau. tau is 1/16 h^2 at 0.7 times the capillary limit
#define RAISES 3

typedef struct Work {
    dew_Liquid *liquid;
    const double *phi, *solid;
    const int32_t *drop;
    double *kappa;  // of levels, then at the closest point
    double *projected;
    int32_t *place;  // in the list, by cell; DEW_INVALID
    int64_t *first;  // in the list, by brick
    // The list:
    int64_t count;
    int32_t *cell;
    int32_t (*near)[6];
    double *value, *next, *start;
    double rate;
    double *p_surface;
} Work;

// ---- at the closest point ----------------------------------------------------------------------

typedef struct Tiles {
    double kappa[DEW_TILE_SIZE(DEW_LIQUID_PAD)], phi[DEW_TILE_SIZE(DEW_LIQUID_PAD)],
        solid[DEW_TILE_SIZE(DEW_LIQUID_PAD)];
    bool has_walls;
} Tiles;

static dew_Vec3 slope_of(const double *tile, int at)
{
    return dew_vec(tile[at + 1] - tile[at - 1], tile[at + WIDTH] - tile[at - WIDTH],
                   tile[at + WIDTH * WIDTH] - tile[at - WIDTH * WIDTH]);
}

// The eight cells around p (in cells of the brick): where the first is, and p from there.
static void locate(dew_Vec3 p, int layers, int base[3], double x[3])
{
    x[0] = p.x;
    x[1] = p.y;
    x[2] = p.z;
    for (int a = 0; a < 3; a++) {
        double bound = a == 2 && layers == 1 ? 0 : DEW_BRICK + DEW_LIQUID_PAD - 1.001;
        x[a] = fmax(a == 2 && layers == 1 ? 0 : -DEW_LIQUID_PAD, fmin(x[a], bound));
        base[a] = (int)floor(x[a]);
        x[a] -= base[a];
    }
}

static double weight_of(const double x[3], int n, int layers)
{
    double w = (n & 1 ? x[0] : 1 - x[0]) * (n >> 1 & 1 ? x[1] : 1 - x[1]);
    return layers == 1 ? w : w * (n >> 2 ? x[2] : 1 - x[2]);
}

// Distance to the wall at p, in cells, and its slope there.
static double wall_at(const Tiles *t, dew_Vec3 p, int layers, double h, dew_Vec3 *slope)
{
    double x[3], sum = 0;
    int base[3];
    locate(p, layers, base, x);
    *slope = dew_vec(0, 0, 0);
    for (int n = 0; n < 4 * layers; n++) {
        int c[3] = {base[0] + (n & 1), base[1] + (n >> 1 & 1), base[2] + (n >> 2)};
        int at = dew_tile_at(DEW_LIQUID_PAD, c[0], c[1], c[2]);
        double w = weight_of(x, n, layers);
        sum += w * t->solid[at];
        for (int a = 0; a < 3; a++)  // slopes are defined within the tile
            c[a] = c[a] < 1 - DEW_LIQUID_PAD               ? 1 - DEW_LIQUID_PAD
                   : c[a] > DEW_BRICK + DEW_LIQUID_PAD - 2 ? DEW_BRICK + DEW_LIQUID_PAD - 2
                                                           : c[a];
        c[2] = layers == 1 ? 0 : c[2];
        *slope = dew_add_scaled(*slope, w,
                                slope_of(t->solid, dew_tile_at(DEW_LIQUID_PAD, c[0], c[1], c[2])));
    }
    return sum / h;
}

// Mean of the eight cells around p (in cells of the brick) by their weights, leaving out those too
// near to a wall. False: all are.
static bool mean_at(const Tiles *t, dew_Vec3 p, int layers, double h, double *value)
{
    double x[3], sum = 0, weights = 0;
    int base[3];
    locate(p, layers, base, x);
    for (int n = 0; n < 4 * layers; n++) {
        int at = dew_tile_at(DEW_LIQUID_PAD, base[0] + (n & 1), base[1] + (n >> 1 & 1),
                             base[2] + (n >> 2));
        double w = weight_of(x, n, layers);
        if (t->has_walls && t->solid[at] < DEW_LIQUID_ON_WALL * h)
            continue;
        sum += w * t->kappa[at];
        weights += w;
    }
    *value = weights > 0 ? sum / weights : 0;
    return weights > 1e-3;
}

// Raises a point of the surface, with the normal n, along it out of the wall. False: it does not
// come out, for the surface beyond an edge runs beside the far face.
static bool raise(const Tiles *t, dew_Vec3 n, int layers, double h, dew_Vec3 *p)
{
    dew_Vec3 slope;
    double d = wall_at(t, *p, layers, h, &slope);
    for (int trial = 0; trial < RAISES && d < DEW_LIQUID_ON_WALL; trial++) {
        dew_Vec3 N = dew_normalize(slope), up = dew_add_scaled(N, -dew_inner(N, n), n);
        *p = dew_add_scaled(
            *p, (DEW_LIQUID_ROUND - d) / fmax(dew_inner(up, N), DEW_LIQUID_MIN_SINE2), up);
        d = wall_at(t, *p, layers, h, &slope);
    }
    return d > 0;
}

// Curvature at the closest point of the surface; false: that is in the wall.
static bool project_cell(const Work *w, const Tiles *t, int n, double *out)
{
    const dew_Grid *grid = w->liquid->grid;
    double h = grid->cell_m, value;
    int at = dew_tile_at(DEW_LIQUID_PAD, n & 7, n >> 3 & 7, n >> 6),
        layers = grid->depth == 1 ? 1 : 2;
    *out = t->kappa[at];
    if (w->liquid->params.is_first_order)
        return true;  // the paper's: of the level through the cell
    dew_Vec3 x = dew_vec(n & 7, n >> 3 & 7, n >> 6), g = slope_of(t->phi, at);
    double distance = t->phi[at] / h / fmax(dew_length(g), 1e-3 * h);
    dew_Vec3 p = dew_add_scaled(x, -distance, g);
    if (t->has_walls && !raise(t, dew_normalize(g), layers, h, &p))
        return false;
    if (mean_at(t, p, layers, h, &value))
        *out = value;
    return true;
}

static bool is_in_shell(const Work *w, int64_t at)
{
    double h = w->liquid->grid->cell_m;
    return fabs(w->phi[at]) < DEW_LIQUID_SHELL * h && (!w->solid || w->solid[at] > -h);
}

static dew_Status project_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    Tiles t;
    for (int64_t b = begin; b < end; b++) {
        int64_t first = b * grid->brick_cells;
        bool is_loaded = false;
        w->first[b] = 0;
        for (int n = 0; n < grid->brick_cells; n++) {
            w->place[first + n] = DEW_INVALID;
            if (!is_in_shell(w, first + n))
                continue;
            if (!is_loaded) {
                dew_tile_load(grid, w->kappa, (int32_t)b, DEW_LIQUID_PAD, t.kappa);
                dew_tile_load(grid, w->phi, (int32_t)b, DEW_LIQUID_PAD, t.phi);
                t.has_walls = false;
                if (w->solid)
                    dew_tile_load(grid, w->solid, (int32_t)b, DEW_LIQUID_PAD, t.solid);
                for (int i = 0; w->solid && i < DEW_TILE_SIZE(DEW_LIQUID_PAD) && !t.has_walls; i++)
                    t.has_walls = t.solid[i] < 3 * grid->cell_m;
            }
            is_loaded = true;
            bool is_there = project_cell(w, &t, n, &w->projected[first + n]);
            w->place[first + n] = is_there ? 0 : DEW_INVALID;
            w->first[b] += is_there;
        }
    }
    return dew_ok();
}

// ---- the list of the shell ---------------------------------------------------------------------

static dew_Status list_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    for (int64_t b = begin; b < end; b++) {
        int64_t to = w->first[b];
        for (int64_t at = b * grid->brick_cells; at < (b + 1) * grid->brick_cells; at++) {
            if (w->place[at] >= 0) {
                w->place[at] = (int32_t)to;
                w->cell[to] = (int32_t)at;
                w->value[to++] = w->projected[at];
            }
        }
    }
    return dew_ok();
}

// Neighbours in the shell; a cell without one beyond a side is its own.
static dew_Status link_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    for (int64_t i = begin; i < end; i++) {
        int32_t b = w->cell[i] / grid->brick_cells;
        int n = w->cell[i] % grid->brick_cells;
        for (int side = 0; side < 6; side++) {
            int c[3] = {n & 7, n >> 3 & 7, n >> 6};
            c[side / 2] += side % 2 ? 1 : -1;
            int64_t at = dew_grid_near(grid, b, c[0], c[1], c[2]);
            bool is_ours = at >= 0 && at < grid->brick_count * (int64_t)grid->brick_cells;
            int32_t near = is_ours ? w->place[at] : DEW_INVALID;
            w->near[i][side] = near >= 0 ? near : (int32_t)i;
        }
    }
    return dew_ok();
}

static dew_Status sweep_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t i = begin; i < end; i++) {
        const int32_t *near = w->near[i];
        const double *v = w->value;
        double sum =
            (v[near[0]] + v[near[1]]) + (v[near[2]] + v[near[3]]) + (v[near[4]] + v[near[5]]);
        w->next[i] = v[i] + w->rate * (sum - 6 * v[i]);
    }
    return dew_ok();
}

static dew_Status diffuse(Work *w, int sweeps)
{
    for (int n = 0; n < sweeps; n++) {
        DEW_TRY(dew_parallel_for(w->liquid->tasks, w->count, DEW_BRICKS_PER_CHUNK * DEW_BRICK_CELLS,
                                 sweep_chunk, w));
        double *swap = w->value;
        w->value = w->next;
        w->next = swap;
    }
    return dew_ok();
}

static dew_Status take_list(Work *w, dew_Arena *scratch)
{
    int32_t bricks = w->liquid->grid->brick_count;
    for (int32_t b = 0; b < bricks; b++) {
        int64_t count = w->first[b];
        w->first[b] = w->count;
        w->count += count;
    }
    w->cell = dew_arena_array(scratch, int32_t, w->count);
    w->near = dew_arena_alloc(scratch, w->count, sizeof *w->near);
    w->value = dew_arena_array(scratch, double, w->count);
    w->next = dew_arena_array(scratch, double, w->count);
    w->start = dew_arena_array(scratch, double, w->count);
    if (!w->cell || !w->near || !w->value || !w->next || !w->start)
        return dew_no_memory((size_t)w->count * 64);
    DEW_TRY(dew_grid_for(w->liquid->grid, list_chunk, w));
    return dew_parallel_for(w->liquid->tasks, w->count, DEW_BRICKS_PER_CHUNK * DEW_BRICK_CELLS,
                            link_chunk, w);
}

// (1 - beta) (2 D - D^2) + beta of the values in the list.
static dew_Status filter(Work *w, double tau)
{
    if (!(tau > LEAST))
        return dew_ok();
    double beta = LEAST / tau;
    int sweeps = (int)ceil(tau / SWEEP);
    w->rate = tau / sweeps;
    DEW_TRY(diffuse(w, sweeps));
    for (int64_t i = 0; i < w->count; i++)
        w->start[i] = 2 * w->value[i];
    DEW_TRY(diffuse(w, sweeps));
    for (int64_t i = 0; i < w->count; i++)
        w->value[i] = (1 - beta) * (w->start[i] - w->value[i]) + beta * w->projected[w->cell[i]];
    return dew_ok();
}

// ---- the whole ---------------------------------------------------------------------------------

// Is a cell of the list beside a drop that is too small?
static bool is_tiny(const Work *w, int64_t i)
{
    const dew_LiquidDrop *drops = DEW_ITEMS(&w->liquid->drops, dew_LiquidDrop);
    for (int side = -1; side < 6; side++) {
        int32_t at = side < 0 ? w->cell[i] : w->cell[w->near[i][side]];
        int32_t drop = w->drop[at];
        if (drop >= 0 && drop < w->liquid->drops.count)
            return drops[drop].cell_count <= DEW_LIQUID_TINY;
    }
    return false;
}

// Cells that are left out for their closest point is in a wall take the mean of those beside them.
static dew_Status left_out_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    for (int64_t at = begin * grid->brick_cells; at < end * grid->brick_cells; at++) {
        if (w->place[at] >= 0 || !is_in_shell(w, at))
            continue;
        int32_t b = (int32_t)(at / grid->brick_cells);
        int n = (int)(at % grid->brick_cells), found = 0;
        double sum = 0;
        for (int side = 0; side < 6; side++) {
            int c[3] = {n & 7, n >> 3 & 7, n >> 6};
            c[side / 2] += side % 2 ? 1 : -1;
            int64_t to = dew_grid_near(grid, b, c[0], c[1], c[2]);
            bool is_there =
                to >= 0 && to < grid->brick_count * (int64_t)grid->brick_cells && w->place[to] >= 0;
            sum += is_there ? w->p_surface[to] : 0;
            found += is_there;
        }
        w->p_surface[at] = found ? sum / found : w->liquid->params.sigma_N_m * w->projected[at];
    }
    return dew_ok();
}

static dew_Status tension(Work *w, double time_s, double dt_s, double *p_surface,
                          dew_Arena *scratch)
{
    dew_Liquid *s = w->liquid;
    int64_t count = dew_liquid_count(s);
    double h = s->grid->cell_m, sigma = s->params.sigma_N_m;
    w->kappa = dew_arena_array(scratch, double, count);
    w->projected = dew_arena_array(scratch, double, count);
    w->place = dew_arena_array(scratch, int32_t, count);
    w->first = dew_arena_array(scratch, int64_t, s->grid->brick_count);
    if (!w->kappa || !w->projected || !w->place || !w->first)
        return dew_no_memory((size_t)count * 20);
    DEW_TRY(dew_levelset_curvature(s->grid, w->phi, DEW_LIQUID_BAND * h, w->kappa));
    DEW_TRY(dew_liquid_paper_curvature(s, time_s, w->kappa, scratch));
    DEW_TRY(dew_grid_for(s->grid, project_chunk, w));
    DEW_TRY(take_list(w, scratch));
    DEW_TRY(filter(w, 0.25 * DEW_PI * sigma * dt_s * dt_s / (s->params.rho_kg_m3 * h * h * h)));
    for (int64_t i = 0; i < w->count; i++)
        p_surface[w->cell[i]] = is_tiny(w, i) ? 0 : sigma * w->value[i];
    w->p_surface = p_surface;
    return w->solid ? dew_grid_for(s->grid, left_out_chunk, w) : dew_ok();
}

dew_Status dew_liquid_surface_tension(dew_Liquid *liquid, double time_s, double dt_s,
                                      double *p_surface, dew_Arena *scratch)
{
    if (!(liquid->params.sigma_N_m > 0))
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Work work = {.liquid = liquid,
                 .phi = dew_liquid_phi(liquid),
                 .solid = dew_liquid_solid(liquid),
                 .drop = dew_grid_field(liquid->grid, liquid->drop)};
    dew_Status status = tension(&work, time_s, dt_s, p_surface, scratch);
    dew_arena_rewind(scratch, mark);
    return status;
}

// ---- wind ---------------------------------------------------------------------------------------

// Wind [Wang2005, section 3]: the air's pressure on the side that faces it is part of the pressure
// at the free surface.

typedef struct WindWork {
    const dew_Liquid *liquid;
    dew_Vec3 wind;
    const double *phi, *u[3];
    double *p_surface;
} WindWork;

static dew_Status wind_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const WindWork *w = context;
    const dew_Grid *grid = w->liquid->grid;
    const int y = DEW_BRICK + 2, z = y * y;
    double tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            if (!(fabs(w->phi[at]) < DEW_LIQUID_SHELL * grid->cell_m))
                continue;
            if (!is_loaded)
                dew_tile_load_cross(grid, w->phi, (int32_t)b, 1, tile);
            is_loaded = true;
            const double *t = tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            dew_Vec3 normal = dew_normalize(dew_vec(t[1] - t[-1], t[y] - t[-y], t[z] - t[-z]));
            dew_Vec3 air = dew_sub(w->wind, dew_liquid_cell_velocity(grid, w->u, (int32_t)b, n));
            w->p_surface[at] += dew_wind_pressure_Pa(dew_inner(air, normal));
        }
    }
    return dew_ok();
}

dew_Status dew_liquid_wind_pressure(dew_Liquid *liquid, dew_Vec3 wind_m_s, double *p_surface)
{
    if (!(dew_length2(wind_m_s) > 0))
        return dew_ok();
    WindWork work = {
        .liquid = liquid, .wind = wind_m_s, .phi = dew_liquid_phi(liquid), .p_surface = p_surface};
    for (int a = 0; a < liquid->grid->dimensions; a++)
        work.u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
    return dew_grid_for(liquid->grid, wind_chunk, &work);
}
