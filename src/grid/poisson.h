/// Poisson's equation on the liquid cells of a sparse grid, matrix-free:
///
///   sum over faces of w (p(c) - p(neighbour)) = b(c),
///
/// which is -h^2 times the Laplacian for w = 1. A cell has an equation where phi < 0 and some face of
/// it is open. w is the open part of a face's area (0: solid; times a coefficient if you like). Where
/// the neighbour is not liquid its value is the pressure at the free surface, at the distance theta h
/// that phi tells: w (p(c) - p_surface) / theta, second order in p [Gibou2002]. Beyond missing bricks
/// there is a wall.
///
/// Liquid that has no free surface (a full closed container) has a pressure up to a constant: its mean
/// is made 0, and what its b has too much in total is taken away from all its cells alike and told.
#pragma once

#include "grid/brick_bits.h"
#include "grid/multigrid.h"
#include "num/cg.h"
#include "num/mic0.h"

typedef enum dew_PoissonMethod {
    DEW_POISSON_MULTIGRID,  // conjugate gradients around a V-cycle: for all but comparison
    DEW_POISSON_MIC0,  // conjugate gradients, incomplete Cholesky: sequential, good for small drops
    DEW_POISSON_JACOBI,  // conjugate gradients, diagonal
    DEW_POISSON_SOR,     // red-black over-relaxation, no conjugate gradients
} dew_PoissonMethod;

typedef struct dew_PoissonDef {
    // Cells as a whole, instead of phi and open: those with liquid, and those whose faces are all closed. Other cells have
    // the pressure 0 in their middles: min_fraction is 1, and there is no p_surface. NULL: by phi and open.
    const dew_BrickBits *liquid, *closed;
    const double *phi;        // cells
    const double *open[3];    // lower faces; NULL: all are open, w = 1
    const double *p_surface;  // cells on both sides of the surface, interpolated to it; NULL: 0
    double min_fraction;  // theta is at least this; 1: first order, p_surface of the cell beyond
    dew_PoissonMethod method;
    double relaxation;  // of SOR, in (0, 2)
    dew_SolveDef solve;
} dew_PoissonDef;

/// min_fraction 0.01, multigrid, relaxation 1.9, dew_default_solve_def.
dew_PoissonDef dew_default_poisson_def(void);

/// A set of cells that no free surface reaches.
typedef struct dew_ClosedPool {
    int64_t cell_count;
    double excess;  // what b summed to before it was made compatible
} dew_ClosedPool;

/// The equations as assembled, in memory that is kept from one assembly to the next. Vectors "of the
/// system" have 512 (64) values for each brick that has liquid, in the order of
/// multigrid_kernels.h, 0 where there is no equation.
typedef struct dew_Poisson {
    const dew_Grid *grid;
    dew_PoissonDef def;
    dew_Multigrid mg;      // level 0 is the system itself
    dew_Arena arena;       // of one assembly
    int64_t cell_count;    // equations
    int64_t value_count;   // length of a vector of the system
    int32_t brick_count;   // of the system
    uint8_t *is_liquid;    // per value of the grid: has it an equation? NULL when told by cells
    dew_BrickBits *cells;  // the same as bits, when told by cells; else NULL
    int32_t *brick;        // the grid's brick of each brick of the system
    int32_t *slot;         // and the other way round; DEW_INVALID
    float *diagonal;       // of the bricks that are open (DEW_MG_OPEN)
    float *d;              // [surface cells], then a brick of zeros: sums of the Dirichlet terms
    double *surface_b;     // [surface cells]: what the free surface's pressure adds to b
    double *zeros;         // a brick of zeros
    int32_t *pool_of;  // per value: number of its closed pool, DEW_INVALID; NULL: there are none
    dew_Array pools;   // dew_ClosedPool
    dew_Mic0 mic0;
    double *in_cell_order;  // a vector for it
    double factor;          // scales what multigrid sees
} dew_Poisson;

void dew_poisson_init(dew_Poisson *poisson, const dew_Allocator *allocator);
void dew_poisson_deinit(dew_Poisson *poisson);

/// The equations for the grid's bricks and fields as they are now; def's fields may go afterwards.
dew_Status dew_poisson_assemble(dew_Poisson *poisson, const dew_Grid *grid,
                                const dew_PoissonDef *def);

/// Solves. b and p are fields of the grid; p's liquid cells are the first guess, its others stay.
/// b is without the surface's pressure, which is added here. No convergence is DEW_DIVERGED.
dew_Status dew_poisson_solve(dew_Poisson *poisson, const double *b, double *p, dew_Arena *scratch,
                             dew_SolveReport *report);

/// What fraction of the way from a liquid cell to its neighbour in the air the surface is at, by the
/// parabola through phi there; back and beyond are the cells before and after the two.
double dew_poisson_theta(double phi_back, double phi_liquid, double phi_air, double phi_beyond);
/// 1 / theta of a cell's side toward air, as assembled (times the weight of the face); 0: none.
static inline double dew_poisson_cut(const dew_Poisson *poisson, int32_t brick, int cell, int side)
{
    const dew_MgLevel *level = &poisson->mg.level[0];
    int64_t surface = level->surface[poisson->slot[brick]];
    return surface < 0 ? 0
                       : (double)level->d_side[(6 * surface + side) * level->brick_cells + cell];
}

/// Between fields of the grid and vectors of the system.
void dew_poisson_gather(const dew_Poisson *poisson, const double *field, double *x);
void dew_poisson_scatter(const dew_Poisson *poisson, const double *x, double *field);
/// y = A x, vectors of the system.
dew_Status dew_poisson_apply(dew_Poisson *poisson, const double *x, double *y);
