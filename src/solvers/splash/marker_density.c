// Where the surface is: markers as a density on cells half as large ([Durikovic] section 3.1, fig.
// 4), smoothed, and its half.
//
// Each marker spreads over the eight fine cells around it; fine cells of full cells have density 1.
// Smoothing is binomial, 1 4 6 4 1 along each axis, over cells without obstacles: the surface is
// extrapolated straight into walls, which cut it off. Single ballistic markers are too thin for
// that, and become small balls.
//
// Most fine bricks are all liquid or all air, with all that could reach them: they have one value.
#include "base/simd.h"
#include "base/status.h"
#include "solvers/splash/marker_surface.h"

#include <string.h>

#define BALL 0.85f  // fine cells, radius of a marker in flight
// Cells that hold less than this, with no full one beside them, have their markers in flight.
#define SPARSE 0.4
// Fine cells over which the density falls from 1 to 0, by its slope at the half.
#define STEEPNESS  2.75f
#define MOST_DENSE 1.5f  // of fine cells at the surface

enum {
    FINE = DEW_SPLASH_FINE,
    SPAN = FINE * DEW_BRICK + 2,  // fine cells of a brick, and one on each side
    REACH = 2,                    // cells around liquid in which its markers show
    SPAN_CELLS = SPAN * SPAN * SPAN,
    PAD = REACH,
    WIDTH = DEW_BRICK + 2 * PAD,
    TILE = WIDTH * WIDTH * WIDTH,
};

// What a fine brick is.
enum { MIXED, LIQUID, AIR };

typedef struct Work {
    dew_SplashMesh *mesh;
    const dew_SolverState *s;
    const dew_Grid *grid;
    dew_Grid *fine;
    float *spread;  // per brick of the solver [SPAN^3]: density of its markers
    float *ball;    // the same: radius less distance of markers in flight; -1: none near
    uint8_t *has_markers, *has_balls;  // per brick of the solver
    uint8_t *kind;                     // per fine brick
    float *density, *fluid, *height;   // of the fine cells; height: radius less distance, of balls
    dew_BrickBits *near, *inner;       // cells near liquid; cells amid full ones and obstacles
    dew_BrickBits *dense;              // cells that hold enough, or have a full one beside them
} Work;

// ---- markers ------------------------------------------------------------------------------------

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
        float depth = BALL - (float)sqrt(dx * dx + dy * dy + dz * dz);
        float *at = &to[i[0] + SPAN * (i[1] + SPAN * i[2])];
        *at = depth > *at ? depth : *at;
    }
}

// Markers of a brick; those of cells amid full ones would not be seen.
static dew_Status reseed_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_SolverState *s = w->s;
    const dew_Grid *grid = w->grid;
    bool is_flat = grid->depth == 1;
    double r = FINE / grid->cell_m;
    float weight =
        (float)((is_flat ? FINE * FINE : FINE * FINE * FINE) / (double)s->params.per_cell);
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        float *spread = w->spread + b * SPAN_CELLS, *ball = w->ball + b * SPAN_CELLS;
        dew_particles_of_brick(&s->markers, b, &first, &last);
        w->has_markers[b] = first < last;
        w->has_balls[b] = false;
        if (first == last)
            continue;
        memset(spread, 0, SPAN_CELLS * sizeof *spread);
        dew_Vec3 low = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        for (int64_t n = first; n < last; n++) {
            dew_Vec3 x = dew_sub(dew_particles_position(&s->markers, n), low);
            const double at[3] = {x.x * r, x.y * r, x.z * r};
            int c[3] = {(int)at[0] / FINE, (int)at[1] / FINE, is_flat ? 0 : (int)at[2] / FINE};
            int cell = (c[0] & 7) + 8 * ((c[1] & 7) + 8 * (c[2] & 7));
            if (w->inner[b].layer[cell >> 6] >> (cell & 63) & 1)
                continue;
            spread_marker(spread, at, is_flat, weight);
            if (w->dense[b].layer[cell >> 6] >> (cell & 63) & 1)
                continue;
            for (int i = 0; i < SPAN_CELLS && !w->has_balls[b]; i++)
                ball[i] = -1;
            w->has_balls[b] = true;
            mark_ball(ball, at, is_flat);
        }
    }
    return dew_ok();
}

// ---- which bricks need a look -------------------------------------------------------------------

static void add_dense(const Work *w)
{
    double least = SPARSE * w->s->params.per_cell;
    for (int64_t b = 0; b < w->grid->brick_count; b++) {
        const uint8_t *count = dew_splash_count(w->s) + b * w->grid->brick_cells;
        for (int n = 0; n < w->grid->brick_cells; n++)
            if (count[n] >= least)
                w->dense[b].layer[n >> 6] |= UINT64_C(1) << (n & 63);
    }
}

