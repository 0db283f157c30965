/// Spherical caps: the shape of a small drop at rest on a flat solid, from any two of its measures.
///
/// Without gravity a drop on a plane is the part of a ball above it. All relations are closed forms
/// that keep full relative precision from films (angle near 0) to whole balls (angle near pi).
#pragma once

#include "dew/base.h"

/// A cap and all that follows from it. The angle is measured through the liquid, at the solid.
typedef struct dew_DropCap {
    double angle_rad;        // (0, pi]; pi: a whole ball that touches in a point
    double radius_m;         // of the ball
    double base_radius_m;    // of the wetted disk
    double height_m;         // of the top above the solid
    double volume_m3;        // of the liquid
    double area_m2;          // between liquid and air
    double center_height_m;  // of the ball's centre above the solid, negative below 90 degrees
} dew_DropCap;

/// volume > 0, 0 < angle <= pi.
dew_DropCap dew_drop_cap_from_volume_angle(double volume_m3, double angle_rad);
/// volume > 0, base radius >= 0 (0: a whole ball).
dew_DropCap dew_drop_cap_from_volume_base(double volume_m3, double base_radius_m);
/// base radius > 0, 0 < angle < pi.
dew_DropCap dew_drop_cap_from_base_angle(double base_radius_m, double angle_rad);
/// base radius >= 0, height > 0.
dew_DropCap dew_drop_cap_from_base_height(double base_radius_m, double height_m);
/// ball's radius > 0, 0 < angle <= pi.
dew_DropCap dew_drop_cap_from_radius_angle(double radius_m, double angle_rad);
