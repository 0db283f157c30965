// Gathers the samples of tricubic interpolation through the table of neighbours.
#include "grid/cubic.h"

#include <string.h>

// The bricks that samples from..from + 3 of an axis lie in, as steps along the axis from the first one, and
// the cells in them.
typedef struct Span {
    int first, count;  // -1, 0, 1; one brick or two
    int which[4], cell[4];
} Span;

static Span span_of(int from)
{
    Span span = {.first = from >> 3, .count = (from & 7) > 4 ? 2 : 1};
    for (int n = 0; n < 4; n++) {
        span.which[n] = ((from + n) >> 3) - span.first;
        span.cell[n] = (from + n) & 7;
    }
    return span;
}

// Rows that lie across two bricks: from cell `from` on, which is 5, 6 or 7, of the left one.
static void gather_split(const double *const (*rows)[2], int count, int from, dew_Four *to)
{
    for (int n = 0; n < count; n++) {
        const double *l = rows[n][0], *r = rows[n][1];
        if (from == 5)
            to[n] = (dew_Four){l[5], l[6], l[7], r[0]};
        else if (from == 6)
            to[n] = (dew_Four){l[6], l[7], r[0], r[1]};
        else
            to[n] = (dew_Four){l[7], r[0], r[1], r[2]};
    }
}

bool dew_cubic_gather(const dew_Grid *grid, const double *field, int32_t brick, const int base[3],
                      dew_CubicCell *cell)
{
    const int32_t *near = dew_grid_neighbours(grid, brick);
    bool is_flat = grid->depth == 1;
    cell->is_flat = is_flat;
    memcpy(cell->base, base, sizeof cell->base);
    for (int a = 0; a < (is_flat ? 2 : 3); a++)
        if (base[a] - 1 < -DEW_BRICK || base[a] + 2 >= 2 * DEW_BRICK)
            return false;
    Span x = span_of(base[0] - 1), y = span_of(base[1] - 1), z = span_of(is_flat ? 0 : base[2] - 1);
    z.count = is_flat ? 1 : z.count;
    const double *values[2][2][2] = {0};
    for (int k = 0; k < z.count; k++)
        for (int j = 0; j < y.count; j++)
            for (int i = 0; i < x.count; i++) {
                int32_t b = near[13 + x.first + i + 3 * (y.first + j) + 9 * (z.first + k)];
                if (b < 0)
                    return false;
                values[k][j][i] = field + (int64_t)b * grid->brick_cells;
            }
    const double *rows[16][2];
    int layers = is_flat ? 1 : 4;
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < 4; j++) {
            int at = 8 * (y.cell[j] + 8 * z.cell[k]);
            const double *const *pair = values[z.which[k]][y.which[j]];
            if (x.count == 1) {
                memcpy(&cell->row[k][j], pair[0] + at + x.cell[0], sizeof(dew_Four));
            } else {
                rows[4 * k + j][0] = pair[0] + at;
                rows[4 * k + j][1] = pair[1] + at;
            }
        }
    if (x.count == 2)
        gather_split((const double *const(*)[2])rows, 4 * layers, x.cell[0], cell->row[0]);
    return true;
}
