// Interpolation at eight points at once: where they are is computed four at a time, then each point
// mixes rows of two or four samples, which lie side by side.
//
// Compiled for any machine and for AVX2; nothing is contracted, so both give the same bits.
#include "grid/velocity_rows.h"

#include <string.h>

#include "grid/cubic.h"
#include "grid/wide.h"

#define LANES DEW_LANES

typedef double Two __attribute__((vector_size(16)));
typedef int64_t Long4 __attribute__((vector_size(32)));
typedef int32_t Int4 __attribute__((vector_size(16)));

// Where points lie among samples along one axis: the sample below, and how far beyond it.
typedef struct Along {
    int below[LANES];
    double f[LANES];
} Along;

DEW_BODY void split(const double x[LANES], double offset, Along *out)
{
    const dew_Four one = {1, 1, 1, 1};
    for (int l = 0; l < LANES; l += 4) {
        dew_Four s, floor;
        memcpy(&s, x + l, sizeof s);
        s = s - offset;
        Int4 i = __builtin_convertvector(s, Int4);
        floor = __builtin_convertvector(i, dew_Four);
        floor -= (dew_Four)((Long4)one & (Long4)(s < floor));
        i = __builtin_convertvector(floor, Int4);
        s -= floor;
        memcpy(out->below + l, &i, sizeof i);
        memcpy(out->f + l, &s, sizeof s);
    }
}

// Places in the tile of the samples below the points.
DEW_BODY void find_places(const Along *x, const Along *y, const Along *z, int pad, bool is_flat,
                          int at[LANES])
{
    const int row = DEW_BRICK + 2 * pad, first = pad + row * (pad + row * pad);
    for (int l = 0; l < LANES; l++)
        at[l] = first + x->below[l] + row * (y->below[l] + (is_flat ? 0 : row * z->below[l]));
}

DEW_BODY double linear_at(const double *c, int row, bool is_flat, double fx, double fy, double fz)
{
    Two a, b, low;
    memcpy(&a, c, sizeof a);
    memcpy(&b, c + row, sizeof b);
    low = a + fy * (b - a);
    if (!is_flat) {
        memcpy(&a, c + row * row, sizeof a);
        memcpy(&b, c + row * row + row, sizeof b);
        Two high = a + fy * (b - a);
        low = low + fz * (high - low);
    }
    return low[0] + fx * (low[1] - low[0]);
}

DEW_BODY void linear_body(const double *tile, const Along *x, const Along *y, const Along *z,
                          int pad, bool is_flat, double out[LANES])
{
    int at[LANES];
    find_places(x, y, z, pad, is_flat, at);
    for (int l = 0; l < LANES; l++)
        out[l] = linear_at(tile + at[l], DEW_BRICK + 2 * pad, is_flat, x->f[l], y->f[l],
                           is_flat ? 0 : z->f[l]);
}

// Weights of Lagrange's cubic through -1, 0, 1, 2 at f.
DEW_BODY void cubic_weights(double f, dew_Four *w)
{
    const dew_Four c3 = {-1.0 / 6, 0.5, -0.5, 1.0 / 6}, c2 = {0.5, -1, 0.5, 0};
    const dew_Four c1 = {-1.0 / 3, -0.5, 1, -1.0 / 6}, c0 = {0, 1, 0, 0};
    *w = ((c3 * f + c2) * f + c1) * f + c0;
}

DEW_BODY double smaller(double a, double b)
{
    return a < b ? a : b;
}
DEW_BODY double larger(double a, double b)
{
    return a > b ? a : b;
}

// Bounded by the samples around the point: c and those after it along each axis.
DEW_BODY double bounded(const double *c, int row, bool is_flat, double value)
{
    double low = smaller(smaller(c[0], c[1]), smaller(c[row], c[row + 1]));
    double high = larger(larger(c[0], c[1]), larger(c[row], c[row + 1]));
    if (!is_flat) {
        const double *d = c + row * row;
        low = smaller(low, smaller(smaller(d[0], d[1]), smaller(d[row], d[row + 1])));
        high = larger(high, larger(larger(d[0], d[1]), larger(d[row], d[row + 1])));
    }
    return larger(smaller(value, high), low);
}

// The value at the point beyond sample c by f.
DEW_BODY double cubic_at(const double *c, int row, bool is_flat, double fx, double fy, double fz)
{
    dew_Four wx, wy, wz = {0}, sum = {0};
    cubic_weights(fx, &wx);
    cubic_weights(fy, &wy);
    if (!is_flat)
        cubic_weights(fz, &wz);
    for (int k = is_flat ? 1 : 0; k < (is_flat ? 2 : 4); k++) {
        const double *from = c - 1 - row + (k - 1) * row * row;
        dew_Four r0, r1, r2, r3;
        memcpy(&r0, from, sizeof r0);
        memcpy(&r1, from + row, sizeof r1);
        memcpy(&r2, from + 2 * row, sizeof r2);
        memcpy(&r3, from + 3 * row, sizeof r3);
        dew_Four layer = (wy[0] * r0 + wy[1] * r1) + (wy[2] * r2 + wy[3] * r3);
        sum = is_flat ? layer : sum + wz[k] * layer;
    }
    return bounded(c, row, is_flat, dew_four_dot(&wx, &sum));
}

