// Height of the ground: the first solid that something falling from the domain's top would meet.
//
// Planes and grounds at rest have closed forms. Other solids are met by sphere tracing: the
// distance to a solid is a step that cannot jump over its surface [Hart1996].
#include "base/status.h"
#include "geom/rounding.h"
#include "problem/resolved.h"
#include "problem/solid_ray.h"

// Falls on the solid alone; -INFINITY: misses it. A point that begins inside is not met.
static double trace_down(const dew_Solid *solid, const dew_SolidPose *pose, dew_Vec3 p,
                         double lowest, double tolerance)
{
    for (int i = 0; i < DEW_RAY_MAX_STEPS && p.y >= lowest; i++) {
        dew_SolidPoint s;
        if (!dew_solid_nearest(solid, pose, p, HUGE_VAL, &s))
            return -HUGE_VAL;
        if (i == 0 && s.distance_m < -tolerance)
            return -HUGE_VAL;
        if (s.distance_m <= tolerance)
            return p.y - s.distance_m / fmax(fabs(s.normal.y), 0.1);
        p.y -= s.distance_m;
    }
    return -HUGE_VAL;
}

// Where a vertical line meets the plane; -INFINITY when it faces down or sideways.
static double plane_height(const dew_Solid *solid, const dew_SolidPose *pose, dew_Vec3 p)
{
    dew_SolidPoint s;
    dew_solid_nearest(solid, pose, p, HUGE_VAL, &s);
    return s.normal.y > 1e-9 ? p.y - s.distance_m / s.normal.y : -HUGE_VAL;
}

static double solid_height(const dew_Solid *solid, const dew_SolidPose *pose, dew_Vec3 top,
                           double lowest, double tolerance)
{
    if (solid->shape == DEW_SOLID_PLANE && !solid->is_inside_out)
        return plane_height(solid, pose, top);
    bool is_upright = !pose && dew_length2(solid->turn.v) == 0 && !solid->is_inside_out;
    if (solid->shape == DEW_SOLID_HEIGHTFIELD && is_upright)
        return solid->origin_m.y + dew_heightfield_height(solid->heightfield,
                                                          top.x - solid->origin_m.x,
                                                          top.z - solid->origin_m.z);
    if (!pose && solid->is_bounded &&
        !dew_box_contains(solid->rest_box_m, dew_vec(top.x, solid->rest_box_m.min.y, top.z)))
        return -HUGE_VAL;
    return trace_down(solid, pose, top, lowest, tolerance);
}

double dew_problem_ground_m(const dew_Problem *problem, const dew_Instant *instant, double x_m,
                            double z_m)
{
    dew_Box domain = dew_problem_domain(problem);
    double tolerance = DEW_ROUNDING * dew_distance(domain.min, domain.max);
    double height = domain.min.y;
    dew_Vec3 top = {x_m, problem->top_m, z_m};
    for (int i = 0; i < problem->solid_count; i++) {
        const dew_Solid *solid = &problem->solids[i];
        const dew_SolidPose *pose =
            instant && dew_solid_is_moving(solid) ? &instant->poses[i] : NULL;
        double h = solid_height(solid, pose, top, height, tolerance);
        if (h <= problem->top_m)
            height = fmax(height, h);
    }
    return height;
}
