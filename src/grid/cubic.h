/// Tricubic interpolation on bricks: four samples along each axis, Lagrange's cubic in each.
///
/// Exact for cubics, fourth order for smooth fields; continuous, its slope jumps by O(h^3) from cell to
/// cell. The 64 samples are gathered once per cell of the lattice of sample points; value, gradient and
/// second derivatives then follow by contraction, z and y before x, four lanes wide along x.
///
/// In two dimensions the 16 samples of the layer are used and derivatives along z are zero.
/// Lengths are in cells.
#pragma once

#include "grid/brick.h"

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

/// Gathers the samples around lattice cell `base`, in samples of `brick` (index 0 is its first; -7 to 14
/// can be reached). False when one of their bricks is not there.
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
