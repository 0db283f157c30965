/// The image in the window: an instant of a session, seen by a camera, drawn by the library's
/// renderer.
#pragma once

#include "dew/render.h"
#include "view/triple_buffer.h"
#include "view/window.h"

typedef struct dew_Canvas dew_Canvas;

/// Draws into the window's context, which must stay current. Window and scene must outlive the
/// canvas.
dew_Status dew_canvas_create(const dew_Window *window, const dew_Scene *scene, dew_Canvas **out);
void dew_canvas_destroy(dew_Canvas *canvas);

/// For rays and boxes.
dew_Renderer *dew_canvas_renderer(dew_Canvas *canvas);
/// The camera of the scene, or one that frames liquid and solids of the instant.
dew_Status dew_canvas_home(dew_Canvas *canvas, const dew_ViewState *instant, dew_CameraDef *out);

/// Draws with as many pixels as the camera has, and shows the image in framebuffer 0, stretched to
/// width_px x height_px. An image that is there already is shown again. is_usual (may be NULL): did
/// it take as long as the next one will?
dew_Status dew_canvas_draw(dew_Canvas *canvas, const dew_ViewState *instant,
                           const dew_CameraDef *camera, int width_px, int height_px,
                           bool *is_usual);
/// Has the background full resolution in the last image? Not while the camera moves; another image
/// helps.
bool dew_canvas_is_sharp(const dew_Canvas *canvas);

/// The last image without anything over it, in linear light: for videos.
dew_Status dew_canvas_read(dew_Canvas *canvas, dew_Image *out);
/// What framebuffer 0 holds, as a PNG file.
dew_Status dew_canvas_save(dew_Canvas *canvas, int width_px, int height_px, const char *path);
