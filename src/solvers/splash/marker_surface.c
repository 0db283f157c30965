// The Surface: markers as a density on cells half as large ([Durikovic] section 3.1, fig. 4), smoothed, and its half.
//
// Each marker spreads over the eight fine cells around it; fine cells of full cells have density 1. Smoothing is
// binomial, 1 4 6 4 1 along each axis, over what is no obstacle: the surface goes straight on into walls, which cut it
// off. Single markers in flight are too thin for that, and become little balls.
//
// Marching cubes, for it is quick and the edge at walls need not be sharper than a fine cell; in two dimensions marching
// tetrahedra, which know slabs.
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/splash/state.h"
#include "surface/marching_cubes.h"
#include "surface/marching_tetrahedra.h"

#include <string.h>

#define FINE   2     // fine cells along a cell
#define BALL   0.85  // fine cells, radius of a marker in flight
#define SPARSE 0.4   // cells that hold less than this have their markers in flight
#define STEEPNESS                                                                                  \
    2.75  // fine cells over which the density falls from 1 to 0, by its slope at the half
#define WALL_FAR   4.0   // fine cells, distances to walls are bounded by this
#define MOST_DENSE 1.5   // of fine cells at the surface
#define TOUCH      0.25  // fine cells: what is nearer to a wall is wet

enum {
    SPAN = FINE * DEW_BRICK + 2,  // fine cells of a brick, and one on each side
    SPAN_CELLS = SPAN * SPAN * SPAN,
    PAD = 2,
    WIDTH = DEW_BRICK + 2 * PAD
};

typedef struct Work {
    const dew_Problem *problem;
    const dew_SolverState *s;
    const dew_Moment *moment;
    dew_Grid *fine;
    float *spread;  // per brick of the solver [SPAN^3]: density of its markers
    float *ball;    // the same: radius less distance of markers in flight; -1: none near
    double *density, *room, *phi;
    dew_Surface *out;
    const double *u[3];
    bool has_solids;
} Work;

// ---- fine bricks ---------------------------------------------------------------------------------

static dew_Status want_fine(const Work *w)
{
    const dew_Grid *grid = w->s->grid;
    const uint8_t *kind = dew_splash_kind(w->s);
    dew_grid_update_begin(w->fine);
    for (int32_t b = 0; b < grid->brick_count; b++) {
        const int32_t *c = dew_grid_coord(grid, b);
        int32_t min[3] = {0}, max[3] = {0};
        bool has_liquid = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            if (!dew_splash_is_liquid(kind[(int64_t)b * grid->brick_cells + n]))
                continue;
            int at[3] = {n & 7, n >> 3 & 7, n >> 6};
            for (int a = 0; a < 3; a++) {
                int32_t size = a == 2 ? grid->depth : DEW_BRICK, fine = size * c[a] + at[a];
                min[a] = !has_liquid || fine < min[a] ? fine : min[a];
                max[a] = !has_liquid || fine > max[a] ? fine : max[a];
            }
            has_liquid = true;
        }
        if (!has_liquid)
            continue;
        for (int a = 0; a < 3; a++) {
            bool is_flat = a == 2 && grid->depth == 1;
            min[a] = is_flat ? 0 : FINE * (min[a] - 2);
            max[a] = is_flat ? 1 : FINE * (max[a] + 3);
        }
        DEW_TRY(dew_grid_want_box(w->fine, min, max));
    }
    bool has_changed;
    return dew_grid_update_end(w->fine, &has_changed);
}

