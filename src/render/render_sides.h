/// Where liquid ends at the sides of its domain: flat faces with sharp edges, whatever the surface
/// beside them does.
///
/// A side is open (the liquid is cut off there), or a wall that is drawn, or one that is left out
/// of the image because the camera stands behind it.
#pragma once

#include "render/render_scene.h"

typedef struct dew_RenderSides {
    double at_m[DEW_SIDE_COUNT];
    double near_m;  // what is nearer lies in the side: rounding
    bool is_side[DEW_SIDE_COUNT], has_wall[DEW_SIDE_COUNT], is_drawn[DEW_SIDE_COUNT];
} dew_RenderSides;

/// Of a scene without a problem: none.
dew_RenderSides dew_render_sides(const dew_RenderScene *scene);

/// The sides a vertex lies in, as bits. touch_m: how near to a wall liquid touches it; 0: it lies
/// in it.
uint8_t dew_render_sides_of(const dew_RenderSides *sides, dew_Vec3 x, double touch_m);

/// How far the point is from the lowest side of the bits.
double dew_render_sides_distance(const dew_RenderSides *sides, uint8_t bits, dew_Vec3 x);

/// The point in its sides: in those that are open or left out, and by depth_m beyond those of walls
/// that are drawn.
dew_Vec3 dew_render_sides_place(const dew_RenderSides *sides, uint8_t bits, dew_Vec3 x,
                                double depth_m);

/// Out of the domain over the lowest side of the bits, of which there is one.
dew_Vec3 dew_render_sides_normal(uint8_t bits);
/// Moves x along that normal to the height of y over it.
dew_Vec3 dew_render_sides_level(uint8_t bits, dew_Vec3 x, dew_Vec3 y);
