/// The interface between those who want pictures and those who make them.
///
/// A PictureScene says what is drawn; an engine draws it. Engines lie in sub-folders and are listed
/// in world/render_table.c; nothing else needs to know them.
///
///     dew_picture_scene_create(problem, &scene_def, &scene);      // once: looks, textures, light
///     for each frame:
///         dew_picture_scene_set(scene, &moment);                  // what is where, now
///         dew_renderer_draw(renderer, scene, &render_def, tasks, image);  // world/render_table.h
#pragma once

#include "base/tasks.h"
#include "dew/render.h"
#include "render/image.h"
#include "render/picture_scene.h"

typedef struct dew_RenderEngine {
    const char *name;  // as in dew_RenderDef
    /// What the engine keeps from picture to picture. NULL: it keeps nothing. DEW_UNSUPPORTED when this
    /// machine or this build cannot draw with it.
    dew_Status (*open)(const dew_Allocator *allocator, void **state);
    void (*close)(void *state);
    /// Sizes and fills the image. The def has been checked; its thread_count and task_host are the
    /// caller's affair: `tasks` counts.
    dew_Status (*render)(void *state, const dew_PictureScene *scene, const dew_RenderDef *def,
                         dew_Tasks *tasks, dew_Image *out);
} dew_RenderEngine;

/// DEW_BAD_INPUT for sizes, samples and goals that make no picture.
dew_Status dew_render_def_check(const dew_RenderDef *def);
