// The camera's eye among solids. The way from the eye to the subject is searched by steps as long
// as the distance to the surface of the solids, inside of which the eye is ([Hart1996], sphere
// tracing).
#include "render/eye.h"

#include "base/status.h"
#include "problem/place.h"

#define CLEARANCE 0.01  // of the distance to the subject, that a freed eye keeps from solids

dew_Status dew_eye_check(const dew_Problem *problem, const dew_Instant *instant)
{
    const dew_CameraDef *camera = &dew_problem_def(problem)->camera;
    if (!camera->is_given)
        return dew_ok();
    dew_SolidPoint near = dew_problem_nearest(problem, instant, camera->eye_m, 0);
    if (near.solid_id == DEW_INVALID || !(near.distance_m < 0) ||
        dew_problem_solid_is_wall(problem, near.solid_id) ||
        dew_problem_solid_is_moving(problem, near.solid_id))
        return dew_ok();
    return dew_scene_fail(dew_problem_scene(problem), "camera.eye",
                          "camera.eye is inside the solid %s (move it out by %g m)",
                          dew_problem_solid_name(problem, near.solid_id), -near.distance_m);
}

// How far a point is from what is drawn; walls are not drawn from behind.
static double distance_to_drawn(const dew_Problem *problem, const dew_Instant *instant, dew_Vec3 p)
{
    double least = HUGE_VAL;
    for (int i = 0; i < dew_problem_solid_count(problem); i++)
        if (!dew_problem_solid_is_wall(problem, i))
            least = fmin(least, dew_problem_solid_nearest(problem, instant, i, p).distance_m);
    return least;
}

void dew_eye_free(const dew_Problem *problem, const dew_Instant *instant, dew_Vec3 middle_m,
                  dew_Camera *camera)
{
    dew_Vec3 eye = camera->eye_m, way = dew_sub(middle_m, eye);
    double length = dew_length(way), t = 0, from = distance_to_drawn(problem, instant, eye);
    if (!(length > 0) || from >= 0)
        return;
    while (t < 1 && from < CLEARANCE * length) {
        t += fmax((CLEARANCE * length - from) / length, CLEARANCE / 10);
        from = distance_to_drawn(problem, instant, dew_add_scaled(eye, t, way));
    }
    if (!(t < 1 - CLEARANCE) || from < CLEARANCE * length)
        return;
    // No wider than 90 degrees, where the tangent of half the view is 1.
    double wider = fmin(1 / (1 - t), fmax(1 / camera->half_height, 1));
    camera->eye_m = dew_add_scaled(eye, t, way);
    camera->half_height *= wider;
    camera->half_width *= wider;
    if (!(dew_problem_def(problem)->camera.focus_m > 0))
        camera->focus_m *= 1 - t;
}
