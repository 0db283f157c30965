/// The engines that draw images.
#pragma once

#include "render/render.h"

/// NULL: none of that name.
const dew_RenderEngine *dew_render_engine(const char *name);
