// Particles to faces and back [Jiang2015].
//
// To the grid in two passes, both by bricks: each brick adds up its own particles, in order of their ids, on a tile
// that reaches one face beyond it; then each face adds what the tiles around it hold for it, in the order
// of the table of neighbours. No two workers write to one place, and no order depends on them.
#include "grid/transfer.h"

#include "base/status.h"
#include "grid/face_tiles.h"

#include <string.h>

#define WIDTH (DEW_BRICK + 2)          // faces -1 .. 8 along each axis
#define TILE  (WIDTH * WIDTH * WIDTH)  // in two dimensions one layer of it

// Of one axis: the sum of weights and the weighted velocities, beside each other.
typedef struct Sums {
    double mass, momentum;
} Sums;

typedef struct ToGrid {
    const dew_Particles *particles;
    const dew_Motion *motion;
    const dew_Grid *grid;
    Sums *tiles;    // [brick][axis][tile_size]
    int tile_size;  // of one axis
    double *const *u;
    double *const *mass;
} ToGrid;

// Where a particle lies between the faces of axis a: the lower one of each pair, and the share of the upper.
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

DEW_BODY void add_particle(const dew_Motion *m, const double x[3], double h, int axis, int axes,
                           Sums *tile)
{
    Stencil s = stencil_of(x, axis, axes);
    const double *c = m->c[axis];
    // What the particle says at the lowest of the faces, and how that changes from face to face.
    double slope[3] = {h * c[0], h * c[1], axes == 2 ? 0 : h * c[2]};
    double u = m->u[axis] - (s.upper[0] * slope[0] + s.upper[1] * slope[1] + s.upper[2] * slope[2]);
    int first = s.base[0] + 1 + WIDTH * (s.base[1] + 1 + (axes == 2 ? 0 : WIDTH * (s.base[2] + 1)));
    for (int k = 0; k < axes - 1; k++) {
        double wz = axes == 2 ? 1 : k ? s.upper[2] : 1 - s.upper[2];
        for (int j = 0; j < 2; j++) {
            double w = wz * (j ? s.upper[1] : 1 - s.upper[1]);
            Sums *at = tile + first + WIDTH * (j + WIDTH * k);
            double here = u + j * slope[1] + k * slope[2];
            at[0].mass += w * (1 - s.upper[0]);
            at[0].momentum += w * (1 - s.upper[0]) * here;
            at[1].mass += w * s.upper[0];
            at[1].momentum += w * s.upper[0] * (here + slope[0]);
        }
    }
}

DEW_BODY dew_Status scatter_chunk_body(void *context, int64_t begin, int64_t end)
{
    const ToGrid *work = context;
    const dew_Grid *grid = work->grid;
    const double *px = dew_particles_axis(work->particles, 0);
    const double *py = dew_particles_axis(work->particles, 1);
    const double *pz = dew_particles_axis(work->particles, 2);
    int axes = dew_grid_axes(grid);
    double h = grid->cell_m, r = 1 / h;
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        Sums *tile = work->tiles + b * axes * work->tile_size;
        memset(tile, 0, (size_t)(axes * work->tile_size) * sizeof *tile);
        dew_particles_of_brick(work->particles, b, &first, &last);
        dew_Vec3 corner = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        for (int64_t n = first; n < last; n++) {
            double x[3] = {(px[n] - corner.x) * r, (py[n] - corner.y) * r, (pz[n] - corner.z) * r};
            // Rounding may put a particle of the last cell on the brick's upper side.
            for (int a = 0; a < 3; a++)
                x[a] = fmin(fmax(x[a], 0), DEW_BRICK - 1e-9);
            for (int a = 0; a < axes; a++)
                add_particle(&work->motion[n], x, h, a, axes, tile + a * work->tile_size);
        }
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
                if (near[n] < 0 || near[n] >= grid->brick_count)
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
                   .motion = dew_particles_column(particles, motion),
                   .grid = grid,
                   .tile_size = grid->depth == 1 ? WIDTH * WIDTH : TILE,
                   .u = u,
                   .mass = mass};
    int64_t count = (int64_t)grid->brick_count * dew_grid_axes(grid) * work.tile_size;
    work.tiles = dew_arena_array(scratch, Sums, count);
    if (!work.tiles)
        return dew_no_memory((size_t)count * sizeof *work.tiles);
    dew_Status status = dew_grid_for(grid, scatter_chunk, &work);
    if (status.code == DEW_OK)
        status = dew_grid_for(grid, gather_chunk, &work);
    dew_arena_rewind(scratch, mark);
    return status;
}

