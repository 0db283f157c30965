/// Interpolation of fields on bricks: trilinear at any point, and on the tiles of one brick
/// (tricubic values and derivatives; velocities for many points at once).
#pragma once

#include "base/simd.h"
#include "dew/base.h"
#include "grid/brick.h"

/// Value at p of a field whose samples sit at `place`. Where bricks are missing the nearest sample
/// of the brick that holds p is used; false, and 0, where that is missing too.
bool dew_grid_sample(const dew_Grid *grid, const double *field, dew_Place place, dew_Vec3 p,
                     double *value);
/// Velocity at p from the faces; false, and zero, outside all bricks.
bool dew_grid_sample_velocity(const dew_Grid *grid, const double *const u[3], dew_Vec3 p,
                              dew_Vec3 *velocity);
/// Coordinates of the brick that would hold p; far beyond all bricks where p is no number.
void dew_grid_brick_coord(const dew_Grid *grid, dew_Vec3 p, int32_t coord[3]);
/// The brick that holds p, or DEW_INVALID.
int32_t dew_grid_brick_at(const dew_Grid *grid, dew_Vec3 p);

// cells around a brick that interpolation up to a cell outside of it reads
#define DEW_FACE_PAD   2
#define DEW_FACE_WIDTH (DEW_BRICK + 2 * DEW_FACE_PAD)

// ---- Tricubic interpolation ---------------------------------------------------------------------

// Tricubic interpolation on bricks: four samples along each axis, Lagrange's cubic in each.
//
// Exact for cubics, fourth order for smooth fields; continuous, its slope jumps by O(h^3) from cell
// to cell. The 64 samples are gathered once per cell of the lattice of sample points; value,
// gradient and second derivatives then follow by contraction, z and y before x, four lanes wide
// along x.
//
// In two dimensions the 16 samples of the layer are used and derivatives along z are zero.
// Lengths are in cells.

typedef double dew_Four __attribute__((vector_size(32)));

typedef struct dew_CubicCell {
    dew_Four row[4][4];  // [k][j], lanes along x; in 2-D only row[0]
    int base[3];         // lattice cell that it is for: samples base - 1 .. base + 2
    bool is_flat;
} dew_CubicCell;

typedef struct dew_CubicJet {
    double f;
    double g[3];  // gradient
    double xx, yy, zz, xy, xz, yz;
} dew_CubicJet;

/// Gathers the samples around lattice cell `base`, in samples of `brick` (index 0 is its first; -7
/// to 14 can be reached). False when one of their bricks is not there.
bool dew_cubic_gather(const dew_Grid *grid, const double *field, int32_t brick, const int base[3],
                      dew_CubicCell *cell);

// Lagrange weights of the nodes -1, 0, 1, 2 at t, and first and second derivatives.
static inline void dew_cubic_weights(double t, double w[4], double d[4], double dd[4])
{
    double a = t + 1, b = t - 1, c = t - 2;
    w[0] = -t * b * c / 6;
    w[1] = a * b * c / 2;
    w[2] = -a * t * c / 2;
    w[3] = a * t * b / 6;
    d[0] = -(3 * t * t - 6 * t + 2) / 6;
    d[1] = (3 * t * t - 4 * t - 1) / 2;
    d[2] = -(3 * t * t - 2 * t - 2) / 2;
    d[3] = (3 * t * t - 1) / 6;
    dd[0] = 1 - t;
    dd[1] = 3 * t - 2;
    dd[2] = 1 - 3 * t;
    dd[3] = t;
}

// By address: how wide vectors are passed depends on the machine.
static inline __attribute__((always_inline)) double dew_four_dot(const dew_Four *a,
                                                                 const dew_Four *b)
{
    dew_Four p = *a * *b;
    return (p[0] + p[1]) + (p[2] + p[3]);
}

