/// Words and bars over the picture of a window, drawn by OpenGL.
#pragma once

#include "base/array.h"
#include "render/gl/api.h"

typedef struct dew_Overlay {
    const dew_Gl *gl;
    GLuint program, texture, vertex_array;
    GLint rect_at, shade_at;
    dew_Array pixels;  // uint32_t
    uint64_t hash;     // of what the texture holds
    int width, height;
} dew_Overlay;

dew_Status dew_overlay_init(dew_Overlay *overlay, const dew_Gl *gl, const dew_Allocator *allocator);
void dew_overlay_deinit(dew_Overlay *overlay);

/// Lines of text on a dark panel; (x, y): its upper left corner in a picture of this size. Framebuffer 0.
dew_Status dew_overlay_text(dew_Overlay *overlay, const char *lines, int x, int y, int scale,
                            int width_px, int height_px);
/// A bar along the lower edge, filled up to a fraction.
void dew_overlay_bar(dew_Overlay *overlay, double fraction, int width_px, int height_px);
/// Height of that bar and its margin.
int dew_overlay_bar_px(int height_px);
