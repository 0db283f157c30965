/// Velocities on the faces around a brick, and their trilinear interpolation: for whatever moves many
/// points of one brick, characteristics or particles.
///
/// Positions are in cells, from the brick's lower corner. A point may lie up to one cell outside the
/// brick.
#pragma once

#include "grid/brick.h"
#include "grid/sample.h"
#include "grid/wide.h"

#define DEW_FACE_PAD   2
#define DEW_FACE_WIDTH (DEW_BRICK + 2 * DEW_FACE_PAD)

typedef struct dew_FaceTiles {
    const dew_Grid *grid;
    const double *const *u;
    double h;
    dew_Vec3 corner;  // of the brick
    int axes;
    double tile[3][DEW_TILE_SIZE(DEW_FACE_PAD)];
} dew_FaceTiles;

static inline void dew_face_tiles_load(dew_FaceTiles *t, const dew_Grid *grid,
                                       const double *const u[3], int32_t brick)
{
    t->grid = grid;
    t->u = u;
    t->h = grid->cell_m;
    t->axes = dew_grid_axes(grid);
    t->corner = dew_grid_position(grid, brick, 0, 0, 0, DEW_AT_NODE);
    for (int a = 0; a < t->axes; a++)
        dew_tile_load(grid, u[a], brick, DEW_FACE_PAD, t->tile[a]);
}

// Far outside the tile: through the table of bricks.
static inline void dew_face_tiles_far(const dew_FaceTiles *t, const double x[3], double v[3])
{
    dew_Vec3 p = dew_add_scaled(t->corner, t->h, dew_vec(x[0], x[1], x[2])), velocity;
    dew_grid_sample_velocity(t->grid, t->u, p, &velocity);
    v[0] = velocity.x;
    v[1] = velocity.y;
    v[2] = velocity.z;
}

DEW_BODY int dew_face_floor(double x)
{
    int i = (int)x;
    return i - (x < i);
}

typedef double dew_Two __attribute__((vector_size(16)));
typedef double dew_Four __attribute__((vector_size(32)));
typedef int64_t dew_FourMask __attribute__((vector_size(32)));
typedef int dew_FourInt __attribute__((vector_size(16)));

// Each x, or lo or hi where it is beyond. Compilers leave such a loop alone: a comparison might trap.
DEW_BODY void dew_four_bound(dew_Four *x, double lo, double hi)
{
    const dew_Four low = {lo, lo, lo, lo}, high = {hi, hi, hi, hi};
    dew_FourMask is_above = *x > low;
    *x = (dew_Four)((is_above & (dew_FourMask)*x) | (~is_above & (dew_FourMask)low));
    dew_FourMask is_below = *x < high;
    *x = (dew_Four)((is_below & (dew_FourMask)*x) | (~is_below & (dew_FourMask)high));
}

// What x and `whole` have to do with each other, which is (int)(x + before) + after: part = x + before_part - whole.
DEW_BODY void dew_four_split(const dew_Four *x, double before, int after, double before_part,
                             int *whole, double *part)
{
    dew_FourInt i = __builtin_convertvector(*x + before, dew_FourInt) + after;
    dew_Four rest = *x + before_part - __builtin_convertvector(i, dew_Four);
    __builtin_memcpy(whole, &i, sizeof i);
    __builtin_memcpy(part, &rest, sizeof rest);
}

// A component at the sample coordinates s, which begin at the tile's first sample: none is negative, so
// cutting off is rounding down. Pairs along x are mixed along z, then y, then with each other.
DEW_BODY double dew_face_tiles_component(const double *tile, double sx, double sy, double sz,
                                         bool is_flat)
{
    const int y = DEW_FACE_WIDTH, z = DEW_FACE_WIDTH * DEW_FACE_WIDTH;
    int i = (int)sx, j = (int)sy, k = is_flat ? DEW_FACE_PAD : (int)sz;
    double fx = sx - i, fy = sy - j, fz = sz - k;
    const double *p = tile + i + y * j + z * k;
    dew_Two a, b, c, d;
    __builtin_memcpy(&a, p, sizeof a);
    __builtin_memcpy(&b, p + y, sizeof b);
    if (!is_flat) {
        __builtin_memcpy(&c, p + z, sizeof c);
        __builtin_memcpy(&d, p + y + z, sizeof d);
        a += fz * (c - a);
        b += fz * (d - b);
    }
    a += fy * (b - a);
    return a[0] + fx * (a[1] - a[0]);
}

/// Velocity at x (cells from the brick's corner), in metres per second.
DEW_BODY void dew_face_tiles_velocity(const dew_FaceTiles *t, const double x[3], double v[3])
{
    const double lo = -1, hi = DEW_BRICK + 1;  // a half cell, and the stencil, stay inside the tile
    bool is_flat = t->axes == 2;
    bool is_near = x[0] >= lo && x[0] < hi && x[1] >= lo && x[1] < hi &&
                   (is_flat || (x[2] >= lo && x[2] < hi));
    if (!is_near) {
        dew_face_tiles_far(t, x, v);
        return;
    }
    double at[3] = {x[0] + DEW_FACE_PAD, x[1] + DEW_FACE_PAD, x[2] + DEW_FACE_PAD};
    double half[3] = {at[0] - 0.5, at[1] - 0.5, at[2] - 0.5};
    v[0] = dew_face_tiles_component(t->tile[0], at[0], half[1], half[2], is_flat);
    v[1] = dew_face_tiles_component(t->tile[1], half[0], at[1], half[2], is_flat);
    v[2] = is_flat ? 0 : dew_face_tiles_component(t->tile[2], half[0], half[1], at[2], false);
}

