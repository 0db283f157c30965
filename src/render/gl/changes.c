// What of the image of the solids has changed since it was drawn.
//
// When only some bodies have moved it is where they were and where they are, with their shadows.
// Glass shows that elsewhere: a pane by no more than it shifts a ray, any other glass wherever it
// is.
#ifdef DEW_HAVE_GL
#include "render/gl/drawing_state.h"

#include "base/hash.h"
#include "base/status.h"

#include <string.h>

#define PANE_TOLERANCE_RAD 0.01f  // between faces of a pane; off a right angle at its edges
#define MARGIN_PX          2      // around what has changed, for filters

static dew_Vec3 corner_of(const dew_Box *box, int i)
{
    return dew_vec(i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y,
                   i & 4 ? box->max.z : box->min.z);
}

static dew_GlRegion region_of(const dew_GlDrawing *drawing, const dew_Vec3 corners[8])
{
    return dew_gl_region_of(drawing->frame.clip, corners, drawing->solids.width,
                            drawing->solids.height);
}

static dew_GlRegion box_region(const dew_GlDrawing *drawing, const dew_Box *box)
{
    dew_Vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = corner_of(box, i);
    return region_of(drawing, corners);
}

static dew_GlRegion grown(const dew_GlDrawing *drawing, dew_GlRegion region, int px)
{
    int width = drawing->solids.width, height = drawing->solids.height;
    if (dew_gl_region_is_empty(region))
        return region;
    return (dew_GlRegion){region.x0 > px ? region.x0 - px : 0, region.y0 > px ? region.y0 - px : 0,
                          region.x1 + px < width ? region.x1 + px : width,
                          region.y1 + px < height ? region.y1 + px : height};
}

// ---- bodies that move --------------------------------------------------------------------------

// The first light alone casts shadows at the live level: from the box to the bottom of its map.
dew_GlRegion dew_gl_part_region(const dew_GlDrawing *drawing, const dew_GlPart *part,
                                bool with_shadow)
{
    dew_Box box = part->box;
    dew_Vec3 shifted[8];
    if (!with_shadow || drawing->lights.count == 0)
        return box_region(drawing, &box);
    const dew_GlLightPass *pass = &drawing->passes[0];
    const float *m = pass->all.space;
    dew_Vec3 down = {(double)m[2], (double)m[6], (double)m[10]};
    double texel = 2 * sqrt(pass->all.texel_area), deep = 1 / dew_length(down);
    box.min = dew_sub(box.min, dew_vec(texel, texel, texel));
    box.max = dew_add(box.max, dew_vec(texel, texel, texel));
    for (int i = 0; i < 8; i++) {
        dew_Vec3 p = corner_of(&box, i);
        double left = 1 - dew_inner(down, p) - (double)m[14];
        shifted[i] = dew_add_scaled(p, fmax(left, 0) * deep * deep, down);
    }
    return dew_gl_region_union(box_region(drawing, &box), region_of(drawing, shifted));
}

static dew_GlRegion moved_region(const dew_GlDrawing *drawing)
{
    const dew_Array *was = &drawing->still.parts, *is = &drawing->bodies.opaque_parts;
    dew_GlRegion region = {0};
    for (int64_t i = 0; i < is->count; i++) {
        const dew_GlPart *a = &DEW_ITEMS(was, const dew_GlPart)[i],
                         *b = &DEW_ITEMS(is, const dew_GlPart)[i];
        if (a->hash == b->hash)
            continue;
        region = dew_gl_region_union(region, dew_gl_part_region(drawing, a, true));
        region = dew_gl_region_union(region, dew_gl_part_region(drawing, b, true));
    }
    return grown(drawing, region, MARGIN_PX);
}

// ---- glass before them -------------------------------------------------------------------------

typedef struct Triangle {
    dew_Float3 corner[3], normal;
    float size;
} Triangle;

static Triangle glass_triangle(const dew_GlBodies *bodies, const dew_GlPart *part, int64_t i)
{
    Triangle t;
    const uint32_t *v = DEW_ITEMS(&bodies->clear_index_data, const uint32_t) + part->first + 3 * i;
    for (int k = 0; k < 3; k++) {
        const float *p =
            DEW_ITEMS(&bodies->clear_data, const float) + (int64_t)v[k] * DEW_GL_CLEAR_FLOATS;
        t.corner[k] = dew_f3(p[0], p[1], p[2]);
    }
    t.normal =
        dew_f3_cross(dew_f3_sub(t.corner[1], t.corner[0]), dew_f3_sub(t.corner[2], t.corner[0]));
    t.size = sqrtf(dew_f3_length2(t.normal));
    t.normal = t.size > 0 ? dew_f3_scale(1 / t.size, t.normal) : dew_f3(0, 0, 0);
    return t;
}

