// Solids by walking along the ray, each step as long as the nearest solid is away; the liquid by all its
// triangles (Moller and Trumbore's test). A click, so neither need be quick.
#include "view/pick.h"

#include <math.h>

#define MAX_WALK 400
#define CLOSE    1e-7  // of the reach: near enough to be met

static void pick_solid(const dew_Problem *problem, const dew_Moment *moment, dew_Vec3 origin,
                       dew_Vec3 direction, double reach, dew_Pick *pick)
{
    double along = 0;
    for (int i = 0; i < MAX_WALK && along < reach; i++) {
        dew_Vec3 at = dew_add_scaled(origin, along, direction);
        dew_SolidPoint near = dew_problem_nearest(problem, moment, at, reach);
        if (near.solid_id == DEW_INVALID)
            return;
        if (near.distance_m < CLOSE * reach) {
            if (dew_inner(near.normal, direction) >= 0) {  // from behind: a wall's back, go on
                along += fmax(-near.distance_m, 0) + CLOSE * reach * 10;
                continue;
            }
            *pick = (dew_Pick){.is_hit = true,
                               .distance_m = along,
                               .point_m = near.point_m,
                               .normal = near.normal,
                               .solid_id = near.solid_id};
            return;
        }
        along += near.distance_m;
    }
}

static bool meets(const dew_Vec3 v[3], dew_Vec3 origin, dew_Vec3 direction, double *along)
{
    dew_Vec3 a = dew_sub(v[1], v[0]), b = dew_sub(v[2], v[0]), from = dew_sub(origin, v[0]);
    dew_Vec3 p = dew_cross(direction, b), q = dew_cross(from, a);
    double det = dew_inner(a, p);
    if (!(det > 0))  // from outside only
        return false;
    double s = dew_inner(from, p), t = dew_inner(direction, q);
    *along = dew_inner(b, q) / det;
    return s >= 0 && t >= 0 && s + t <= det && *along > 0;
}

static void pick_liquid(const dew_Surface *liquid, dew_Vec3 origin, dew_Vec3 direction,
                        dew_Pick *pick)
{
    const dew_Vec3 *x = dew_surface_positions_m(liquid);
    const uint32_t *triangles = dew_surface_triangles(liquid);
    for (int64_t i = 0; i < dew_surface_triangle_count(liquid); i++) {
        const uint32_t *t = triangles + 3 * i;
        dew_Vec3 v[3] = {x[t[0]], x[t[1]], x[t[2]]};
        double along;
        if (!meets(v, origin, direction, &along) || !(along < pick->distance_m))
            continue;
        uint32_t piece = DEW_ITEMS(&liquid->pieces, const uint32_t)[t[0]];
        *pick =
            (dew_Pick){.is_hit = true,
                       .is_liquid = true,
                       .distance_m = along,
                       .point_m = dew_add_scaled(origin, along, direction),
                       .normal = dew_normalize(dew_cross(dew_sub(v[1], v[0]), dew_sub(v[2], v[0]))),
                       .solid_id = DEW_INVALID};
        if ((int64_t)piece < liquid->measures.count)
            pick->drop_volume_m3 =
                DEW_ITEMS(&liquid->measures, const dew_PieceMeasure)[piece].volume_m3;
    }
}

dew_Pick dew_pick(const dew_Problem *problem, const dew_Moment *moment, const dew_Surface *liquid,
                  dew_Vec3 origin_m, dew_Vec3 direction, double reach_m)
{
    dew_Pick pick = {.distance_m = reach_m, .solid_id = DEW_INVALID};
    pick_solid(problem, moment, origin_m, direction, reach_m, &pick);
    if (liquid)
        pick_liquid(liquid, origin_m, direction, &pick);
    return pick;
}