/// The way (in cells) of a point x (cells from the brick's corner) with the flow in dt_s, backwards when that is negative:
/// TVD-RK3 [ShuOsher1988]. u: the velocity at x.
DEW_BODY void dew_face_tiles_way(const dew_FaceTiles *t, double dt_s, const double x[3],
                                 const double u[3], double way[3])
{
    double c = dt_s / t->h, v[3], w[3], y[3];
    for (int a = 0; a < 3; a++)
        y[a] = x[a] + c * u[a];
    dew_face_tiles_velocity(t, y, v);
    for (int a = 0; a < 3; a++)
        y[a] = x[a] + 0.25 * c * (u[a] + v[a]);
    dew_face_tiles_velocity(t, y, w);
    for (int a = 0; a < 3; a++)
        way[a] = c * (u[a] + v[a] + 4 * w[a]) / 6;
}

#define DEW_FACE_BATCH 16

/// Some points of a brick: [axis][point], in cells from its corner.
typedef double dew_FaceBatch[3][DEW_FACE_BATCH];

// A component between the samples from p on; shares of the upper ones.
DEW_BODY double dew_face_tiles_mix(const double *p, double fx, double fy, double fz, bool is_flat)
{
    const int y = DEW_FACE_WIDTH, z = DEW_FACE_WIDTH * DEW_FACE_WIDTH;
    dew_Four a = {p[0], p[1], p[y], p[y + 1]};
    if (!is_flat) {
        dew_Four b = {p[z], p[z + 1], p[y + z], p[y + z + 1]};
        a += fz * (b - a);
    }
    dew_Two low = {a[0], a[1]}, high = {a[2], a[3]};
    low += fy * (high - low);
    return low[0] + fx * (low[1] - low[0]);
}

/// dew_face_tiles_velocity for the first `count` points of a batch; places in the tile are found first, for all of the
/// batch, which must have numbers everywhere: so that loops are as long as the compiler knows.
DEW_BODY void dew_face_tiles_velocities(const dew_FaceTiles *t, int count, dew_FaceBatch x,
                                        dew_FaceBatch v)
{
    const double lo = DEW_FACE_PAD - 1, hi = DEW_FACE_PAD + DEW_BRICK + 1 - 1e-9;
    const int y = DEW_FACE_WIDTH, z = DEW_FACE_WIDTH * DEW_FACE_WIDTH;
    bool is_flat = t->axes == 2;
    int base[2][3][DEW_FACE_BATCH];  // [0] faces across the direction, [1] middles of the others
    double upper[2][3][DEW_FACE_BATCH];
    double beyond[DEW_FACE_BATCH] = {0};  // how far outside
    for (int b = 0; b < 3; b++)
        for (int n = 0; n < DEW_FACE_BATCH; n += 4) {
            dew_Four at, in;
            __builtin_memcpy(&at, &x[b][n], sizeof at);
            in = at += DEW_FACE_PAD;
            dew_four_bound(&in, lo, hi);
            at -= in;
            for (int k = 0; k < 4; k++)
                beyond[n + k] += fabs(at[k]);
            dew_four_split(&in, 0, 0, 0, &base[0][b][n], &upper[0][b][n]);
            dew_four_split(&in, -0.5, 0, -0.5, &base[1][b][n], &upper[1][b][n]);
        }
    for (int a = 0; a < 3; a++)
        for (int n = 0; n < count; n++) {
            const int *i = base[a != 0][0], *j = base[a != 1][1], *k = base[a != 2][2];
            int layer = is_flat ? DEW_FACE_PAD : k[n];
            v[a][n] = is_flat && a == 2
                          ? 0
                          : dew_face_tiles_mix(t->tile[a] + i[n] + y * j[n] + z * layer,
                                               upper[a != 0][0][n], upper[a != 1][1][n],
                                               upper[a != 2][2][n], is_flat);
        }
    for (int n = 0; n < count; n++)
        if (!(beyond[n] <= 0)) {
            double at[3] = {x[0][n], x[1][n], x[2][n]}, u[3];
            dew_face_tiles_far(t, at, u);
            for (int a = 0; a < 3; a++)
                v[a][n] = u[a];
        }
}

/// dew_face_tiles_way for some points: one point's stages wait for each other, those of many do not.
DEW_BODY void dew_face_tiles_ways(const dew_FaceTiles *t, double dt_s, int count, dew_FaceBatch x,
                                  dew_FaceBatch u, dew_FaceBatch way)
{
    double c = dt_s / t->h;
    dew_FaceBatch y, v, w;
    for (int a = 0; a < 3; a++)
        for (int n = 0; n < DEW_FACE_BATCH; n++)
            y[a][n] = x[a][n] + c * u[a][n];
    dew_face_tiles_velocities(t, count, y, v);
    for (int a = 0; a < 3; a++)
        for (int n = 0; n < DEW_FACE_BATCH; n++)
            y[a][n] = x[a][n] + 0.25 * c * (u[a][n] + v[a][n]);
    dew_face_tiles_velocities(t, count, y, w);
    for (int a = 0; a < 3; a++)
        for (int n = 0; n < DEW_FACE_BATCH; n++)
            way[a][n] = c * (u[a][n] + v[a][n] + 4 * w[a][n]) / 6;
}

/// Moves x with the flow for dt_s.
DEW_BODY void dew_face_tiles_move(const dew_FaceTiles *t, double dt_s, double x[3])
{
    double u[3], way[3];
    dew_face_tiles_velocity(t, x, u);
    dew_face_tiles_way(t, dt_s, x, u, way);
    for (int a = 0; a < 3; a++)
        x[a] += way[a];
}
