/// Rectangles of an image: what has to be drawn anew.
#pragma once

#include "geom/vec.h"
#include "render/gl/api.h"

#define DEW_GL_MIN_DEPTH 1e-3  // in the drawing's units: nearer to the eye nothing is projected

/// Pixels [x0, x1) x [y0, y1), from the bottom left; empty when x0 >= x1.
typedef struct dew_GlRegion {
    int x0, y0, x1, y1;
} dew_GlRegion;

dew_GlRegion dew_gl_region_whole(int width_px, int height_px);
bool dew_gl_region_is_empty(dew_GlRegion region);
dew_GlRegion dew_gl_region_union(dew_GlRegion a, dew_GlRegion b);
dew_GlRegion dew_gl_region_common(dew_GlRegion a, dew_GlRegion b);
/// Where the hull of eight points is seen, with a pixel around it; the whole image when some of it
/// lies behind the eye. clip: a matrix to clip space.
dew_GlRegion dew_gl_region_of(const float clip[16], const dew_Vec3 corners[8], int width_px,
                              int height_px);
/// All drawing, clearing and copying goes there only, until dew_gl_region_end.
void dew_gl_region_begin(const dew_Gl *gl, dew_GlRegion region);
void dew_gl_region_end(const dew_Gl *gl);
