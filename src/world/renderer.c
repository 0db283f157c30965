// The renderer: what stays the same from image to image, and the steps of one image: poses of the
// solids, subdivision of the liquid, the engine, the denoiser.
#include "world/renderer.h"

#include "base/allocator.h"
#include "base/status.h"
#include "geom/loop_subdivision.h"
#include "problem/scene_events.h"
#include "render/denoise.h"
#include "world/render_table.h"
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

// ---- making and destroying ---------------------------------------------------------------------

static dew_Status make_tasks(dew_Renderer *renderer)
{
    const dew_RenderDef *def = &renderer->def;
    dew_TasksDef tasks = dew_default_tasks_def();
    tasks.worker_count = def->thread_count;
    tasks.host = def->task_host;
    tasks.allocator = def->allocator;
    DEW_TRY(dew_tasks_create(&tasks, &renderer->own_tasks));
    renderer->tasks = renderer->own_tasks;
    return dew_ok();
}

static dew_Status make_parts(dew_Renderer *renderer)
{
    const dew_RenderDef *def = &renderer->def;
    dew_RenderSceneDef scene_def = {
        .tasks = renderer->tasks, .log = def->log, .allocator = def->allocator};
    if (renderer->engine->open)
        DEW_TRY(renderer->engine->open(def, &renderer->state));
    DEW_TRY(dew_render_scene_create(renderer->problem, &scene_def, &renderer->scene));
    DEW_TRY(dew_surface_create(&def->allocator, &renderer->smooth));
    DEW_TRY(dew_surface_create(&def->allocator, &renderer->extracted));
    renderer->solid_count = dew_problem_solid_count(renderer->problem);
    renderer->poses = dew_alloc(&def->allocator, renderer->solid_count, sizeof *renderer->poses);
    return renderer->poses ? dew_ok() : dew_no_memory(sizeof *renderer->poses);
}

// Of a scene when `problem` is NULL, with a task pool of its own.
static dew_Status create(const dew_Scene *scene, const dew_Problem *problem, dew_Tasks *tasks,
                         const dew_RenderDef *def, dew_Renderer **out)
{
    *out = NULL;
    DEW_TRY(dew_render_def_check(def));
    dew_Renderer *renderer = dew_alloc(&def->allocator, 1, sizeof *renderer);
    if (!renderer)
        return dew_no_memory(sizeof *renderer);
    renderer->def = *def;
    renderer->engine = dew_render_engine(def->engine);
    renderer->problem = problem;
    renderer->tasks = tasks;
    renderer->live_def = dew_default_live_def();
    dew_mesh_init(&renderer->mesh, &def->allocator);
    dew_Status status = dew_ok();
    if (!problem) {
        status = make_tasks(renderer);
        dew_ProblemDef problem_def = {def->allocator, def->log, renderer->tasks};
        if (status.code == DEW_OK)
            status = dew_problem_create(scene, &problem_def, &renderer->own_problem);
        renderer->problem = renderer->own_problem;
    }
    if (status.code == DEW_OK)
        status = make_parts(renderer);
    if (status.code != DEW_OK) {
        dew_renderer_destroy(renderer);
        return status;
    }
    *out = renderer;
    return dew_ok();
}

dew_Status dew_renderer_create(const dew_Scene *scene, const dew_RenderDef *def, dew_Renderer **out)
{
    return create(scene, NULL, NULL, def, out);
}

dew_Status dew_renderer_create_for(const dew_Problem *problem, dew_Tasks *tasks,
                                   const dew_RenderDef *def, dew_Renderer **out)
{
    return create(NULL, problem, tasks, def, out);
}

void dew_renderer_destroy(dew_Renderer *renderer)
{
    if (!renderer)
        return;
    dew_Allocator allocator = renderer->def.allocator;
    if (renderer->state)
        renderer->engine->close(renderer->state);
    dew_render_scene_destroy(renderer->scene);
    dew_surface_destroy(renderer->smooth);
    dew_surface_destroy(renderer->extracted);
    dew_mesh_deinit(&renderer->mesh);
    if (renderer->poses)
        dew_free(&allocator, renderer->poses,
                 (size_t)renderer->solid_count * sizeof *renderer->poses);
    dew_problem_destroy(renderer->own_problem);
    dew_tasks_destroy(renderer->own_tasks);
    dew_free(&allocator, renderer, sizeof *renderer);
}

