/// The interface between the renderer (world/renderer.c) and the engines that draw.
///
/// A RenderScene says what is drawn; an engine draws it. Engines lie in sub-folders and are listed
/// in world/render_table.c.
///
///     dew_render_scene_create(problem, &scene_def, &scene);  // once: looks, textures, light
///     engine->open(&render_def, &state);
///     for each image:
///         dew_render_scene_set(scene, &instant);             // bodies, camera
///         engine->render(state, scene, &render_def, tasks, image);
#pragma once

#include "base/stage_clock.h"
#include "base/tasks.h"
#include "dew/render.h"
#include "render/image.h"
#include "render/render_scene.h"

/// Stages of an image of real time, in order.
typedef enum dew_RenderStage {
    DEW_RENDER_BODIES,   // dew_render_scene_set: from solids and surface to what is drawn
    DEW_RENDER_BUFFERS,  // to the vertex buffers
    DEW_RENDER_LIGHTS,   // shadow maps, light through the liquid
    DEW_RENDER_SOLIDS,   // and what lies behind them
    DEW_RENDER_SIDES,
    DEW_RENDER_LIQUID,
    DEW_RENDER_SHOW,
    DEW_RENDER_STAGE_COUNT
} dew_RenderStage;

/// How an image of real time is drawn.
typedef struct dew_LiveShot {
    bool is_still;  // the camera stands still, the background is worth its full resolution
    dew_LiveDef def;
    dew_StageClock *clock;  // of dew_RenderStage, begun; NULL: nobody measures
} dew_LiveShot;

typedef struct dew_RenderEngine {
    const char *name;  // as in dew_RenderDef
    /// What the engine keeps from image to image. NULL: it keeps nothing. DEW_UNSUPPORTED when this
    /// machine or this build cannot draw with it.
    dew_Status (*open)(const dew_RenderDef *def, void **state);
    void (*close)(void *state);
    /// Sizes and fills the image. The def has been checked; of its thread_count and task_host the
    /// caller has made `tasks`, which may be NULL.
    dew_Status (*render)(void *state, const dew_RenderScene *scene, const dew_RenderDef *def,
                         dew_Tasks *tasks, dew_Image *out);

    /// Real time, in a host's OpenGL context or in the engine's own; NULL: the engine cannot.
    dew_Status (*draw_live)(void *state, const dew_RenderScene *scene, const dew_LiveShot *shot,
                            dew_Tasks *tasks);
    /// The last live image into a framebuffer (in the engine's own context: into one of its own, to
    /// the end), and in linear light.
    dew_Status (*show_live)(void *state, uint32_t framebuffer, int width_px, int height_px,
                            dew_StageClock *clock);
    dew_Status (*read_live)(void *state, dew_Image *out);
    double live_patch_px;  // dew_RenderInstant.patch_px of live images
} dew_RenderEngine;
