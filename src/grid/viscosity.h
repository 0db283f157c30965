/// Viscosity, implicit and variational [Batty2008]: the new velocity minimises
///
///   1/2 rho |u - u_old|^2 + dt mu e(u) : e(u)   over the liquid,
///
/// e being the rate of strain. The stress-free condition at the free surface is then part of the
/// equations: volumes of liquid around faces, cells and edges weigh the terms. Toward solids the strain
/// is that of a linear profile which reaches the wall's velocity at the slip length behind the wall.
///
/// Components are coupled, so rotation is not damped. Symmetric and positive; conjugate gradients with some
/// steps of Chebyshev's iteration: three when mu dt / (rho h^2) is 0.1, as for water.
#pragma once

#include "grid/brick.h"
#include "num/cg.h"

typedef struct dew_ViscosityDef {
    const double *phi;        // cells: liquid where < 0; NULL: all is liquid
    const double *open[3];    // lower faces: 0 is closed; NULL: all open
    const double *solid;      // cells: distance to solids, > 0 outside; NULL: none
    const double *wall_u[3];  // velocity of the solids on lower faces; NULL: at rest
    double slip_m;            // 0: no slip; HUGE_VAL: free slip
    const double *slip;       // cells: that of the wall nearest to them; NULL: slip_m
    double density_kg_m3;
    double viscosity_Pa_s;
    double dt_s;
    dew_SolveDef solve;
} dew_ViscosityDef;

/// Water, no slip, tolerance 1e-6, at most 2000 iterations; dt_s is to be set.
dew_ViscosityDef dew_default_viscosity_def(void);

/// Updates u on faces that have liquid around them; others stay. Beyond missing bricks there is free
/// slip. No convergence is DEW_DIVERGED.
dew_Status dew_viscosity_run(const dew_Grid *grid, const dew_ViscosityDef *def, double *const u[3],
                             dew_Arena *scratch, dew_SolveReport *report);
