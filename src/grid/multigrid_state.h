/// Between the files of multigrid: levels, how they are made, how values go between them.
#pragma once

#include "grid/multigrid.h"

/// An empty level with memory for its links.
dew_Status dew_mg_level_begin(dew_Multigrid *mg, dew_MgLevel *level, int32_t brick_count, int depth,
                              float scale);
/// Memory for its values; so many bricks have Dirichlet terms.
dew_Status dew_mg_level_alloc(dew_Multigrid *mg, dew_MgLevel *level, int32_t surface_count);
/// How many cells have equations.
dew_Status dew_mg_level_finish(dew_Multigrid *mg, dew_MgLevel *level);
/// The next coarser level's bricks, weights and diagonal. *has_cells tells whether it is worth having.
dew_Status dew_mg_coarsen(dew_Multigrid *mg, dew_MgLevel *fine, dew_MgLevel *coarse,
                          bool *has_cells);

/// b of the coarse level = P' (b - A x) of the fine one.
void dew_mg_restrict(dew_Multigrid *mg, int fine_level);
/// x of the fine level += P times x of the coarse one.
void dew_mg_prolong(dew_Multigrid *mg, int fine_level);

/// Pointers of a brick for the kernels.
void dew_mg_brick(const dew_MgLevel *level, int32_t brick, dew_MgBrick *out);
