/// Renderer from the inside: one that shares a problem and a task pool, for runs.
#pragma once

#include "problem/problem.h"
#include "render/render.h"
#include "surface/surface.h"

struct dew_Renderer {
    dew_RenderDef def;
    const dew_RenderEngine *engine;
    void *state;  // of the engine
    dew_Tasks *tasks, *own_tasks;
    const dew_Problem *problem;
    dew_Problem *own_problem;
    dew_RenderScene *scene;
    dew_SolidPose *poses;  // of the instant that is drawn
    int solid_count;
    dew_CameraDef camera;  // that a caller has set
    bool has_camera;
    dew_Surface *extracted;  // surface of a world
    dew_Surface *smooth;     // the liquid, subdivided
    dew_Mesh mesh;           // input of the subdivision
    bool has_warned;         // that the liquid cannot be subdivided
    // The last live image:
    dew_Camera live_camera;
    bool has_live, is_still;
    dew_LiveDef live_def;
    bool is_timed;         // stages of live images are measured
    dew_StageClock clock;  // of dew_RenderStage
};

/// The problem and the tasks (may be NULL) must outlive the renderer.
dew_Status dew_renderer_create_for(const dew_Problem *problem, dew_Tasks *tasks,
                                   const dew_RenderDef *def, dew_Renderer **out);

/// The instant of a frame; its poses are written to renderer->poses.
dew_Instant dew_renderer_instant(dew_Renderer *renderer, const dew_RenderFrame *frame);
/// Camera of an image: set by a caller, the scene's, or one that frames the subject.
dew_Status dew_renderer_resolve_camera(const dew_Renderer *renderer, const dew_Box *subject_m,
                                       dew_Camera *out);
/// The subject of the definition; false: the liquid of each image.
bool dew_renderer_subject(const dew_Renderer *renderer, dew_Box *out);