// Distances to solids; where none moves they are kept.
static dew_Status walls_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *fine = w->fine;
    const uint8_t *is_fresh = DEW_ITEMS(&fine->is_fresh, uint8_t);
    double h = fine->cell_m, far = WALL_FAR * h, radius = 0.5 * DEW_BRICK * 1.7320508 * h;
    double *wall = dew_grid_f64(fine, w->s->tools->fine_wall);
    dew_Vec3 half = dew_scale(0.5 * h, dew_vec(DEW_BRICK, DEW_BRICK, fine->depth));
    for (int64_t b = begin; b < end; b++) {
        if (!is_fresh[b] && !w->s->laws.has_motion)
            continue;
        dew_Vec3 low = dew_grid_position(fine, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        double d = dew_problem_distance(w->problem, w->moment, dew_add(low, half), radius + far);
        for (int n = 0; n < fine->brick_cells; n++) {
            dew_Vec3 x =
                dew_grid_position(fine, (int32_t)b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            double near =
                d > radius + far ? far : dew_problem_distance(w->problem, w->moment, x, far);
            wall[b * fine->brick_cells + n] = fmax(-far, fmin(near, far));
        }
    }
    return dew_ok();
}

// ---- density -------------------------------------------------------------------------------------

static void spread_marker(float *to, const double s[3], bool is_flat, float weight)
{
    int i[3];
    float f[3];
    for (int a = 0; a < 3; a++) {
        double x = s[a] + 0.5;  // from the middle of the first cell of the span
        i[a] = (int)x;
        i[a] = i[a] < 0 ? 0 : i[a] > SPAN - 2 ? SPAN - 2 : i[a];
        f[a] = (float)(x - i[a]);
    }
    if (is_flat) {
        i[2] = 1;
        f[2] = 0;
    }
    for (int n = 0; n < (is_flat ? 4 : 8); n++) {
        int dx = n & 1, dy = n >> 1 & 1, dz = n >> 2;
        float wx = dx ? f[0] : 1 - f[0], wy = dy ? f[1] : 1 - f[1], wz = dz ? f[2] : 1 - f[2];
        to[i[0] + dx + SPAN * (i[1] + dy + SPAN * (i[2] + dz))] += weight * wx * wy * wz;
    }
}

static void mark_ball(float *to, const double s[3], bool is_flat)
{
    int c[3] = {(int)(s[0] + 1), (int)(s[1] + 1), is_flat ? 1 : (int)(s[2] + 1)};
    for (int n = 0; n < 27; n++) {
        int i[3] = {c[0] + n % 3 - 1, c[1] + n / 3 % 3 - 1, c[2] + n / 9 - 1};
        if (i[0] < 0 || i[0] >= SPAN || i[1] < 0 || i[1] >= SPAN || i[2] < 0 || i[2] >= SPAN ||
            (is_flat && i[2] != 1))
            continue;
        double dx = i[0] - 0.5 - s[0], dy = i[1] - 0.5 - s[1];
        double dz = is_flat ? 0 : i[2] - 0.5 - s[2];
        float depth = (float)(BALL - sqrt(dx * dx + dy * dy + dz * dz));
        float *at = &to[i[0] + SPAN * (i[1] + SPAN * i[2])];
        *at = depth > *at ? depth : *at;
    }
}

static dew_Status spread_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_SolverState *s = w->s;
    const dew_Grid *grid = s->grid;
    bool is_flat = grid->depth == 1;
    double r = FINE / grid->cell_m, sparse = SPARSE * s->laws.per_cell;
    float weight = (float)((is_flat ? FINE * FINE : FINE * FINE * FINE) / (double)s->laws.per_cell);
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        float *spread = w->spread + b * SPAN_CELLS, *ball = w->ball + b * SPAN_CELLS;
        const uint8_t *count = dew_splash_count(s) + b * grid->brick_cells;
        for (int n = 0; n < SPAN_CELLS; n++) {
            spread[n] = 0;
            ball[n] = -1;
        }
        dew_particles_of_brick(&s->markers, b, &first, &last);
        dew_Vec3 low = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        for (int64_t n = first; n < last; n++) {
            dew_Vec3 x = dew_sub(dew_particles_position(&s->markers, n), low);
            const double at[3] = {x.x * r, x.y * r, x.z * r};
            int c[3] = {(int)at[0] / FINE, (int)at[1] / FINE, is_flat ? 0 : (int)at[2] / FINE};
            int cell = (c[0] & 7) + 8 * ((c[1] & 7) + 8 * (c[2] & 7));
            spread_marker(spread, at, is_flat, weight);
            if (count[cell] < sparse)
                mark_ball(ball, at, is_flat);
        }
    }
    return dew_ok();
}

