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

/// Moves x with the flow for dt_s.
DEW_BODY void dew_face_tiles_move(const dew_FaceTiles *t, double dt_s, double x[3])
{
    double u[3], way[3];
    dew_face_tiles_velocity(t, x, u);
    dew_face_tiles_way(t, dt_s, x, u, way);
    for (int a = 0; a < 3; a++)
        x[a] += way[a];
}
