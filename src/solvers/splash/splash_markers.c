// Markers: they move with the velocity of the faces around them by area weighting ([Durikovic]
// section 2.5, fig. 3), stay out of obstacles, and are removed by outflow.
// differs: midpoint steps instead of Euler's.
//
// Places relative to the brick and velocities are float, many markers at once: a displacement is
// shorter than a cell, and is wrong by less than its ten-thousandth part.
#include "base/random.h"
#include "base/simd.h"
#include "base/status.h"
#include "solvers/splash/splash_state.h"

#include <string.h>

#define JITTER   0.3   // of the distance between markers
#define OUT_STEP 0.25  // cells: a marker is led out of an obstacle in such steps
#define OUT_MOST (DEW_SPLASH_REACH / OUT_STEP)  // of them
#define EDGE     1e-4f  // cells: who comes so near to a brick's border may have left it

typedef struct Work {
    const dew_Problem *problem;
    dew_SolverState *s;
    const dew_Instant *instant;
    int32_t *removed;  // per brick, by sinks and open sides
    int32_t *lost;     // in obstacles
    dew_Box bounds;    // where liquid may be
    bool has_sinks;
    const double *u[3];
    double dt_s;
    const dew_BrickBits *solid;
    uint8_t *left_brick;  // of the marks
} Work;

dew_Vec3 dew_splash_marker_place(const dew_SolverState *state, dew_Vec3 corner_m, int which,
                                 uint64_t id)
{
    const dew_SplashParams *params = &state->params;
    int n = params->per_axis;
    double d = state->grid->cell_m / n, x[3];
    int place[3] = {which % n, which / n % n, which / n / n};
    dew_Random random = dew_random(params->seed, id, 0);
    for (int a = 0; a < 3; a++)
        x[a] = d * (place[a] + 0.5 + JITTER * (dew_random_unit(&random) - 0.5));
    if (state->grid->dimensions == 2)
        x[2] = 0.5 * state->grid->cell_m;
    return dew_add(corner_m, dew_vec(x[0], x[1], x[2]));
}

dew_Status dew_splash_add_markers(dew_SolverState *state, const dew_Vec3 *at_m, int64_t count)
{
    int64_t first = state->markers.count;
    if (count == 0)
        return dew_ok();
    DEW_TRY(dew_particles_insert(&state->markers, count));
    for (int64_t n = 0; n < count; n++) {
        dew_particles_axis(&state->markers, 0)[first + n] = at_m[n].x;
        dew_particles_axis(&state->markers, 1)[first + n] = at_m[n].y;
        dew_particles_axis(&state->markers, 2)[first + n] = at_m[n].z;
        dew_particles_ids(&state->markers)[first + n] = state->next_id++;
    }
    return dew_ok();
}

// ---- out of obstacles ---------------------------------------------------------------------------

static void set_place(dew_SolverState *s, int64_t n, dew_Vec3 x)
{
    dew_particles_axis(&s->markers, 0)[n] = x.x;
    dew_particles_axis(&s->markers, 1)[n] = x.y;
    if (s->grid->dimensions == 3)
        dew_particles_axis(&s->markers, 2)[n] = x.z;
}

// The cell at a place; DEW_INVALID: no brick is there.
static int64_t cell_at(const dew_SolverState *s, dew_Vec3 x)
{
    const dew_Grid *grid = s->grid;
    double r = 1 / grid->cell_m;
    dew_Vec3 c = dew_sub(x, grid->origin_m);
    int32_t cell[3] = {(int32_t)floor(c.x * r), (int32_t)floor(c.y * r),
                       grid->depth == 1 ? 0 : (int32_t)floor(c.z * r)};
    return dew_grid_cell(grid, cell);
}

bool dew_splash_is_obstacle(const dew_SolverState *s, dew_Vec3 x)
{
    int64_t at = cell_at(s, x);
    return at >= 0 && dew_splash_kind(s)[at] == DEW_CELL_OBSTACLE;
}

