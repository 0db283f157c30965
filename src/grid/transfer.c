// Particles to faces and back [Jiang2015].
//
// To the grid in two passes, both by bricks: each brick adds up its own particles, in order of
// their ids, on a tile that reaches one face beyond it; then each face adds what the tiles around
// it hold for it, in the order of the table of neighbours. No two workers write to one place, and
// no order depends on them.
//
// Back and on in one pass: the velocity that a particle gets is also the first of the three that
// move it.
#include "grid/transfer.h"

#include "base/status.h"
#include "grid/sample.h"

#include <math.h>
#include <string.h>

#define WIDTH (DEW_BRICK + 2)          // faces -1 .. 8 along each axis
#define TILE  (WIDTH * WIDTH * WIDTH)  // in two dimensions one layer of it

#define BATCH DEW_FACE_BATCH  // particles, stage by stage

typedef dew_Four Four;

// Of one axis: the sum of weights and the weighted velocities, beside each other.
typedef struct Sums {
    double mass, momentum;
} Sums;

typedef struct ToGrid {
    const dew_Particles *particles;
    const dew_Motion *motion;
    const dew_Shear *shear;
    const dew_Grid *grid;
    Sums *tiles;    // [brick][axis][tile_size]
    int tile_size;  // of one axis
    double *const *u;
    double *const *mass;
} ToGrid;

// Where a particle lies between the faces of axis a: the lower one of each pair, and the weight of
// the upper.
typedef struct Stencil {
    int base[3];
    double upper[3];
} Stencil;

DEW_BODY Stencil stencil_of(const double x[3], int axis, int axes)
{
    Stencil s;
    for (int b = 0; b < 3; b++) {
        double at = b == axis ? x[b] : x[b] - 0.5;
        s.base[b] = dew_face_floor(at);
        s.upper[b] = at - s.base[b];
    }
    if (axes == 2) {
        s.base[2] = 0;
        s.upper[2] = 0;
    }
    return s;
}

// The same for some particles of a brick and all axes: along each direction there are the faces
// across it [0], and the middles of the others [1]. Always for a whole batch, so that loops are as
// long as the compiler knows.
typedef struct Places {
    dew_FaceBatch x;  // cells from the brick's corner
    int base[2][3][BATCH];
    double upper[2][3][BATCH];
} Places;

DEW_BODY void find_places(const dew_Particles *particles, dew_Vec3 corner_m, double cell_m,
                          int64_t first, int count, int axes, Places *p)
{
    const double corner[3] = {corner_m.x, corner_m.y, corner_m.z}, r = 1 / cell_m;
    // Rounding may put a particle of the last cell on the brick's upper side.
    const double most = DEW_BRICK - 1e-9;
    for (int b = 0; b < 3; b++) {
        double at[BATCH], *in = p->x[b];
        for (int n = 0; n < BATCH; n++)
            at[n] = corner[b];
        memcpy(at, dew_particles_axis(particles, b) + first, (size_t)count * sizeof *at);
        for (int n = 0; n < BATCH; n += 4) {
            Four x;
            memcpy(&x, &at[n], sizeof x);
            x = (x - corner[b]) * r;
            dew_four_bound(&x, 0, most);
            memcpy(&in[n], &x, sizeof x);
            dew_four_split(&x, 0, 0, 0, &p->base[0][b][n], &p->upper[0][b][n]);
            dew_four_split(&x, 0.5, -1, -0.5, &p->base[1][b][n], &p->upper[1][b][n]);
        }
    }
    for (int n = 0; axes == 2 && n < count; n++) {
        p->base[0][2][n] = p->base[1][2][n] = 0;
        p->upper[0][2][n] = p->upper[1][2][n] = 0;
    }
}

DEW_BODY Stencil stencil_at(const Places *p, int n, int axis)
{
    Stencil s;
    for (int b = 0; b < 3; b++) {
        s.base[b] = p->base[b != axis][b][n];
        s.upper[b] = p->upper[b != axis][b][n];
    }
    return s;
}

// Adds to the sums of two faces beside one another: {mass, momentum, mass, momentum}.
DEW_BODY void add_at(Sums *sums, double w, const Four *wx, const Four *what)
{
    Four sum;
    __builtin_memcpy(&sum, sums, sizeof sum);
    sum += w * *wx * *what;
    __builtin_memcpy(sums, &sum, sizeof sum);
}