// ---- settings ----------------------------------------------------------------------------------

dew_Status dew_renderer_set_camera(dew_Renderer *renderer, const dew_CameraDef *camera)
{
    renderer->has_camera = camera != NULL;
    if (!camera)
        return dew_ok();
    dew_Vec3 view = dew_sub(camera->target_m, camera->eye_m);
    bool is_view = dew_vec_is_finite(camera->eye_m) && dew_vec_is_finite(camera->target_m) &&
                   dew_length2(dew_cross(view, camera->up)) > 0;
    renderer->has_camera = false;
    if (camera->is_given && !is_view)
        return dew_fail(DEW_BAD_INPUT, "the camera's eye, target and up must not lie on one line");
    if (!(camera->fov_rad > 0) || !(camera->fov_rad < DEW_PI))
        return dew_fail(DEW_BAD_INPUT, "the camera's fov is %g rad (expected 0 to pi)",
                        camera->fov_rad);
    renderer->camera = *camera;
    renderer->has_camera = true;
    return dew_ok();
}

// Takes the changed definition when it is possible.
static dew_Status change(dew_Renderer *renderer, const dew_RenderDef *changed)
{
    DEW_TRY(dew_render_def_check(changed));
    renderer->def = *changed;
    return dew_ok();
}

dew_Status dew_renderer_set_size(dew_Renderer *renderer, int width_px, int height_px)
{
    dew_RenderDef changed = renderer->def;
    changed.width_px = width_px;
    changed.height_px = height_px;
    return change(renderer, &changed);
}

dew_Status dew_renderer_set_samples(dew_Renderer *renderer, int samples)
{
    dew_RenderDef changed = renderer->def;
    changed.samples = samples;
    return change(renderer, &changed);
}

void dew_renderer_set_frame(dew_Renderer *renderer, int64_t frame)
{
    renderer->def.frame = frame;
}

void dew_renderer_set_subject(dew_Renderer *renderer, dew_Vec3 min_m, dew_Vec3 max_m)
{
    renderer->def.subject_min_m = min_m;
    renderer->def.subject_max_m = max_m;
}

bool dew_renderer_subject(const dew_Renderer *renderer, dew_Box *out)
{
    *out = (dew_Box){renderer->def.subject_min_m, renderer->def.subject_max_m};
    return out->min.x <= out->max.x;
}

// ---- instants ----------------------------------------------------------------------------------

static dew_SolidPose solid_pose(const dew_Pose *pose)
{
    const double *q = pose->rotation;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    dew_Rotation rotation = dew_rotation_identity();
    if (length > 0)
        rotation = (dew_Rotation){q[3] / length, dew_scale(1 / length, dew_vec(q[0], q[1], q[2]))};
    return (dew_SolidPose){.translate_m = pose->translate_m, .rotation = rotation};
}

static dew_Instant instant_at(const dew_Renderer *renderer, double time_s)
{
    const dew_SceneDef *def = dew_problem_def(renderer->problem);
    return (dew_Instant){.time_s = time_s,
                         .gravity_m_s2 = def->gravity_m_s2,
                         .wind_m_s = def->wind_m_s,
                         .poses = renderer->poses};
}

dew_Instant dew_renderer_instant(dew_Renderer *renderer, const dew_RenderFrame *frame)
{
    if (frame->poses)
        for (int i = 0; i < renderer->solid_count; i++)
            renderer->poses[i] = solid_pose(&frame->poses[i]);
    else
        dew_problem_dragged_poses(renderer->problem, frame->time_s, renderer->poses);
    return instant_at(renderer, frame->time_s);
}

