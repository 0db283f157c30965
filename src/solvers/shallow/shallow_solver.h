/// Solver `shallow`: a height field with a moving contact line [Wong2006], docs/theory/shallow.md.
///
/// It has no overhangs, no air in the liquid, no flow up and down: one depth and one velocity per
/// column.
#pragma once

#include "solvers/solver.h"

extern const dew_SolverTraits dew_shallow_solver_traits;
extern const dew_SolverOps dew_shallow_solver_ops;
