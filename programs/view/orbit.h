/// A camera that orbits a point: rotated, moved and zoomed by hand.
#pragma once

#include "dew/scene.h"
#include "support/vec.h"

typedef struct dew_Orbit {
    dew_CameraDef home;           // as the scene has it
    dew_Vec3 right, up, forward;  // of the home view: unit, right-handed as seen in the image
    double home_distance_m;       // from eye to target
    dew_Vec3 target_m;
    dew_Quaternion rotation;  // from the home view
    double distance_m;
} dew_Orbit;

/// Begins at a camera that is given, around its target.
void dew_orbit_begin(dew_Orbit *orbit, const dew_CameraDef *home);
/// By fractions of the image's height: a whole one is half a rotation.
void dew_orbit_turn(dew_Orbit *orbit, double right, double up);
/// Moves parallel to the image: a point at the target's distance stays under the pointer.
void dew_orbit_pan(dew_Orbit *orbit, double right, double up);
void dew_orbit_zoom(dew_Orbit *orbit, double notches);  // > 0: nearer

/// For an image of this size; everything is sharp.
dew_CameraDef dew_orbit_camera(const dew_Orbit *orbit, int width_px, int height_px);
dew_Vec3 dew_orbit_forward(const dew_Orbit *orbit);
/// The ray through a point of that image, in pixels from its upper left corner. The direction has
/// unit length.
void dew_orbit_ray(const dew_Orbit *orbit, int width_px, int height_px, double x_px, double y_px,
                   dew_Vec3 *origin_m, dew_Vec3 *direction);
