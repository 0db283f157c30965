/// The picture in the window: an instant of a session, seen by a camera, drawn by render/gl.
#pragma once

#include "render/camera.h"
#include "render/gl/drawing.h"
#include "render/image.h"
#include "view/triple_buffer.h"

typedef struct dew_Canvas dew_Canvas;

typedef struct dew_CanvasDef {
    const dew_Gl *gl;            // of the current context; must outlive the canvas
    const dew_Problem *problem;  // must outlive it too
    dew_Tasks *tasks;            // may be NULL
    dew_Log log;
    dew_Allocator allocator;
} dew_CanvasDef;

dew_Status dew_canvas_create(const dew_CanvasDef *def, dew_Canvas **out);
void dew_canvas_destroy(dew_Canvas *canvas);

/// The camera of the scene, for an instant and a size.
dew_Status dew_canvas_home(const dew_Canvas *canvas, const dew_Instant *instant, int width_px,
                           int height_px, dew_Camera *out);

/// Draws it, with as many pixels as the camera has; what lies behind is sharp once the camera stands still.
/// is_usual (may be NULL): did it take as long as the next one will? Not when all of it was there already.
dew_Status dew_canvas_draw(dew_Canvas *canvas, const dew_Instant *instant, const dew_Camera *camera,
                           double exposure_stops, bool *is_usual);
/// Is what lies behind as sharp in the last picture as it can be? Not while the camera moves: another picture helps.
bool dew_canvas_is_sharp(const dew_Canvas *canvas);
/// Into framebuffer 0; stretched when the picture has another size.
void dew_canvas_show(dew_Canvas *canvas, int width_px, int height_px);

/// The last picture without anything over it, in linear light: for films.
dew_Status dew_canvas_read(dew_Canvas *canvas, dew_Image *out);
/// What framebuffer 0 holds, as a PNG file.
dew_Status dew_canvas_save(dew_Canvas *canvas, int width_px, int height_px, const char *path);
