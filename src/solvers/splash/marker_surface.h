/// The Surface's mesh is made on cells half as large: what its two files share.
#pragma once

#include "solvers/splash/splash_state.h"

enum { DEW_SPLASH_FINE = 2 };  // fine cells along a cell

typedef struct dew_SplashMesh {
    const dew_Problem *problem;
    const dew_SolverState *s;
    const dew_Instant *instant;
    dew_Grid *fine;
    dew_SplashSets sets;
    double *phi;  // of the fine cells
    dew_Surface *out;
    bool has_solids;
} dew_SplashMesh;

/// marker_density.c: phi by the markers' density.
dew_Status dew_splash_mesh_phi(dew_SplashMesh *mesh, dew_Arena *scratch);