DEW_BODY void add_particle(double u_here, const float c[3], const Stencil *s, double h, int axes,
                           Sums *tile)
{
    // What the particle says at the lowest of the faces, and how that changes from face to face.
    double slope[3] = {h * (double)c[0], h * (double)c[1], axes == 2 ? 0 : h * (double)c[2]};
    double u = u_here - (s->upper[0] * slope[0] + s->upper[1] * slope[1] + s->upper[2] * slope[2]);
    int first =
        s->base[0] + 1 + WIDTH * (s->base[1] + 1 + (axes == 2 ? 0 : WIDTH * (s->base[2] + 1)));
    const Four wx = {1 - s->upper[0], 1 - s->upper[0], s->upper[0], s->upper[0]};
    const Four up = {0, slope[1], 0, slope[1]}, on = {0, slope[2], 0, slope[2]};
    Four here = {1, u, 1, u + slope[0]}, above;
    for (int k = 0; k < axes - 1; k++) {
        double wz = axes == 2 ? 1 : k ? s->upper[2] : 1 - s->upper[2];
        Sums *at = tile + first + WIDTH * WIDTH * k;
        above = here + up;
        add_at(at, wz * (1 - s->upper[1]), &wx, &here);
        add_at(at + WIDTH, wz * s->upper[1], &wx, &above);
        here += on;
    }
}

DEW_BODY void scatter_axis(const ToGrid *work, const Places *places, int64_t first, int count,
                           int axis, int axes, Sums *tiles)
{
    for (int n = 0; n < count; n++) {
        Stencil s = stencil_at(places, n, axis);
        add_particle(work->motion[first + n].u[axis], work->shear[first + n].c[axis], &s,
                     work->grid->cell_m, axes, tiles + axis * work->tile_size);
    }
}

DEW_BODY void scatter_brick(const ToGrid *work, int32_t b, int64_t first, int64_t last, int axes)
{
    Places places;
    Sums *tiles = work->tiles + (int64_t)b * axes * work->tile_size;
    dew_Vec3 corner = dew_grid_position(work->grid, b, 0, 0, 0, DEW_AT_NODE);
    memset(tiles, 0, (size_t)(axes * work->tile_size) * sizeof *tiles);
    for (int64_t n = first; n < last; n += BATCH) {
        int count = last - n < BATCH ? (int)(last - n) : BATCH;
        find_places(work->particles, corner, work->grid->cell_m, n, count, axes, &places);
        scatter_axis(work, &places, n, count, 0, axes, tiles);
        scatter_axis(work, &places, n, count, 1, axes, tiles);
        if (axes == 3)
            scatter_axis(work, &places, n, count, 2, axes, tiles);
    }
}

DEW_BODY dew_Status scatter_chunk_body(void *context, int64_t begin, int64_t end)
{
    const ToGrid *work = context;
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        dew_particles_of_brick(work->particles, b, &first, &last);
        if (first == last)
            continue;  // nobody will look at the tile
        if (work->grid->depth == 1)
            scatter_brick(work, (int32_t)b, first, last, 2);
        else
            scatter_brick(work, (int32_t)b, first, last, 3);
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(scatter_chunk)

// The faces [*from, *to) of a brick that the tile of a neighbour reaches, which lies d bricks away.
static void reach(int d, int count, int *from, int *to)
{
    *from = d > 0 ? count - 1 : 0;
    *to = d < 0 ? 1 : count;
}

static void add_tile(const ToGrid *work, const Sums *tile, const int d[3], Sums *sums)
{
    const dew_Grid *grid = work->grid;
    bool is_flat = grid->depth == 1;
    int from[3], to[3];
    for (int a = 0; a < 3; a++)
        reach(d[a], a == 2 ? grid->depth : DEW_BRICK, &from[a], &to[a]);
    for (int k = from[2]; k < to[2]; k++)
        for (int j = from[1]; j < to[1]; j++)
            for (int i = from[0]; i < to[0]; i++) {
                int at = i - DEW_BRICK * d[0] + 1 + WIDTH * (j - DEW_BRICK * d[1] + 1);
                at += is_flat ? 0 : WIDTH * WIDTH * (k - DEW_BRICK * d[2] + 1);
                Sums *sum = &sums[i + DEW_BRICK * (j + DEW_BRICK * k)];
                sum->mass += tile[at].mass;
                sum->momentum += tile[at].momentum;
            }
}

static bool has_any(const ToGrid *work, int32_t brick)
{
    int64_t first, last;
    dew_particles_of_brick(work->particles, brick, &first, &last);
    return first < last;
}

static dew_Status gather_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const ToGrid *work = context;
    const dew_Grid *grid = work->grid;
    int axes = dew_grid_axes(grid), cells = grid->brick_cells;
    Sums sums[DEW_BRICK * DEW_BRICK * DEW_BRICK];
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        for (int a = 0; a < axes; a++) {
            memset(sums, 0, sizeof sums);
            for (int n = 0; n < 27; n++) {
                const int d[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
                if (near[n] < 0 || near[n] >= grid->brick_count || !has_any(work, near[n]))
                    continue;
                if (axes == 2 && d[2] != 0)
                    continue;
                add_tile(work, work->tiles + ((int64_t)near[n] * axes + a) * work->tile_size, d,
                         sums);
            }
            for (int c = 0; c < cells; c++) {
                work->mass[a][b * cells + c] = sums[c].mass;
                work->u[a][b * cells + c] = sums[c].mass > 0 ? sums[c].momentum / sums[c].mass : 0;
            }
        }
    }
    return dew_ok();
}

