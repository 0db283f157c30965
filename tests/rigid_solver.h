/// Test double of a solver: drops as rigid spheres in ballistic motion that rebound from solids.
///
/// For tests of World and Run. A step is quick, its result is known in closed form, and the state
/// has the life of a real solver's: inflow, sinks, open sides, moving solids. It models no liquid,
/// and no program links it.
#pragma once

#include "solvers/solver.h"

extern const dew_SolverOps test_rigid_ops;

/// Lets scenes say `solver: rigid`, for the rest of the process.
void test_use_rigid(void);
double test_sphere_volume_m3(double radius_m);
