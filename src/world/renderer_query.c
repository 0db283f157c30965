// Questions to a renderer: its camera, the box of what it draws, and what a ray meets.
//
// Rays meet the front of solids (problem/solid_ray.h), and the liquid by a test of all its
// triangles [Moller1997].
#include "world/renderer.h"

#include "base/status.h"
#include "problem/poured.h"
#include "problem/solid_ray.h"
#include "render/eye.h"

#include <math.h>

int dew_renderer_solid_count(const dew_Renderer *renderer)
{
    return renderer->solid_count;
}

const char *dew_renderer_solid_name(const dew_Renderer *renderer, int solid_id)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < renderer->solid_count);
    return dew_problem_solid_name(renderer->problem, solid_id);
}

dew_Status dew_renderer_initial_surface(const dew_Renderer *renderer, dew_Surface *out)
{
    return dew_problem_poured(renderer->problem, NULL, out);
}

// ---- camera ------------------------------------------------------------------------------------

static dew_Box add_finite_solids(const dew_Problem *problem, dew_Box box)
{
    for (int i = 0; i < dew_problem_solid_count(problem); i++) {
        dew_Box solid = dew_problem_solid_box(problem, i);
        if (dew_vec_is_finite(solid.min) && dew_vec_is_finite(solid.max))
            box = dew_box_union(box, solid);
    }
    return box;
}

static dew_Box liquid_box(const dew_Surface *surface)
{
    dew_Box box = dew_box_empty();
    for (int64_t i = 0; surface && i < dew_surface_vertex_count(surface); i++)
        box = dew_box_add(box, dew_surface_positions_m(surface)[i]);
    return box;
}

void dew_renderer_bounds(const dew_Renderer *renderer, const dew_RenderFrame *frame,
                         dew_Vec3 *min_m, dew_Vec3 *max_m)
{
    dew_Box box = add_finite_solids(renderer->problem, liquid_box(frame->surface));
    if (!(box.min.x <= box.max.x))
        box = dew_problem_domain(renderer->problem);
    *min_m = box.min;
    *max_m = box.max;
}

dew_Status dew_renderer_solid_bounds(const dew_Renderer *renderer, int solid_id, dew_Vec3 *min_m,
                                     dew_Vec3 *max_m)
{
    if (solid_id < 0 || solid_id >= renderer->solid_count)
        return dew_fail(DEW_BAD_INPUT, "there is no solid %d (the scene has %d)", solid_id,
                        renderer->solid_count);
    dew_Box box = dew_problem_solid_box(renderer->problem, solid_id);
    *min_m = box.min;
    *max_m = box.max;
    return dew_ok();
}

dew_Status dew_renderer_resolve_camera(const dew_Renderer *renderer, const dew_Box *subject_m,
                                       dew_Camera *out)
{
    const dew_CameraDef *camera =
        renderer->has_camera ? &renderer->camera : &dew_problem_def(renderer->problem)->camera;
    return dew_camera_resolve(camera, subject_m ? *subject_m : dew_box_empty(),
                              renderer->def.width_px, renderer->def.height_px, out);
}

dew_Status dew_renderer_camera(dew_Renderer *renderer, const dew_RenderFrame *frame,
                               dew_CameraDef *out)
{
    dew_Camera camera;
    dew_Box subject;
    *out = renderer->has_camera ? renderer->camera : dew_problem_def(renderer->problem)->camera;
    if (!dew_renderer_subject(renderer, &subject))
        subject = liquid_box(frame->surface);
    if (!(subject.min.x <= subject.max.x))
        subject = add_finite_solids(renderer->problem, subject);
    DEW_TRY(dew_renderer_resolve_camera(renderer, &subject, &camera));
    out->width_px = camera.width_px;
    out->height_px = camera.height_px;
    if (out->is_given)
        return dew_ok();
    dew_Instant instant = dew_renderer_instant(renderer, frame);
    dew_eye_free(renderer->problem, &instant, dew_combine(0.5, subject.min, 0.5, subject.max),
                 &camera);
    out->is_given = true;
    out->eye_m = camera.eye_m;
    out->target_m = dew_add_scaled(camera.eye_m, camera.focus_m, camera.forward);
    out->up = camera.up;
    out->fov_rad = 2 * atan(camera.half_height);
    return dew_ok();
}

