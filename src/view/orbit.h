/// A camera that goes around a point: turned, moved and zoomed by hand.
#pragma once

#include "render/camera.h"

typedef struct dew_Orbit {
    dew_Camera home;  // as the scene has it
    dew_Vec3 target_m;
    dew_Rotation turn;  // from the home view
    double distance_m;
} dew_Orbit;

/// Around what is `distance_m` before the camera.
void dew_orbit_begin(dew_Orbit *orbit, const dew_Camera *home, double distance_m);
/// By fractions of the picture's height: a whole one is half a turn.
void dew_orbit_turn(dew_Orbit *orbit, double right, double up);
/// Moves along the picture: what lies at the target's distance goes with the hand.
void dew_orbit_pan(dew_Orbit *orbit, double right, double up);
void dew_orbit_zoom(dew_Orbit *orbit, double notches);  // > 0: nearer

/// For a picture of this size.
dew_Camera dew_orbit_camera(const dew_Orbit *orbit, int width_px, int height_px);
