/// The engines that make pictures, and the one call that uses them.
#pragma once

#include "render/render.h"

/// NULL: none of that name.
const dew_RenderEngine *dew_render_engine(const char *name);

/// Draws a picture scene that has been set, with the engine that the def names. `tasks` may be NULL.
dew_Status dew_render_picture(const dew_PictureScene *scene, const dew_RenderDef *def,
                              dew_Tasks *tasks, dew_Image *out);
