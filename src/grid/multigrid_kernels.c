// Stencils of the seven-point operator on one brick, eight cells of a row at a time.
//
//   (A x)(c) = sum over faces of w (x(c) - x(neighbour)) + d x(c)
//
// A row is one vector of eight; its neighbours along y and z are other rows, along x the same row
// read one cell to the left or right, with the end cell from the brick beside. The vector types of gcc
// and clang do the arithmetic on any machine; where there is AVX2 the same source is compiled for it
// too. Nothing is contracted and nothing reordered, so both give the same bits.
#include "grid/multigrid_kernels.h"

#include <string.h>

typedef float F8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));
typedef double D8 __attribute__((vector_size(64)));

#define INLINE static inline __attribute__((always_inline))
#define ROWS   8

#define LOAD(v, p)  memcpy(&(v), (p), sizeof(v))
#define STORE(p, v) memcpy((p), &(v), sizeof(v))

// The rows around row (j, k): pointers to eight values each.
#define AROUND(x, low, up)                                                                         \
    const int last = 64 * (depth - 1);                                                             \
    const int row = 8 * j + 64 * k;                                                                \
    const __typeof__(x) south = j > 0 ? (x) + row - 8 : (low)[1] + row + 56;                       \
    const __typeof__(x) north = j < ROWS - 1 ? (x) + row + 8 : (up)[1] + row - 56;                 \
    const __typeof__(x) under = k > 0 ? (x) + row - 64 : (low)[2] + last + row;                    \
    const __typeof__(x) above = k < depth - 1 ? (x) + row + 64 : (up)[2] + row - last;

// Row shifted by one cell: v[i] = x[row + i - 1] or x[row + i + 1], the end cell from outside. The
// row beyond the brick's first and last is not read: it may not be ours.
#define LOAD_LEFT(v, x, row, end)                                                                  \
    do {                                                                                           \
        if ((row) > 0)                                                                             \
            LOAD(v, (x) + (row)-1);                                                                \
        else                                                                                       \
            for (int i_ = 1; i_ < 8; i_++)                                                         \
                (v)[i_] = (x)[i_ - 1];                                                             \
        (v)[0] = (end);                                                                            \
    } while (0)
#define LOAD_RIGHT(v, x, row, end)                                                                 \
    do {                                                                                           \
        if ((row) < last_row)                                                                      \
            LOAD(v, (x) + (row) + 1);                                                              \
        else                                                                                       \
            for (int i_ = 0; i_ < 7; i_++)                                                         \
                (v)[i_] = (x)[(row) + i_ + 1];                                                     \
        (v)[7] = (end);                                                                            \
    } while (0)

static const I8 is_even = {-1, 0, -1, 0, -1, 0, -1, 0};
static const I8 is_odd = {0, -1, 0, -1, 0, -1, 0, -1};

// Cells of the row (j, k) with (i + j + k) mod 2 = colour.
#define COLOUR_MASK(j, k, colour) ((((j) + (k) + (colour)) & 1) ? is_odd : is_even)
#define BLEND(mask, a, b)         ((F8)(((I8)(a) & (mask)) | ((I8)(b) & ~(mask))))

// Sum of the neighbours' values times the weights of the faces between, row (j, k).
INLINE void weighted_row(const dew_MgBrick *m, int depth, int j, int k, F8 *out)
{
    const int last_row = 64 * depth - 8;
    AROUND(m->x, m->x_low, m->x_up)
    const float *w_north = j < ROWS - 1 ? m->w[1] + row + 8 : m->w_up[1] + row - 56;
    const float *w_above = k < depth - 1 ? m->w[2] + row + 64 : m->w_up[2] + row - last;
    F8 v, w, sum;
    LOAD_LEFT(v, m->x, row, m->x_low[0][row + 7]);
    LOAD(w, m->w[0] + row);
    sum = w * v;
    LOAD_RIGHT(v, m->x, row, m->x_up[0][row]);
    LOAD_RIGHT(w, m->w[0], row, m->w_up[0][row]);
    sum += w * v;
    LOAD(v, south);
    LOAD(w, m->w[1] + row);
    sum += w * v;
    LOAD(v, north);
    LOAD(w, w_north);
    sum += w * v;
    LOAD(v, under);
    LOAD(w, m->w[2] + row);
    sum += w * v;
    LOAD(v, above);
    LOAD(w, w_above);
    sum += w * v;
    *out = sum;
}

