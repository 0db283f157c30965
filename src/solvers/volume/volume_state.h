/// State of the solver `volume`: liquid on bricks, and markers.
#pragma once

#include "solvers/free_surface/liquid.h"

struct dew_SolverState {
    dew_Liquid liquid;
    dew_Markers *markers;  // NULL: none
};
DEW_LIQUID_BEGINS_STATE;

/// volume_step.c
dew_Status dew_volume_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step);
