// Rectangles of an image.
#ifdef DEW_HAVE_GL
#include "render/gl/region.h"

#include <math.h>

dew_GlRegion dew_gl_region_whole(int width_px, int height_px)
{
    return (dew_GlRegion){0, 0, width_px, height_px};
}

bool dew_gl_region_is_empty(dew_GlRegion region)
{
    return region.x0 >= region.x1 || region.y0 >= region.y1;
}

dew_GlRegion dew_gl_region_union(dew_GlRegion a, dew_GlRegion b)
{
    if (dew_gl_region_is_empty(a))
        return b;
    if (dew_gl_region_is_empty(b))
        return a;
    return (dew_GlRegion){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                          a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

dew_GlRegion dew_gl_region_common(dew_GlRegion a, dew_GlRegion b)
{
    dew_GlRegion both = {a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                         a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
    return dew_gl_region_is_empty(both) ? (dew_GlRegion){0} : both;
}

static double row(const float m[16], int k, dew_Vec3 p)
{
    return (double)m[k] * p.x + (double)m[4 + k] * p.y + (double)m[8 + k] * p.z + (double)m[12 + k];
}

// A clip coordinate, -1..1, in pixels, within the image and one around it.
static double pixel_of(double at, int size_px)
{
    return fmin(fmax(0.5 * (at + 1) * size_px, -1), size_px + 1);
}

dew_GlRegion dew_gl_region_of(const float clip[16], const dew_Vec3 corners[8], int width_px,
                              int height_px)
{
    double left = width_px, right = 0, bottom = height_px, top = 0;
    for (int i = 0; i < 8; i++) {
        double depth = row(clip, 3, corners[i]);
        if (!(depth > DEW_GL_MIN_DEPTH))
            return dew_gl_region_whole(width_px, height_px);
        double x = pixel_of(row(clip, 0, corners[i]) / depth, width_px);
        double y = pixel_of(row(clip, 1, corners[i]) / depth, height_px);
        left = fmin(left, x);
        right = fmax(right, x);
        bottom = fmin(bottom, y);
        top = fmax(top, y);
    }
    return (dew_GlRegion){(int)fmax(floor(left) - 1, 0), (int)fmax(floor(bottom) - 1, 0),
                          (int)fmin(ceil(right) + 1, width_px),
                          (int)fmin(ceil(top) + 1, height_px)};
}

void dew_gl_region_begin(const dew_Gl *gl, dew_GlRegion region)
{
    int width = region.x1 - region.x0, height = region.y1 - region.y0;
    gl->Enable(GL_SCISSOR_TEST);
    gl->Scissor(region.x0, region.y0, width > 0 ? width : 0, height > 0 ? height : 0);
}

void dew_gl_region_end(const dew_Gl *gl)
{
    gl->Disable(GL_SCISSOR_TEST);
}
#endif
