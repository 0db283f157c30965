// The union of all solids, as seen from a point.
//
// Distance of the union is the least of the solids' distances: exact outside; inside overlapping
// solids it is the depth in the one that the point lies deepest in. Solids at rest within a box are
// found by a tree; those without end and those that move are few and asked in turn, moving ones
// after their box. Of equal distances the lowest solid speaks, so that the answer does not depend
// on the order of asking.
#include "problem/resolved.h"

#include "base/status.h"
#include "wetting/contact_angle.h"

typedef struct Search {
    const dew_Problem *problem;
    const dew_Instant *instant;
    dew_Vec3 point_m;
    dew_SolidPoint best;
    int64_t asked;
} Search;

static const dew_SolidPose *pose_of(const dew_Problem *problem, const dew_Instant *instant,
                                    int32_t solid_id)
{
    bool is_moving = dew_solid_is_moving(&problem->solids[solid_id]);
    return is_moving && instant ? &instant->poses[solid_id] : NULL;
}

// Asks one solid; returns the least distance so far.
static double ask(void *context, int32_t solid_id, double least)
{
    Search *search = (Search *)context;
    const dew_SolidPose *pose = pose_of(search->problem, search->instant, solid_id);
    dew_SolidPoint p;
    search->asked++;
    if (!dew_solid_nearest(&search->problem->solids[solid_id], pose, search->point_m, least, &p))
        return least;
    bool is_nearer = p.distance_m < search->best.distance_m ||
                     (p.distance_m == search->best.distance_m && solid_id < search->best.solid_id);
    if (is_nearer || search->best.solid_id == DEW_INVALID) {
        search->best = p;
        search->best.solid_id = solid_id;
    }
    return fmin(least, p.distance_m);
}

dew_SolidPoint dew_problem_nearest_counted(const dew_Problem *problem, const dew_Instant *instant,
                                           dew_Vec3 point_m, double reach_m, int64_t *asked)
{
    Search search = {
        .problem = problem,
        .instant = instant,
        .point_m = point_m,
        .best = {.distance_m = HUGE_VAL, .solid_id = DEW_INVALID},
    };
    double least = reach_m;
    for (int i = 0; i < problem->endless_count; i++)
        least = ask(&search, problem->endless[i], least);
    for (int i = 0; i < problem->moving_count; i++)
        least = ask(&search, problem->moving[i], least);
    dew_box_tree_nearest(&problem->tree, point_m, least, ask, &search);
    *asked = search.asked;
    return search.best;
}

dew_SolidPoint dew_problem_nearest(const dew_Problem *problem, const dew_Instant *instant,
                                   dew_Vec3 point_m, double reach_m)
{
    int64_t asked;
    return dew_problem_nearest_counted(problem, instant, point_m, reach_m, &asked);
}

double dew_problem_distance(const dew_Problem *problem, const dew_Instant *instant,
                            dew_Vec3 point_m, double reach_m)
{
    return dew_problem_nearest(problem, instant, point_m, reach_m).distance_m;
}

dew_SolidPoint dew_problem_solid_nearest(const dew_Problem *problem, const dew_Instant *instant,
                                         int solid_id, dew_Vec3 point_m)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < problem->solid_count);
    dew_SolidPoint p = {.distance_m = HUGE_VAL};
    dew_solid_nearest(&problem->solids[solid_id], pose_of(problem, instant, solid_id), point_m,
                      HUGE_VAL, &p);
    p.solid_id = solid_id;
    return p;
}

dew_MaterialDef dew_problem_material(const dew_Problem *problem, const dew_Instant *instant,
                                     int solid_id, dew_Vec3 point_m)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < problem->solid_count);
    const dew_Solid *solid = &problem->solids[solid_id];
    if (!solid->affinity)
        return solid->material;
    dew_Vec3 own = dew_solid_to_own(solid, pose_of(problem, instant, solid_id), point_m);
    double share = dew_affinity_at(solid->affinity, solid->map_box_m, own);
    return dew_material_blend(&solid->material, &solid->affinity_material, share);
}

dew_Vec3 dew_problem_to_rest(const dew_Problem *problem, const dew_Instant *instant, int solid_id,
                             dew_Vec3 point_m)
{
    const dew_SolidPose *pose = pose_of(problem, instant, solid_id);
    return pose ? dew_pose_unapply(pose, problem->solids[solid_id].origin_m, point_m) : point_m;
}

dew_Vec3 dew_problem_from_rest(const dew_Problem *problem, const dew_Instant *instant, int solid_id,
                               dew_Vec3 rest_m)
{
    const dew_SolidPose *pose = pose_of(problem, instant, solid_id);
    return pose ? dew_pose_apply(pose, problem->solids[solid_id].origin_m, rest_m) : rest_m;
}
