/// Surface: the liquid's surface as triangles, with velocity and wet flags. What every solver hands
/// back and every renderer and writer takes; it does not say who made it.
///
/// It does not cross-check itself: that the triangles are closed is its maker's word.
#pragma once

#include "dew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The surface of the liquid at an instant, as triangles.
typedef struct dew_Surface dew_Surface;

/// An empty surface; dew_world_surface fills it. allocator NULL: malloc and free.
dew_Status dew_surface_create(const dew_Allocator *allocator, dew_Surface **out);
void dew_surface_destroy(dew_Surface *surface);

/// A surface that is only drawn: filling it leaves out normals and contact lines, which renderers
/// do not read. For hosts that draw every step. Takes effect when it is next filled.
void dew_surface_set_images_only(dew_Surface *surface, bool is_images_only);

/// The arrays; valid until the surface is filled again or destroyed. Triangles are
/// counter-clockwise seen from the air. One entry per vertex unless said.
int64_t dew_surface_vertex_count(const dew_Surface *surface);
int64_t dew_surface_triangle_count(const dew_Surface *surface);
const dew_Vec3 *dew_surface_positions_m(const dew_Surface *surface);
const dew_Vec3 *dew_surface_normals(const dew_Surface *surface);
const dew_Vec3 *dew_surface_velocities_m_s(const dew_Surface *surface);
const float *dew_surface_wet(const dew_Surface *surface);           // 1 where it touches a solid
const uint32_t *dew_surface_triangles(const dew_Surface *surface);  // three indices each

/// Connected pieces: drops, and bubbles in them. Known since the surface was filled.
int64_t dew_surface_piece_count(const dew_Surface *surface);

/// Of the polyhedron, contact with solids included; each walks all triangles.
double dew_surface_area_m2(const dew_Surface *surface);
double dew_surface_volume_m3(const dew_Surface *surface);

/// Where liquid, solid and air meet, on the Surface as it is now. Angles through the liquid.
typedef struct dew_ContactLine {
    double length_m;        // 0: there is none, and the angles are NaN
    double wet_area_m2;     // area in contact with solids
    double mean_angle_rad;  // weighted by length
    double min_angle_rad;
    double max_angle_rad;
} dew_ContactLine;
/// All contact lines together. Known since the surface was filled: costs nothing.
dew_ContactLine dew_surface_contact_line(const dew_Surface *surface);

#ifdef __cplusplus
}
#endif