dew_Status dew_transfer_to_grid(const dew_Particles *particles, int motion, const dew_Grid *grid,
                                double *const u[3], double *const mass[3], dew_Arena *scratch)
{
    DEW_ASSERT(particles->is_sorted && particles->sorted_for == grid->change_count);
    dew_ArenaMark mark = dew_arena_mark(scratch);
    ToGrid work = {.particles = particles,
                   .motion = dew_transfer_motion(particles, motion),
                   .shear = dew_transfer_shear(particles, motion),
                   .grid = grid,
                   .tile_size = grid->depth == 1 ? WIDTH * WIDTH : TILE,
                   .u = u,
                   .mass = mass};
    int64_t count = (int64_t)grid->brick_count * dew_grid_axes(grid) * work.tile_size;
    work.tiles = dew_arena_raw_array(scratch, Sums, count);
    if (!work.tiles)
        return dew_no_memory((size_t)count * sizeof *work.tiles);
    dew_Status status = dew_grid_for(grid, scatter_chunk, &work);
    if (status.code == DEW_OK)
        status = dew_grid_for(grid, gather_chunk, &work);
    dew_arena_rewind(scratch, mark);
    return status;
}

// ---- To particles, which move on ----------------------------------------------------------------

#define PAIR_WIDTH (DEW_BRICK + 2 * 1)
#define PAIR_SIZE  DEW_TILE_SIZE(1)

typedef struct Moving {
    dew_Particles *particles;
    dew_Motion *motion;
    dew_Shear *shear;
    const dew_Grid *grid;
    const dew_TransferMove *by;
} Moving;

// The faces around a brick: velocities, and beside each of them what else particles are to know
// there.
typedef struct MoveTiles {
    dew_FaceTiles now;
    double pairs[3][2 * PAIR_SIZE];
} MoveTiles;

static void load_pairs(const dew_Grid *grid, const double *const beside[3], int32_t b, MoveTiles *t)
{
    double other[PAIR_SIZE] = {0};
    bool is_flat = grid->depth == 1;
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        if (beside)
            dew_tile_load(grid, beside[a], b, 1, other);
        for (int k = is_flat ? 0 : -1; k < (is_flat ? 1 : DEW_BRICK + 1); k++)
            for (int j = -1; j < DEW_BRICK + 1; j++) {
                const double *from = &t->now.tile[a][dew_tile_at(DEW_FACE_PAD, -1, j, k)];
                int at = dew_tile_at(1, -1, j, k);
                for (int i = 0; i < PAIR_WIDTH; i++) {
                    t->pairs[a][2 * (at + i)] = from[i];
                    t->pairs[a][2 * (at + i) + 1] = other[at + i];
                }
            }
    }
}

// Of one component at a point: {velocity, what is beside it}, and the velocity's gradient (per
// cell).
typedef struct Spot {
    dew_Two u;
    Four gradient;  // the last is 0
} Spot;