// The liquid as it is drawn: subdivided, or unchanged where its mesh cannot be.
static dew_Status subdivide(dew_Renderer *renderer, const dew_Surface **surface)
{
    int levels = renderer->def.subdivision_levels;
    if (levels == 0 || !*surface)
        return dew_ok();
    dew_LoopDef def = {
        .levels = levels, .keeps_vertices = true, .moves_to_limit = true, .flag = "wet"};
    DEW_TRY(dew_surface_to_mesh(*surface, &renderer->mesh));
    dew_Status status = dew_loop_subdivide(&renderer->mesh, &def);
    if (status.code == DEW_BAD_INPUT) {
        char message[DEW_MESSAGE_SIZE];
        snprintf(message, sizeof message, "the liquid is drawn without subdivision: %.400s",
                 status.message);
        if (!renderer->has_warned)
            dew_log_line(&renderer->def.log, DEW_LOG_WARNING, message);
        renderer->has_warned = true;
        return dew_ok();
    }
    DEW_TRY(status);
    *surface = renderer->smooth;
    return dew_surface_from_mesh(&renderer->mesh, renderer->smooth);
}

// Draws an instant whose poses are in renderer->poses.
static dew_Status draw(dew_Renderer *renderer, const dew_Instant *instant,
                       const dew_Surface *surface, const dew_WetMesh *wet_meshes, dew_Image *out)
{
    const dew_RenderDef *def = &renderer->def;
    dew_Box subject;
    dew_Camera camera;
    DEW_TRY(subdivide(renderer, &surface));
    dew_RenderInstant now = {.instant = instant,
                             .surface = surface,
                             .wet_meshes = wet_meshes,
                             .shutter_s = def->shutter_s,
                             .width_px = def->width_px,
                             .height_px = def->height_px};
    if (dew_renderer_subject(renderer, &subject))
        now.subject_m = &subject;
    if (renderer->has_camera && renderer->camera.is_given) {
        DEW_TRY(dew_renderer_resolve_camera(renderer, NULL, &camera));
        now.camera = &camera;
    }
    DEW_TRY(dew_render_scene_set(renderer->scene, &now));
    DEW_TRY(renderer->engine->render(renderer->state, renderer->scene, def, renderer->tasks, out));
    bool has_noise = strcmp(def->engine, "ray") == 0;
    return def->denoises && has_noise ? dew_image_denoise(out, 1, renderer->tasks) : dew_ok();
}

dew_Status dew_renderer_draw(dew_Renderer *renderer, const dew_RenderFrame *frame, dew_Image *out)
{
    dew_Instant instant = dew_renderer_instant(renderer, frame);
    return draw(renderer, &instant, frame->surface, frame->wet_meshes, out);
}

dew_Status dew_renderer_draw_world(dew_Renderer *renderer, dew_World *world, dew_Image *out)
{
    dew_Instant now = dew_world_instant(world);
    if (world->solid_count != renderer->solid_count)
        return dew_fail(DEW_BAD_INPUT,
                        "the world has %d solids, the renderer's scene has %d (expected a world "
                        "of the same scene)",
                        world->solid_count, renderer->solid_count);
    memcpy(renderer->poses, now.poses, (size_t)renderer->solid_count * sizeof *renderer->poses);
    now.poses = renderer->poses;
    DEW_TRY(dew_world_surface(world, renderer->extracted));
    return draw(renderer, &now, renderer->extracted, NULL, out);
}

// ---- real time ---------------------------------------------------------------------------------

dew_Status dew_renderer_set_live(dew_Renderer *renderer, const dew_LiveDef *def)
{
    if (def->cookie != dew_default_live_def().cookie)
        return dew_fail(DEW_BAD_INPUT, "a dew_LiveDef must begin with dew_default_live_def()");
    if (def->light_every < 1)
        return dew_fail(DEW_BAD_INPUT, "light_every is %d (expected at least 1)", def->light_every);
    renderer->live_def = *def;
    return dew_ok();
}

void dew_renderer_time_stages(dew_Renderer *renderer, bool is_on)
{
    renderer->is_timed = is_on;
    renderer->clock = (dew_StageClock){.now_s = dew_cpu_s};
}

int dew_renderer_stages(const dew_Renderer *renderer, dew_StageTime *stages, int max_count)
{
    static const char *const names[DEW_RENDER_STAGE_COUNT] = {
        [DEW_RENDER_BODIES] = "picture: bodies, normals",
        [DEW_RENDER_BUFFERS] = "to the buffers",
        [DEW_RENDER_LIGHTS] = "light through the liquid",
        [DEW_RENDER_SOLIDS] = "solids",
        [DEW_RENDER_SIDES] = "near and far sides",
        [DEW_RENDER_LIQUID] = "liquid",
        [DEW_RENDER_SHOW] = "to the screen",
    };
    for (int s = 0; s < DEW_RENDER_STAGE_COUNT && s < max_count; s++)
        stages[s] = (dew_StageTime){names[s], renderer->clock.seconds[s], false};
    return DEW_RENDER_STAGE_COUNT;
}

