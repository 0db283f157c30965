// How far the light goes that comes through the liquid at the live level: first as the light sees
// it, then in the image. Elsewhere the image of the solids stays as it is, and that is most of it.
//
// The map of the light is read back, unless it is large; elsewhere than in its bounds it is 1.
// Solids are bounded by their boxes; tables and walls, which are large and flat, by where the
// light's rays meet their planes.
#ifdef DEW_HAVE_GL
#include "render/gl/light_reach.h"

#include "base/status.h"

#define FLAT_RATIO  1e-4  // of thickness and size of a body below which it is a plane
#define MIN_INCLINE 0.05  // of the light to a plane: sine
#define MAX_READ_PX 256   // side of a map that is read back

dew_Status dew_gl_light_reach(dew_GlDrawing *drawing, dew_Box *out)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlTarget *light = &drawing->live.light;
    int px = light->width;
    *out = (dew_Box){{0, 0, 0}, {1, 1, 1}};
    if (px > MAX_READ_PX)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(&drawing->scratch);
    float *rgba = dew_arena_raw_array(&drawing->scratch, float, 4 * (int64_t)px * px);
    if (!rgba)
        return dew_no_memory((size_t)px * (size_t)px * 16);
    gl->BindFramebuffer(GL_FRAMEBUFFER, light->framebuffer);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->ReadPixels(0, 0, px, px, GL_RGBA, GL_FLOAT, rgba);
    int x0 = px, x1 = 0, y0 = px, y1 = 0;
    for (int y = 0; y < px; y++)
        for (int x = 0; x < px; x++) {
            const float *at = rgba + 4 * ((int64_t)y * px + x);
            if (at[0] == 1 && at[1] == 1 && at[2] == 1)
                continue;
            x0 = x < x0 ? x : x0;
            x1 = x > x1 ? x : x1;
            y0 = y < y0 ? y : y0;
            y1 = y > y1 ? y : y1;
        }
    dew_arena_rewind(&drawing->scratch, mark);
    double texel = 1.0 / px;  // with one texel around it, for the filter
    out->min = dew_vec(fmax((x0 - 1) * texel, 0), fmax((y0 - 1) * texel, 0), 0);
    out->max = dew_vec(fmin((x1 + 2) * texel, 1), fmin((y1 + 2) * texel, 1), 1);
    return dew_ok();
}

// ---- in the image -------------------------------------------------------------------------------

// The point of a light's frame at u, v and its bottom or its top.
static dew_Vec3 frame_point(const dew_GlLightFrame *frame, double u, double v, bool is_top)
{
    const dew_Vec3 *c = frame->corners + (is_top ? 4 : 0);
    dew_Vec3 p = dew_add_scaled(c[0], u, dew_sub(c[1], c[0]));
    return dew_add_scaled(p, v, dew_sub(c[2], c[0]));
}

static double along(dew_Vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

// Across which axis a box is flat; -1: none.
static int flat_axis(const dew_Box *box)
{
    dew_Vec3 size = dew_sub(box->max, box->min);
    double most = fmax(size.x, fmax(size.y, size.z));
    for (int a = 0; a < 3; a++)
        if (along(size, a) <= FLAT_RATIO * most)
            return a;
    return -1;
}

static dew_GlRegion part_region(const dew_GlDrawing *drawing, const dew_GlPart *part,
                                const dew_Box *reach)
{
    const dew_GlLightFrame *frame = &drawing->passes[0].liquid;
    dew_Vec3 towards = dew_f3_wide(drawing->passes[0].towards), corners[8];
    int axis = flat_axis(&part->box);
    bool is_flat = axis >= 0 && fabs(along(towards, axis)) > MIN_INCLINE;
    for (int i = 0; i < 8; i++) {
        double u = i & 1 ? reach->max.x : reach->min.x, v = i & 2 ? reach->max.y : reach->min.y;
        corners[i] = frame_point(frame, u, v, !is_flat && (i & 4));
        if (is_flat) {
            double to = along(i & 4 ? part->box.max : part->box.min, axis);
            corners[i] = dew_add_scaled(
                corners[i], (to - along(corners[i], axis)) / along(towards, axis), towards);
        }
    }
    dew_GlRegion lit = dew_gl_region_of(drawing->frame.clip, corners, drawing->solids.width,
                                        drawing->solids.height);
    return dew_gl_region_common(lit, dew_gl_part_region(drawing, part, false));
}

dew_GlRegion dew_gl_light_region(const dew_GlDrawing *drawing, const dew_Box *reach)
{
    dew_GlRegion region = {0};
    if (reach->min.x >= reach->max.x || reach->min.y >= reach->max.y)
        return region;
    for (int64_t i = 0; i < drawing->bodies.opaque_parts.count; i++)
        region = dew_gl_region_union(
            region,
            part_region(drawing, &DEW_ITEMS(&drawing->bodies.opaque_parts, const dew_GlPart)[i],
                        reach));
    return region;
}
#endif
