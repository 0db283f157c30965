// Sphere tracing [Hart1996]: the distance to the nearest solid is a step that cannot jump over its
// surface.
#include "problem/solid_ray.h"

#include "geom/rounding.h"
#include "geom/vec.h"

bool dew_problem_cast_ray(const dew_Problem *problem, const dew_Instant *instant, dew_Vec3 origin_m,
                          dew_Vec3 direction, double reach_m, dew_RaySides sides,
                          dew_SolidPoint *point, double *along_m)
{
    dew_Box domain = dew_problem_domain(problem);
    double tolerance_m = DEW_TOUCH_ROUNDING * dew_distance(domain.min, domain.max);
    *along_m = 0;
    for (int i = 0; i < DEW_RAY_MAX_STEPS && *along_m <= reach_m; i++) {
        dew_Vec3 at = dew_add_scaled(origin_m, *along_m, direction);
        *point = dew_problem_nearest(problem, instant, at, (double)INFINITY);
        if (point->solid_id == DEW_INVALID || !dew_vec_is_finite(at))
            return false;
        if (point->distance_m > tolerance_m)
            *along_m += point->distance_m;
        else if (sides == DEW_RAY_FRONT_SIDE && dew_inner(point->normal, direction) >= 0)
            *along_m += fmax(-point->distance_m, 0) + 2 * tolerance_m;  // towards the outside
        else
            return true;
    }
    return false;
}
