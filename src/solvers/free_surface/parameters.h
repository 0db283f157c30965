/// Parameters of the free-surface core, which `volume`, `apic` and `splash` share: one table.
/// Lengths are in cells unless the name says otherwise. The second table holds the parameters of
/// scene files that all three solvers have; dew_liquid_params reads them.
///
/// Studies: docs/theory/volume.md (tension, contact angle), docs/decisions/volume_control.md
/// (volumes).
#pragma once

#include "grid/levelset.h"
#include "scene/traits.h"

// ---- Layers beside surface and walls ------------------------------------------------------------

// phi is a distance within this of the surface; distances to solids are bounded.
#define DEW_LIQUID_BAND ((double)DEW_BAND_CELLS)
#define DEW_LIQUID_FAR  ((double)DEW_BRICK)
// Velocities are extrapolated so far (a stencil of 2, a path of 1, half a cell), and phi so deep
// into solids.
#define DEW_LIQUID_REACH 3.5
#define DEW_LIQUID_DEPTH DEW_LIQUID_REACH
// Cells this near to the free surface have a pressure of it; cells this near to a wall have a phi
// that the contact angle sets, so that particles do not correct it there. A cell's corners are
// sqrt(3)/2 from its centre, the samples of their interpolation half a cell farther.
#define DEW_LIQUID_SHELL 1.5
// Shells of two surfaces touch at this distance.
#define DEW_LIQUID_SHELLS (DEW_LIQUID_SHELL * 2)
// Reach of stencils: cells this near to a wall or to liquid read values of it.
#define DEW_LIQUID_NEAR 2
// Cells around a brick that hold the closest points of its cells in a shell, and the samples beside
// them.
#define DEW_LIQUID_PAD (DEW_LIQUID_NEAR + 1)
// Before a nozzle's disk its drop is looked for, behind it cells beside the pin stay dry.
#define DEW_NOZZLE_FRONT 0.75

// A point this near to a wall lies on it: rounding of meshes. 1e-6 to 1e-2.
#define DEW_LIQUID_ON_WALL 1e-3
// Shorter lengths are left alone.
#define DEW_LIQUID_MIN_LENGTH 0.01
// By so much depths near curved walls differ from those near a plane. 0.6 above walls, for
// curvatures, makes drops at 150 degrees move more.
#define DEW_LIQUID_ROUND 0.3
// sine^2 of the angle between surface and wall by which a shift along the surface is divided, at
// least.
#define DEW_LIQUID_MIN_SINE2 0.1
// Squared slope of phi along a wall, or sine^2 of a surface's angle to it, below which it has no
// direction.
#define DEW_LIQUID_MIN_SLOPE2 0.01
// Relative size of what is zero but for rounding, in moments of inertia and stencils.
#define DEW_LIQUID_ROUNDING DEW_LEVELSET_ROUNDING

// Where the grid stops to resolve the wedge at a moving line: the angle imposed at the wall is the
// law's at this distance, the line's speed is read at this height, and beside the line the wall
// slips by this length. contact_line_law.c says why the three are one.
#define DEW_LINE_DISTANCE 1.0

// ---- Drops and their volumes --------------------------------------------------------------------

// Cells; drops of so many or fewer feel no tension ([Wang2005] section 8).
#define DEW_LIQUID_TINY 27
// Relative error of the volume that World accepts; errors of single drops are bounded by parts of
// it.
#define DEW_LIQUID_ALLOWANCE 1e-2
// One correction of volumes moves the surface by this at most; a step in which a drop misses its
// target has so many.
#define DEW_LIQUID_SHIFT  0.1
#define DEW_LIQUID_SHIFTS 4
// Steps between corrections of all volumes, and between seedings of markers.
#define DEW_LIQUID_INTERVAL 10
// s: a time that never comes. Saved numbers are finite.
#define DEW_LIQUID_NEVER_S 1e30

// ---- Parameters ---------------------------------------------------------------------------------

#define DEW_PARAMETER_TENSION_FACTOR(value, text)                                                  \
    {                                                                                              \
        .name = "tension_factor", .kind = DEW_KEY_NUMBER, .min = 0.1, .max = 8,                    \
        .number_default = (value), .doc = (text)                                                   \
    }
#define DEW_PARAMETER_CFL(value, text)                                                             \
    {                                                                                              \
        .name = "cfl", .kind = DEW_KEY_NUMBER, .min = 0.01, .max = 0.95,                           \
        .number_default = (value), .doc = (text)                                                   \
    }
#define DEW_PARAMETER_TOLERANCE(value, text)                                                       \
    {                                                                                              \
        .name = "tolerance", .kind = DEW_KEY_NUMBER, .min = 1e-12, .max = 1e-2,                    \
        .number_default = (value), .doc = (text)                                                   \
    }

#define DEW_LIQUID_PARAMETERS                                                                      \
    DEW_PARAMETER_TENSION_FACTOR(                                                                  \
        3, "longest step in units of the capillary limit sqrt(rho h^3 / (2 pi sigma))"),           \
        DEW_PARAMETER_CFL(0.8, "largest displacement of the liquid in a step, in cells"),          \
        DEW_PARAMETER_TOLERANCE(1e-6, "relative error at which the pressure is solved"),           \
    {                                                                                              \
        .name = "corrections", .kind = DEW_KEY_NUMBER, .min = 0, .max = 4, .number_default = 1,    \
        .doc = "further solves that make the pressure's gradient at the surface second order"      \
    }
