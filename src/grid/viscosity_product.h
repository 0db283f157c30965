/// K x on rows of a brick, from the velocities of the brick and one layer around it (tiles of ten
/// cells).
///
/// For viscosity_kernels.c alone, which includes it once for each type, so there is no guard: REAL
/// is the type of values, NAMED(x) makes names of it, a Row has eight.
#include <string.h>

#include "base/simd.h"
#include "grid/viscosity.h"

#ifdef REAL

typedef REAL NAMED(Row) __attribute__((vector_size(8 * sizeof(REAL))));

DEW_BODY void NAMED(load)(NAMED(Row) * row, const REAL *from)
{
    memcpy(row, from, sizeof *row);
}
DEW_BODY void NAMED(load_coefficients)(NAMED(Row) * row, const float *from)
{
    Coefficients narrow;
    memcpy(&narrow, from, sizeof narrow);
    *row = __builtin_convertvector(narrow, NAMED(Row));
}

// The tile of one component: the brick and one layer around it, as far as rows with equations (all,
// when m is NULL) need it; zero where there is no brick.
DEW_BODY void NAMED(load_tile)(const dew_Grid *links, const REAL *x, int32_t brick,
                               const dew_ViscousBrick *m, bool is_flat, REAL *restrict tile)
{
    static const REAL zeros[DEW_BRICK_CELLS];
    const int32_t *near = dew_grid_neighbours(links, brick);
    const int cells = is_flat ? 64 : DEW_BRICK_CELLS;
    const int low_j = (m ? m->first[0] : 0) - 1, high_j = m ? m->last[0] : 8;
    const int low_k = is_flat ? 0 : (m ? m->first[1] : 0) - 1;
    const int high_k = is_flat ? 0 : m ? m->last[1] : 8;
    for (int k = low_k; k <= high_k; k++)
        for (int j = low_j; j <= high_j; j++) {
            const int32_t *beside = near + 13 + 3 * (j >> 3) + 9 * (k >> 3);
            int row = 8 * (j & 7) + 64 * (k & 7);
            const REAL *left = beside[-1] < 0 ? zeros : x + (int64_t)beside[-1] * cells;
            const REAL *middle = beside[0] < 0 ? zeros : x + (int64_t)beside[0] * cells;
            const REAL *right = beside[1] < 0 ? zeros : x + (int64_t)beside[1] * cells;
            REAL *to = tile + dew_tile_at(1, 0, j, k);
            to[-1] = left[row + 7];
            memcpy(to, middle + row, 8 * sizeof(REAL));
            to[8] = right[row];
        }
}

// The difference of a row at x and the one `step` below it.
DEW_BODY void NAMED(difference)(NAMED(Row) * row, const REAL *x, int step)
{
    NAMED(Row) low;
    NAMED(load)(row, x);
    NAMED(load)(&low, x - step);
    *row -= low;
}

// What the stresses on a row of faces do not balance, where all coefficients are 1.
DEW_BODY void NAMED(plain_row)(REAL u[3][1000], int a, int c, REAL *out)
{
    static const int step[3] = {1, 10, 100};
    const REAL *x = u[a] + c;
    NAMED(Row) sum, up, low;
    NAMED(difference)(&low, x, step[a]);
    NAMED(difference)(&up, x + step[a], step[a]);
    sum = 2 * (low - up);
    for (int n = 1; n < 3; n++) {
        const int b = (a + n) % 3;
        const REAL *y = u[b] + c;
        NAMED(difference)(&low, x, step[b]);
        NAMED(difference)(&up, x + step[b], step[b]);
        sum += low - up;
        NAMED(difference)(&low, y, step[a]);
        NAMED(difference)(&up, y + step[b], step[a]);
        sum += low - up;
    }
    memcpy(out, &sum, sizeof sum);
}

// Stress of a row of cells along an axis; x: their lower faces.
DEW_BODY void NAMED(normal_stress)(const float *cell, const REAL *x, int step, NAMED(Row) * out)
{
    NAMED(Row) fraction;
    NAMED(load_coefficients)(&fraction, cell);
    NAMED(difference)(out, x + step, step);
    *out *= 2 * fraction;
}

// Stress of a row of edges on the faces x along a; y: the other faces at the edge, along b; own and
// both: their coefficients.
DEW_BODY void NAMED(edge_stress)(const float *own, const float *both, const REAL *x, int step_b,
                                 const REAL *y, int step_a, NAMED(Row) * out)
{
    NAMED(Row) w, dx, dy;
    NAMED(difference)(&dx, x, step_b);
    NAMED(difference)(&dy, y, step_a);
    NAMED(load_coefficients)(&w, own);
    *out = w * dx;
    NAMED(load_coefficients)(&w, both);
    *out += w * dy;
}

// Force on a row of faces of axis a. As u a face meets the edges along the axis before its own (in
// turn), as v those along the axis after.
DEW_BODY void NAMED(force_row)(const dew_ViscousBrick *m, REAL u[3][1000], bool is_flat, int a,
                               int j, int k, REAL *out)
{
    static const int step[3] = {1, 10, 100}, nine[3] = {1, 9, 81};
    const int c = dew_tile_at(1, 0, j, k), edge = 9 * (j + 9 * k);
    int cell = 1 + 9 * (j + 1 + 9 * (is_flat ? 0 : k + 1));
    const REAL *x = u[a] + c;
    NAMED(Row) sum, up, low;
    NAMED(normal_stress)(m->cell + cell - nine[a], x - step[a], step[a], &low);
    NAMED(normal_stress)(m->cell + cell, x, step[a], &up);
    sum = low - up;
    for (int n = 0; n < 2; n++) {
        const int b = n == 0 ? (a + 1) % 3 : (a + 2) % 3, e = n == 0 ? (a + 2) % 3 : (a + 1) % 3;
        if (is_flat && e != 2)
            continue;
        const float *own = (n == 0 ? m->uu[e] : m->vv[e]) + edge, *both = m->uv[e] + edge;
        const REAL *y = u[b] + c;
        NAMED(edge_stress)(own, both, x, step[b], y, step[a], &low);
        own += nine[b];
        both += nine[b];
        NAMED(edge_stress)(own, both, x + step[b], step[b], y + step[b], step[a], &up);
        sum += low - up;
    }
    memcpy(out, &sum, sizeof sum);
}

// Force on all faces of a brick in the rows that have equations. m is NULL when it is plain.
DEW_BODY void NAMED(forces)(const dew_ViscousBrick *m, REAL u[3][1000], bool is_flat,
                            REAL out[3][DEW_BRICK_CELLS])
{
    for (int k = m ? m->first[1] : 0; k < (m ? m->last[1] : 8); k++)
        for (int j = m ? m->first[0] : 0; j < (m ? m->last[0] : 8); j++) {
            int row = 8 * j + 64 * k, c = dew_tile_at(1, 0, j, k);
            if (!m) {
                NAMED(plain_row)(u, 0, c, out[0] + row);
                NAMED(plain_row)(u, 1, c, out[1] + row);
                NAMED(plain_row)(u, 2, c, out[2] + row);
                continue;
            }
            NAMED(force_row)(m, u, is_flat, 0, j, k, out[0] + row);
            NAMED(force_row)(m, u, is_flat, 1, j, k, out[1] + row);
            if (!is_flat)
                NAMED(force_row)(m, u, is_flat, 2, j, k, out[2] + row);
        }
}

#endif
