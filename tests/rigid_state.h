/// State of the test double `rigid`, for tests that look into it.
#pragma once

#include "solvers/solver.h"

struct dew_SolverState {
    // One entry per sphere, in order of creation.
    dew_Array id;        // int64_t
    dew_Array position;  // dew_Vec3, of the centre
    dew_Array velocity;  // dew_Vec3
    dew_Array radius;    // double
    double density_kg_m3;
    dew_Tasks *tasks;
    dew_Allocator allocator;
};
