// The table of engines, one line each, and pictures from a scene and a surface.
#include "world/render_table.h"

#include "base/allocator.h"
#include "base/status.h"
#include "render/gl/gl.h"
#include "render/ray/ray.h"

#include <string.h>

static const dew_RenderEngine *const engines[] = {&dew_ray_engine, &dew_gl_engine};

const dew_RenderEngine *dew_render_engine(const char *name)
{
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (name && strcmp(engines[i]->name, name) == 0)
            return engines[i];
    return NULL;
}

dew_Status dew_renderer_init(dew_Renderer *renderer, const char *engine,
                             const dew_Allocator *allocator)
{
    *renderer = (dew_Renderer){.engine = dew_render_engine(engine)};
    if (!renderer->engine)
        return dew_fail(DEW_UNSUPPORTED, "no engine \"%s\" in this build (ray, gl)",
                        engine ? engine : "");
    return renderer->engine->open ? renderer->engine->open(allocator, &renderer->state) : dew_ok();
}

void dew_renderer_deinit(dew_Renderer *renderer)
{
    if (renderer->state)
        renderer->engine->close(renderer->state);
    *renderer = (dew_Renderer){0};
}

dew_Status dew_renderer_draw(dew_Renderer *renderer, const dew_PictureScene *scene,
                             const dew_RenderDef *def, dew_Tasks *tasks, dew_Image *out)
{
    DEW_TRY(dew_render_def_check(def));
    return renderer->engine->render(renderer->state, scene, def, tasks, out);
}

// ---- from a scene ------------------------------------------------------------------------------

typedef struct Shot {
    dew_Problem *problem;
    dew_PictureScene *picture;
    dew_Tasks *tasks;
    dew_SolidPose *poses;
    size_t poses_size;
    dew_Renderer renderer;
} Shot;

static dew_Status set_up(Shot *shot, const dew_Scene *scene, double time_s,
                         const dew_Surface *surface, const dew_RenderDef *def)
{
    DEW_TRY(dew_renderer_init(&shot->renderer, def->engine, &def->allocator));
    dew_TasksDef tasks = dew_default_tasks_def();
    tasks.worker_count = def->thread_count;
    tasks.host = def->task_host;
    tasks.allocator = def->allocator;
    DEW_TRY(dew_tasks_create(&tasks, &shot->tasks));
    DEW_TRY(dew_problem_create(scene, &(dew_ProblemDef){def->allocator, def->log, shot->tasks},
                               &shot->problem));
    int count = dew_problem_solid_count(shot->problem);
    shot->poses_size = (size_t)count * sizeof *shot->poses;
    shot->poses = dew_alloc(&def->allocator, count, sizeof *shot->poses);
    if (!shot->poses)
        return dew_no_memory(shot->poses_size);
    dew_problem_dragged_poses(shot->problem, time_s, shot->poses);
    dew_PictureSceneDef picture = {shot->tasks, def->log, def->allocator};
    DEW_TRY(dew_picture_scene_create(shot->problem, &picture, &shot->picture));
    dew_Moment moment = {.time_s = time_s, .poses = shot->poses};
    return dew_picture_scene_set(shot->picture, &(dew_PictureMoment){.moment = &moment,
                                                                     .surface = surface,
                                                                     .shutter_s = def->shutter_s,
                                                                     .width_px = def->width_px,
                                                                     .height_px = def->height_px});
}

dew_Status dew_render_with(const dew_Scene *scene, double time_s, const dew_Surface *surface,
                           const dew_RenderDef *def, dew_Image *out)
{
    DEW_TRY(dew_render_def_check(def));
    Shot shot = {0};
    dew_Status status = set_up(&shot, scene, time_s, surface, def);
    if (status.code == DEW_OK)
        status = dew_renderer_draw(&shot.renderer, shot.picture, def, shot.tasks, out);
    dew_renderer_deinit(&shot.renderer);
    dew_picture_scene_destroy(shot.picture);
    dew_problem_destroy(shot.problem);
    if (shot.poses)
        dew_free(&def->allocator, shot.poses, shot.poses_size);
    dew_tasks_destroy(shot.tasks);
    return status;
}

dew_Status dew_render(const dew_Scene *scene, double time_s, const dew_Surface *surface,
                      dew_Image *out)
{
    dew_RenderDef def = dew_default_render_def();
    return dew_render_with(scene, time_s, surface, &def, out);
}