DEW_BODY void cubic_body(const double *tile, const Along *x, const Along *y, const Along *z,
                         int pad, bool is_flat, double out[LANES])
{
    int at[LANES];
    find_places(x, y, z, pad, is_flat, at);
    for (int l = 0; l < LANES; l++)
        out[l] = cubic_at(tile + at[l], DEW_BRICK + 2 * pad, is_flat, x->f[l], y->f[l],
                          is_flat ? 0 : z->f[l]);
}

DEW_BODY void any_body(const double *tile, const Along *x, const Along *y, const Along *z, int pad,
                       bool is_flat, bool is_cubic, double out[LANES])
{
    if (is_cubic)
        cubic_body(tile, x, y, z, pad, is_flat, out);
    else
        linear_body(tile, x, y, z, pad, is_flat, out);
}

DEW_BODY void velocity_body(const double *const u[3], bool is_cubic, int pad, bool is_flat,
                            const dew_EightPoints *p, dew_EightPoints *out)
{
    Along face[3], middle[3];
    for (int a = 0; a < (is_flat ? 2 : 3); a++) {
        split(p->x[a], 0, &face[a]);
        split(p->x[a], 0.5, &middle[a]);
    }
    for (int a = 0; a < (is_flat ? 2 : 3); a++)
        any_body(u[a], a == 0 ? &face[0] : &middle[0], a == 1 ? &face[1] : &middle[1],
                 a == 2 ? &face[2] : &middle[2], pad, is_flat, is_cubic, out->x[a]);
}

DEW_BODY void one_body(const double *tile, const double offset[3], int pad, bool is_flat,
                       bool is_cubic, const dew_EightPoints *p, double out[LANES])
{
    Along along[3];
    for (int a = 0; a < (is_flat ? 2 : 3); a++)
        split(p->x[a], offset[a], &along[a]);
    any_body(tile, &along[0], &along[1], &along[2], pad, is_flat, is_cubic, out);
}

// Shapes that matter, as constants.
#define FOR_SHAPE(call)                                                                            \
    do {                                                                                           \
        if (shape.is_flat)                                                                         \
            call(shape.pad, true);                                                                 \
        else if (shape.pad == 2)                                                                   \
            call(2, false);                                                                        \
        else                                                                                       \
            call(shape.pad, false);                                                                \
    } while (0)

#define LINEAR_VELOCITY(pad, is_flat) velocity_body(u, false, pad, is_flat, p, out)
#define CUBIC_VELOCITY(pad, is_flat)  velocity_body(u, true, pad, is_flat, p, out)
#define LINEAR(pad, is_flat)          one_body(tile, offset, pad, is_flat, false, p, out)
#define CUBIC(pad, is_flat)           one_body(tile, offset, pad, is_flat, true, p, out)

#define KERNELS(attribute, suffix)                                                                 \
    attribute static void velocity_##suffix(const double *const u[3], bool is_cubic,               \
                                            dew_TileShape shape, const dew_EightPoints *p,         \
                                            dew_EightPoints *out)                                  \
    {                                                                                              \
        if (is_cubic)                                                                              \
            FOR_SHAPE(CUBIC_VELOCITY);                                                             \
        else                                                                                       \
            FOR_SHAPE(LINEAR_VELOCITY);                                                            \
    }                                                                                              \
    attribute static void linear_##suffix(const double *tile, const double offset[3],              \
                                          dew_TileShape shape, const dew_EightPoints *p,           \
                                          double out[LANES])                                       \
    {                                                                                              \
        FOR_SHAPE(LINEAR);                                                                         \
    }                                                                                              \
    attribute static void cubic_##suffix(const double *tile, const double offset[3],               \
                                         dew_TileShape shape, const dew_EightPoints *p,            \
                                         double out[LANES])                                        \
    {                                                                                              \
        FOR_SHAPE(CUBIC);                                                                          \
    }                                                                                              \
    static const dew_RowKernels kernels_##suffix = {velocity_##suffix, linear_##suffix,            \
                                                    cubic_##suffix}

KERNELS(, plain);
KERNELS(DEW_WIDE, wide);

const dew_RowKernels *dew_row_kernels(bool may_be_wide)
{
    return may_be_wide && dew_is_wide() ? &kernels_wide : &kernels_plain;
}
