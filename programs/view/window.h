/// A window with a context of OpenGL, or an invisible one (SDL's driver `offscreen`).
///
/// For the thread that opened it. The context is current there until the window is closed.
#pragma once

#include "view/gl_calls.h"
#include "view/input.h"

typedef struct dew_Window dew_Window;

typedef struct dew_WindowDef {
    const char *title;
    int width_px, height_px;
    bool is_offscreen;  // needs no display
} dew_WindowDef;

/// DEW_UNSUPPORTED, with one sentence: no library, no display, no OpenGL.
dew_Status dew_window_open(const dew_WindowDef *def, dew_Window **out);
void dew_window_close(dew_Window *window);

#ifdef DEW_HAVE_SDL
const dew_GlCalls *dew_window_gl(const dew_Window *window);
#endif
void dew_window_size(const dew_Window *window, int *width_px, int *height_px);
void dew_window_show(dew_Window *window);  // what was drawn into framebuffer 0

/// The next thing that happened; false: nothing.
bool dew_window_poll(dew_Window *window, dew_Input *out);
/// Puts it into the window's queue, as if a hand had done it.
void dew_window_push(dew_Window *window, const dew_Input *input);
void dew_window_rest(dew_Window *window, int ms);
