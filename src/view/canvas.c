// A picture scene of the session's instant, the camera of the hand, and render/gl in its quick manner.
#ifdef DEW_HAVE_SDL
#include "view/canvas.h"

#include "base/status.h"
#include "io/png.h"

#include <string.h>

struct dew_Canvas {
    dew_CanvasDef def;
    dew_PictureScene *scene;
    dew_GlDrawing *drawing;
    dew_Box subject_m;  // that a scene without a camera frames
    dew_Camera camera;  // of the last picture
    int64_t serial;     // of the last instant
    double exposure_stops;
    bool is_drawn;
    bool stood;       // the camera, when the last picture was drawn
    dew_Array rgba;   // float
    dew_Array bytes;  // uint8_t
};

dew_Status dew_canvas_create(const dew_CanvasDef *def, dew_Canvas **out)
{
    *out = NULL;
    dew_Canvas *canvas = dew_alloc(&def->allocator, 1, sizeof *canvas);
    if (!canvas)
        return dew_no_memory(sizeof *canvas);
    canvas->def = *def;
    dew_array_init(&canvas->rgba, &def->allocator, sizeof(float));
    dew_array_init(&canvas->bytes, &def->allocator, 1);
    dew_PictureSceneDef scene_def = {def->tasks, def->log, def->allocator};
    dew_Status status = dew_picture_scene_create(def->problem, &scene_def, &canvas->scene);
    if (status.code == DEW_OK)
        status = dew_gl_drawing_create(def->gl, &def->allocator, &canvas->drawing);
    if (status.code == DEW_OK)
        status = dew_gl_drawing_set_scene(canvas->drawing, canvas->scene, def->tasks);
    if (status.code != DEW_OK) {
        dew_canvas_destroy(canvas);
        return status;
    }
    *out = canvas;
    return dew_ok();
}

void dew_canvas_destroy(dew_Canvas *canvas)
{
    if (!canvas)
        return;
    dew_gl_drawing_destroy(canvas->drawing);
    dew_picture_scene_destroy(canvas->scene);
    dew_array_deinit(&canvas->rgba);
    dew_array_deinit(&canvas->bytes);
    dew_Allocator allocator = canvas->def.allocator;
    dew_free(&allocator, canvas, sizeof *canvas);
}

// ---- the camera --------------------------------------------------------------------------------

dew_Status dew_canvas_home(const dew_Canvas *canvas, const dew_Instant *instant, int width_px,
                           int height_px, dew_Camera *out)
{
    const dew_Problem *problem = canvas->def.problem;
    dew_Box box = dew_box_empty();
    for (int64_t i = 0; i < dew_surface_vertex_count(instant->surface); i++)
        box = dew_box_add(box, dew_surface_positions_m(instant->surface)[i]);
    for (int i = 0; i < dew_problem_solid_count(problem); i++) {
        dew_Box solid = dew_problem_solid_box(problem, i);
        if (dew_vec_is_finite(solid.min) && dew_vec_is_finite(solid.max))
            box = dew_box_union(box, solid);
    }
    if (!(box.min.x <= box.max.x))
        box = dew_problem_domain(problem);
    return dew_camera_resolve(&dew_problem_def(problem)->camera, box, width_px, height_px, out);
}

static bool is_same_view(const dew_Camera *a, const dew_Camera *b)
{
    return a->width_px == b->width_px && a->height_px == b->height_px &&
           dew_distance(a->eye_m, b->eye_m) == 0 && dew_distance(a->forward, b->forward) == 0 &&
           dew_distance(a->up, b->up) == 0;
}

// ---- drawing -----------------------------------------------------------------------------------

