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

// Component a at x. s: coordinates of x among the samples of that face.
DEW_BODY double dew_face_tiles_component(const double *tile, const double s[3], bool is_flat)
{
    const int y = DEW_FACE_WIDTH, z = DEW_FACE_WIDTH * DEW_FACE_WIDTH;
    int i = dew_face_floor(s[0]), j = dew_face_floor(s[1]), k = is_flat ? 0 : dew_face_floor(s[2]);
    double fx = s[0] - i, fy = s[1] - j, fz = is_flat ? 0 : s[2] - k;
    const double *p = tile + dew_tile_at(DEW_FACE_PAD, i, j, k);
    double a = p[0] + fx * (p[1] - p[0]), b = p[y] + fx * (p[y + 1] - p[y]);
    double near = a + fy * (b - a);
    if (is_flat)
        return near;
    double c = p[z] + fx * (p[z + 1] - p[z]), d = p[y + z] + fx * (p[y + z + 1] - p[y + z]);
    double far = c + fy * (d - c);
    return near + fz * (far - near);
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
    double half[3] = {x[0] - 0.5, x[1] - 0.5, x[2] - 0.5};
    double sx[3] = {x[0], half[1], half[2]}, sy[3] = {half[0], x[1], half[2]};
    double sz[3] = {half[0], half[1], x[2]};
    v[0] = dew_face_tiles_component(t->tile[0], sx, is_flat);
    v[1] = dew_face_tiles_component(t->tile[1], sy, is_flat);
    v[2] = is_flat ? 0 : dew_face_tiles_component(t->tile[2], sz, false);
}

/// Moves x (cells from the brick's corner) with the flow for dt_s, backwards when that is negative:
/// TVD-RK3 [ShuOsher1988].
DEW_BODY void dew_face_tiles_move(const dew_FaceTiles *t, double dt_s, double x[3])
{
    double c = dt_s / t->h, v[3], w[3], y[3];
    dew_face_tiles_velocity(t, x, v);
    for (int a = 0; a < 3; a++)
        y[a] = x[a] + c * v[a];
    dew_face_tiles_velocity(t, y, w);
    for (int a = 0; a < 3; a++)
        y[a] = x[a] + 0.25 * c * (v[a] + w[a]);
    for (int a = 0; a < 3; a++)
        v[a] += w[a];
    dew_face_tiles_velocity(t, y, w);
    for (int a = 0; a < 3; a++)
        x[a] += c * (v[a] + 4 * w[a]) / 6;
}
