/// Linear systems that are symmetric and positive (semi-)definite: conjugate gradients with a
/// preconditioner, over callbacks.
///
/// Dot products are added up in blocks of fixed size and the blocks exactly, so the result has the
/// bit-identical on any number of workers. A system that is singular is solved when its right-hand
/// side lies in the range of the matrix; what the start has of the null space stays.
#pragma once

#include "base/arena.h"
#include "base/tasks.h"

#define DEW_CG_BLOCK DEW_CHUNK_ITEMS  // terms of a dot product that are added in order

/// y = F x. Must be linear, and must not remember anything from call to call. products: room for
/// one number per block, for dew_cg_block_product of x and y, block by block; whoever computes y
/// has both at hand.
typedef dew_Status dew_LinearFn(void *context, const double *x, double *y, double *products);

typedef struct dew_LinearSystem {
    int64_t count;               // unknowns
    dew_LinearFn *apply;         // y = A x
    dew_LinearFn *precondition;  // y close to the inverse of A, times x; NULL: y = x
    void *context;
} dew_LinearSystem;

typedef struct dew_SolveDef {
    double tolerance;    // |b - A x| at most this times |b|, 2-norms
    double absolute;     // or at most this
    int max_iterations;  // more are an error
} dew_SolveDef;

typedef struct dew_SolveReport {
    int iterations;        // applications of the preconditioner
    double residual;       // |b - A x| / |b|, computed from x itself; 0 when b is 0
    double residual_norm;  // |b - A x|
} dew_SolveReport;

dew_SolveDef dew_default_solve_def(void);  // 1e-6, 0, 200

/// Solves A x = b from the x given. DEW_DIVERGED with a sentence when the tolerance is not reached;
/// the report is filled in then too.
dew_Status dew_cg_solve(dew_Tasks *tasks, dew_Arena *scratch, const dew_LinearSystem *system,
                        const dew_SolveDef *def, const double *b, double *x,
                        dew_SolveReport *report);

/// Sum of products of at most one block. The lanes make it fast without changing the order given
/// here.
static inline double dew_cg_block_product(const double *x, const double *y, int64_t count)
{
    enum { LANES = 8 };
    double lane[LANES] = {0};
    const int64_t rest = count % LANES;
    for (int64_t i = 0; i < count - rest; i += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += x[i + l] * y[i + l];
    for (int64_t l = 0; l < rest; l++)
        lane[l] += x[count - rest + l] * y[count - rest + l];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}
/// The products of all blocks, for functions that do not compute them anyway.
void dew_cg_block_products(dew_Tasks *tasks, const double *x, const double *y, int64_t count,
                           double *products);

/// x . y with the order of additions described above. `partial` has room for one number per block.
double dew_cg_dot(dew_Tasks *tasks, const double *x, const double *y, int64_t count,
                  double *partial);
int64_t dew_cg_block_count(int64_t count);
