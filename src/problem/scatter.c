// A scatter resolved into caps at random places on a solid.
//
// Radii are drawn evenly from the range; the largest are placed first, at random points that are
// even by area, and thrown again when they overlap an earlier cap or do not sit: at least most of
// the rim must be near the solid, another solid must not be in the way, and the cap must lie in the
// domain. `radius` is what is seen from above: of the base up to 90 degrees, of the ball beyond.
#include "problem/scatter.h"

#include "base/status.h"
#include "dew/wetting.h"
#include "geom/rounding.h"
#include "problem/blob.h"
#include "problem/near_grid.h"
#include "problem/place.h"
#include "problem/resolved.h"
#include "problem/scene_bounds.h"
#include "problem/surface_sampler.h"

#include <stdlib.h>

#define RIM_PROBES   8
#define MAX_RIM_GAP  0.5  // of the cap's height, between its rim and the solid
#define SCATTER_SALT 0x5ca77e5u

typedef struct Scatter {
    const dew_Problem *problem;
    const dew_DropDef *def;
    dew_SurfaceSampler sampler;
    dew_NearGrid placed;
} Scatter;

static int larger_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static dew_DropCap cap_of(const Scatter *s, double radius_m)
{
    double angle = fmax(DEW_CAP_MIN_RAD, fmin(s->def->angle_rad, DEW_CAP_MAX_RAD));
    return angle > DEW_PI / 2 ? dew_drop_cap_from_radius_angle(radius_m, angle)
                              : dew_drop_cap_from_base_angle(radius_m, angle);
}

// Looks at the solid under the rim of a cap put flat on the point. false: it would hang over an
// edge or a fold. Else *sink_m is the mean gap there, by which the cap is let into a round solid.
static bool rim_sits(const Scatter *s, const dew_SolidPoint *at, const dew_DropCap *cap,
                     double *sink_m)
{
    dew_Vec3 t = dew_any_tangent(at->normal), b = dew_cross(at->normal, t);
    double most = MAX_RIM_GAP * cap->height_m, flat = DEW_TOUCH_ROUNDING * cap->base_radius_m,
           sum = 0;
    for (int i = 0; i < RIM_PROBES; i++) {
        double phi = 2 * DEW_PI * i / RIM_PROBES;
        dew_Vec3 arm =
            dew_combine(cap->base_radius_m * cos(phi), t, cap->base_radius_m * sin(phi), b);
        dew_SolidPoint under = dew_problem_solid_nearest(
            s->problem, &s->problem->start, s->sampler.solid_id, dew_add(at->point_m, arm));
        // Beyond an edge the solid is beside the rim, not below it.
        bool is_beside = under.distance_m > flat && dew_inner(under.normal, at->normal) < 0.8;
        if (is_beside || fabs(under.distance_m) > most)
            return false;
        sum += under.distance_m;
    }
    *sink_m = fmax(0, sum / RIM_PROBES);
    return true;
}

static bool try_place(Scatter *s, dew_Random *random, double radius_m, dew_Blob *out)
{
    dew_DropCap cap = cap_of(s, radius_m);
    dew_SolidPoint at = dew_sampler_draw(&s->sampler, random);
    double sink_m;
    if (dew_near_grid_overlaps(&s->placed, at.point_m, radius_m) ||
        !dew_sampler_fits(&s->sampler, &at, radius_m) || !rim_sits(s, &at, &cap, &sink_m))
        return false;
    dew_DropDef def = *s->def;
    def.shape = DEW_DROP_CAP;
    def.point_m = dew_add_scaled(at.point_m, -sink_m, at.normal);
    def.normal = at.normal;
    def.volume_m3 = cap.volume_m3;
    def.angle_rad = cap.angle_rad;
    if (dew_blob_from_def(&def, out->id, out).code != DEW_OK ||
        !dew_scene_contains(s->problem->scene, out->box_m, sink_m))
        return false;
    dew_near_grid_add(&s->placed, at.point_m, radius_m);
    return true;
}

static dew_Status place_all(Scatter *s, int drop_index, const double *radius_m, dew_Array *blobs)
{
    uint64_t seed = dew_problem_def(s->problem)->seed;
    for (int i = 0; i < s->def->count; i++) {
        dew_Random random =
            dew_random(seed, (uint64_t)drop_index, ((uint64_t)SCATTER_SALT << 32) + (uint64_t)i);
        dew_Blob blob = {.id = blobs->count};
        for (int k = 0; k < DEW_SAMPLER_MAX_TRIES; k++) {
            if (try_place(s, &random, radius_m[i], &blob)) {
                DEW_TRY(dew_array_push(blobs, &blob));
                break;
            }
        }
    }
    return dew_ok();
}

static dew_Status scatter(Scatter *s, int drop_index, dew_Arena *arena, dew_Array *blobs)
{
    const dew_DropDef *def = s->def;
    double *radius_m = dew_arena_array(arena, double, def->count);
    if (!radius_m)
        return dew_no_memory((size_t)def->count * sizeof(double));
    dew_Random random =
        dew_random(dew_problem_def(s->problem)->seed, (uint64_t)drop_index, SCATTER_SALT);
    for (int i = 0; i < def->count; i++)
        radius_m[i] = dew_random_range(&random, def->radius_range_m[0], def->radius_range_m[1]);
    qsort(radius_m, (size_t)def->count, sizeof(double), larger_first);
    DEW_TRY(dew_near_grid_init(&s->placed, arena, def->count,
                               fmax(def->radius_range_m[0], def->radius_range_m[1])));
    if (dew_sampler_area_m2(&s->sampler) > 0)
        DEW_TRY(place_all(s, drop_index, radius_m, blobs));
    return dew_ok();
}

dew_Status dew_scatter_resolve(const dew_Problem *problem, int drop_index, int solid_id,
                               dew_Array *blobs)
{
    Scatter s = {.problem = problem, .def = dew_scene_drop(problem->scene, drop_index)};
    dew_KeyPath key = dew_key_path("drops", drop_index, NULL);
    double smallest = fmin(s.def->radius_range_m[0], s.def->radius_range_m[1]);
    if (!(smallest > 0) || !(s.def->count > 0) || !(s.def->angle_rad > 0))
        return dew_scene_fail(problem->scene, key.text,
                              "a scatter needs a count, radii and an angle above zero");
    int64_t count_before = blobs->count;
    DEW_TRY(dew_sampler_init(&s.sampler, problem, solid_id));
    dew_Arena arena;
    dew_arena_init(&arena, &problem->allocator);
    dew_Status status = scatter(&s, drop_index, &arena, blobs);
    dew_arena_deinit(&arena);
    dew_sampler_deinit(&s.sampler);
    DEW_TRY(status);
    int64_t placed = blobs->count - count_before;
    if (placed == 0)
        return dew_scene_fail(problem->scene, key.text,
                              "no drop of %g to %g m finds room on %s within the domain",
                              s.def->radius_range_m[0], s.def->radius_range_m[1], s.def->on);
    if (placed < s.def->count)
        dew_scene_say(problem->scene, &problem->log, DEW_LOG_WARNING, key.text,
                      "%lld of %d drops find room on %s without overlapping", (long long)placed,
                      s.def->count, s.def->on);
    return dew_ok();
}
