// The camera as a rotation about a point. Turning sideways goes about the home view's upward axis, so that
// the horizon stays where it is; turning up and down about the picture's own right.
#include "view/orbit.h"

#define NOTCH    0.88  // distance after one notch of the wheel
#define NEAREST  1e-2  // of the home distance
#define FARTHEST 30.0

void dew_orbit_begin(dew_Orbit *orbit, const dew_Camera *home, double distance_m)
{
    *orbit = (dew_Orbit){.home = *home,
                         .target_m = dew_add_scaled(home->eye_m, distance_m, home->forward),
                         .turn = dew_rotation_identity(),
                         .distance_m = distance_m};
}

void dew_orbit_turn(dew_Orbit *orbit, double right, double up)
{
    dew_Vec3 own_right = dew_rotate(orbit->turn, orbit->home.right);
    dew_Rotation sideways = dew_rotation_about(orbit->home.up, -DEW_PI * right);
    dew_Rotation upward = dew_rotation_about(own_right, DEW_PI * up);
    orbit->turn = dew_rotation_times(sideways, dew_rotation_times(upward, orbit->turn));
}

void dew_orbit_pan(dew_Orbit *orbit, double right, double up)
{
    double height_m = 2 * orbit->home.half_height * orbit->distance_m;
    dew_Vec3 x = dew_rotate(orbit->turn, orbit->home.right);
    dew_Vec3 y = dew_rotate(orbit->turn, orbit->home.up);
    orbit->target_m = dew_sub(orbit->target_m, dew_combine(right * height_m, x, up * height_m, y));
}

void dew_orbit_zoom(dew_Orbit *orbit, double notches)
{
    double home_m = dew_distance(orbit->home.eye_m, orbit->target_m);
    double wanted = orbit->distance_m * pow(NOTCH, notches);
    home_m = fmax(home_m, orbit->home.focus_m);
    orbit->distance_m = fmin(fmax(wanted, NEAREST * home_m), FARTHEST * home_m);
}

dew_Camera dew_orbit_camera(const dew_Orbit *orbit, int width_px, int height_px)
{
    dew_Camera camera = orbit->home;
    camera.right = dew_rotate(orbit->turn, orbit->home.right);
    camera.up = dew_rotate(orbit->turn, orbit->home.up);
    camera.forward = dew_rotate(orbit->turn, orbit->home.forward);
    camera.eye_m = dew_add_scaled(orbit->target_m, -orbit->distance_m, camera.forward);
    camera.focus_m = orbit->distance_m;
    camera.width_px = width_px;
    camera.height_px = height_px;
    camera.half_width = camera.half_height * width_px / height_px;
    return camera;
}
