// Rays, nearest points and containment.
//
// Solids answer by their signed distance (problem/solid_ray.h), liquid by the tree over its
// surface.
#include "dew/query.h"

#include "base/status.h"
#include "problem/solid_ray.h"
#include "world/world_state.h"

#include <math.h>

static bool is_in(uint32_t mask, dew_QueryMask what)
{
    return (mask & (uint32_t)what) != 0;
}

static dew_Status check_point(dew_Vec3 point_m, double max_distance_m)
{
    if (!dew_vec_is_finite(point_m) || !(max_distance_m >= 0))
        return dew_fail(DEW_BAD_INPUT, "a query needs a finite point and a distance >= 0");
    return dew_ok();
}

// ---- liquid ------------------------------------------------------------------------------------

/// Id, normal and velocity of the liquid's surface at a point of a triangle.
static dew_Status fill_liquid(dew_World *world, uint32_t triangle, const double weight[3],
                              dew_QueryHit *hit)
{
    DEW_TRY(dew_world_update_drops(world));
    const dew_LiquidView *view = &world->view;
    const dew_Surface *surface = view->surface;
    const uint32_t *v = DEW_ITEMS(&surface->triangles, dew_Triangle)[triangle].v;
    const dew_Vec3 *x = DEW_ITEMS(&surface->positions, dew_Vec3);
    const dew_Vec3 *u = DEW_ITEMS(&surface->velocities, dew_Vec3);
    uint32_t piece = DEW_ITEMS(&surface->pieces, uint32_t)[v[0]];
    int32_t drop = DEW_ITEMS(&view->tracker.piece_drops, int32_t)[piece];
    hit->is_hit = hit->is_liquid = true;
    hit->id = DEW_ITEMS(&view->drops, dew_Drop)[drop].id;
    hit->normal = dew_normalize(dew_cross(dew_sub(x[v[1]], x[v[0]]), dew_sub(x[v[2]], x[v[0]])));
    hit->velocity_m_s = (dew_Vec3){0, 0, 0};
    for (int c = 0; c < 3; c++)
        hit->velocity_m_s = dew_add_scaled(hit->velocity_m_s, weight[c], u[v[c]]);
    return dew_ok();
}

static dew_Status liquid_ray(dew_World *world, dew_Vec3 origin_m, dew_Vec3 direction,
                             double max_distance_m, dew_QueryHit *out)
{
    DEW_TRY(dew_world_update_tree(world));
    dew_RayHit found;
    dew_Ray ray = {origin_m, direction, 0, max_distance_m};
    if (!world->view.tree || !dew_bvh_ray(dew_mesh_distance_bvh(world->view.tree), &ray, &found))
        return dew_ok();
    out->distance_m = found.t;
    out->point_m = dew_add_scaled(origin_m, found.t, direction);
    return fill_liquid(world, found.triangle, found.weight, out);
}

static dew_Status liquid_nearest(dew_World *world, dew_Vec3 point_m, double max_distance_m,
                                 dew_QueryHit *out)
{
    DEW_TRY(dew_world_update_tree(world));
    dew_MeshClosest found;
    if (!world->view.tree ||
        !dew_mesh_distance_within(world->view.tree, point_m, max_distance_m, &found))
        return dew_ok();
    DEW_TRY(fill_liquid(world, found.triangle, found.weight, out));
    out->distance_m = found.closest.distance;
    out->point_m = found.closest.point;
    out->normal = found.closest.normal;
    return dew_ok();
}

// ---- solids ------------------------------------------------------------------------------------

static dew_QueryHit solid_hit(const dew_SolidPoint *solid)
{
    return (dew_QueryHit){.is_hit = true,
                          .id = solid->solid_id,
                          .distance_m = solid->distance_m,
                          .point_m = solid->point_m,
                          .normal = solid->normal,
                          .velocity_m_s = solid->velocity_m_s};
}

static void solid_ray(dew_World *world, dew_Vec3 origin_m, dew_Vec3 direction,
                      double max_distance_m, dew_QueryHit *out)
{
    dew_Instant instant = dew_world_instant(world);
    dew_SolidPoint solid;
    double along_m;
    if (!dew_problem_cast_ray(world->problem, &instant, origin_m, direction, max_distance_m,
                              DEW_RAY_ANY_SIDE, &solid, &along_m))
        return;
    *out = solid_hit(&solid);
    out->distance_m = along_m;
    out->point_m = dew_add_scaled(origin_m, along_m, direction);
}

// ---- the public calls --------------------------------------------------------------------------

dew_Status dew_world_cast_ray(dew_World *world, dew_Vec3 origin_m, dew_Vec3 direction,
                              double max_distance_m, uint32_t mask, dew_QueryHit *out)
{
    *out = (dew_QueryHit){.id = DEW_INVALID};
    DEW_TRY(check_point(origin_m, max_distance_m));
    if (!dew_vec_is_finite(direction) || !(dew_length2(direction) > 0))
        return dew_fail(DEW_BAD_INPUT, "a ray needs a direction that is not zero");
    direction = dew_normalize(direction);
    if (is_in(mask, DEW_QUERY_SOLIDS))
        solid_ray(world, origin_m, direction, max_distance_m, out);
    if (is_in(mask, DEW_QUERY_LIQUID))
        DEW_TRY(liquid_ray(world, origin_m, direction,
                           out->is_hit ? out->distance_m : max_distance_m, out));
    return dew_ok();
}

dew_Status dew_world_nearest(dew_World *world, dew_Vec3 point_m, double max_distance_m,
                             uint32_t mask, dew_QueryHit *out)
{
    *out = (dew_QueryHit){.id = DEW_INVALID};
    DEW_TRY(check_point(point_m, max_distance_m));
    if (is_in(mask, DEW_QUERY_LIQUID))
        DEW_TRY(liquid_nearest(world, point_m, max_distance_m, out));
    if (!is_in(mask, DEW_QUERY_SOLIDS))
        return dew_ok();
    dew_Instant instant = dew_world_instant(world);
    dew_SolidPoint solid = dew_problem_nearest(world->problem, &instant, point_m, max_distance_m);
    bool is_found = solid.solid_id != DEW_INVALID && fabs(solid.distance_m) <= max_distance_m;
    if (is_found && (!out->is_hit || fabs(solid.distance_m) < fabs(out->distance_m)))
        *out = solid_hit(&solid);
    return dew_ok();
}

dew_Status dew_world_inside(dew_World *world, dew_Vec3 point_m, uint32_t mask, uint32_t *out)
{
    *out = 0;
    DEW_TRY(check_point(point_m, 0));
    dew_Instant instant = dew_world_instant(world);
    if (is_in(mask, DEW_QUERY_SOLIDS) &&
        dew_problem_distance(world->problem, &instant, point_m, 0) < 0)
        *out |= DEW_QUERY_SOLIDS;
    if (!is_in(mask, DEW_QUERY_LIQUID))
        return dew_ok();
    DEW_TRY(dew_world_update_tree(world));
    if (world->view.tree && dew_mesh_distance_is_inside(world->view.tree, point_m))
        *out |= DEW_QUERY_LIQUID;
    return dew_ok();
}