bool dew_splash_is_free(const dew_SolverState *s, dew_Vec3 x)
{
    int64_t at = cell_at(s, x);
    return at >= 0 && dew_splash_kind(s)[at] != DEW_CELL_OBSTACLE;
}

// To the solid's surface, then on along its normal until the cell is none of its own. What a solid
// presses against a wall would come out behind the wall, where no cell is: that is no way out.
static bool lead_out(const Work *w, int64_t n)
{
    double h = w->s->grid->cell_m;
    dew_Vec3 x = dew_particles_position(&w->s->markers, n);
    dew_SolidPoint p = dew_problem_nearest(w->problem, w->instant, x, 4 * h);
    if (p.solid_id == DEW_INVALID)
        return false;
    if (p.distance_m < 0)
        x = dew_add_scaled(x, 1e-3 * h - p.distance_m, p.normal);
    for (int i = 0; i < OUT_MOST && dew_splash_is_obstacle(w->s, x); i++)
        x = dew_add_scaled(x, OUT_STEP * h, p.normal);
    if (dew_box_contains(w->bounds, x) && !dew_splash_is_free(w->s, x))
        return false;
    set_place(w->s, n, x);
    return true;
}

// ---- leaving ------------------------------------------------------------------------------------

// A sink takes whole cells: those whose middle lies in it.
static bool has_left(const Work *w, dew_Vec3 x)
{
    if (!dew_box_contains(w->bounds, x))
        return true;
    if (!w->has_sinks)
        return false;
    const dew_Grid *grid = w->s->grid;
    double h = grid->cell_m, r = 1 / h;
    dew_Vec3 c = dew_scale(r, dew_sub(x, grid->origin_m));
    dew_Vec3 middle = dew_vec(floor(c.x) + 0.5, floor(c.y) + 0.5, floor(c.z) + 0.5);
    return dew_problem_in_sink(w->problem, dew_add_scaled(grid->origin_m, h, middle));
}

enum { PAD = 2, WIDTH = DEW_BRICK + 2 * PAD, LANES = 8 };

typedef struct Tiles {
    float u[3][DEW_TILE_SIZE(PAD)];
    uint8_t kind[DEW_TILE_SIZE(PAD)];
} Tiles;

// Eight markers at once: places in cells from the brick's corner, velocities, shares.
typedef float F8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));
typedef int64_t L4 __attribute__((vector_size(32)));
typedef uint8_t B8 __attribute__((vector_size(8)));

// Where samples lie around markers along an axis: the lower one's number, and the weight of the
// upper one.
typedef struct Between {
    I8 low;
    F8 fraction;
} Between;

// What lies outside the tile is taken at its border: within a step markers do not come there.
DEW_BODY void find_between(const F8 *x, float shift, Between *out)
{
    const F8 zero = {0}, end = zero + (WIDTH - 1 - EDGE);
    F8 at = *x + shift;
    at = (F8)((I8)at & (at > zero));
    I8 is_in = at < end;
    at = (F8)(((I8)at & is_in) | ((I8)end & ~is_in));
    out->low = __builtin_convertvector(at, I8);
    out->fraction = at - __builtin_convertvector(out->low, F8);
}

// Values at eight places and at those right after them: each pair is read at once.
DEW_BODY void load_pairs(const float *tile, const int32_t at[LANES], F8 *here, F8 *next)
{
    int64_t pair[LANES];
    for (int n = 0; n < LANES; n++)
        memcpy(&pair[n], tile + at[n], sizeof pair[n]);
    const F8 a = (F8)(L4){pair[0], pair[1], pair[4], pair[5]};
    const F8 b = (F8)(L4){pair[2], pair[3], pair[6], pair[7]};
    *here = __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
    *next = __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}