// ---- rays --------------------------------------------------------------------------------------

static dew_RenderHit solid_hit(const dew_Renderer *renderer, const dew_Instant *instant,
                               const dew_SolidPoint *point, double distance_m)
{
    return (dew_RenderHit){.is_hit = true,
                           .solid_id = point->solid_id,
                           .distance_m = distance_m,
                           .point_m = point->point_m,
                           .normal = point->normal,
                           .material = dew_problem_material(renderer->problem, instant,
                                                            point->solid_id, point->point_m)};
}

static void meet_solids(const dew_Renderer *renderer, const dew_Instant *instant, dew_Vec3 origin,
                        dew_Vec3 direction, double reach, dew_RenderHit *hit)
{
    dew_SolidPoint solid;
    double along;
    if (dew_problem_cast_ray(renderer->problem, instant, origin, direction, reach,
                             DEW_RAY_FRONT_SIDE, &solid, &along))
        *hit = solid_hit(renderer, instant, &solid, along);
}

// Does the ray meet the front of the triangle, and where?
static bool meets(const dew_Vec3 v[3], dew_Vec3 origin, dew_Vec3 direction, double *along)
{
    dew_Vec3 a = dew_sub(v[1], v[0]), b = dew_sub(v[2], v[0]), from = dew_sub(origin, v[0]);
    dew_Vec3 p = dew_cross(direction, b), q = dew_cross(from, a);
    double det = dew_inner(a, p);
    if (!(det > 0))
        return false;
    double s = dew_inner(from, p), t = dew_inner(direction, q);
    *along = dew_inner(b, q) / det;
    return s >= 0 && t >= 0 && s + t <= det && *along > 0;
}

static void meet_liquid(const dew_Surface *liquid, dew_Vec3 origin, dew_Vec3 direction,
                        dew_RenderHit *hit)
{
    const dew_Vec3 *x = dew_surface_positions_m(liquid);
    const uint32_t *triangles = dew_surface_triangles(liquid);
    for (int64_t i = 0; i < dew_surface_triangle_count(liquid); i++) {
        const uint32_t *t = triangles + 3 * i;
        dew_Vec3 v[3] = {x[t[0]], x[t[1]], x[t[2]]};
        double along;
        if (!meets(v, origin, direction, &along) || !(along < hit->distance_m))
            continue;
        dew_Vec3 normal = dew_cross(dew_sub(v[1], v[0]), dew_sub(v[2], v[0]));
        uint32_t piece = DEW_ITEMS(&liquid->pieces, const uint32_t)[t[0]];
        *hit = (dew_RenderHit){.is_hit = true,
                               .solid_id = DEW_INVALID,
                               .distance_m = along,
                               .point_m = dew_add_scaled(origin, along, direction),
                               .normal = dew_normalize(normal)};
        if ((int64_t)piece < liquid->measures.count)
            hit->drop_volume_m3 =
                DEW_ITEMS(&liquid->measures, const dew_PieceMeasure)[piece].volume_m3;
    }
}

dew_RenderHit dew_renderer_cast_ray(dew_Renderer *renderer, const dew_RenderFrame *frame,
                                    dew_Vec3 origin_m, dew_Vec3 direction, double max_distance_m)
{
    dew_RenderHit hit = {.solid_id = DEW_INVALID, .distance_m = max_distance_m};
    dew_Instant instant = dew_renderer_instant(renderer, frame);
    meet_solids(renderer, &instant, origin_m, direction, max_distance_m, &hit);
    if (frame->surface)
        meet_liquid(frame->surface, origin_m, direction, &hit);
    return hit;
}

dew_RenderHit dew_renderer_nearest(dew_Renderer *renderer, const dew_RenderFrame *frame,
                                   int solid_id, dew_Vec3 point_m)
{
    dew_RenderHit hit = {.solid_id = DEW_INVALID};
    if (solid_id < 0 || solid_id >= renderer->solid_count)
        return hit;
    dew_Instant instant = dew_renderer_instant(renderer, frame);
    dew_SolidPoint point =
        dew_problem_solid_nearest(renderer->problem, &instant, solid_id, point_m);
    return solid_hit(renderer, &instant, &point, point.distance_m);
}
