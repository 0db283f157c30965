// The window's image: one renderer that persists, fed with the instants of the session.
#ifdef DEW_HAVE_SDL
#include "view/canvas.h"

#include "support/list.h"
#include "support/vec.h"
#include "view/gl_calls.h"

#include <stdlib.h>
#include <string.h>

struct dew_Canvas {
    const dew_GlCalls *gl;
    dew_Renderer *renderer;
    dew_CameraDef camera;  // of the last image
    int64_t serial;        // of its instant
    bool is_drawn;
    dew_List bytes;  // uint8_t
};

dew_Status dew_canvas_create(const dew_Window *window, const dew_Scene *scene, dew_Canvas **out)
{
    dew_RenderDef def = dew_default_render_def();
    *out = NULL;
    dew_Canvas *canvas = calloc(1, sizeof *canvas);
    if (!canvas)
        return dew_fail(DEW_NO_MEMORY, "out of memory: the canvas could not be allocated");
    canvas->gl = dew_window_gl(window);
    dew_list_init(&canvas->bytes, 1);
    def.engine = "gl";
    def.gl_get_proc = canvas->gl->get_proc;
    def.thread_count = 1;
    dew_Status status = dew_renderer_create(scene, &def, &canvas->renderer);
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
    dew_renderer_destroy(canvas->renderer);
    dew_list_deinit(&canvas->bytes);
    free(canvas);
}

dew_Renderer *dew_canvas_renderer(dew_Canvas *canvas)
{
    return canvas->renderer;
}

// ---- the camera --------------------------------------------------------------------------------

dew_Status dew_canvas_home(dew_Canvas *canvas, const dew_ViewState *instant, dew_CameraDef *out)
{
    dew_RenderFrame frame = dew_view_state_frame(instant);
    dew_Vec3 min_m, max_m;
    dew_renderer_bounds(canvas->renderer, &frame, &min_m, &max_m);
    dew_renderer_set_subject(canvas->renderer, min_m, max_m);
    DEW_TRY(dew_renderer_set_camera(canvas->renderer, NULL));
    return dew_renderer_camera(canvas->renderer, &frame, out);
}

static bool is_same_camera(const dew_CameraDef *a, const dew_CameraDef *b)
{
    return a->width_px == b->width_px && a->height_px == b->height_px && a->fov_rad == b->fov_rad &&
           dew_v3_distance(a->eye_m, b->eye_m) == 0 &&
           dew_v3_distance(a->target_m, b->target_m) == 0 && dew_v3_distance(a->up, b->up) == 0;
}

// ---- drawing -----------------------------------------------------------------------------------

dew_Status dew_canvas_draw(dew_Canvas *canvas, const dew_ViewState *instant,
                           const dew_CameraDef *camera, int width_px, int height_px, bool *is_usual)
{
    dew_Renderer *renderer = canvas->renderer;
    bool was_sharp = dew_renderer_is_sharp_gl(renderer);
    bool is_here = canvas->is_drawn && was_sharp && canvas->serial == instant->serial &&
                   is_same_camera(camera, &canvas->camera);
    if (is_usual)
        *is_usual = false;
    if (is_here) {
        dew_renderer_show_gl(renderer, 0, width_px, height_px);
        return dew_ok();
    }
    dew_RenderFrame frame = dew_view_state_frame(instant);
    DEW_TRY(dew_renderer_set_camera(renderer, camera));
    DEW_TRY(dew_renderer_set_size(renderer, camera->width_px, camera->height_px));
    DEW_TRY(dew_renderer_draw_gl(renderer, &frame, 0, width_px, height_px));
    if (is_usual)
        *is_usual = was_sharp == dew_renderer_is_sharp_gl(renderer);
    canvas->serial = instant->serial;
    canvas->camera = *camera;
    canvas->is_drawn = true;
    return dew_ok();
}

bool dew_canvas_is_sharp(const dew_Canvas *canvas)
{
    return dew_renderer_is_sharp_gl(canvas->renderer);
}

// ---- reading back ------------------------------------------------------------------------------

dew_Status dew_canvas_read(dew_Canvas *canvas, dew_Image *out)
{
    return dew_renderer_read_gl(canvas->renderer, out);
}

dew_Status dew_canvas_save(dew_Canvas *canvas, int width_px, int height_px, const char *path)
{
    const dew_GlCalls *gl = canvas->gl;
    int64_t row = 4 * (int64_t)width_px, size = row * height_px;
    DEW_TRY(dew_list_resize(&canvas->bytes, 2 * size));
    uint8_t *below = canvas->bytes.items, *rgb = below + size;
    gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->ReadPixels(0, 0, width_px, height_px, GL_RGBA, GL_UNSIGNED_BYTE, below);
    for (int64_t y = 0; y < height_px; y++)
        for (int64_t x = 0; x < width_px; x++)
            memcpy(rgb + 3 * (y * width_px + x), below + (height_px - 1 - y) * row + 4 * x, 3);
    return dew_rgb8_save_png(rgb, width_px, height_px, path);
}
#else
typedef int dew_NoCanvas;  // a translation unit is not empty
#endif