// A component of the velocity by area weighting.
DEW_BODY void sample(const float *tile, const Between *x, const Between *y, const Between *z,
                     F8 *out)
{
    const int row = WIDTH, layer = WIDTH * WIDTH;
    const I8 place = x->low + row * y->low + layer * z->low;
    int32_t at[LANES];
    F8 a, b, c, d, next;
    memcpy(at, &place, sizeof at);
    load_pairs(tile, at, &a, &next);
    a += x->fraction * (next - a);
    load_pairs(tile + row, at, &b, &next);
    b += x->fraction * (next - b);
    load_pairs(tile + layer, at, &c, &next);
    c += x->fraction * (next - c);
    load_pairs(tile + row + layer, at, &d, &next);
    d += x->fraction * (next - d);
    a += y->fraction * (b - a);
    c += y->fraction * (d - c);
    *out = a + z->fraction * (c - a);
}

// In two dimensions all lies in one layer, and velocities along z are 0.
DEW_BODY void sample_all(const Tiles *tiles, const F8 x[3], F8 v[3])
{
    Between face[3], middle[3];
    for (int a = 0; a < 3; a++) {
        find_between(&x[a], PAD, &face[a]);
        find_between(&x[a], PAD - 0.5f, &middle[a]);
    }
    sample(tiles->u[0], &face[0], &middle[1], &middle[2], &v[0]);
    sample(tiles->u[1], &middle[0], &face[1], &middle[2], &v[1]);
    sample(tiles->u[2], &middle[0], &middle[1], &face[2], &v[2]);
}

// The ways of markers through a step: half of it by the velocity where they are, all of it by that
// in the middle.
DEW_BODY void find_displacements(const Tiles *tiles, float c, const F8 x[3], F8 displacement[3])
{
    F8 v[3], y[3];
    sample_all(tiles, x, v);
    for (int a = 0; a < 3; a++)
        y[a] = x[a] + 0.5f * c * v[a];
    sample_all(tiles, y, v);
    for (int a = 0; a < 3; a++)
        displacement[a] = c * v[a];
}

// To the middle of the nearest cell of the tile that is no obstacle, liquid rather than air: for
// what two solids squeeze.
static bool lead_aside(const Work *w, int64_t n, dew_Vec3 corner, const uint8_t *kind)
{
    const dew_Grid *grid = w->s->grid;
    double h = grid->cell_m, least = (double)INFINITY;
    dew_Vec3 x = dew_particles_position(&w->s->markers, n), best = x;
    bool is_flat = grid->depth == 1;
    for (int t = 0; t < (is_flat ? WIDTH * WIDTH : DEW_TILE_SIZE(PAD)); t++) {
        int c[3] = {t % WIDTH, t / WIDTH % WIDTH, is_flat ? PAD : t / WIDTH / WIDTH};
        uint8_t there = kind[c[0] + WIDTH * (c[1] + WIDTH * c[2])];
        dew_Vec3 y = dew_add_scaled(corner, h,
                                    dew_vec(c[0] - PAD + 0.5, c[1] - PAD + 0.5, c[2] - PAD + 0.5));
        y.z = is_flat ? x.z : y.z;
        double far = dew_distance(x, y) + (dew_cell_is_liquid(there) ? 0 : h);
        if (there == DEW_CELL_OBSTACLE || far >= least)
            continue;
        least = far;
        best = y;
    }
    if (isinf(least))
        return false;
    set_place(w->s, n, best);
    return true;
}

// What a marker that has moved meets; its place from the brick's corner.
static void look(const Work *w, int64_t b, int64_t n, dew_Vec3 corner, const uint8_t *kind)
{
    dew_SolverState *s = w->s;
    double r = 1 / s->grid->cell_m;
    dew_Vec3 at_m = dew_particles_position(&s->markers, n);
    dew_Vec3 x = dew_scale(r, dew_sub(at_m, corner));
    int i = (int)(x.x + PAD), j = (int)(x.y + PAD),
        k = s->grid->depth == 1 ? PAD : (int)(x.z + PAD);
    bool is_near = i >= 0 && i < WIDTH && j >= 0 && j < WIDTH && k >= 0 && k < WIDTH;
    bool is_solid = is_near ? kind[i + WIDTH * (j + WIDTH * k)] == DEW_CELL_OBSTACLE
                            : dew_splash_is_obstacle(s, at_m);
    w->left_brick[n] |= is_solid;
    if (is_solid && !lead_out(w, n) && !lead_aside(w, n, corner, kind)) {
        w->lost[b]++;
        dew_splash_remove(s, n);
    } else if (has_left(w, is_solid ? dew_particles_position(&s->markers, n) : at_m)) {
        w->removed[b]++;
        dew_splash_remove(s, n);
    }
}

