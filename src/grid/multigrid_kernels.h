/// The loops over cells that a multigrid solve spends its time in, for poisson and multigrid alone.
///
/// A level stores, per cell, the weights of its lower faces and the inverse of its diagonal; a brick
/// deep inside the liquid ("plain": all weights the same) needs neither. Every kernel reads one set of
/// arrays and writes another, so that bricks can be worked on in any order by any worker.
#pragma once

#include "dew/base.h"

/// What a kernel sees of one brick and of its neighbours below and above along x, y, z.
typedef struct dew_MgBrick {
    int depth;             // layers along z: 8, or 1 in two dimensions
    bool is_plain;         // all faces have the weight `scale` and all cells are liquid
    float scale;           // weight of an open face on this level
    const float *w[3];     // weights of lower faces
    const float *w_up[3];  // of the neighbours above: their first faces are our last
    const float *inverse;  // of the diagonal; 0 where there is no equation
    const float *x, *x_low[3], *x_up[3];
    const float *b;
} dew_MgBrick;

/// The same for the outer iteration, in double. The diagonal is the sum of the weights and d.
typedef struct dew_MgOuterBrick {
    int depth;
    bool is_plain;  // weights 1, d 0
    const float *w[3], *w_up[3];
    const float *d;
    const double *x, *x_low[3], *x_up[3];
} dew_MgOuterBrick;

typedef struct dew_MgKernels {
    /// From x = 0: cells of one colour solve their own equation, the others stay 0. Reads b only.
    void (*begin)(const dew_MgBrick *brick, int colour, float *y);
    /// y = x but for the cells of one colour, which solve their own equation.
    void (*sweep)(const dew_MgBrick *brick, int colour, float *y);
    /// r = b - A x
    void (*residual)(const dew_MgBrick *brick, float *r);
    /// y = A x
    void (*apply)(const dew_MgOuterBrick *brick, double *y);
} dew_MgKernels;

/// The kernels for this machine: with wide registers when it may and has them. The bits are the same.
const dew_MgKernels *dew_mg_kernels(bool may_be_wide);