// The brick of the solver that holds a fine one, and where in it that begins, in fine cells.
static int32_t home_of(const Work *w, int32_t b, int begin[3])
{
    const int32_t *c = dew_grid_coord(w->fine, b);
    bool is_flat = w->fine->depth == 1;
    int32_t home[3] = {c[0] >> 1, c[1] >> 1, is_flat ? c[2] : c[2] >> 1};
    begin[0] = DEW_BRICK * (c[0] & 1);
    begin[1] = DEW_BRICK * (c[1] & 1);
    begin[2] = is_flat ? 0 : DEW_BRICK * (c[2] & 1);
    return dew_grid_find(w->s->grid, home);
}

// What the markers of the brick and of those around it leave in a fine cell (i, j, k) of the brick's span.
static void gather(const Work *w, int32_t home, const int c[3], double *density, double *ball)
{
    bool is_flat = w->fine->depth == 1;
    const int32_t *near = dew_grid_neighbours(w->s->grid, home);
    int64_t own = (int64_t)home * SPAN_CELLS + c[0] + 1 + SPAN * (c[1] + 1 + SPAN * (c[2] + 1));
    bool is_inner = c[0] > 0 && c[0] < SPAN - 3 && c[1] > 0 && c[1] < SPAN - 3 &&
                    (is_flat || (c[2] > 0 && c[2] < SPAN - 3));
    *density = is_inner ? (double)w->spread[own] : 0;
    *ball = is_inner ? (double)w->ball[own] : -1;
    for (int n = 0; n < 27 && !is_inner; n++) {
        int d[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}, at[3];
        bool is_in = !(is_flat && d[2] != 0);
        for (int a = 0; a < 3; a++) {
            at[a] = c[a] + 1 - d[a] * FINE * DEW_BRICK;
            if (a == 2 && is_flat)
                at[a] = 1;
            is_in &= at[a] >= 0 && at[a] < SPAN;
        }
        if (!is_in || near[n] < 0)
            continue;
        int64_t from = (int64_t)near[n] * SPAN_CELLS + at[0] + SPAN * (at[1] + SPAN * at[2]);
        *density += (double)w->spread[from];
        *ball = fmax(*ball, (double)w->ball[from]);
    }
}

static dew_Status gather_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *fine = w->fine, *grid = w->s->grid;
    for (int64_t b = begin; b < end; b++) {
        int from[3];
        int32_t home = home_of(w, (int32_t)b, from);
        for (int n = 0; n < fine->brick_cells; n++) {
            int64_t at = b * fine->brick_cells + n;
            int c[3] = {from[0] + (n & 7), from[1] + (n >> 3 & 7), from[2] + (n >> 6)};
            w->room[at] = 1;
            w->density[at] = 0;
            w->phi[at] = -1;  // of balls: radius less distance
            if (home < 0)
                continue;
            int cell = c[0] / FINE + 8 * (c[1] / FINE + (fine->depth == 1 ? 0 : 8 * (c[2] / FINE)));
            uint8_t kind = dew_splash_kind(w->s)[(int64_t)home * grid->brick_cells + cell];
            gather(w, home, c, &w->density[at], &w->phi[at]);
            w->density[at] = kind == DEW_SPLASH_FULL ? 1 : fmin(w->density[at], MOST_DENSE);
            w->room[at] = kind != DEW_SPLASH_OBSTACLE;
            w->density[at] *= w->room[at];
        }
    }
    return dew_ok();
}

// ---- smoothing -----------------------------------------------------------------------------------

