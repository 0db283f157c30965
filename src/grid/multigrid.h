/// Multigrid on sparse bricks: a V-cycle for the seven-point operator
///
///   (A x)(c) = sum over faces of w (x(c) - x(neighbour)) + d x(c),
///
/// meant as the preconditioner of conjugate gradients: it is symmetric, and linear but for rounding.
/// Cells have an equation where A's diagonal is not zero. What a face weighs is up to the caller: open
/// areas of faces, coefficients, or both; d comes from Dirichlet values (the free surface).
///
/// The hierarchy is made from the fine level alone, without geometry, in memory that is kept from one
/// making to the next. It does not know grids: it sees bricks that have cells with equations.
#pragma once

#include "base/arena.h"
#include "base/tasks.h"
#include "grid/multigrid_kernels.h"

#define DEW_MG_MAX_LEVELS 24
#define DEW_MG_CHUNK      8  // bricks per task

/// One level. Arrays have brick_cells values per brick, and after the last brick one of zeros, which
/// stands for what is missing. Of w, inverse, x and b the colours are apart (multigrid_kernels.h), all
/// else is in the order of cells.
typedef struct dew_MgLevel {
    int32_t brick_count;
    int depth;            // layers of a brick along z: 8, or 1 in two dimensions
    int32_t brick_cells;  // 64 depth
    int64_t black;        // where the black values begin: half of brick_cells (brick_count + 1)
    float scale;          // weight of a face that is fully open
    int64_t cell_count;   // cells with an equation
    uint64_t *key;        // Morton key, sorted
    int32_t *near;        // [6 b]: bricks at lower x, upper x, lower y, ...; brick_count: none
    int32_t *parent;      // on the next level; its brick_count: none
    int32_t *child;       // [8 b]: bricks of the finer level; its brick_count: none
    uint8_t *kind;        // dew_MgKind
    int32_t *surface;  // where in d_side the brick's Dirichlet terms are; DEW_INVALID: it has none
    int32_t surface_count;
    float *w[3];     // weights of lower faces, 0 unless both cells have equations
    float *inverse;  // of the diagonal; 0: no equation
    float *d_side;   // [(6 surface + side) brick_cells]: the part of d that comes from that side
    uint8_t *side;   // bit s: side s is not closed (for interpolation)
    float *x, *b;
    float *y;         // of all but the finest level: x, or what becomes b, in the order of cells
    float *spill[6];  // what restriction hands to the neighbour on that side
} dew_MgLevel;

typedef struct dew_Multigrid {
    dew_Tasks *tasks;
    dew_Arena arena;
    int level_count;
    dew_MgLevel level[DEW_MG_MAX_LEVELS];
    const dew_MgKernels *kernels;
    int sweeps;  // before and after the coarse correction
} dew_Multigrid;

/// Where in w, inverse, x and b the value of a cell is.
static inline int64_t dew_mg_at(const dew_MgLevel *level, int64_t brick, int cell)
{
    bool is_black = (cell ^ cell >> 3 ^ cell >> 6) & 1;
    return (is_black ? level->black : 0) + 32 * level->depth * brick + (cell >> 1);
}

void dew_multigrid_init(dew_Multigrid *mg, const dew_Allocator *allocator);
void dew_multigrid_deinit(dew_Multigrid *mg);

/// Begins a new hierarchy with a fine level of so many bricks. The caller then fills in key, near, kind, surface; and, in bricks
/// that it clears first, w, inverse and d_side. surface_count bricks have d_side.
dew_Status dew_multigrid_begin(dew_Multigrid *mg, dew_Tasks *tasks, int32_t brick_count, int depth,
                               int32_t surface_count);
/// Zeros in all that a brick has: by the worker that fills it, so that its cache has them.
void dew_mg_clear(const dew_MgLevel *level, int64_t brick);
/// Makes the coarser levels.
dew_Status dew_multigrid_end(dew_Multigrid *mg);

/// z = one V-cycle for A z = r, from zero; arrays of the fine level in double, in its order. Inside, r is multiplied
/// by `factor`, a power of two that brings it near 1, so that float can hold it; z is divided by it.
/// products: as of a dew_LinearFn, or NULL.
dew_Status dew_multigrid_cycle(dew_Multigrid *mg, const double *r, double factor, double *z,
                               double *products);

int64_t dew_multigrid_bytes(const dew_Multigrid *mg);