// In the image; true also for what reaches behind the eye.
static bool is_seen(const dew_GlDrawing *drawing, const Triangle *t)
{
    const float *m = drawing->frame.clip;
    double edge = 1 + 2.0 * MARGIN_PX / drawing->solids.width, p[3][2];
    for (int k = 0; k < 3; k++) {
        dew_Vec3 at = dew_f3_wide(t->corner[k]);
        double row[4];
        for (int i = 0; i < 4; i++)
            row[i] = (double)m[i] * at.x + (double)m[4 + i] * at.y + (double)m[8 + i] * at.z +
                     (double)m[12 + i];
        if (!(row[3] > DEW_GL_MIN_DEPTH))
            return true;
        p[k][0] = row[0] / row[3];
        p[k][1] = row[1] / row[3];
    }
    // A line along a side of the triangle, or of the image, that has them on different sides?
    double area =
        (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
    for (int k = 0; k < 3; k++) {
        const double *a = p[k], *b = p[(k + 1) % 3];
        double most = -(double)INFINITY;
        for (int i = 0; i < 4; i++) {
            double x = i & 1 ? edge : -edge, y = i & 2 ? edge : -edge;
            double side = (b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1]);
            most = fmax(most, area < 0 ? -side : side);
        }
        if (most < 0)
            return false;
    }
    for (int i = 0; i < 2; i++)
        if (fmin(p[0][i], fmin(p[1][i], p[2][i])) > edge ||
            fmax(p[0][i], fmax(p[1][i], p[2][i])) < -edge)
            return false;
    return true;
}

// A pane whose edges are not in the image: its normal and its thickness.
static bool is_pane(const dew_GlDrawing *drawing, const dew_GlPart *part, dew_Float3 *normal,
                    float *thickness)
{
    Triangle largest = glass_triangle(&drawing->bodies, part, 0);
    for (int64_t i = 1; i < part->count / 3; i++) {
        Triangle t = glass_triangle(&drawing->bodies, part, i);
        largest = t.size > largest.size ? t : largest;
    }
    *normal = largest.normal;
    *thickness = 0;
    for (int64_t i = 0; i < part->count / 3; i++) {
        Triangle t = glass_triangle(&drawing->bodies, part, i);
        float cosine = fabsf(dew_f3_inner(t.normal, largest.normal));
        if (cosine < 1 - PANE_TOLERANCE_RAD * PANE_TOLERANCE_RAD &&
            (cosine > PANE_TOLERANCE_RAD || is_seen(drawing, &t)))
            return false;
        for (int k = 0; k < 3; k++)
            *thickness = fmaxf(
                *thickness,
                fabsf(dew_f3_inner(dew_f3_sub(t.corner[k], largest.corner[0]), largest.normal)));
    }
    return true;
}

// By how much a pane shifts a ray at most, parts of its thickness: sin(i - r) / cos(r) in the
// image's corners.
static double shift_of(const dew_GlDrawing *drawing, dew_Float3 normal, double ior)
{
    const dew_Camera *camera = &drawing->scene->camera;
    double most = 0;
    for (int i = 0; i < 4; i++) {
        dew_Vec3 corner =
            dew_add(camera->forward,
                    dew_combine(i & 1 ? camera->half_width : -camera->half_width, camera->right,
                                i & 2 ? camera->half_height : -camera->half_height, camera->up));
        double c = fabs(dew_inner(dew_normalize(corner), dew_f3_wide(normal)));
        double s = sqrt(fmax(1 - c * c, 0)), inside = sqrt(1 - s * s / (ior * ior));
        most = fmax(most, s - c * s / (ior * inside));
    }
    return most;
}

