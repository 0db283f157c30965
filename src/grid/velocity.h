/// Velocities on faces: sampling, ghost values in solids, and advection along characteristics.
///
/// A velocity is three fields of doubles on lower faces. In two dimensions the third may be NULL.
#pragma once

#include "grid/brick.h"

typedef enum dew_Interpolation {
    DEW_LINEAR,  // bounded by the samples, but smears
    DEW_CUBIC,   // through four samples along each axis, bounded by those next to the point
} dew_Interpolation;

typedef struct dew_AdvectDef {
    double dt_s;
    dew_Interpolation interpolation;
    int stages;  // of the backward trace: 2 (midpoint) or 3 [Ralston1962]
    // of the velocity along the trace: linear smooths boundary layers by h^2 / 8 u''
    dew_Interpolation path_interpolation;
    const double *phi;  // cells; NULL: all faces are advected, else those with a cell below band_m
    double band_m;
    // Cells: distance to solids, > 0 outside; NULL: none. Ways end at solids; deep in them faces
    // stay.
    const double *solid;
} dew_AdvectDef;

/// Cubic, three stages, ways linear, everywhere, no solids; dt_s is to be set.
dew_AdvectDef dew_default_advect_def(void);

/// What is carried along: to[] gets its value where the fluid was dt_s ago. With carried NULL it is
/// u itself. Velocities beyond the liquid must have been extended as far as faces are advected and
/// ways lead, and into solids (see below). Where a brick is missing the nearest samples stand in.
dew_Status dew_velocity_advect(const dew_Grid *grid, const double *const u[3],
                               const double *const carried[3], const dew_AdvectDef *def,
                               double *const to[3]);

/// Velocity at a point, linear between samples; missing samples are left out of the mean. `brick`
/// is where the search begins: the result does not depend on it.
dew_Vec3 dew_velocity_at(const dew_Grid *grid, const double *const u[3], int32_t brick,
                         dew_Vec3 x_m);

typedef struct dew_GhostDef {
    const double *solid;      // cells: distance to solids, > 0 outside
    const double *wall_u[3];  // velocity of the solid on lower faces; NULL: at rest
    double slip_m;            // slip length: 0 no slip, HUGE_VAL free slip
    const double *slip;       // cells: that of the wall nearest to them; NULL: slip_m
    double depth_m;           // how far into solids
} dew_GhostDef;

/// Fills faces in solids such that the velocity, linear across the wall, has the wall's normal part
/// on it and vanishes against it at the slip length behind it. Faces outside stay.
dew_Status dew_velocity_fill_solids(const dew_Grid *grid, double *const u[3],
                                    const dew_GhostDef *def, dew_Arena *scratch);

/// Largest |u| of all faces of our bricks, component by component.
dew_Vec3 dew_velocity_max(const dew_Grid *grid, const double *const u[3]);
