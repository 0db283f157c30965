/// Gauss-Seidel sweeps inside bricks, Jacobi between them: how upwind problems are solved on bricks.
///
/// A round gives every brick a tile of the values as they were, sweeps it in all orders of the axes'
/// directions, and keeps the result apart until all are done. What flows across a band of a few cells
/// crosses at most three bricks, so a few rounds are enough, and the result does not depend on workers.
#pragma once

#include "dew/base.h"

/// The order of sweep s in [0, 8) (in two dimensions [0, 4)): cell n of `cells` along an axis.
static inline int dew_sweep_index(int sweep, int axis, int n, int cells)
{
    return sweep >> axis & 1 ? cells - 1 - n : n;
}
