/// Text and bars over the image of a window, drawn by OpenGL.
#pragma once

#include "support/list.h"
#include "view/gl_calls.h"

#ifdef DEW_HAVE_SDL
typedef struct dew_Overlay {
    const dew_GlCalls *gl;
    GLuint program, texture, vertex_array;
    GLint rect_at, shade_at;
    dew_List pixels;  // uint32_t
    dew_List text;    // char: what the texture holds
    int scale, width, height;
} dew_Overlay;

dew_Status dew_overlay_init(dew_Overlay *overlay, const dew_GlCalls *gl);
void dew_overlay_deinit(dew_Overlay *overlay);

/// Lines of text on a dark panel; (x, y): its upper left corner in a window of this size.
/// Framebuffer 0.
dew_Status dew_overlay_text(dew_Overlay *overlay, const char *lines, int x, int y, int scale,
                            int width_px, int height_px);
/// A bar along the lower edge, filled up to a fraction.
void dew_overlay_bar(dew_Overlay *overlay, double fraction, int width_px, int height_px);
/// Height of that bar and its margin.
int dew_overlay_bar_px(int height_px);
#endif