// Pairs of pairs along x are mixed along z, then y, then with each other.
DEW_BODY void spot_at(const double *pairs, const Stencil *s, int axes, Spot *spot)
{
    int row = 2 * PAIR_WIDTH, layer = 2 * PAIR_WIDTH * PAIR_WIDTH;
    const double *p =
        pairs + 2 * (s->base[0] + 1) + row * (s->base[1] + 1) + layer * (s->base[2] + 1);
    double fx = s->upper[0], fy = s->upper[1], fz = s->upper[2];
    Four low, high, slope_z = {0};
    __builtin_memcpy(&low, p, sizeof low);
    __builtin_memcpy(&high, p + row, sizeof high);
    if (axes == 3) {
        Four low_up, high_up;
        __builtin_memcpy(&low_up, p + layer, sizeof low_up);
        __builtin_memcpy(&high_up, p + layer + row, sizeof high_up);
        low_up -= low;
        high_up -= high;
        slope_z = low_up + fy * (high_up - low_up);
        low += fz * low_up;
        high += fz * high_up;
    }
    Four slope_y = high - low;
    Four v = low + fy * slope_y;
    Four slopes = {slope_y[0], slope_z[0], slope_y[2], slope_z[2]};
    dew_Two left = {v[0], v[1]}, along = (dew_Two){v[2], v[3]} - left;
    dew_Two across = {slopes[0], slopes[1]};
    across += fx * ((dew_Two){slopes[2], slopes[3]} - across);
    *spot = (Spot){left + fx * along, {along[0], across[0], across[1], 0}};
}

// Pressure has turned the particle's velocity once, where the particle came from; on its way there
// it should have done so half before and half after. A push is minus the gradient of something that
// goes with the flow, so on the way it changes as gradients do, dK/dt = -(grad u)^T K; this is what
// half of it changes by in a step. Where a step is too long to speak of that, less is given.
DEW_BODY void turn_push(const Spot spot[3], double dt_s, Four *turn)
{
    double most = 0, of_column[4];
    for (int b = 0; b < 4; b++) {
        double x = fabs(spot[0].gradient[b]), y = fabs(spot[1].gradient[b]);
        double z = fabs(spot[2].gradient[b]);
        x = x > y ? x : y;
        of_column[b] = x > z ? x : z;
    }
    for (int b = 0; b < 3; b++)
        most = of_column[b] > most ? of_column[b] : most;
    double limited_s = dt_s * most > 1 ? 1 / most : dt_s;
    *turn = 0.5 * limited_s *
            (spot[0].u[1] * spot[0].gradient + spot[1].u[1] * spot[1].gradient +
             spot[2].u[1] * spot[2].gradient);
}

// The velocity of the faces; what becomes of the particle's.
DEW_BODY void give(const Moving *work, const MoveTiles *t, const Places *places, int n, int axes,
                   dew_FaceBatch u, dew_Motion *m, dew_Shear *shear)
{
    Spot spot[3] = {{{0, 0}, {0, 0, 0, 0}}, {{0, 0}, {0, 0, 0, 0}}, {{0, 0}, {0, 0, 0, 0}}};
    dew_TransferKind kind = work->by->kind;
    for (int a = 0; a < axes; a++) {
        Stencil s = stencil_at(places, n, a);
        spot_at(t->pairs[a], &s, axes, &spot[a]);
        spot[a].gradient *= kind == DEW_TRANSFER_APIC ? 1 / t->now.h : 0;
    }
    Four turn;
    turn_push(spot, work->by->dt_s, &turn);
    for (int a = 0; a < 3; a++) {
        u[a][n] = spot[a].u[0];
        m->u[a] = kind == DEW_TRANSFER_FLIP ? m->u[a] + (spot[a].u[0] - spot[a].u[1])
                                            : spot[a].u[0] + turn[a];
        for (int b = 0; b < 3; b++)
            shear->c[a][b] = (float)spot[a].gradient[b];
    }
}

// Particles [first, first + count) of the brick, count at most BATCH. Each stage is a loop of its
// own: within a particle one thing waits for the other, but not for those of the next particle.
DEW_BODY void move_batch(const Moving *work, const MoveTiles *t, int64_t first, int count, int axes)
{
    Places places;
    dew_FaceBatch u = {{0}}, displacement;
    find_places(work->particles, t->now.corner, t->now.h, first, count, axes, &places);
    for (int n = 0; n < count; n++)
        give(work, t, &places, n, axes, u, &work->motion[first + n], &work->shear[first + n]);
    if (work->by->dt_s == 0)
        return;
    dew_face_tiles_displacements(&t->now, work->by->dt_s, count, places.x, u, displacement);
    for (int a = 0; a < 3; a++) {
        double *p = dew_particles_axis(work->particles, a) + first;
        for (int n = 0; n < count; n++)
            p[n] += t->now.h * displacement[a][n];
    }
}

