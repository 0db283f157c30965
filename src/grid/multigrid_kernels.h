/// The loops over cells that a multigrid solve spends its time in, for poisson and multigrid alone.
///
/// A level stores, per cell, the weights of its lower faces and the inverse of its diagonal. Few bricks need
/// the weights: values are 0 where there is no equation, so that a face toward such a cell may as well be open
/// as long as the diagonal knows that it is not. Deep inside the liquid the diagonal is known too.
///
/// Order of values: the cells of even i + j + k (red) of all bricks come first, `black` values later
/// the others, both in rows of four, so that a half-sweep reads one half of memory and writes the other.
/// Cell i + 8 j + 64 k and the one beside it in its pair are at the same place of the two halves. Vectors
/// in double, of the outer iteration, have the two halves brick by brick: dew_mg_place. Bricks can be worked
/// on in any order by any worker, since no kernel reads what another one may write.
#pragma once

#include "dew/base.h"

/// Relaxation beyond Gauss-Seidel, [Yavneh1996]: one iteration fewer on dense boxes, none more elsewhere.
#define DEW_MG_RELAXATION 1.2f

/// 1 when red is the second of the two cells of a pair in row j + 8 k (or of the cells pair * 2, + 1).
static inline int dew_mg_row_parity(int row)
{
    return (row ^ row >> 3) & 1;
}
/// Where in a brick of so many layers the values of cell i + 8 j + 64 k are.
static inline int dew_mg_place(int depth, int cell)
{
    return 32 * depth * ((cell ^ cell >> 3 ^ cell >> 6) & 1) + (cell >> 1);
}
/// What must be read of a brick's weights.
typedef enum dew_MgKind {
    DEW_MG_CUT,   // all of them
    DEW_MG_OPEN,  // the diagonal: faces between cells with equations have the weight `scale`
    DEW_MG_PLAIN,  // nothing: that holds for all faces, and all cells have equations and no Dirichlet term
} dew_MgKind;

/// What a kernel sees of one brick and of its neighbours below and above along x, y, z.
typedef struct dew_MgBrick {
    int depth;  // layers along z: 8, or 1 in two dimensions
    dew_MgKind kind;
    float scale;           // weight of an open face on this level
    int64_t black;         // from a red cell's value to that of the black one in its pair
    const float *w[3];     // weights of lower faces
    const float *w_up[3];  // of the neighbours above: their first faces are our last
    const float *inverse;  // of the diagonal; 0 where there is no equation
    const float *x_low[3], *x_up[3];
    const float *b;
    float *x;
} dew_MgBrick;

/// The same for the outer iteration, in double, of the finest level, where `scale` is 1.
typedef struct dew_MgOuterBrick {
    int depth;
    dew_MgKind kind;
    int64_t black;  // as above, of w
    const float *w[3], *w_up[3];
    const float *d;  // Dirichlet terms: with the weights they make the diagonal of a cut brick
    const float *diagonal;  // of an open one; 0: no equation
    const double *x, *x_low[3], *x_up[3];
} dew_MgOuterBrick;

typedef struct dew_MgKernels {
    /// First half-sweep from x = 0: red cells solve their own equation. Black ones are not touched.
    void (*begin)(const dew_MgBrick *brick);
    /// The cells of one colour solve their own equation; with is_first as if they had been 0.
    void (*sweep)(const dew_MgBrick *brick, int colour, bool is_first);
    /// r = b - A x, cells in plain order.
    void (*residual)(const dew_MgBrick *brick, float *r);
    /// y = A x
    void (*apply)(const dew_MgOuterBrick *brick, double *y);
} dew_MgKernels;

/// The kernels for this machine: with wide registers when it may and has them. The bits are the same.
const dew_MgKernels *dew_mg_kernels(bool may_be_wide);
