/// phi around a brick, interpolated by cubics: for the markers of the brick.
#pragma once

#include "grid/cubic.h"
#include "grid/wide.h"

#define DEW_PHI_PAD   2
#define DEW_PHI_WIDTH (DEW_BRICK + 2 * DEW_PHI_PAD)

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

/// phi at p, which must lie in the brick (or up to half a cell outside).
DEW_BODY double dew_phi_tile_value(const dew_PhiTile *t, dew_Vec3 p)
{
    double x[3] = {(p.x - t->corner.x) * t->scale - 0.5, (p.y - t->corner.y) * t->scale - 0.5,
                   (p.z - t->corner.z) * t->scale - 0.5};
    double w[3][4], d[4], dd[4];
    int base[3];
    for (int a = 0; a < 3; a++) {
        int i = (int)x[a];
        base[a] = i - (x[a] < i);
        dew_cubic_weights(x[a] - base[a], w[a], d, dd);
    }
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