// ---- To particles --------------------------------------------------------------------------------

typedef struct ToParticles {
    dew_Particles *particles;
    dew_Motion *motion;
    const dew_Grid *grid;
    const double *const *u;
    const double *const *u_old;
    dew_TransferKind kind;
} ToParticles;

// A component of the velocity and its gradient (per cell) at x, from the tile around the brick.
DEW_BODY double component_at(const double *tile, const double x[3], int axis, int axes,
                             double gradient[3])
{
    const int row = DEW_FACE_WIDTH, layer = DEW_FACE_WIDTH * DEW_FACE_WIDTH;
    Stencil s = stencil_of(x, axis, axes);
    const double *p = tile + s.base[0] + DEW_FACE_PAD + row * (s.base[1] + DEW_FACE_PAD) +
                      layer * (s.base[2] + DEW_FACE_PAD);
    double fx = s.upper[0], fy = s.upper[1], fz = s.upper[2];
    double low[2] = {0}, slope_x[2] = {0}, slope_y[2] = {0};
    for (int k = 0; k < axes - 1; k++) {
        const double *q = p + layer * k;
        double a = q[0], b = q[1], c = q[row], d = q[row + 1];
        double lower = a + fx * (b - a), upper = c + fx * (d - c);
        low[k] = lower + fy * (upper - lower);
        slope_x[k] = (b - a) + fy * ((d - c) - (b - a));
        slope_y[k] = upper - lower;
    }
    if (axes == 2) {
        gradient[0] = slope_x[0];
        gradient[1] = slope_y[0];
        gradient[2] = 0;
        return low[0];
    }
    gradient[0] = slope_x[0] + fz * (slope_x[1] - slope_x[0]);
    gradient[1] = slope_y[0] + fz * (slope_y[1] - slope_y[0]);
    gradient[2] = low[1] - low[0];
    return low[0] + fz * (low[1] - low[0]);
}

DEW_BODY void give(const ToParticles *work, const dew_FaceTiles *now, const dew_FaceTiles *old,
                   const double x[3], dew_Motion *m)
{
    double gradient[3], before[3];
    for (int a = 0; a < now->axes; a++) {
        double u = component_at(now->tile[a], x, a, now->axes, gradient);
        if (work->kind == DEW_TRANSFER_FLIP)
            u += m->u[a] - component_at(old->tile[a], x, a, now->axes, before);
        m->u[a] = u;
        for (int b = 0; b < 3; b++)
            m->c[a][b] = work->kind == DEW_TRANSFER_APIC ? gradient[b] / now->h : 0;
    }
}

