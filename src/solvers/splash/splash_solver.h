/// Solver `splash`: the marker-and-cell method [Durikovic], fast and robust.
///
/// Massless markers say where the liquid is; cells are full, at the surface, obstacles or empty
/// after them. Velocities on faces are advanced explicitly, made free of divergence by a pressure
/// in full cells, and set on the open sides of surface cells. Step and viscosity follow from the
/// paper's conditions of stability. docs/theory/splash.md has the equations and says where they
/// leave the paper. Without `tension` there is no surface tension and no contact angle: for liquid
/// by the metre.
#pragma once

#include "solvers/solver.h"

extern const dew_SolverTraits dew_splash_solver_traits;
extern const dew_SolverOps dew_splash_solver_ops;