static dew_Status set_instant(dew_Canvas *canvas, const dew_Instant *instant,
                              const dew_Camera *camera)
{
    dew_Moment moment = dew_instant_moment(instant);
    bool has_liquid = dew_surface_triangle_count(instant->surface) > 0;
    dew_PictureMoment now = {.moment = &moment,
                             .surface = has_liquid ? instant->surface : NULL,
                             .shutter_s = 0,
                             .width_px = camera->width_px,
                             .height_px = camera->height_px,
                             .subject_m = &canvas->subject_m,
                             .camera = camera,
                             .patch_px = DEW_GL_LIVE_PATCH_PX};
    canvas->subject_m = dew_problem_domain(canvas->def.problem);
    DEW_TRY(dew_picture_scene_set(canvas->scene, &now));
    return dew_gl_drawing_set_bodies(canvas->drawing, canvas->scene);
}

dew_Status dew_canvas_draw(dew_Canvas *canvas, const dew_Instant *instant, const dew_Camera *camera,
                           double exposure_stops, bool *is_usual)
{
    dew_Camera sharp = *camera;
    sharp.lens_radius_m = 0;
    canvas->exposure_stops = exposure_stops;
    bool stands = canvas->is_drawn && is_same_view(&canvas->camera, &sharp);
    bool is_here = stands && canvas->stood && canvas->serial == instant->serial;
    if (is_usual)
        *is_usual = !is_here && stands == canvas->stood;
    if (is_here)
        return dew_ok();
    dew_GlShot shot = dew_gl_shot_live(sharp.width_px, sharp.height_px);
    shot.is_for_screen = true;
    DEW_TRY(set_instant(canvas, instant, &sharp));
    if (stands)
        DEW_TRY(dew_gl_drawing_set_backdrop(canvas->drawing, canvas->def.tasks));
    canvas->stood = stands;
    DEW_TRY(dew_gl_drawing_draw(canvas->drawing, &shot));
    canvas->serial = instant->serial;
    canvas->camera = sharp;
    canvas->is_drawn = true;
    return dew_ok();
}

bool dew_canvas_is_sharp(const dew_Canvas *canvas)
{
    return canvas->stood;
}

void dew_canvas_show(dew_Canvas *canvas, int width_px, int height_px)
{
    dew_gl_drawing_show(canvas->drawing, 0, width_px, height_px, canvas->exposure_stops);
}

// ---- reading back ------------------------------------------------------------------------------

dew_Status dew_canvas_read(dew_Canvas *canvas, dew_Image *out)
{
    int width = canvas->camera.width_px, height = canvas->camera.height_px;
    DEW_TRY(dew_image_resize(out, width, height));
    DEW_TRY(dew_array_resize(&canvas->rgba, 4 * (int64_t)width * height));
    dew_gl_drawing_read(canvas->drawing, canvas->rgba.data);
    const float *from = canvas->rgba.data;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            memcpy(dew_image_pixel(&out->color, (int64_t)y * width + x, 3),
                   from + 4 * ((int64_t)(height - 1 - y) * width + x), 3 * sizeof *from);
    return dew_ok();
}

dew_Status dew_canvas_save(dew_Canvas *canvas, int width_px, int height_px, const char *path)
{
    const dew_Gl *gl = canvas->def.gl;
    int64_t row = 4 * (int64_t)width_px, size = row * height_px;
    DEW_TRY(dew_array_resize(&canvas->bytes, 2 * size));
    uint8_t *below = canvas->bytes.data, *rgb = below + size;
    gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->ReadPixels(0, 0, width_px, height_px, GL_RGBA, GL_UNSIGNED_BYTE, below);
    for (int64_t y = 0; y < height_px; y++)
        for (int64_t x = 0; x < width_px; x++)
            memcpy(rgb + 3 * (y * width_px + x), below + (height_px - 1 - y) * row + 4 * x, 3);
    dew_PngPicture picture = {
        .width = width_px, .height = height_px, .channel_count = 3, .bits = 8, .samples = rgb};
    return dew_png_save(path, &picture, &canvas->def.allocator);
}
#else
typedef int dew_NoCanvas;  // a translation unit is not empty
#endif