/// Value, gradient and second derivatives at p, in the samples' own coordinates.
static inline __attribute__((always_inline)) void
dew_cubic_jet(const dew_CubicCell *cell, const double p[3], dew_CubicJet *jet)
{
    double w[3][4], d[3][4], dd[3][4];
    for (int a = 0; a < 3; a++)
        dew_cubic_weights(p[a] - cell->base[a], w[a], d[a], dd[a]);
    if (cell->is_flat) {
        const double one[4] = {1, 0, 0, 0}, none[4] = {0};
        __builtin_memcpy(w[2], one, sizeof one);
        __builtin_memcpy(d[2], none, sizeof none);
        __builtin_memcpy(dd[2], none, sizeof none);
    }
    dew_Four v = {0}, y = {0}, z = {0}, yy = {0}, yz = {0}, zz = {0};
    int layers = cell->is_flat ? 1 : 4;
    for (int k = 0; k < layers; k++) {
        const dew_Four *row = cell->row[k];
        dew_Four a0 = w[1][0] * row[0] + w[1][1] * row[1] + w[1][2] * row[2] + w[1][3] * row[3];
        dew_Four a1 = d[1][0] * row[0] + d[1][1] * row[1] + d[1][2] * row[2] + d[1][3] * row[3];
        dew_Four a2 = dd[1][0] * row[0] + dd[1][1] * row[1] + dd[1][2] * row[2] + dd[1][3] * row[3];
        v += w[2][k] * a0;
        z += d[2][k] * a0;
        zz += dd[2][k] * a0;
        y += w[2][k] * a1;
        yz += d[2][k] * a1;
        yy += w[2][k] * a2;
    }
    dew_Four x0 = {w[0][0], w[0][1], w[0][2], w[0][3]};
    dew_Four x1 = {d[0][0], d[0][1], d[0][2], d[0][3]};
    dew_Four x2 = {dd[0][0], dd[0][1], dd[0][2], dd[0][3]};
    jet->f = dew_four_dot(&x0, &v);
    jet->g[0] = dew_four_dot(&x1, &v);
    jet->g[1] = dew_four_dot(&x0, &y);
    jet->g[2] = dew_four_dot(&x0, &z);
    jet->xx = dew_four_dot(&x2, &v);
    jet->xy = dew_four_dot(&x1, &y);
    jet->xz = dew_four_dot(&x1, &z);
    jet->yy = dew_four_dot(&x0, &yy);
    jet->yz = dew_four_dot(&x0, &yz);
    jet->zz = dew_four_dot(&x0, &zz);
}

/// The value alone.
static inline double dew_cubic_value(const dew_CubicCell *cell, const double p[3])
{
    double w[3][4], d[4], dd[4];
    for (int a = 0; a < 3; a++)
        dew_cubic_weights(p[a] - cell->base[a], w[a], d, dd);
    dew_Four v = {0};
    for (int k = 0; k < (cell->is_flat ? 1 : 4); k++) {
        const dew_Four *row = cell->row[k];
        dew_Four a = w[1][0] * row[0] + w[1][1] * row[1] + w[1][2] * row[2] + w[1][3] * row[3];
        v += (cell->is_flat ? 1.0 : w[2][k]) * a;
    }
    dew_Four x = {w[0][0], w[0][1], w[0][2], w[0][3]};
    return dew_four_dot(&x, &v);
}

// ---- Velocities around one brick ----------------------------------------------------------------

// Sampling of velocities around one brick, for advection and ghosts. Points are in cells, relative
// to the lower corner of the brick.

/// The three components around a brick, and the distance to solids. In two dimensions only the
/// layer k = 0 of a tile is there.
typedef struct dew_SampleTile {
    const dew_Grid *grid;
    const double *const *field;  // the components
    const double *solid;         // NULL: none
    int32_t brick;
    int dimensions;
    int pad, row;   // cells around the brick, and in a row
    bool is_clear;  // no solid reaches into the tile
    double u[3][DEW_TILE_SIZE(DEW_MAX_PAD)];
    double distance[DEW_TILE_SIZE(DEW_MAX_PAD)];  // in cells; only with solids
} dew_SampleTile;

