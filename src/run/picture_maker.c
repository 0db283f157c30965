// Draws instants: poses of the solids, the liquid subdivided where asked, the engine, the denoiser.
#include "run/picture_maker.h"

#include "base/nearest.h"
#include "base/status.h"
#include "geom/loop_subdivision.h"
#include "render/denoise.h"
#include "render/picture_scene.h"
#include "world/render_table.h"

#include <stdio.h>
#include <string.h>

struct dew_PictureMaker {
    dew_PictureMakerDef def;
    dew_PictureScene *scene;
    dew_Renderer renderer;
    dew_SolidPose *poses;
    int solid_count;
    dew_Surface *smooth;  // the liquid, subdivided
    dew_Mesh mesh;        // on its way there
    bool has_diagnosed;   // that it cannot be subdivided
};

dew_Status dew_render_engine_check(const char *name)
{
    static const char *const names[] = {"ray", "gl"};
    if (dew_render_engine(name))
        return dew_ok();
    const char *nearest = dew_nearest_name(name, names, 2);
    if (nearest)
        return dew_fail(DEW_BAD_INPUT, "there is no engine %s (did you mean %s?)", name, nearest);
    return dew_fail(DEW_BAD_INPUT, "there is no engine %s (ray and gl are)", name);
}

static dew_Status make_parts(dew_PictureMaker *maker)
{
    const dew_PictureMakerDef *def = &maker->def;
    dew_PictureSceneDef scene_def = {
        .tasks = def->tasks, .log = def->log, .allocator = def->allocator};
    DEW_TRY(dew_render_engine_check(def->render.engine));
    DEW_TRY(dew_renderer_init(&maker->renderer, def->render.engine, &def->allocator));
    DEW_TRY(dew_picture_scene_create(def->problem, &scene_def, &maker->scene));
    DEW_TRY(dew_surface_create(&def->allocator, &maker->smooth));
    maker->solid_count = dew_problem_solid_count(def->problem);
    maker->poses = dew_alloc(&def->allocator, maker->solid_count, sizeof *maker->poses);
    return maker->poses ? dew_ok() : dew_no_memory(sizeof *maker->poses);
}

dew_Status dew_picture_maker_create(const dew_PictureMakerDef *def, dew_PictureMaker **out)
{
    *out = NULL;
    dew_PictureMaker *maker = dew_alloc(&def->allocator, 1, sizeof *maker);
    if (!maker)
        return dew_no_memory(sizeof *maker);
    maker->def = *def;
    dew_mesh_init(&maker->mesh, &def->allocator);
    dew_Status status = make_parts(maker);
    if (status.code != DEW_OK) {
        dew_picture_maker_destroy(maker);
        return status;
    }
    *out = maker;
    return dew_ok();
}

void dew_picture_maker_destroy(dew_PictureMaker *maker)
{
    if (!maker)
        return;
    dew_Allocator allocator = maker->def.allocator;
    dew_renderer_deinit(&maker->renderer);
    dew_picture_scene_destroy(maker->scene);
    dew_surface_destroy(maker->smooth);
    dew_mesh_deinit(&maker->mesh);
    if (maker->poses)
        dew_free(&allocator, maker->poses, (size_t)maker->solid_count * sizeof *maker->poses);
    dew_free(&allocator, maker, sizeof *maker);
}

// The liquid as it is drawn: subdivided, or as it is where it cannot be.
static dew_Status smooth(dew_PictureMaker *maker, const dew_Surface **surface)
{
    if (maker->def.levels == 0 || !*surface)
        return dew_ok();
    dew_LoopDef def = {
        .levels = maker->def.levels, .keeps_vertices = true, .moves_to_limit = true, .flag = "wet"};
    DEW_TRY(dew_surface_to_mesh(*surface, &maker->mesh));
    dew_Status status = dew_loop_subdivide(&maker->mesh, &def);
    if (status.code == DEW_BAD_INPUT) {
        char words[DEW_MESSAGE_SIZE];
        snprintf(words, sizeof words, "the liquid is drawn without subdivision: %.400s",
                 status.message);
        if (!maker->has_diagnosed)
            dew_log_line(&maker->def.log, DEW_LOG_WARNING, words);
        maker->has_diagnosed = true;
        return dew_ok();
    }
    DEW_TRY(status);
    *surface = maker->smooth;
    return dew_surface_from_mesh(&maker->mesh, maker->smooth);
}

dew_Status dew_picture_maker_draw(dew_PictureMaker *maker, double time_s, int64_t frame,
                                  const dew_Surface *surface, const dew_Mesh *const *wet_maps,
                                  dew_Image *out)
{
    const dew_PictureMakerDef *def = &maker->def;
    dew_RenderDef render = def->render;
    dew_problem_dragged_poses(def->problem, time_s, maker->poses);
    dew_Moment moment = {.time_s = time_s,
                         .gravity_m_s2 = dew_problem_def(def->problem)->gravity_m_s2,
                         .wind_m_s = dew_problem_def(def->problem)->wind_m_s,
                         .poses = maker->poses};
    bool is_framed = def->subject_m.min.x <= def->subject_m.max.x;
    DEW_TRY(smooth(maker, &surface));
    dew_PictureMoment picture = {.moment = &moment,
                                 .surface = surface,
                                 .wet_maps = wet_maps,
                                 .shutter_s = render.shutter_s,
                                 .width_px = render.width_px,
                                 .height_px = render.height_px,
                                 .subject_m = is_framed ? &def->subject_m : NULL};
    DEW_TRY(dew_picture_scene_set(maker->scene, &picture));
    render.frame = frame;
    DEW_TRY(dew_renderer_draw(&maker->renderer, maker->scene, &render, def->tasks, out));
    bool has_noise = strcmp(render.engine, "ray") == 0;  // gl has none
    return def->denoises && has_noise ? dew_image_denoise(out, 1, def->tasks) : dew_ok();
}
