/// Solver `surface`: drops as closed triangle meshes without an interior [Zhang2011], in real time.
///
/// Each drop is a mesh with a velocity per vertex. Surface tension, gravity and the solids act on
/// the vertices, one volume per drop is kept, drops merge and split. docs/theory/surface.md has the
/// equations and says where they leave the paper. No inner flow: no vortices, no mixing, no splash
/// crowns.
#pragma once

#include "solvers/solver.h"

/// A longer step would be seen to jump; a hair more than a frame at 30 Hz.
#define DEW_SURFACE_MAX_STEP_S (1.0001 / 30)

extern const dew_SolverTraits dew_surface_solver_traits;
extern const dew_SolverOps dew_surface_solver_ops;
