/// Solver `rigid`: drops as balls that fall, bounce, roll and come to rest on solids.
///
/// For tests of everything around the physics, before and beside the fluid solvers: it is quick, its
/// answers are known in closed form, and it has the life of a real solver (births, sinks, contact,
/// moving solids, sleep). It is no model of a liquid, so it is not advertised.
#pragma once

#include "solvers/solver.h"

extern const dew_SolverTraits dew_rigid_traits;
extern const dew_SolverOps dew_rigid_ops;
