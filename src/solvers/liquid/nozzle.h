/// Nozzles of `disk` sources as the grid sees them: the end of a pin, as wide as the disk, that liquid comes out
/// of. The pin is a solid whose wall moves at the liquid's speed, so that projection, viscosity and extension
/// see an inflow as they see a moving wall; phi in it is that of the column behind the disk, and stays, so
/// that the line is pinned at the rim.
#pragma once

#include "geom/distance.h"
#include "problem/problem.h"

typedef struct dew_LiquidNozzle {
    int64_t inflow;  // the first of the disks at this place
    dew_Vec3 center_m, normal;
    double radius_m, cell_m;
    bool is_flat;       // two dimensions: a slot
    double rate_share;  // of the flow that the scene tells: 1, in two dimensions that of the layer
    double area_m2;     // that the liquid comes through
    double scale;  // of the wall's speed, so that the faces of the grid let just the flow through
} dew_LiquidNozzle;

/// The pin: its distance, and normal out of it.
dew_Closest dew_liquid_nozzle_nearest(const dew_LiquidNozzle *nozzle, dew_Vec3 p);
/// phi in the pin.
double dew_liquid_nozzle_phi(const dew_LiquidNozzle *nozzle, dew_Vec3 p);
/// How deep a point lies in what is not drawn: the column's surface behind the disk, which is that of the pin to a
/// part of a cell and would show beside it as a ragged film.
double dew_liquid_nozzle_hidden(const dew_LiquidNozzle *nozzle, dew_Vec3 p);
