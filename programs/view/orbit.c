// The camera as a rotation about a point. Sideways it rotates about the home view's upward axis, so
// that the horizon stays level; up and down about the image's own right axis.
#include "view/orbit.h"

#define NOTCH_RATIO 0.88  // distance after one notch of the wheel over that before it
// Range of the distance, in home distances: from a detail of a drop to the whole table.
#define MIN_DISTANCE_RATIO 1e-2
#define MAX_DISTANCE_RATIO 30.0

void dew_orbit_begin(dew_Orbit *orbit, const dew_CameraDef *home)
{
    dew_Vec3 forward = dew_v3_unit(dew_v3_sub(home->target_m, home->eye_m));
    dew_Vec3 right = dew_v3_unit(dew_v3_cross(forward, home->up));
    double distance_m = dew_v3_distance(home->target_m, home->eye_m);
    *orbit = (dew_Orbit){.home = *home,
                         .right = right,
                         .up = dew_v3_cross(right, forward),
                         .forward = forward,
                         .home_distance_m = distance_m,
                         .target_m = home->target_m,
                         .rotation = dew_quaternion_identity(),
                         .distance_m = distance_m};
}

void dew_orbit_turn(dew_Orbit *orbit, double right, double up)
{
    dew_Vec3 own_right = dew_v3_rotate(orbit->rotation, orbit->right);
    dew_Quaternion sideways = dew_quaternion_about(orbit->up, -DEW_PI * right);
    dew_Quaternion upward = dew_quaternion_about(own_right, DEW_PI * up);
    orbit->rotation = dew_quaternion_times(sideways, dew_quaternion_times(upward, orbit->rotation));
}

void dew_orbit_pan(dew_Orbit *orbit, double right, double up)
{
    double height_m = 2 * tan(orbit->home.fov_rad / 2) * orbit->distance_m;
    dew_Vec3 x = dew_v3_rotate(orbit->rotation, orbit->right);
    dew_Vec3 y = dew_v3_rotate(orbit->rotation, orbit->up);
    orbit->target_m = dew_v3_add_scaled(orbit->target_m, -right * height_m, x);
    orbit->target_m = dew_v3_add_scaled(orbit->target_m, -up * height_m, y);
}

void dew_orbit_zoom(dew_Orbit *orbit, double notches)
{
    double home_m =
        fmax(dew_v3_distance(orbit->home.eye_m, orbit->target_m), orbit->home_distance_m);
    double wanted_m = orbit->distance_m * pow(NOTCH_RATIO, notches);
    orbit->distance_m =
        fmin(fmax(wanted_m, MIN_DISTANCE_RATIO * home_m), MAX_DISTANCE_RATIO * home_m);
}

dew_Vec3 dew_orbit_forward(const dew_Orbit *orbit)
{
    return dew_v3_rotate(orbit->rotation, orbit->forward);
}

dew_CameraDef dew_orbit_camera(const dew_Orbit *orbit, int width_px, int height_px)
{
    return (dew_CameraDef){
        .is_given = true,
        .eye_m = dew_v3_add_scaled(orbit->target_m, -orbit->distance_m, dew_orbit_forward(orbit)),
        .target_m = orbit->target_m,
        .up = dew_v3_rotate(orbit->rotation, orbit->up),
        .fov_rad = orbit->home.fov_rad,
        .width_px = width_px,
        .height_px = height_px};
}

void dew_orbit_ray(const dew_Orbit *orbit, int width_px, int height_px, double x_px, double y_px,
                   dew_Vec3 *origin_m, dew_Vec3 *direction)
{
    double half = tan(orbit->home.fov_rad / 2);
    double x = half * (2 * x_px - width_px) / height_px, y = half * (1 - 2 * y_px / height_px);
    dew_Vec3 home = dew_v3_add_scaled(orbit->forward, x, orbit->right);
    home = dew_v3_add_scaled(home, y, orbit->up);
    *direction = dew_v3_unit(dew_v3_rotate(orbit->rotation, home));
    *origin_m = dew_orbit_camera(orbit, width_px, height_px).eye_m;
}