DEW_BODY dew_Status give_chunk_body(void *context, int64_t begin, int64_t end)
{
    const ToParticles *work = context;
    const double *px = dew_particles_axis(work->particles, 0);
    const double *py = dew_particles_axis(work->particles, 1);
    const double *pz = dew_particles_axis(work->particles, 2);
    dew_FaceTiles now, old;
    double r = 1 / work->grid->cell_m;
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        dew_particles_of_brick(work->particles, b, &first, &last);
        if (first == last)
            continue;
        dew_face_tiles_load(&now, work->grid, work->u, (int32_t)b);
        if (work->kind == DEW_TRANSFER_FLIP)
            dew_face_tiles_load(&old, work->grid, work->u_old, (int32_t)b);
        for (int64_t n = first; n < last; n++) {
            double x[3] = {(px[n] - now.corner.x) * r, (py[n] - now.corner.y) * r,
                           (pz[n] - now.corner.z) * r};
            for (int a = 0; a < 3; a++)
                x[a] = fmin(fmax(x[a], 0), DEW_BRICK - 1e-9);
            give(work, &now, &old, x, &work->motion[n]);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(give_chunk)

dew_Status dew_transfer_to_particles(dew_Particles *particles, int motion, const dew_Grid *grid,
                                     const double *const u[3], const double *const u_old[3],
                                     dew_TransferKind kind)
{
    DEW_ASSERT(particles->is_sorted && particles->sorted_for == grid->change_count);
    DEW_ASSERT(kind != DEW_TRANSFER_FLIP || u_old);
    ToParticles work = {particles, dew_particles_column(particles, motion), grid, u, u_old, kind};
    return dew_grid_for(grid, give_chunk, &work);
}

// ---- Kicks ---------------------------------------------------------------------------------------

typedef struct Kicks {
    dew_Particles *particles;
    dew_Motion *motion;
    double *kick;  // [3]
    const dew_Grid *grid;
    const double *const *change;
    double dt_s;
} Kicks;

// A kick is minus the gradient of something that goes with the flow: dt/2 p / rho. So it changes on the way as
// gradients do, dK/dt = -(grad u)^T K. Kept as it was it would turn back against the flow, and feed what turns.
DEW_BODY void carry_kick(const dew_Motion *m, double dt_s, double kick[3])
{
    double turned[3];
    for (int a = 0; a < 3; a++)
        turned[a] = m->c[0][a] * kick[0] + m->c[1][a] * kick[1] + m->c[2][a] * kick[2];
    for (int a = 0; a < 3; a++)
        kick[a] -= dt_s * turned[a];
}

DEW_BODY dew_Status kick_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Kicks *work = context;
    const double *px = dew_particles_axis(work->particles, 0);
    const double *py = dew_particles_axis(work->particles, 1);
    const double *pz = dew_particles_axis(work->particles, 2);
    dew_FaceTiles tiles;
    double r = 1 / work->grid->cell_m;
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        dew_particles_of_brick(work->particles, b, &first, &last);
        if (first == last)
            continue;
        dew_face_tiles_load(&tiles, work->grid, work->change, (int32_t)b);
        for (int64_t n = first; n < last; n++) {
            const double x[3] = {(px[n] - tiles.corner.x) * r, (py[n] - tiles.corner.y) * r,
                                 (pz[n] - tiles.corner.z) * r};
            double change[3];
            double *kick = &work->kick[3 * n];
            dew_face_tiles_velocity(&tiles, x, change);
            carry_kick(&work->motion[n], work->dt_s, kick);
            for (int a = 0; a < 3; a++) {
                kick[a] = 0.5 * (kick[a] + change[a]);
                work->motion[n].u[a] += kick[a];
            }
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(kick_chunk)

dew_Status dew_transfer_kick(dew_Particles *particles, int motion, int kick, const dew_Grid *grid,
                             const double *const change[3], double dt_s)
{
    DEW_ASSERT(particles->is_sorted && particles->sorted_for == grid->change_count);
    Kicks work = {particles,
                  dew_particles_column(particles, motion),
                  dew_particles_column(particles, kick),
                  grid,
                  change,
                  dt_s};
    return dew_grid_for(grid, kick_chunk, &work);
}

// ---- Momentum ------------------------------------------------------------------------------------

// The angular momentum that a particle's gradients carry is that of the velocities c . (y - x) on the faces y that
// it is spread to, weighted: across each axis the weighted mean of (y - x)^2 is h^2 t (1 - t).
static dew_Vec3 carried(const dew_Motion *m, const double x[3], double h, int axes)
{
    double spread[3][3];  // [axis of the faces][direction]
    for (int a = 0; a < 3; a++) {
        Stencil s = stencil_of(x, a, axes);
        for (int b = 0; b < 3; b++)
            spread[a][b] = h * h * s.upper[b] * (1 - s.upper[b]);
    }
    return dew_vec(m->c[2][1] * spread[2][1] - m->c[1][2] * spread[1][2],
                   m->c[0][2] * spread[0][2] - m->c[2][0] * spread[2][0],
                   m->c[1][0] * spread[1][0] - m->c[0][1] * spread[0][1]);
}

dew_Momentum dew_transfer_momentum(const dew_Particles *particles, int motion, const dew_Grid *grid)
{
    const dew_Motion *m = dew_particles_column(particles, motion);
    dew_Momentum sum = {{0, 0, 0}, {0, 0, 0}};
    double h = grid->cell_m;
    for (int64_t n = 0; n < particles->count; n++) {
        dew_Vec3 p = dew_particles_position(particles, n);
        dew_Vec3 u = {m[n].u[0], m[n].u[1], m[n].u[2]};
        const double x[3] = {(p.x - grid->origin_m.x) / h, (p.y - grid->origin_m.y) / h,
                             (p.z - grid->origin_m.z) / h};
        sum.linear = dew_add(sum.linear, u);
        sum.angular = dew_add(sum.angular, dew_cross(p, u));
        sum.angular = dew_add(sum.angular, carried(&m[n], x, h, dew_grid_axes(grid)));
    }
    return sum;
}
