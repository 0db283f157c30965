/// State of the solver `volume`: liquid on bricks, and markers.
#pragma once

#include "grid/markers.h"
#include "solvers/liquid/liquid.h"

struct dew_SolverState {
    dew_Liquid liquid;
    dew_Markers *markers;  // NULL: none
};

/// volume_markers.c: marker particles; without them all of this does nothing.
dew_Status dew_volume_markers_create(dew_SolverState *state, int most, uint64_t seed);
void dew_volume_markers_destroy(dew_SolverState *state);
void dew_volume_markers_fields(dew_SolverState *state, dew_FieldList *out);
dew_Status dew_volume_markers_restored(dew_SolverState *state);
/// Strews them where they are due, and moves them with the velocity that moves phi.
dew_Status dew_volume_markers_move(dew_SolverState *state, const dew_Step *step,
                                   const double *const u[3], dew_Arena *scratch);
/// Puts back into phi what escaped ones tell.
dew_Status dew_volume_markers_correct(dew_SolverState *state, dew_Arena *scratch);
/// After phi is as it will be. is_changed: by more than the flow.
dew_Status dew_volume_markers_end(dew_SolverState *state, bool is_changed, dew_Arena *scratch);

/// step.c
dew_Status dew_volume_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step);
