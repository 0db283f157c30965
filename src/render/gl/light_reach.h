/// How far the light through the liquid goes at the live level.
#pragma once

#include "render/gl/drawing_state.h"

/// As the first light sees it: bounds, 0..1, in the frame of the liquid. Reads the map of the
/// light, which has been drawn.
dew_Status dew_gl_light_reach(dew_GlDrawing *drawing, dew_Box *out);
/// Where that falls on solids in the image.
dew_GlRegion dew_gl_light_region(const dew_GlDrawing *drawing, const dew_Box *reach);
