/// Camera: where images are taken from. A thin lens: what lies at the focus distance is sharp.
#pragma once

#include "dew/scene.h"
#include "geom/vec.h"

typedef struct dew_Camera {
    dew_Vec3 eye_m;
    dew_Vec3 right, up, forward;     // unit, right-handed as seen in the image
    double half_width, half_height;  // of the image at distance 1
    double lens_radius_m;            // 0: all is sharp
    double focus_m;                  // along `forward`
    double shutter_s;                // open from the image's time on
    int width_px, height_px;
} dew_Camera;

/// The scene's camera, or one that frames the box when the scene has none. Sizes of 0: the scene's.
/// Fails when there is neither a camera nor a box.
dew_Status dew_camera_resolve(const dew_CameraDef *def, dew_Box subject_m, int width_px,
                              int height_px, dew_Camera *out);

/// The ray through a point of the image (pixels from the top left corner) and of the lens (unit
/// disk). The direction has unit length.
void dew_camera_ray(const dew_Camera *camera, double x_px, double y_px, const double lens[2],
                    dew_Vec3 *origin_m, dew_Vec3 *direction);