// Sum of the six neighbours' values.
INLINE void plain_row(const dew_MgBrick *m, int depth, int j, int k, F8 *out)
{
    const int last_row = 64 * depth - 8;
    AROUND(m->x, m->x_low, m->x_up)
    F8 left, right, s, n, u, a;
    LOAD_LEFT(left, m->x, row, m->x_low[0][row + 7]);
    LOAD_RIGHT(right, m->x, row, m->x_up[0][row]);
    LOAD(s, south);
    LOAD(n, north);
    LOAD(u, under);
    LOAD(a, above);
    *out = ((left + right) + (s + n)) + (u + a);
}

// `is_plain` is told apart from m, so that each case becomes a loop of its own.
INLINE void sweep_rows(const dew_MgBrick *m, int depth, bool is_plain, int colour,
                       float *restrict y)
{
    const float by_scale = 1 / m->scale, sixth = 1.0f / 6.0f;
    for (int k = 0; k < depth; k++)
        for (int j = 0; j < ROWS; j++) {
            const int at = 8 * j + 64 * k;
            F8 sum, c, b;
            LOAD(c, m->x + at);
            LOAD(b, m->b + at);
            if (is_plain) {
                plain_row(m, depth, j, k, &sum);
                sum = (b * by_scale + sum) * sixth;
            } else {
                F8 inverse;
                weighted_row(m, depth, j, k, &sum);
                LOAD(inverse, m->inverse + at);
                sum = (b + sum) * inverse;
            }
            I8 mask = COLOUR_MASK(j, k, colour);
            sum = BLEND(mask, sum, c);
            STORE(y + at, sum);
        }
}

INLINE void sweep_any(const dew_MgBrick *m, int colour, float *restrict y)
{
    if (m->is_plain)  // only in three dimensions
        sweep_rows(m, 8, true, colour, y);
    else if (m->depth == 8)
        sweep_rows(m, 8, false, colour, y);
    else
        sweep_rows(m, 1, false, colour, y);
}

INLINE void begin_any(const dew_MgBrick *m, int colour, float *restrict y)
{
    const float plain = 1 / (6 * m->scale);
    for (int k = 0; k < m->depth; k++)
        for (int j = 0; j < ROWS; j++) {
            const int at = 8 * j + 64 * k;
            F8 b, inverse = {plain, plain, plain, plain, plain, plain, plain, plain};
            F8 zero = {0};
            LOAD(b, m->b + at);
            if (!m->is_plain)
                LOAD(inverse, m->inverse + at);
            I8 mask = COLOUR_MASK(j, k, colour);
            b = BLEND(mask, b * inverse, zero);
            STORE(y + at, b);
        }
}

INLINE void residual_rows(const dew_MgBrick *m, int depth, bool is_plain, float *restrict r)
{
    const F8 zero = {0};
    for (int k = 0; k < depth; k++)
        for (int j = 0; j < ROWS; j++) {
            const int at = 8 * j + 64 * k;
            F8 sum, c, b;
            LOAD(c, m->x + at);
            LOAD(b, m->b + at);
            if (is_plain) {
                plain_row(m, depth, j, k, &sum);
                sum = b - m->scale * (6 * c - sum);
            } else {
                F8 inverse;
                weighted_row(m, depth, j, k, &sum);
                LOAD(inverse, m->inverse + at);
                I8 has_equation = inverse > zero;  // elsewhere 1 / 0 is masked away
                F8 rest = b + sum - c / inverse;
                sum = BLEND(has_equation, rest, zero);
            }
            STORE(r + at, sum);
        }
}

INLINE void residual_any(const dew_MgBrick *m, float *restrict r)
{
    if (m->is_plain)
        residual_rows(m, 8, true, r);
    else if (m->depth == 8)
        residual_rows(m, 8, false, r);
    else
        residual_rows(m, 1, false, r);
}

INLINE void widen(D8 *wide, const float *p)
{
    F8 narrow;
    LOAD(narrow, p);
    *wide = __builtin_convertvector(narrow, D8);
}

// One term of A x in double: w (c - v).
#define ADD_TERM(sum, c, v, w) ((sum) += (w) * ((c) - (v)))

