// Gathers the samples of tricubic interpolation through the table of neighbours.
#include "grid/cubic.h"

#include <string.h>

// Row of four samples from x on, which may lie across two bricks.
static bool gather_row(const int32_t *near, const double *field, int cells, int x, int yz_brick,
                       int yz_cell, dew_Four *row)
{
    int32_t left = near[yz_brick + (x >> 3)];
    if (left < 0)
        return false;
    const double *from = field + (int64_t)left * cells + yz_cell;
    if ((x & 7) <= 4) {
        memcpy(row, from + (x & 7), sizeof *row);
        return true;
    }
    int32_t right = near[yz_brick + (x >> 3) + 1];
    if (right < 0)
        return false;
    const double *beyond = field + (int64_t)right * cells + yz_cell;
    double value[4];
    for (int n = 0; n < 4; n++)
        value[n] = (x & 7) + n < 8 ? from[(x & 7) + n] : beyond[(x & 7) + n - 8];
    memcpy(row, value, sizeof *row);
    return true;
}

bool dew_cubic_gather(const dew_Grid *grid, const double *field, int32_t brick, const int base[3],
                      dew_CubicCell *cell)
{
    const int32_t *near = dew_grid_neighbours(grid, brick);
    cell->is_flat = grid->depth == 1;
    memcpy(cell->base, base, sizeof cell->base);
    int layers = cell->is_flat ? 1 : 4;
    for (int a = 0; a < (cell->is_flat ? 2 : 3); a++)
        if (base[a] - 1 < -DEW_BRICK || base[a] + 2 >= 2 * DEW_BRICK)
            return false;
    for (int k = 0; k < layers; k++) {
        int z = cell->is_flat ? 0 : base[2] - 1 + k;
        for (int j = 0; j < 4; j++) {
            int y = base[1] - 1 + j;
            int yz_brick = 13 + 3 * (y >> 3) + 9 * (z >> 3);
            int yz_cell = 8 * ((y & 7) + 8 * (z & 7));
            if (!gather_row(near, field, grid->brick_cells, base[0] - 1, yz_brick, yz_cell,
                            &cell->row[k][j]))
                return false;
        }
    }
    return true;
}