static bool is_same_view(const dew_Camera *a, const dew_Camera *b)
{
    return a->width_px == b->width_px && a->height_px == b->height_px &&
           a->half_height == b->half_height && dew_distance(a->eye_m, b->eye_m) == 0 &&
           dew_distance(a->forward, b->forward) == 0 && dew_distance(a->up, b->up) == 0;
}

static dew_Status set_live(dew_Renderer *renderer, const dew_RenderFrame *frame)
{
    dew_Instant instant = dew_renderer_instant(renderer, frame);
    dew_Box domain = dew_problem_domain(renderer->problem);
    const dew_Surface *surface = frame->surface;
    dew_Camera camera;
    dew_CameraDef def;
    DEW_TRY(dew_renderer_camera(renderer, frame, &def));
    DEW_TRY(dew_camera_resolve(&def, dew_box_empty(), renderer->def.width_px,
                               renderer->def.height_px, &camera));
    camera.lens_radius_m = 0;
    dew_RenderInstant now = {.instant = &instant,
                             .surface = surface && dew_surface_triangle_count(surface) > 0 ? surface
                                                                                           : NULL,
                             .wet_meshes = frame->wet_meshes,
                             .width_px = camera.width_px,
                             .height_px = camera.height_px,
                             .subject_m = &domain,
                             .camera = &camera,
                             .patch_px = renderer->engine->live_patch_px};
    renderer->is_still = renderer->has_live && is_same_view(&camera, &renderer->live_camera);
    renderer->live_camera = camera;
    renderer->has_live = true;
    return dew_render_scene_set(renderer->scene, &now);
}

dew_Status dew_renderer_draw_gl(dew_Renderer *renderer, const dew_RenderFrame *frame,
                                uint32_t framebuffer, int width_px, int height_px)
{
    const dew_RenderEngine *engine = renderer->engine;
    if (!engine->draw_live)
        return dew_fail(DEW_UNSUPPORTED, "drawing in real time needs the engine gl");
    dew_StageClock *clock = renderer->is_timed ? &renderer->clock : NULL;
    dew_stage_begin(clock);
    DEW_TRY(set_live(renderer, frame));
    dew_stage_end(clock, DEW_RENDER_BODIES);
    dew_LiveShot shot = {renderer->is_still, renderer->live_def, clock};
    DEW_TRY(engine->draw_live(renderer->state, renderer->scene, &shot, renderer->tasks));
    return engine->show_live(renderer->state, framebuffer, width_px, height_px, clock);
}

void dew_renderer_show_gl(dew_Renderer *renderer, uint32_t framebuffer, int width_px, int height_px)
{
    if (renderer->has_live)
        (void)renderer->engine->show_live(renderer->state, framebuffer, width_px, height_px, NULL);
}

dew_Status dew_renderer_read_gl(dew_Renderer *renderer, dew_Image *out)
{
    if (!renderer->has_live)
        return dew_fail(DEW_BAD_INPUT, "nothing was drawn yet");
    return renderer->engine->read_live(renderer->state, out);
}

bool dew_renderer_is_sharp_gl(const dew_Renderer *renderer)
{
    return renderer->is_still;
}

// ---- one image ---------------------------------------------------------------------------------

dew_Status dew_render_with(const dew_Scene *scene, double time_s, const dew_Surface *surface,
                           const dew_RenderDef *def, dew_Image *out)
{
    dew_Renderer *renderer = NULL;
    dew_RenderFrame frame = {.time_s = time_s, .surface = surface};
    dew_Status status = dew_renderer_create(scene, def, &renderer);
    if (renderer)
        status = dew_renderer_draw(renderer, &frame, out);
    dew_renderer_destroy(renderer);
    return status;
}

dew_Status dew_render(const dew_Scene *scene, double time_s, const dew_Surface *surface,
                      dew_Image *out)
{
    dew_RenderDef def = dew_default_render_def();
    return dew_render_with(scene, time_s, surface, &def, out);
}