// What markers of a brick could meet within a step.
typedef enum Danger {
    NOTHING,
    SOLIDS,  // and nothing else
    ANYTHING,
} Danger;

// Obstacles in the tile: farther than that no marker comes, or it is seen (is_far).
static bool has_solids(const Work *w, int32_t b)
{
    static const uint64_t columns[3] = {0xC0 * DEW_BITS_FIRST, ~UINT64_C(0), 3 * DEW_BITS_FIRST};
    static const uint64_t rows[3] = {UINT64_C(0xFFFF) << 48, ~UINT64_C(0), UINT64_C(0xFFFF)};
    const dew_Grid *grid = w->s->grid;
    const int32_t *near = dew_grid_neighbours(grid, b);
    uint64_t any = 0;
    for (int n = 0; n < 27; n++) {
        int below = n < 9 ? DEW_BRICK - PAD : 0, above = n < 18 ? DEW_BRICK : PAD;
        uint64_t part = columns[n % 3] & rows[n / 3 % 3];
        for (int k = below; k < above && k < grid->depth && near[n] >= 0; k++)
            any |= part & w->solid[near[n]].layer[k];
    }
    return any != 0;
}

static Danger danger_of(const Work *w, int32_t b, dew_Vec3 corner)
{
    const dew_Grid *grid = w->s->grid;
    double h = grid->cell_m, size = (DEW_BRICK + 1) * h;
    dew_Vec3 end = dew_vec(size, size, grid->depth == 1 ? 0.5 * h : size);
    if (w->has_sinks || !dew_box_contains(w->bounds, dew_add(corner, dew_vec(-h, -h, -h))) ||
        !dew_box_contains(w->bounds, dew_add(corner, end)))
        return ANYTHING;
    return has_solids(w, b) ? SOLIDS : NOTHING;
}

// Has a marker come into an obstacle, or beyond the tile?
static bool is_hit(const dew_SolverState *s, int64_t n, dew_Vec3 corner, const uint8_t *kind)
{
    double r = 1 / s->grid->cell_m;
    dew_Vec3 x = dew_scale(r, dew_sub(dew_particles_position(&s->markers, n), corner));
    double z = s->grid->depth == 1 ? 0 : x.z;
    if (!(x.x > -PAD && x.x < DEW_BRICK + PAD && x.y > -PAD && x.y < DEW_BRICK + PAD && z > -PAD &&
          z < DEW_BRICK + PAD))
        return true;
    int i = (int)(x.x + PAD), j = (int)(x.y + PAD), k = (int)(z + PAD);
    return kind[i + WIDTH * (j + WIDTH * k)] == DEW_CELL_OBSTACLE;
}

static void load(const Work *w, int32_t b, Tiles *tiles)
{
    const dew_Grid *grid = w->s->grid;
    for (int a = 0; a < dew_grid_axes(grid); a++)
        dew_tile_load_narrow(grid, w->u[a], b, PAD, tiles->u[a]);
}

