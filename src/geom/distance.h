/// Signed distance, closest point and outward normal of basic shapes, each in its own frame.
///
/// Distances are negative inside and exact, inside and outside. The normal is the unit gradient of
/// the distance: it points away from the solid, also from inside; where the gradient is not unique
/// (on an edge, on the axis) it is one of the limits. Lengths in metres, or any other unit.
#pragma once

#include "geom/vec.h"

typedef struct dew_Closest {
    double distance;
    dew_Vec3 point;   // on the surface
    dew_Vec3 normal;  // outward, unit
} dew_Closest;

/// Half space y <= 0.
dew_Closest dew_plane_distance(dew_Vec3 p);
/// Ball about the origin.
dew_Closest dew_sphere_distance(dew_Vec3 p, double radius);
/// Box about the origin; half: half its sizes.
dew_Closest dew_box_distance(dew_Vec3 p, dew_Vec3 half);
/// Solid cylinder about the y axis, |y| <= half_length.
dew_Closest dew_cylinder_distance(dew_Vec3 p, double radius, double half_length);
/// Hollow cylinder about the y axis: inner_radius <= r <= outer_radius, |y| <= half_length.
dew_Closest dew_tube_distance(dew_Vec3 p, double inner_radius, double outer_radius,
                              double half_length);
/// Ellipsoid about the origin with half axes radii, all > 0.
dew_Closest dew_ellipsoid_distance(dew_Vec3 p, dew_Vec3 radii);
/// Spherical cap on the plane y = 0: the part y >= 0 of the ball about (0, center_y, 0), with
/// |center_y| < radius. dew/wetting.h gives both numbers.
dew_Closest dew_cap_distance(dew_Vec3 p, double radius, double center_y);