void dew_sample_tile_load(dew_SampleTile *tile, const dew_Grid *grid, const double *const u[3],
                          const double *solid, int32_t brick, int pad);

double dew_sample_linear(const dew_SampleTile *tile, int axis, dew_Vec3 x);
double dew_sample_cubic(const dew_SampleTile *tile, int axis, dew_Vec3 x);
dew_Vec3 dew_sample_velocity(const dew_SampleTile *tile, dew_Vec3 x);  // linear
dew_Vec3 dew_sample_velocity_cubic(const dew_SampleTile *tile, dew_Vec3 x);

/// The point itself, or the nearest one on the solid's surface when it is inside.
dew_Vec3 dew_sample_outside(const dew_SampleTile *tile, dew_Vec3 x);

// ---- Eight points at once -----------------------------------------------------------------------

// Interpolation at eight points at once on the tiles of a brick, for advection alone.
//
// Points are in cells, relative to the lower corner of the brick. Their samples must lie in the
// tile.

typedef struct dew_EightPoints {
    double x[3][DEW_BRICK];
} dew_EightPoints;

/// A tile's shape: cells around its brick; in two dimensions only its layer k = 0 counts.
typedef struct dew_TileShape {
    int pad;
    bool is_flat;
} dew_TileShape;

typedef struct dew_RowKernels {
    /// Velocity from three tiles of samples on faces, linear or cubic as below.
    void (*velocity)(const double *const u[3], bool is_cubic, dew_TileShape shape,
                     const dew_EightPoints *p, dew_EightPoints *out);
    /// A tile whose samples lie at `offset` in their cells, linear.
    void (*linear)(const double *tile, const double offset[3], dew_TileShape shape,
                   const dew_EightPoints *p, double out[DEW_BRICK]);
    /// Lagrange's cubic through four samples along each axis, bounded by those next to the point.
    void (*cubic)(const double *tile, const double offset[3], dew_TileShape shape,
                  const dew_EightPoints *p, double out[DEW_BRICK]);
} dew_RowKernels;

/// The kernels for this machine: with wide registers when it may and has them. The bits are the
/// same.
const dew_RowKernels *dew_row_kernels(bool may_be_wide);

// ---- phi around one brick -----------------------------------------------------------------------

// phi around a brick, interpolated by cubics: for the markers of the brick.
//
// Most markers need no interpolation: the least and the largest of the eight samples around them
// tell enough. These are found once per brick, for its 9 x 9 x 9 cells between samples.

#define DEW_PHI_CELLS (DEW_BRICK + 1)  // between samples, along an axis

typedef struct dew_PhiTile {
    bool is_flat;
    double scale;     // 1 / h
    dew_Vec3 corner;  // of the brick
    double tile[DEW_TILE_SIZE(DEW_FACE_PAD)];
} dew_PhiTile;

static inline void dew_phi_tile_load(dew_PhiTile *t, const dew_Grid *grid, const double *phi,
                                     int32_t brick)
{
    t->is_flat = grid->depth == 1;
    t->scale = 1 / grid->cell_m;
    t->corner = dew_grid_position(grid, brick, 0, 0, 0, DEW_AT_NODE);
    dew_tile_load(grid, phi, brick, DEW_FACE_PAD, t->tile);
}

/// The least and the largest sample around each cell between samples.
typedef struct dew_PhiRange {
    double least[DEW_PHI_CELLS * DEW_PHI_CELLS * DEW_PHI_CELLS];
    double most[DEW_PHI_CELLS * DEW_PHI_CELLS * DEW_PHI_CELLS];
} dew_PhiRange;

DEW_BODY double dew_phi_less(double a, double b)
{
    return a < b ? a : b;
}

DEW_BODY double dew_phi_more(double a, double b)
{
    return a > b ? a : b;
}

