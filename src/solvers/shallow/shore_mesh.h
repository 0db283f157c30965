/// The surface at steep ground, for the mesh: see shore_mesh.c.
#pragma once

#include "solvers/shallow/shallow_state.h"

/// Is the ground steep between a cell and one of its neighbours?
bool dew_shallow_is_by_steep(const dew_SolverState *state, int64_t n);

/// Depth over the middle of a cell by steep ground, from the level of the liquid around: 0 or less
/// where it is dry. Thinner than film_m is none.
double dew_shallow_shore_depth(const dew_SolverState *state, int64_t n, double film_m);

typedef struct dew_ShallowShore {
    dew_Vec3 from_m, to_m;  // on the ground: one below the level, one above
    double level_m;
} dew_ShallowShore;
/// How far from the one to the other, 0..1, ground as high as the level is met.
double dew_shallow_shore(const dew_Problem *problem, const dew_Instant *instant,
                         const dew_ShallowShore *shore);