static dew_Status find_sets(Work *w, dew_Arena *scratch)
{
    int64_t count = w->grid->brick_count + w->grid->ghost_count;
    dew_BrickBits *spare = dew_arena_array(scratch, dew_BrickBits, count);
    w->near = dew_arena_array(scratch, dew_BrickBits, count);
    w->inner = dew_arena_array(scratch, dew_BrickBits, count);
    w->dense = dew_arena_array(scratch, dew_BrickBits, count);
    if (!spare || !w->near || !w->inner || !w->dense)
        return dew_no_memory((size_t)count * sizeof *spare);
    for (int64_t b = 0; b < count; b++)
        for (int k = 0; k < w->grid->depth; k++) {
            const dew_CellSets *sets = &w->mesh->sets;
            w->near[b].layer[k] = sets->liquid[b].layer[k];
            w->inner[b].layer[k] = sets->full[b].layer[k] | sets->solid[b].layer[k];
        }
    dew_bits_grow(w->grid, REACH, &w->near, &spare);
    dew_bits_grow(w->grid, -1, &w->inner, &spare);
    for (int64_t b = 0; b < count; b++)
        w->dense[b] = w->mesh->sets.full[b];
    dew_bits_grow(w->grid, 1, &w->dense, &spare);
    add_dense(w);
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
    return dew_grid_find(w->grid, home);
}

// Cells of the solver in layer k that a fine brick covers.
static uint64_t covered(const int begin[3])
{
    return (UINT64_C(0x0f0f0f0f) << begin[0] / FINE) << (begin[1] > 0 ? 32 : 0);
}

static uint8_t kind_of(const Work *w, int32_t home, const int begin[3])
{
    uint64_t all = ~UINT64_C(0), any = 0, mask = covered(begin);
    int first = begin[2] / FINE, layers = w->grid->depth == 1 ? 1 : DEW_BRICK / FINE;
    for (int k = first; k < first + layers; k++) {
        all &= w->inner[home].layer[k] | ~mask;
        any |= w->near[home].layer[k] & mask;
    }
    return ~all == 0 ? LIQUID : !any ? AIR : MIXED;
}

// ---- density ------------------------------------------------------------------------------------

// What the markers of one brick leave in a fine one: at `begin` in the brick's own fine cells, and
// in its neighbours' border on side d. Densities add up, of balls the largest counts.
static void take_from(const Work *w, int32_t b, const int begin[3], const int d[3], float *density,
                      float *height)
{
    int lo[3], size[3], from[3];
    bool is_flat = w->fine->depth == 1;
    for (int a = 0; a < 3; a++) {
        bool is_thin = a == 2 && is_flat;
        lo[a] = d[a] > 0 ? DEW_BRICK - 1 : 0;
        size[a] = is_thin || d[a] != 0 ? 1 : DEW_BRICK;
        from[a] = is_thin ? 1 : begin[a] + lo[a] + 1 - d[a] * FINE * DEW_BRICK;
    }
    for (int k = 0; k < size[2]; k++)
        for (int j = 0; j < size[1]; j++) {
            int64_t at = b * (int64_t)SPAN_CELLS + from[0] +
                         SPAN * (from[1] + j + SPAN * (int64_t)(from[2] + k));
            int to = lo[0] + 8 * (lo[1] + j + 8 * (lo[2] + k));
            for (int i = 0; i < size[0] && w->has_markers[b]; i++)
                density[to + i] += w->spread[at + i];
            for (int i = 0; i < size[0] && w->has_balls[b]; i++)
                height[to + i] =
                    height[to + i] > w->ball[at + i] ? height[to + i] : w->ball[at + i];
        }
}

static void gather(const Work *w, int32_t home, const int begin[3], float *density, float *height)
{
    const int32_t *near = dew_grid_neighbours(w->grid, home);
    for (int n = 0; n < 27; n++) {
        int d[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        bool is_beside = near[n] >= 0 && !(w->fine->depth == 1 && d[2] != 0);
        for (int a = 0; a < 3; a++)  // the brick's border that way is the neighbour's
            is_beside &= d[a] == 0 || (d[a] > 0) == (begin[a] > 0);
        if (is_beside)
            take_from(w, near[n], begin, d, density, height);
    }
}

// Full cells have density 1; cells of obstacles have no fluid part.
static void bound(const Work *w, int32_t home, const int begin[3], float *density, float *fluid)
{
    const dew_CellSets *sets = &w->mesh->sets;
    bool is_flat = w->fine->depth == 1;
    for (int row = 0; row < w->fine->brick_cells / DEW_BRICK; row++) {
        int j = (begin[1] + (row & 7)) / FINE, k = is_flat ? 0 : (begin[2] + (row >> 3)) / FINE;
        int shift = 8 * j + begin[0] / FINE;
        uint64_t full = sets->full[home].layer[k] >> shift;
        uint64_t solid = sets->solid[home].layer[k] >> shift;
        for (int i = 0; i < DEW_BRICK; i++) {
            float *at = &density[8 * row + i];
            *at = *at < MOST_DENSE ? *at : MOST_DENSE;
            *at = full >> i / FINE & 1 ? 1 : solid >> i / FINE & 1 ? 0 : *at;
            fluid[8 * row + i] = solid >> i / FINE & 1 ? 0 : 1;
        }
    }
}

static dew_Status gather_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *fine = w->fine;
    for (int64_t b = begin; b < end; b++) {
        int from[3];
        int32_t home = home_of(w, (int32_t)b, from);
        float *density = w->density + b * fine->brick_cells,
              *fluid = w->fluid + b * fine->brick_cells;
        float *height = w->height + b * fine->brick_cells;
        w->kind[b] = home < 0 ? AIR : kind_of(w, home, from);
        for (int n = 0; n < fine->brick_cells; n++) {
            density[n] = 0;
            fluid[n] = 1;
            height[n] = -1;
        }
        if (home >= 0 && w->kind[b] == MIXED)
            gather(w, home, from, density, height);
        if (home >= 0)
            bound(w, home, from, density, fluid);
    }
    return dew_ok();
}

