/// Solver `apic`: liquid carried by particles with affine velocities, with surface tension
/// [Bhargava].
///
/// Particles carry the velocity, faces of sparse bricks change it: gravity, viscosity, tension and
/// pressure. The surface is a level set, which the flow carries too and which the particles
/// correct: distances from the particles themselves are too rough for curvature.
/// docs/theory/apic.md has the equations and says where they leave the paper. Does not resolve the
/// air: it has no weight and no flow.
#pragma once

#include "solvers/solver.h"

extern const dew_SolverTraits dew_apic_solver_traits;
extern const dew_SolverOps dew_apic_solver_ops;