DEW_BODY void dew_phi_range_load(dew_PhiRange *range, const dew_PhiTile *t)
{
    enum { C = DEW_PHI_CELLS, W = DEW_FACE_WIDTH, LAYER = DEW_FACE_WIDTH * DEW_FACE_WIDTH };
    for (int k = 0; k < (t->is_flat ? 1 : C); k++) {
        double least[(C + 1) * W], most[(C + 1) * W];  // of four: two layers, and the next along x
        const double *p = t->tile + dew_tile_at(DEW_FACE_PAD, -1, -1, t->is_flat ? 0 : k - 1);
        const double *q = p + LAYER;
        for (int n = 0; n < (C + 1) * W - 2; n++) {
            double a = dew_phi_less(p[n], q[n]), b = dew_phi_less(p[n + 1], q[n + 1]);
            double c = dew_phi_more(p[n], q[n]), d = dew_phi_more(p[n + 1], q[n + 1]);
            least[n] = dew_phi_less(a, b);
            most[n] = dew_phi_more(c, d);
        }
        for (int j = 0; j < C; j++)
            for (int i = 0; i < C; i++) {
                int n = i + W * j, to = i + C * (j + C * k);
                range->least[to] = dew_phi_less(least[n], least[n + W]);
                range->most[to] = dew_phi_more(most[n], most[n + W]);
            }
    }
}

/// Where a point is: its cell between samples, and how far in it.
typedef struct dew_PhiSpot {
    int base[3];
    double part[3];
} dew_PhiSpot;

/// p must lie in the brick, or up to half a cell outside.
DEW_BODY void dew_phi_tile_find(const dew_PhiTile *t, dew_Vec3 p, dew_PhiSpot *spot)
{
    // From the middle of the sample below the first on: nothing is negative, cutting off rounds
    // down.
    double x[3] = {(p.x - t->corner.x) * t->scale + 0.5, (p.y - t->corner.y) * t->scale + 0.5,
                   t->is_flat ? 0.5 : (p.z - t->corner.z) * t->scale + 0.5};
    for (int a = 0; a < 3; a++) {
        int i = (int)x[a];
        spot->base[a] = i - 1;
        spot->part[a] = x[a] - i;
    }
}

/// The place of a spot in a range, or -1 when it lies outside the brick by rounding.
DEW_BODY int dew_phi_range_at(const dew_PhiTile *t, const dew_PhiSpot *spot)
{
    int i = spot->base[0] + 1, j = spot->base[1] + 1, k = t->is_flat ? 0 : spot->base[2] + 1;
    bool is_there =
        i >= 0 && i < DEW_PHI_CELLS && j >= 0 && j < DEW_PHI_CELLS && k >= 0 && k < DEW_PHI_CELLS;
    return is_there ? i + DEW_PHI_CELLS * (j + DEW_PHI_CELLS * k) : -1;
}

/// phi at a spot.
DEW_BODY double dew_phi_tile_at(const dew_PhiTile *t, const dew_PhiSpot *spot)
{
    const int *base = spot->base;
    double w[3][4], d[4], dd[4];
    for (int a = 0; a < 3; a++)
        dew_cubic_weights(spot->part[a], w[a], d, dd);
    const double *first =
        t->tile + dew_tile_at(DEW_FACE_PAD, base[0] - 1, base[1] - 1, t->is_flat ? 0 : base[2] - 1);
    dew_Four sum = {0};
    for (int k = 0; k < (t->is_flat ? 1 : 4); k++) {
        dew_Four layer = {0};
        for (int j = 0; j < 4; j++) {
            dew_Four row;
            __builtin_memcpy(&row, first + DEW_FACE_WIDTH * (j + DEW_FACE_WIDTH * k), sizeof row);
            layer += w[1][j] * row;
        }
        sum += (t->is_flat ? 1.0 : w[2][k]) * layer;
    }
    dew_Four across = {w[0][0], w[0][1], w[0][2], w[0][3]};
    return dew_four_dot(&across, &sum);
}

/// phi at p.
DEW_BODY double dew_phi_tile_value(const dew_PhiTile *t, dew_Vec3 p)
{
    dew_PhiSpot spot;
    dew_phi_tile_find(t, p, &spot);
    return dew_phi_tile_at(t, &spot);
}