// Moves the markers of a brick from `first` on, at most eight, and reports which may have left it;
// the longest displacement along an axis goes to *longest, in cells; NaN stays there.
DEW_BODY void move_some(const Work *w, const Tiles *tiles, const double corner[3], int64_t first,
                        int count, F8 *longest)
{
    double h = w->s->grid->cell_m, r = 1 / h;
    F8 x[3] = {{0}}, displacement[3];
    I8 stays = ~(I8){0};
    for (int a = 0; a < 3; a++) {
        const double *at = dew_particles_axis(&w->s->markers, a) + first;
        for (int n = 0; n < count; n++)
            x[a][n] = (float)((at[n] - corner[a]) * r);
    }
    find_displacements(tiles, (float)(w->dt_s * r), x, displacement);
    for (int a = 0; a < 3; a++) {
        double *at = dew_particles_axis(&w->s->markers, a) + first;
        for (int n = 0; n < count; n++)
            at[n] += h * (double)displacement[a][n];
        F8 length = (F8)((I8)displacement[a] & INT32_MAX);
        I8 is_longer = ~(length <= *longest);
        *longest = (F8)(((I8)length & is_longer) | ((I8)*longest & ~is_longer));
        I8 stays_on = (x[a] + displacement[a] > EDGE) & (x[a] + displacement[a] < DEW_BRICK - EDGE);
        stays &= stays_on;
    }
    B8 left_brick = __builtin_convertvector(~stays & 1, B8);
    memcpy(w->left_brick + first, &left_brick, (size_t)count);
}

// Markers of a brick; *is_far: some have gone beyond the tile, or nobody knows where.
DEW_BODY bool move_brick(const Work *w, const Tiles *tiles, const double corner[3], int64_t first,
                         int64_t last, bool *is_far)
{
    F8 longest = {0};
    float most = 0;
    int64_t n = first;
    for (; n + LANES <= last; n += LANES)
        move_some(w, tiles, corner, n, LANES, &longest);
    if (n < last)
        move_some(w, tiles, corner, n, (int)(last - n), &longest);
    for (int i = 0; i < LANES; i++)
        most = longest[i] <= most ? most : longest[i];
    *is_far = !(most < PAD);
    return most - most <= 0;
}

DEW_BODY dew_Status move_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_Grid *grid = w->s->grid;
    Tiles tiles;
    memset(tiles.u[2], 0, sizeof tiles.u[2]);
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        bool is_far;
        dew_particles_of_brick(&w->s->markers, b, &first, &last);
        if (first == last)
            continue;
        dew_Vec3 low = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        const double corner[3] = {low.x, low.y, low.z};
        Danger danger = danger_of(w, (int32_t)b, low);
        load(w, (int32_t)b, &tiles);
        if (!move_brick(w, &tiles, corner, first, last, &is_far))
            return dew_fail(DEW_DIVERGED, "a marker has left for nowhere");
        danger = is_far ? ANYTHING : danger;
        if (danger != NOTHING)
            dew_tile_load_u8(grid, dew_splash_kind(w->s), (int32_t)b, PAD, DEW_CELL_EMPTY,
                             tiles.kind);
        for (int64_t n = first; n < last && danger != NOTHING; n++)
            if (danger == ANYTHING || is_hit(w->s, n, low, tiles.kind))
                look(w, b, n, low, tiles.kind);
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(move_chunk)

dew_Status dew_splash_move_markers(dew_SplashFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_Step *step = flow->step;
    const dew_Grid *grid = s->grid;
    Work work = {flow->problem,
                 s,
                 step->instant,
                 dew_arena_array(step->scratch, int32_t, grid->brick_count),
                 dew_arena_array(step->scratch, int32_t, grid->brick_count),
                 dew_liquid_bounds(flow->problem, s->params.margin_m),
                 dew_problem_sink_count(flow->problem) > 0,
                 {flow->u[0], flow->u[1], flow->u[2]},
                 step->dt_s,
                 flow->sets.solid,
                 dew_arena_raw_array(step->scratch, uint8_t, s->markers.count)};
    if (!work.removed || !work.lost || !work.left_brick)
        return dew_no_memory((size_t)s->markers.count);
    s->workspace->marks.left_brick = work.left_brick;
    s->workspace->marks.left_brick_count = s->markers.count;
    DEW_TRY(dew_grid_for(grid, move_chunk, &work));
    int64_t removed = 0, lost = 0;
    for (int32_t b = 0; b < grid->brick_count; b++) {
        removed += work.removed[b];
        lost += work.lost[b];
    }
    s->markers.is_sorted = false;
    s->counts.owed += lost;
    flow->gone = removed + lost;
    step->removed_m3 += (double)removed * s->params.marker_m3;
    return dew_ok();
}