// ---- smoothing ----------------------------------------------------------------------------------

// Along one axis: `count` rows of eight, stride apart.
DEW_BODY void smooth_rows(const float *from, int stride, float *to)
{
    for (int i = 0; i < DEW_BRICK; i++)
        to[i] = (from[i - 2 * stride] + from[i + 2 * stride] +
                 4 * (from[i - stride] + from[i + stride]) + 6 * from[i]) /
                16;
}

// A tile smoothed along all axes, for the brick's own cells.
DEW_BODY void smooth(const float *tile, int depth, float *out)
{
    float x[WIDTH * WIDTH * DEW_BRICK], y[WIDTH * DEW_BRICK * DEW_BRICK];
    int layers = depth == 1 ? 1 : WIDTH, first = depth == 1 ? PAD : 0;
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < WIDTH; j++)
            smooth_rows(tile + PAD + WIDTH * (j + WIDTH * (k + first)), 1,
                        x + DEW_BRICK * (j + WIDTH * k));
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < DEW_BRICK; j++)
            smooth_rows(x + DEW_BRICK * (j + PAD + WIDTH * k), DEW_BRICK,
                        y + DEW_BRICK * (j + DEW_BRICK * k));
    if (depth == 1) {
        memcpy(out, y, DEW_BRICK * DEW_BRICK * sizeof *out);
        return;
    }
    for (int k = 0; k < DEW_BRICK; k++)
        for (int j = 0; j < DEW_BRICK; j++)
            smooth_rows(y + DEW_BRICK * (j + DEW_BRICK * (k + PAD)), DEW_BRICK * DEW_BRICK,
                        out + DEW_BRICK * (j + DEW_BRICK * k));
}

DEW_BODY dew_Status phi_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_Grid *fine = w->fine;
    double h = fine->cell_m;
    float tile[TILE], density[DEW_BRICK_CELLS], fluid[DEW_BRICK_CELLS];
    for (int64_t b = begin; b < end; b++) {
        double *phi = w->mesh->phi + b * fine->brick_cells;
        const float *height = w->height + b * fine->brick_cells;
        if (w->kind[b] != MIXED) {
            double all = w->kind[b] == AIR ? h : -0.5 * (double)STEEPNESS * h;
            for (int n = 0; n < fine->brick_cells; n++)
                phi[n] = all;
            continue;
        }
        dew_tile_load_f32_or(fine, w->density, (int32_t)b, PAD, 0, tile);
        smooth(tile, fine->depth, density);
        dew_tile_load_f32_or(fine, w->fluid, (int32_t)b, PAD, 1, tile);
        smooth(tile, fine->depth, fluid);
        for (int n = 0; n < fine->brick_cells; n++) {
            float fraction = fluid[n] > (float)DEW_SPLASH_SLIVER ? density[n] / fluid[n] : 0;
            fraction = fraction < 1 ? fraction : 1;
            float flat = STEEPNESS * (0.5f - fraction), ball = -height[n];
            phi[n] = h * (double)(flat < ball ? flat : ball);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(phi_chunk)

dew_Status dew_splash_mesh_phi(dew_SplashMesh *mesh, dew_Arena *scratch)
{
    Work w = {.mesh = mesh, .s = mesh->s, .grid = mesh->s->grid, .fine = mesh->fine};
    int64_t bricks = w.grid->brick_count, count = dew_grid_value_count(w.fine);
    w.spread = dew_arena_raw_array(scratch, float, bricks *SPAN_CELLS);
    w.ball = dew_arena_raw_array(scratch, float, bricks *SPAN_CELLS);
    w.has_markers = dew_arena_raw_array(scratch, uint8_t, bricks);
    w.has_balls = dew_arena_raw_array(scratch, uint8_t, bricks);
    w.kind = dew_arena_raw_array(scratch, uint8_t, w.fine->brick_count);
    w.density = dew_arena_raw_array(scratch, float, count);
    w.fluid = dew_arena_raw_array(scratch, float, count);
    w.height = dew_arena_raw_array(scratch, float, count);
    if (!w.spread || !w.ball || !w.has_markers || !w.has_balls || !w.kind || !w.density ||
        !w.fluid || !w.height)
        return dew_no_memory((size_t)count * sizeof(double));
    DEW_TRY(find_sets(&w, scratch));
    DEW_TRY(dew_grid_for(w.grid, reseed_chunk, &w));
    DEW_TRY(dew_grid_for(w.fine, gather_chunk, &w));
    return dew_grid_for(w.fine, phi_chunk, &w);
}
