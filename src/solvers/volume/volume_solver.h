/// Solver `volume`: water drops with their inner flow, as level sets on sparse bricks [Wang2005].
///
/// The liquid is where phi < 0 and no solid is. Velocities sit on faces, pressure in cells, surface
/// tension is the pressure at the free surface. docs/theory/volume.md has the equations and says
/// where they leave the paper. Does not resolve the air: it has no weight and no flow.
#pragma once

#include "solvers/solver.h"

extern const dew_SolverTraits dew_volume_solver_traits;
extern const dew_SolverOps dew_volume_solver_ops;
