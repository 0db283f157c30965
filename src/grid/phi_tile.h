/// phi around a brick, interpolated by cubics: for the markers of the brick.
///
/// Most markers need no interpolation: the least and the largest of the eight samples around them tell
/// enough. These are found once per brick, for its 9 x 9 x 9 cells between samples.
#pragma once

#include "grid/cubic.h"
#include "grid/wide.h"

#define DEW_PHI_PAD   2
#define DEW_PHI_WIDTH (DEW_BRICK + 2 * DEW_PHI_PAD)
#define DEW_PHI_CELLS (DEW_BRICK + 1)  // between samples, along an axis

typedef struct dew_PhiTile {
    bool is_flat;
    double scale;     // 1 / h
    dew_Vec3 corner;  // of the brick
    double tile[DEW_TILE_SIZE(DEW_PHI_PAD)];
} dew_PhiTile;

static inline void dew_phi_tile_load(dew_PhiTile *t, const dew_Grid *grid, const double *phi,
                                     int32_t brick)
{
    t->is_flat = grid->depth == 1;
    t->scale = 1 / grid->cell_m;
    t->corner = dew_grid_position(grid, brick, 0, 0, 0, DEW_AT_NODE);
    dew_tile_load(grid, phi, brick, DEW_PHI_PAD, t->tile);
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
    enum { C = DEW_PHI_CELLS, W = DEW_PHI_WIDTH, LAYER = DEW_PHI_WIDTH * DEW_PHI_WIDTH };
    for (int k = 0; k < (t->is_flat ? 1 : C); k++) {
        double least[(C + 1) * W], most[(C + 1) * W];  // of four: two layers, and the next along x
        const double *p = t->tile + dew_tile_at(DEW_PHI_PAD, -1, -1, t->is_flat ? 0 : k - 1);
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
    // From the middle of the sample below the first on: nothing is negative, cutting off rounds down.
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
        t->tile + dew_tile_at(DEW_PHI_PAD, base[0] - 1, base[1] - 1, t->is_flat ? 0 : base[2] - 1);
    dew_Four sum = {0};
    for (int k = 0; k < (t->is_flat ? 1 : 4); k++) {
        dew_Four layer = {0};
        for (int j = 0; j < 4; j++) {
            dew_Four row;
            __builtin_memcpy(&row, first + DEW_PHI_WIDTH * (j + DEW_PHI_WIDTH * k), sizeof row);
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
