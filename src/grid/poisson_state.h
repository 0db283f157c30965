/// Between the files of poisson.
#pragma once

#include "grid/poisson.h"

/// The Dirichlet terms of a brick of the system, in the order of its vectors.
static inline const float *dew_poisson_dirichlet(const dew_Poisson *poisson, int64_t brick)
{
    const dew_MgLevel *level = &poisson->mg.level[0];
    int64_t surface = level->surface[brick];
    return poisson->d + (surface >= 0 ? surface : level->surface_count) * level->brick_cells;
}

/// What assembly knows besides the equations themselves.
typedef struct dew_PoissonAssembly {
    dew_Poisson *poisson;
    const dew_Grid *grid;
    const dew_PoissonDef *def;
    uint8_t *is_liquid;  // per value of the grid
    uint8_t *kind;       // bits per brick of the grid
} dew_PoissonAssembly;

enum { DEW_POISSON_HAS_LIQUID = 1, DEW_POISSON_IS_FULL = 2, DEW_POISSON_HAS_SURFACE = 4 };

/// The brick and all those around it are full: nothing but weights of 1.
bool dew_poisson_is_deep(const dew_PoissonAssembly *assembly, int32_t brick);
void dew_poisson_fill_deep(dew_MgLevel *level, int32_t slot);

/// poisson_cells.c: what assembly asks where cells are liquid or closed as a whole. Kinds of bricks; then the weights of one
/// that is not deep.
dew_Status dew_poisson_cells_find(dew_PoissonAssembly *assembly);
void dew_poisson_cells_fill(const dew_PoissonAssembly *assembly, int32_t slot);
/// Does the free surface reach all cells, so that there are no closed pools?
dew_Status dew_poisson_cells_are_open(dew_Poisson *poisson, bool *are_open);

/// Finds the closed pools: sets pool_of and pools.
dew_Status dew_poisson_find_pools(dew_Poisson *poisson);
/// Takes from b what its closed pools have too much, and tells it in pools.
void dew_poisson_make_compatible(dew_Poisson *poisson, double *b);
/// Makes the mean of x over each closed pool zero.
void dew_poisson_center(dew_Poisson *poisson, double *x);

/// Red-black over-relaxation until the residual is small enough.
dew_Status dew_poisson_relax(dew_Poisson *poisson, const double *b, double *x, dew_Arena *scratch,
                             dew_SolveReport *report);
/// The matrix of the system for MIC(0).
dew_Status dew_poisson_factor(dew_Poisson *poisson);
