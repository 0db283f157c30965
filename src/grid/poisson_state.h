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