// Along each axis in turn, in place: the tile's valid part shrinks by PAD on both sides of the axis.
static void smooth_tile(double *tile, bool is_flat)
{
    static const int strides[3] = {1, WIDTH, WIDTH * WIDTH};
    for (int a = 0; a < (is_flat ? 2 : 3); a++) {
        int s = strides[a];
        int layers = is_flat ? 1 + 2 * PAD : WIDTH;
        double line[WIDTH];
        for (int k = 0; k < (a == 2 ? WIDTH : layers); k++)
            for (int j = 0; j < WIDTH; j++) {
                // j and k run over the two other axes
                int base = a == 0   ? WIDTH * j + WIDTH * WIDTH * k
                           : a == 1 ? j + WIDTH * WIDTH * k
                                    : j + WIDTH * k;
                for (int i = PAD; i < WIDTH - PAD; i++) {
                    const double *t = tile + base + s * i;
                    line[i] = (t[-2 * s] + t[2 * s] + 4 * (t[-s] + t[s]) + 6 * t[0]) / 16;
                }
                for (int i = PAD; i < WIDTH - PAD; i++)
                    tile[base + s * i] = line[i];
            }
    }
}

static dew_Status phi_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *fine = w->fine;
    bool is_flat = fine->depth == 1;
    double h = fine->cell_m, density[DEW_TILE_SIZE(PAD)], room[DEW_TILE_SIZE(PAD)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_or(fine, w->density, (int32_t)b, PAD, 0, density);
        dew_tile_load_or(fine, w->room, (int32_t)b, PAD, 1, room);
        smooth_tile(density, is_flat);
        smooth_tile(room, is_flat);
        for (int n = 0; n < fine->brick_cells; n++) {
            int t = dew_tile_at(PAD, n & 7, n >> 3 & 7, n >> 6);
            int64_t at = b * fine->brick_cells + n;
            double share = room[t] > 0.02 ? density[t] / room[t] : 0;
            w->phi[at] = h * fmin(STEEPNESS * (0.5 - fmin(share, 1)), -w->phi[at]);
        }
    }
    return dew_ok();
}

// ---- the mesh ------------------------------------------------------------------------------------

static bool nearest(const void *context, dew_Vec3 x, double reach_m, dew_WallPoint *out)
{
    const Work *w = context;
    dew_SolidPoint p = dew_problem_nearest(w->problem, w->moment, x, reach_m);
    *out = (dew_WallPoint){p.point_m, p.normal, p.distance_m};
    return p.solid_id != DEW_INVALID;
}

static dew_Status march_flat(const Work *w, const double *wall, dew_Arena *scratch)
{
    dew_TetrahedraDef def = dew_default_tetrahedra_def();
    def.grid = w->fine;
    def.phi = w->phi;
    def.wall = wall;
    def.nearest = nearest;
    def.context = w;
    def.tasks = w->s->tasks;
    def.scratch = scratch;
    return dew_march_tetrahedra(&def, w->out);
}

// What is liquid and no wall: the larger of phi and minus the distance to walls.
static dew_Status march(const Work *w, const double *wall, dew_Arena *scratch)
{
    const dew_Grid *fine = w->fine;
    int64_t count = dew_grid_value_count(fine);
    for (int64_t n = 0; wall && n < count; n++)
        w->phi[n] = fmax(w->phi[n], -wall[n]);
    double half_m = 0.5 * fine->cell_m;
    dew_NodeBricks bricks = {.f64 = w->phi,
                             .brick_count = fine->brick_count,
                             .coords = (const int32_t(*)[3])fine->coords.data,
                             .origin_m = dew_add(fine->origin_m, dew_vec(half_m, half_m, half_m)),
                             .spacing_m = fine->cell_m};
    dew_MarchingDef def = dew_default_marching_def();
    def.min_fraction = 0.02;
    def.tasks = w->s->tasks;
    def.scratch = scratch;
    dew_MarchingOut out = {&w->out->positions, &w->out->triangles, NULL};
    DEW_TRY(dew_marching_cubes_bricks(&bricks, &def, out));
    return dew_surface_resize(w->out, w->out->positions.count, w->out->triangles.count);
}

