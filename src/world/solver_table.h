/// The solvers that World knows. A new solver is one folder and one line in solver_table.c.
#pragma once

#include "solvers/solver.h"

/// Every solver that a scene may name, those not in this build included: for the scene reader.
dew_SolverList dew_solver_list(void);
/// What checks a scene for a solver of that name; NULL: no such solver.
const dew_SolverTraits *dew_solver_traits(const char *name);
/// What runs it; NULL: no such solver in this build.
const dew_SolverOps *dew_solver_ops(const char *name);
/// The names in this build, "surface, volume".
void dew_solver_names(char *out, size_t size);

/// Adds a test's own solver, or replaces the one that was added. Not for programs: the table is not
/// locked.
void dew_solver_table_add(const dew_SolverOps *ops);
