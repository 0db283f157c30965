/// The real-time engine `gl`: images by OpenGL, without a display.
#pragma once

#include "render/render.h"

extern const dew_RenderEngine dew_gl_engine;