DEW_BODY void move_brick(const Moving *work, const MoveTiles *t, int64_t first, int64_t last,
                         int axes)
{
    for (int64_t n = first; n < last; n += BATCH)
        move_batch(work, t, n, last - n < BATCH ? (int)(last - n) : BATCH, axes);
}

DEW_BODY dew_Status move_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Moving *work = context;
    MoveTiles tiles;
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        dew_particles_of_brick(work->particles, b, &first, &last);
        if (first == last)
            continue;
        dew_face_tiles_load(&tiles.now, work->grid, work->by->u, (int32_t)b);
        load_pairs(work->grid, work->by->beside, (int32_t)b, &tiles);
        if (work->grid->depth == 1)
            move_brick(work, &tiles, first, last, 2);
        else
            move_brick(work, &tiles, first, last, 3);
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(move_chunk)

dew_Status dew_transfer_move(dew_Particles *particles, int motion, const dew_Grid *grid,
                             const dew_TransferMove *by)
{
    DEW_ASSERT(particles->is_sorted && particles->sorted_for == grid->change_count);
    DEW_ASSERT(by->kind != DEW_TRANSFER_FLIP || by->beside);
    Moving work = {particles, dew_transfer_motion(particles, motion),
                   dew_transfer_shear(particles, motion), grid, by};
    if (by->dt_s != 0)
        particles->is_sorted = false;
    return dew_grid_for(grid, move_chunk, &work);
}

int dew_transfer_add_columns(dew_Particles *particles)
{
    int motion = dew_particles_add_column(particles, sizeof(dew_Motion));
    dew_particles_add_column(particles, sizeof(dew_Shear));
    return motion;
}

// ---- Momentum -----------------------------------------------------------------------------------

// It is that of the velocities c . (y - x) on the faces y that the particle is spread to, weighted:
// across each axis the weighted mean of (y - x)^2 is h^2 t (1 - t).
dew_Vec3 dew_transfer_spin(const dew_Shear *shear, const dew_Grid *grid, dew_Vec3 p,
                           dew_Vec3 *inertia)
{
    const float(*c)[3] = shear->c;
    double h = grid->cell_m, r = 1 / h, s[3][3];  // [axis of the faces][direction]
    const double x[3] = {(p.x - grid->origin_m.x) * r, (p.y - grid->origin_m.y) * r,
                         (p.z - grid->origin_m.z) * r};
    for (int a = 0; a < 3; a++) {
        Stencil at = stencil_of(x, a, dew_grid_axes(grid));
        for (int b = 0; b < 3; b++)
            s[a][b] = h * h * at.upper[b] * (1 - at.upper[b]);
    }
    *inertia = dew_vec(s[2][1] + s[1][2], s[0][2] + s[2][0], s[1][0] + s[0][1]);
    return dew_vec((double)c[2][1] * s[2][1] - (double)c[1][2] * s[1][2],
                   (double)c[0][2] * s[0][2] - (double)c[2][0] * s[2][0],
                   (double)c[1][0] * s[1][0] - (double)c[0][1] * s[0][1]);
}

dew_Momentum dew_transfer_momentum(const dew_Particles *particles, int motion, const dew_Grid *grid)
{
    const dew_Motion *m = dew_transfer_motion(particles, motion);
    const dew_Shear *shear = dew_transfer_shear(particles, motion);
    dew_Momentum sum = {{0, 0, 0}, {0, 0, 0}};
    for (int64_t n = 0; n < particles->count; n++) {
        dew_Vec3 p = dew_particles_position(particles, n), inertia;
        dew_Vec3 u = {m[n].u[0], m[n].u[1], m[n].u[2]};
        sum.linear = dew_add(sum.linear, u);
        sum.angular = dew_add(sum.angular, dew_cross(p, u));
        sum.angular = dew_add(sum.angular, dew_transfer_spin(&shear[n], grid, p, &inertia));
    }
    return sum;
}
