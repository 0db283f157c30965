/// Projection: makes a velocity field free of divergence in the liquid, by a pressure.
///
///   u <- u - dt / (rho h) (p(upper) - p(lower)) on open faces of liquid cells, such that
///   sum over a cell's faces of A u + (1 - A) u_wall, outwards, is 0,
///
/// A being the open part of the face [Ng2009]; closed faces take the wall's velocity. At the free surface
/// the pressure is p_surface (the tension's, for drops), at the surface itself [Gibou2002].
///
/// That condition makes p second order but its gradient beside the surface only first: the linear
/// profile between a cell and the surface is steepest half-way, not on the face. `corrections` > 0 solves
/// again with the curvature of p along the way put to the right-hand side; one makes the gradient
/// second order, at the price of a few more iterations.
#pragma once

#include "grid/poisson.h"

typedef struct dew_ProjectionDef {
    const double *phi;        // cells: liquid where < 0
    const double *open[3];    // lower faces, >= 0; NULL: all open
    const double *wall_u[3];  // velocity of the solid, along the axis, on lower faces; NULL: 0
    const double *p_surface;  // see dew_PoissonDef
    double density_kg_m3;
    double dt_s;
    int corrections;
    double min_fraction;
    dew_PoissonMethod method;
    dew_SolveDef solve;
    bool is_checked;  // tell the divergence that is left, at the price of a pass
    bool
        is_assembled;  // the equations are those of the last call, of which p_surface may go, not come
} dew_ProjectionDef;

/// Water, no corrections, all else as dew_default_poisson_def; phi and dt_s are to be set.
dew_ProjectionDef dew_default_projection_def(void);

typedef struct dew_ProjectionReport {
    dew_SolveReport solve;  // iterations of all solves, residual of the last
    double
        divergence;  // is_checked: largest |sum of outward velocities| of a liquid cell afterwards, m/s
    int64_t liquid_cells;
} dew_ProjectionReport;

/// Projects u (lower faces). p: pressure in Pa, the guess before, the result after. is_known (may be
/// NULL; entries too) is set to 1 on faces whose velocity the liquid or a wall determines, else 0: for
/// extension. Beyond missing bricks there are walls at rest.
dew_Status dew_projection_run(dew_Poisson *poisson, const dew_Grid *grid,
                              const dew_ProjectionDef *def, double *const u[3], double *p,
                              uint8_t *const is_known[3], dew_Arena *scratch,
                              dew_ProjectionReport *report);

/// Sum of outward velocities of liquid cells, as projection counts it, into `out`; 0 elsewhere.
dew_Status dew_projection_divergence(const dew_Poisson *poisson, const dew_ProjectionDef *def,
                                     const double *const u[3], double *out);
