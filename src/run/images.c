// Images drawn during the run: images/NNNN.png.
//
// An image is drawn before the frame's rows are written; so a checkpoint that counts a frame finds
// its image. An image that is there already was made before a crash, and stays.
#include "base/file.h"
#include "render/eye.h"
#include "render/look_files.h"
#include "run/run_state.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

#define SAMPLES 48  // per pixel, denoised: an image takes about as long as a frame

/// What a scene without a camera frames: the liquid at the start and the solids, or the domain when
/// all comes later.
static dew_Box find_subject(const dew_Problem *problem)
{
    dew_Box box = dew_box_empty(), domain = dew_problem_domain(problem);
    for (int64_t i = 0; i < dew_problem_blob_count(problem); i++)
        box = dew_box_union(box, dew_problem_blob(problem, i)->box_m);
    for (int i = 0; i < dew_problem_solid_count(problem); i++) {
        dew_Box solid = dew_problem_solid_box(problem, i);
        if (dew_vec_is_finite(solid.min) && dew_vec_is_finite(solid.max))
            box = dew_box_union(box, solid);
    }
    return box.min.x <= box.max.x ? box : domain;
}

static dew_Status make_renderer(const dew_Problem *problem, const char *engine, dew_Tasks *tasks,
                                const dew_Log *log, const dew_Allocator *allocator,
                                dew_Renderer **out)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    dew_RenderDef def = dew_default_render_def();
    dew_Box subject = find_subject(problem);
    *out = NULL;
    if (dew_scene_def(scene)->output.images == DEW_IMAGES_NONE)
        return dew_ok();
    DEW_TRY(dew_eye_check(problem, NULL));
    def.engine = engine;
    def.samples = SAMPLES;
    def.denoises = true;
    def.subject_min_m = subject.min;
    def.subject_max_m = subject.max;
    if (log)
        def.log = *log;
    if (allocator)
        def.allocator = *allocator;
    return dew_renderer_create_for(problem, tasks, &def, out);
}

dew_Status dew_run_check_images(const dew_Problem *problem, const dew_Log *log)
{
    DEW_TRY(dew_look_files_check(dew_problem_scene(problem), log, NULL));
    // Textures and light by the engine that needs no OpenGL: a scene for gl can be checked
    // anywhere.
    dew_Renderer *renderer = NULL;
    dew_Status status = make_renderer(problem, "ray", NULL, log, NULL, &renderer);
    dew_renderer_destroy(renderer);
    return status;
}

dew_Status dew_run_begin_images(dew_Run *run)
{
    const dew_WorldDef *def = &run->def.world;
    const dew_Problem *problem = run->world->problem;
    const char *engine = dew_problem_def(problem)->output.images == DEW_IMAGES_GL ? "gl" : "ray";
    DEW_TRY(make_renderer(problem, engine, run->world->tasks, &def->log, &def->allocator,
                          &run->renderer));
    return run->renderer ? dew_image_create(&def->allocator, &run->image) : dew_ok();
}

dew_Status dew_run_write_image(dew_Run *run, int64_t frame)
{
    if (!run->renderer)
        return dew_ok();
    char name[64];
    snprintf(name, sizeof name, "images/%04lld.png", (long long)frame);
    dew_RunPath path = dew_run_path(&run->directory, name);
    if (dew_file_exists(path.text))
        return dew_ok();
    dew_RenderFrame instant = {.time_s = dew_world_time_s(run->world),
                               .surface = run->surface,
                               .wet_meshes = dew_solid_frames_wetness(&run->solids)};
    dew_renderer_set_frame(run->renderer, frame);
    DEW_TRY(dew_renderer_draw(run->renderer, &instant, run->image));
    return dew_image_save(run->image, 0, path.text);
}
