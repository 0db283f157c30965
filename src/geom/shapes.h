/// Meshes of basic shapes: closed (but for the patch), manifold, outward oriented.
///
/// Vertices lie on the exact shape; so volume and area fall short by the order of edge^2. `edge_m`
/// is the target edge length: most edges are within a factor of 1.5 of it. Zero or less: as coarse
/// as still shows the shape. Every function replaces what the mesh held; it fails on sizes that are
/// not positive and finite, and when the mesh would have more than 100 million triangles.
#pragma once

#include "dew/mesh.h"
#include "geom/distance.h"
#include "geom/mesh.h"

/// Sphere about the origin from an icosahedron with each edge cut into `frequency` parts:
/// 20 frequency^2 triangles.
dew_Status dew_shape_icosphere(double radius_m, int frequency, dew_Mesh *mesh);
dew_Status dew_shape_sphere(double radius_m, double edge_m, dew_Mesh *mesh);
/// About the origin. Edges reach edge_m along the longest half axis, shorter along the others.
dew_Status dew_shape_ellipsoid(dew_Vec3 radii_m, double edge_m, dew_Mesh *mesh);
/// About the origin.
dew_Status dew_shape_box(dew_Vec3 size_m, double edge_m, dew_Mesh *mesh);
/// About the y axis, |y| <= length / 2.
dew_Status dew_shape_cylinder(double radius_m, double length_m, double edge_m, dew_Mesh *mesh);
dew_Status dew_shape_tube(double inner_radius_m, double outer_radius_m, double length_m,
                          double edge_m, dew_Mesh *mesh);
/// Rectangle in y = 0 about the origin, facing +y. Open.
dew_Status dew_shape_patch(double size_x_m, double size_z_m, double edge_m, dew_Mesh *mesh);
/// Spherical cap on the plane y = 0, with its base; see dew/wetting.h.
/// Bodies of revolution: dew_shape_revolve of dew/mesh.h.
dew_Status dew_shape_cap(double volume_m3, double angle_rad, double edge_m, dew_Mesh *mesh);