INLINE void apply_row(const dew_MgOuterBrick *m, int depth, int j, int k, D8 *out)
{
    const int last_row = 64 * depth - 8;
    AROUND(m->x, m->x_low, m->x_up)
    D8 c, v, w, sum;
    LOAD(c, m->x + row);
    widen(&w, m->d + row);
    sum = w * c;
    LOAD_LEFT(v, m->x, row, m->x_low[0][row + 7]);
    widen(&w, m->w[0] + row);
    ADD_TERM(sum, c, v, w);
    LOAD_RIGHT(v, m->x, row, m->x_up[0][row]);
    F8 narrow;
    LOAD_RIGHT(narrow, m->w[0], row, m->w_up[0][row]);
    w = __builtin_convertvector(narrow, D8);
    ADD_TERM(sum, c, v, w);
    LOAD(v, south);
    widen(&w, m->w[1] + row);
    ADD_TERM(sum, c, v, w);
    LOAD(v, north);
    widen(&w, j < ROWS - 1 ? m->w[1] + row + 8 : m->w_up[1] + row - 56);
    ADD_TERM(sum, c, v, w);
    LOAD(v, under);
    widen(&w, m->w[2] + row);
    ADD_TERM(sum, c, v, w);
    LOAD(v, above);
    widen(&w, k < depth - 1 ? m->w[2] + row + 64 : m->w_up[2] + row - last);
    ADD_TERM(sum, c, v, w);
    *out = sum;
}

INLINE void apply_plain_row(const dew_MgOuterBrick *m, int depth, int j, int k, D8 *out)
{
    const int last_row = 64 * depth - 8;
    AROUND(m->x, m->x_low, m->x_up)
    D8 c, left, right, s, n, u, a;
    LOAD(c, m->x + row);
    LOAD_LEFT(left, m->x, row, m->x_low[0][row + 7]);
    LOAD_RIGHT(right, m->x, row, m->x_up[0][row]);
    LOAD(s, south);
    LOAD(n, north);
    LOAD(u, under);
    LOAD(a, above);
    *out = (((c - left) + (c - right)) + ((c - s) + (c - n))) + ((c - u) + (c - a));
}

INLINE void apply_rows(const dew_MgOuterBrick *m, int depth, bool is_plain, double *restrict y)
{
    for (int k = 0; k < depth; k++)
        for (int j = 0; j < ROWS; j++) {
            D8 sum;
            if (is_plain)
                apply_plain_row(m, depth, j, k, &sum);
            else
                apply_row(m, depth, j, k, &sum);
            STORE(y + 8 * j + 64 * k, sum);
        }
}

INLINE void apply_any(const dew_MgOuterBrick *m, double *restrict y)
{
    if (m->is_plain)
        apply_rows(m, 8, true, y);
    else if (m->depth == 8)
        apply_rows(m, 8, false, y);
    else
        apply_rows(m, 1, false, y);
}

static void begin(const dew_MgBrick *m, int colour, float *y)
{
    begin_any(m, colour, y);
}
static void sweep(const dew_MgBrick *m, int colour, float *y)
{
    sweep_any(m, colour, y);
}
static void residual(const dew_MgBrick *m, float *r)
{
    residual_any(m, r);
}
static void apply(const dew_MgOuterBrick *m, double *y)
{
    apply_any(m, y);
}
static const dew_MgKernels plain_kernels = {begin, sweep, residual, apply};

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2"))) static void
WIDE begin_wide(const dew_MgBrick *m, int colour, float *y)
{
    begin_any(m, colour, y);
}
WIDE sweep_wide(const dew_MgBrick *m, int colour, float *y)
{
    sweep_any(m, colour, y);
}
WIDE residual_wide(const dew_MgBrick *m, float *r)
{
    residual_any(m, r);
}
WIDE apply_wide(const dew_MgOuterBrick *m, double *y)
{
    apply_any(m, y);
}
static const dew_MgKernels wide_kernels = {begin_wide, sweep_wide, residual_wide, apply_wide};

const dew_MgKernels *dew_mg_kernels(bool may_be_wide)
{
    return may_be_wide && __builtin_cpu_supports("avx2") ? &wide_kernels : &plain_kernels;
}
#else
const dew_MgKernels *dew_mg_kernels(bool may_be_wide)
{
    (void)may_be_wide;
    return &plain_kernels;
}
#endif
