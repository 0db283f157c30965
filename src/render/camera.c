// The camera: thin lens, and a view that frames the liquid when the scene does not say.
#include "render/camera.h"

// Where a photographer would stand: before the subject, a little to the right, looking down a bit.
#define VIEW_TURN  DEW_DEG(18)
#define VIEW_RISE  DEW_DEG(20)
#define FILL_RATIO 0.55  // of the image that the subject takes

static void set_view(dew_Camera *camera, dew_Vec3 forward, dew_Vec3 up)
{
    camera->forward = dew_normalize(forward);
    camera->right = dew_normalize(dew_cross(camera->forward, up));
    camera->up = dew_cross(camera->right, camera->forward);
}

// The least distance from the box's middle at which its corners lie within FILL_RATIO of the image.
static double framing_distance(const dew_Camera *camera, dew_Box box, dew_Vec3 middle)
{
    double distance = 0;
    for (int corner = 0; corner < 8; corner++) {
        dew_Vec3 q = {corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                      corner & 4 ? box.max.z : box.min.z};
        dew_Vec3 arm = dew_sub(q, middle);
        double depth = dew_inner(arm, camera->forward);
        double across = fabs(dew_inner(arm, camera->right)) / (FILL_RATIO * camera->half_width);
        double along = fabs(dew_inner(arm, camera->up)) / (FILL_RATIO * camera->half_height);
        distance = fmax(distance, fmax(across, along) - depth);
    }
    return distance;
}

static dew_Status frame(dew_Camera *camera, dew_Box box)
{
    if (!(box.min.x <= box.max.x))
        return dew_fail(DEW_BAD_INPUT, "there is no liquid to frame and the scene has no camera "
                                       "(give camera.eye and camera.target)");
    dew_Vec3 middle = dew_combine(0.5, box.min, 0.5, box.max);
    dew_Vec3 towards = {sin(VIEW_TURN) * cos(VIEW_RISE), sin(VIEW_RISE),
                        cos(VIEW_TURN) * cos(VIEW_RISE)};
    set_view(camera, dew_scale(-1, towards), dew_vec(0, 1, 0));
    double distance = framing_distance(camera, box, middle);
    if (!(distance > 0))
        distance = 1e-3;  // a point
    camera->eye_m = dew_add_scaled(middle, distance, towards);
    camera->focus_m = distance;
    return dew_ok();
}

dew_Status dew_camera_resolve(const dew_CameraDef *def, dew_Box subject_m, int width_px,
                              int height_px, dew_Camera *out)
{
    *out = (dew_Camera){.width_px = width_px > 0 ? width_px : def->width_px,
                        .height_px = height_px > 0 ? height_px : def->height_px,
                        .half_height = tan(def->fov_rad / 2),
                        .lens_radius_m = def->aperture_m / 2,
                        .shutter_s = def->shutter_s};
    if (out->width_px < 1 || out->height_px < 1)
        return dew_fail(DEW_BAD_INPUT, "an image of %d by %d pixels has no pixels", out->width_px,
                        out->height_px);
    out->half_width = out->half_height * out->width_px / out->height_px;
    if (def->is_given) {
        set_view(out, dew_sub(def->target_m, def->eye_m), def->up);
        out->eye_m = def->eye_m;
        out->focus_m = dew_distance(def->target_m, def->eye_m);
    } else {
        DEW_TRY(frame(out, subject_m));
    }
    if (def->focus_m > 0)
        out->focus_m = def->focus_m;
    return dew_ok();
}

void dew_camera_ray(const dew_Camera *camera, double x_px, double y_px, const double lens[2],
                    dew_Vec3 *origin_m, dew_Vec3 *direction)
{
    double x = (2 * x_px / camera->width_px - 1) * camera->half_width;
    double y = (1 - 2 * y_px / camera->height_px) * camera->half_height;
    dew_Vec3 sharp = dew_add(camera->forward, dew_combine(x, camera->right, y, camera->up));
    dew_Vec3 shift = dew_combine(lens[0] * camera->lens_radius_m, camera->right,
                                 lens[1] * camera->lens_radius_m, camera->up);
    *origin_m = dew_add(camera->eye_m, shift);
    *direction = dew_normalize(dew_sub(dew_scale(camera->focus_m, sharp), shift));
}