// ---- Velocities along the paths of many points --------------------------------------------------

// Velocities on the faces around a brick, and their trilinear interpolation: for whatever moves
// many points of one brick, characteristics or particles.
//
// Positions are in cells, from the brick's lower corner. A point may lie up to one cell outside the
// brick.

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

// Each x, or lo or hi where it is beyond. Compilers leave such a loop alone: a comparison might
// trap.
DEW_BODY void dew_four_bound(dew_Four *x, double lo, double hi)
{
    const dew_Four low = {lo, lo, lo, lo}, high = {hi, hi, hi, hi};
    dew_FourMask is_above = *x > low;
    *x = (dew_Four)((is_above & (dew_FourMask)*x) | (~is_above & (dew_FourMask)low));
    dew_FourMask is_below = *x < high;
    *x = (dew_Four)((is_below & (dew_FourMask)*x) | (~is_below & (dew_FourMask)high));
}

// What x and `whole` have to do with each other, which is (int)(x + before) + after: part = x +
// before_part - whole.
DEW_BODY void dew_four_split(const dew_Four *x, double before, int after, double before_part,
                             int *whole, double *part)
{
    dew_FourInt i = __builtin_convertvector(*x + before, dew_FourInt) + after;
    dew_Four rest = *x + before_part - __builtin_convertvector(i, dew_Four);
    __builtin_memcpy(whole, &i, sizeof i);
    __builtin_memcpy(part, &rest, sizeof rest);
}

// A component at the sample coordinates s, which begin at the tile's first sample: none is
// negative, so cutting off is rounding down. Pairs along x are mixed along z, then y, then with
// each other.
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
    double lo = -1, hi = DEW_BRICK + 1;  // a half cell, and the stencil, stay inside the tile
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

/// The displacement (in cells) of a point x (cells from the brick's corner) with the flow in dt_s,
/// backwards when that is negative: TVD-RK3 [ShuOsher1988]. u: the velocity at x.
DEW_BODY void dew_face_tiles_displacement(const dew_FaceTiles *t, double dt_s, const double x[3],
                                          const double u[3], double displacement[3])
{
    double c = dt_s / t->h, v[3], w[3], y[3];
    for (int a = 0; a < 3; a++)
        y[a] = x[a] + c * u[a];
    dew_face_tiles_velocity(t, y, v);
    for (int a = 0; a < 3; a++)
        y[a] = x[a] + 0.25 * c * (u[a] + v[a]);
    dew_face_tiles_velocity(t, y, w);
    for (int a = 0; a < 3; a++)
        displacement[a] = c * (u[a] + v[a] + 4 * w[a]) / 6;
}

#define DEW_FACE_BATCH (DEW_BRICK * 2)

/// Some points of a brick: [axis][point], in cells from its corner.
typedef double dew_FaceBatch[3][DEW_FACE_BATCH];

// A component between the samples from p on; weights of the upper ones.
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

/// dew_face_tiles_velocity for the first `count` points of a batch; places in the tile are found
/// first, for all of the batch, which must have numbers everywhere: so that loops are as long as
/// the compiler knows.
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

/// dew_face_tiles_displacement for several points: the stages of one point depend on each other,
/// the points do not.
DEW_BODY void dew_face_tiles_displacements(const dew_FaceTiles *t, double dt_s, int count,
                                           dew_FaceBatch x, dew_FaceBatch u,
                                           dew_FaceBatch displacement)
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
            displacement[a][n] = c * (u[a][n] + v[a][n] + 4 * w[a][n]) / 6;
}

/// Moves x with the flow for dt_s.
DEW_BODY void dew_face_tiles_move(const dew_FaceTiles *t, double dt_s, double x[3])
{
    double u[3], displacement[3];
    dew_face_tiles_velocity(t, x, u);
    dew_face_tiles_displacement(t, dt_s, x, u, displacement);
    for (int a = 0; a < 3; a++)
        x[a] += displacement[a];
}
