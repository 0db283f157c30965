/// The engines that make pictures, and the one call that uses them.
#pragma once

#include "render/render.h"

/// NULL: none of that name.
const dew_RenderEngine *dew_render_engine(const char *name);

/// An engine with what it keeps from picture to picture.
typedef struct dew_Renderer {
    const dew_RenderEngine *engine;
    void *state;
} dew_Renderer;

/// DEW_UNSUPPORTED when this build has no engine of that name or the machine cannot run it.
dew_Status dew_renderer_init(dew_Renderer *renderer, const char *engine,
                             const dew_Allocator *allocator);
void dew_renderer_deinit(dew_Renderer *renderer);
/// Draws a picture scene that has been set. `tasks` may be NULL.
dew_Status dew_renderer_draw(dew_Renderer *renderer, const dew_PictureScene *scene,
                             const dew_RenderDef *def, dew_Tasks *tasks, dew_Image *out);
