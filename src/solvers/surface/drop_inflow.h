/// Liquid that enters all the time: taps (disks) and condensation.
///
/// What an inflow brings and no drop has got yet waits in its account. So at any time the drops'
/// gain and the accounts sum to dew_problem_inflow_volume_m3, and only what has been given to a
/// mesh counts as added.
#pragma once

#include "solvers/surface/surface_state.h"

/// Per inflow, saved with the drops. A nozzle's account is that of its first disk.
typedef struct dew_DropInflowAccount {
    double waiting_m3;  // brought, not yet given
    double due_m3;      // condensation: as much must wait before the site is looked at again
} dew_DropInflowAccount;

dew_Status dew_surface_solver_init_inflows(const dew_Problem *problem, dew_SolverState *state);
/// At the beginning of a step: accounts grow, drops are given what is due to them, new ones are
/// begun.
dew_Status dew_surface_solver_inflow(const dew_Problem *problem, dew_SolverState *state,
                                     dew_Step *step);
/// Gives a drop what waits for it; returns how much. The surface grows at once, without a push: a
/// drop at rest stays at rest.
dew_Status dew_drop_take_feed(dew_DropWork *work, double *added_m3);