// Where a vertex lies on a wall, by the distances at the fine cells around it.
static void touch(const Work *w, const double *wall, int64_t i)
{
    double h = w->fine->cell_m, d, side[6] = {0};
    dew_Vec3 x = DEW_ITEMS(&w->out->positions, dew_Vec3)[i];
    if (!dew_grid_sample(w->fine, wall, DEW_AT_CELL, x, &d) || d > TOUCH * h)
        return;
    for (int n = 0; n < 6; n++) {
        double way = n & 1 ? 0.5 * h : -0.5 * h;
        dew_Vec3 y = dew_add(x, dew_vec(n < 2 ? way : 0, n / 2 == 1 ? way : 0, n > 3 ? way : 0));
        dew_grid_sample(w->fine, wall, DEW_AT_CELL, y, &side[n]);
    }
    dew_Vec3 slope = dew_vec(side[1] - side[0], side[3] - side[2], side[5] - side[4]);
    DEW_ITEMS(&w->out->wet, float)[i] = 1;
    if (dew_length2(slope) > 0)
        DEW_ITEMS(&w->out->solid_normals, dew_Vec3)[i] = dew_normalize(slope);
}

static dew_Status vertex_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const double *wall =
        w->has_solids && w->fine->depth > 1 ? dew_grid_f64(w->fine, w->s->tools->fine_wall) : NULL;
    for (int64_t i = begin; i < end; i++) {
        dew_grid_sample_velocity(w->s->grid, w->u, DEW_ITEMS(&w->out->positions, dew_Vec3)[i],
                                 &DEW_ITEMS(&w->out->velocities, dew_Vec3)[i]);
        if (wall)
            touch(w, wall, i);
    }
    return dew_ok();
}

static dew_Status make_phi(Work *w, dew_Arena *scratch)
{
    int64_t bricks = w->s->grid->brick_count, count = dew_grid_value_count(w->fine);
    w->spread = dew_arena_raw_array(scratch, float, bricks *SPAN_CELLS);
    w->ball = dew_arena_raw_array(scratch, float, bricks *SPAN_CELLS);
    w->density = dew_arena_raw_array(scratch, double, count);
    w->room = dew_arena_raw_array(scratch, double, count);
    w->phi = dew_arena_raw_array(scratch, double, count);
    if (!w->spread || !w->ball || !w->density || !w->room || !w->phi)
        return dew_no_memory((size_t)count * sizeof(double));
    DEW_TRY(dew_grid_for(w->fine, walls_chunk, w));
    DEW_TRY(dew_grid_for(w->s->grid, spread_chunk, w));
    DEW_TRY(dew_grid_for(w->fine, gather_chunk, w));
    return dew_grid_for(w->fine, phi_chunk, w);
}

static dew_Status make_surface(Work *w, dew_Arena *scratch)
{
    w->has_solids = dew_problem_solid_count(w->problem) > 0;
    DEW_TRY(want_fine(w));
    DEW_TRY(make_phi(w, scratch));
    const double *wall = w->has_solids ? dew_grid_f64(w->fine, w->s->tools->fine_wall) : NULL;
    DEW_TRY(w->fine->depth == 1 ? march_flat(w, wall, scratch) : march(w, wall, scratch));
    for (int a = 0; a < dew_grid_axes(w->s->grid); a++)
        w->u[a] = dew_grid_f64(w->s->grid, w->s->u[a]);
    DEW_TRY(dew_parallel_for(w->s->tasks, w->out->positions.count, 256, vertex_chunk, w));
    return dew_surface_finish(w->out);
}

dew_Status dew_splash_surface(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Moment *moment, dew_Surface *out)
{
    Work work = {
        .problem = problem, .s = state, .moment = moment, .fine = state->tools->fine, .out = out};
    if (state->skin)
        return dew_splash_skin_surface(problem, state, moment, out);
    dew_Status status = make_surface(&work, &state->tools->scratch);
    dew_arena_clear(&state->tools->scratch);
    return status;
}