// What of a part of the glass shows a region of the solids.
static dew_GlRegion through_glass(const dew_GlDrawing *drawing, const dew_GlPart *part,
                                  dew_GlRegion region)
{
    dew_Float3 normal;
    float thickness;
    const dew_Camera *camera = &drawing->scene->camera;
    const dew_RenderBody *body =
        &DEW_ITEMS(&drawing->scene->bodies, const dew_RenderBody)[part->body];
    if (body->kind == DEW_BODY_CLEAR && is_pane(drawing, part, &normal, &thickness)) {
        double nearest = (double)INFINITY;
        for (int64_t i = 0; i < part->count; i++) {
            Triangle t = glass_triangle(&drawing->bodies, part, i / 3);
            dew_Vec3 eye = {(double)drawing->frame.eye[0], (double)drawing->frame.eye[1],
                            (double)drawing->frame.eye[2]};
            nearest = fmin(nearest, fabs(dew_inner(dew_sub(dew_f3_wide(t.corner[i % 3]), eye),
                                                   dew_f3_wide(normal))));
        }
        double px = drawing->solids.width / (2 * camera->half_width * fmax(nearest, 1e-3));
        double shift = shift_of(drawing, normal, (double)body->medium.ior);
        return grown(drawing, region,
                     (int)fmin(ceil((double)thickness * shift * px) + MARGIN_PX,
                               drawing->solids.width + drawing->solids.height));
    }
    dew_GlRegion all = {0};
    for (int64_t i = 0; i < part->count / 3; i++) {
        Triangle t = glass_triangle(&drawing->bodies, part, i);
        dew_Vec3 corners[8];
        for (int k = 0; k < 8; k++)
            corners[k] = dew_f3_wide(t.corner[k % 3]);
        all = dew_gl_region_union(all, region_of(drawing, corners));
    }
    return dew_gl_region_union(region, all);
}

static dew_GlRegion with_glass(const dew_GlDrawing *drawing, dew_GlRegion region)
{
    const dew_GlBodies *bodies = &drawing->bodies;
    dew_GlRegion all = region;
    for (int64_t i = 0; i < bodies->clear_parts.count; i++) {
        const dew_GlPart *part = &DEW_ITEMS(&bodies->clear_parts, const dew_GlPart)[i];
        if (!dew_gl_body_is_liquid(
                &DEW_ITEMS(&drawing->scene->bodies, const dew_RenderBody)[part->body]))
            all = dew_gl_region_union(all, through_glass(drawing, part, region));
    }
    return all;
}

// ---- all of it ---------------------------------------------------------------------------------

static bool has_caustics(const dew_GlDrawing *drawing, int light)
{
    return (drawing->features >> (DEW_GL_CAUSTICS_SHIFT + light) & 1u) != 0;
}

// Of all but what the solids do not depend on.
static uint64_t hash_frame(const dew_GlDrawing *drawing)
{
    dew_GlFrame frame = drawing->frame;
    memset(frame.liquid_space, 0, sizeof frame.liquid_space);
    frame.reach[0] = frame.reach[1] = 0;  // for searches from what is clear
    return dew_hash(&frame, sizeof frame, drawing->features);
}

static dew_GlRegion changed_region(const dew_GlDrawing *drawing, const dew_GlStill *now)
{
    const dew_GlStill *was = &drawing->still;
    dew_GlRegion whole = dew_gl_region_whole(drawing->solids.width, drawing->solids.height);
    bool is_live = (drawing->features & DEW_GL_IS_LIVE) != 0;
    // At the live level the glass stands in that image too.
    if (!was->is_drawn || was->features != now->features || was->frame_hash != now->frame_hash ||
        (is_live && was->glass_hash != now->glass_hash))
        return whole;
    if (was->opaque_hash == now->opaque_hash)
        return (dew_GlRegion){0};
    if (!is_live || was->parts.count != drawing->bodies.opaque_parts.count)
        return whole;
    return with_glass(drawing, moved_region(drawing));
}

dew_Status dew_gl_solids_find_dirty(dew_GlDrawing *drawing)
{
    dew_GlStill now = {.features = drawing->features,
                       .frame_hash = hash_frame(drawing),
                       .opaque_hash = drawing->bodies.opaque_hash,
                       .glass_hash = drawing->bodies.glass_hash,
                       .parts = drawing->still.parts};
    const dew_GlStill *was = &drawing->still;
    if (drawing->bodies.has_liquid)
        now.liquid = box_region(drawing, &drawing->bodies.liquid);
    for (int i = 0; i < drawing->lights.count; i++)
        if (has_caustics(drawing, i))
            now.lit =
                dew_gl_region_union(now.lit, region_of(drawing, drawing->passes[i].liquid.corners));
    drawing->dirty =
        dew_gl_region_union(changed_region(drawing, &now), dew_gl_region_union(was->lit, now.lit));
    drawing->dirty_seen =
        dew_gl_region_union(drawing->dirty, dew_gl_region_union(was->liquid, now.liquid));
    if (drawing->bodies.has_glass)
        drawing->dirty_seen = dew_gl_region_whole(drawing->solids.width, drawing->solids.height);
    now.parts.count = 0;
    dew_Status status = dew_array_append(&now.parts, drawing->bodies.opaque_parts.data,
                                         drawing->bodies.opaque_parts.count);
    drawing->still = now;
    return status;
}
#endif
