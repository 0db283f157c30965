// Live pictures of a world.
#include "bench/live.h"

#include "base/clock.h"
#include "base/status.h"

const char *const dew_live_part_names[DEW_LIVE_PART_COUNT] = {
    [DEW_LIVE_PICTURE] = "picture: bodies, normals",
    [DEW_LIVE_BUFFERS] = "to the buffers",
    [DEW_LIVE_LAMPS] = "light through the liquid",
    [DEW_LIVE_SOLIDS] = "solids",
    [DEW_LIVE_SIDES] = "near and far sides",
    [DEW_LIVE_LIQUID] = "liquid",
    [DEW_LIVE_SHOW] = "to the screen",
};

#ifdef DEW_HAVE_GL
#include "render/gl/drawing.h"
#include "render/gl/egl.h"
#include "render/gl/target.h"

struct dew_Live {
    dew_GlContext *context;
    dew_GlDrawing *drawing;
    dew_PictureScene *picture;
    dew_GlTarget screen;
    dew_GlShot shot;
    double *cpu_s, mark_s;
    dew_Box subject_m;
    dew_Vec3 camera_shift;  // parts of its distance
    int64_t triangle_count;
};

static void pass_time(dew_Live *live, dew_LivePart part)
{
    if (!live->cpu_s)
        return;
    dew_gl_context_calls(live->context)->Finish();
    live->cpu_s[part] += dew_cpu_s() - live->mark_s;
    live->mark_s = dew_cpu_s();
}

static void after_pass(void *context, dew_GlPass pass)
{
    pass_time(context, (dew_LivePart)((int)DEW_LIVE_LAMPS + (int)pass));
}

void dew_live_destroy(dew_Live *live)
{
    if (!live)
        return;
    if (live->context && dew_gl_context_begin(live->context).code == DEW_OK) {
        dew_gl_target_deinit(dew_gl_context_calls(live->context), &live->screen);
        dew_gl_drawing_destroy(live->drawing);
    }
    dew_gl_context_destroy(live->context);
    dew_picture_scene_destroy(live->picture);
    dew_free(NULL, live, sizeof *live);
}

static dew_Status set_up(dew_Live *live, const dew_Problem *problem, dew_Tasks *tasks)
{
    dew_PictureSceneDef def = {.tasks = tasks};
    dew_GlTargetDef screen = {.width = live->shot.width_px,
                              .height = live->shot.height_px,
                              .color = {GL_RGBA8, 0},
                              .filter = GL_NEAREST};
    DEW_TRY(dew_picture_scene_create(problem, &def, &live->picture));
    DEW_TRY(dew_gl_context_create(DEW_GL_ES3, NULL, &live->context));
    const dew_Gl *gl = dew_gl_context_calls(live->context);
    DEW_TRY(dew_gl_drawing_create(gl, NULL, &live->drawing));
    DEW_TRY(dew_gl_target_set(gl, &live->screen, &screen));
    dew_gl_context_end(live->context);
    return dew_ok();
}

dew_Status dew_live_create(const dew_Problem *problem, dew_Tasks *tasks, int width_px,
                           int height_px, dew_Live **out)
{
    dew_Live *live = dew_alloc(NULL, 1, sizeof *live);
    *out = NULL;
    if (!live)
        return dew_no_memory(sizeof *live);
    live->shot = dew_gl_shot_live(width_px, height_px);
    live->shot.is_for_screen = true;
    live->subject_m = dew_problem_domain(problem);
    live->shot.after_pass = after_pass;
    live->shot.context = live;
    dew_Status status = set_up(live, problem, tasks);
    if (status.code != DEW_OK) {
        dew_live_destroy(live);
        return status;
    }
    *out = live;
    return dew_ok();
}

static void count_triangles(dew_Live *live)
{
    live->triangle_count = 0;
    for (int64_t t = 0; t < live->picture->triangles.count; t++) {
        uint32_t b = DEW_ITEMS(&live->picture->triangle_body, const uint32_t)[t];
        live->triangle_count +=
            DEW_ITEMS(&live->picture->bodies, const dew_PictureBody)[b].solid_id == DEW_INVALID;
    }
}

static dew_Status draw(dew_Live *live, const dew_PictureMoment *now)
{
    bool is_first = live->picture->bodies.count == 0;
    live->mark_s = dew_cpu_s();
    DEW_TRY(dew_picture_scene_set(live->picture, now));
    dew_Camera *camera = &live->picture->camera;
    camera->eye_m =
        dew_add_scaled(camera->eye_m, live->camera_shift.x * camera->focus_m, camera->right);
    if (is_first)
        DEW_TRY(dew_gl_drawing_set_scene(live->drawing, live->picture, live->picture->tasks));
    pass_time(live, DEW_LIVE_PICTURE);
    DEW_TRY(dew_gl_drawing_set_bodies(live->drawing, live->picture));
    pass_time(live, DEW_LIVE_BUFFERS);
    DEW_TRY(dew_gl_drawing_draw(live->drawing, &live->shot));
    dew_gl_drawing_show(live->drawing, live->screen.framebuffer, live->screen.width,
                        live->screen.height, 0);
    pass_time(live, DEW_LIVE_SHOW);
    dew_gl_context_calls(live->context)->Finish();
    return dew_ok();
}

dew_Status dew_live_draw(dew_Live *live, const dew_Moment *moment, const dew_Surface *surface,
                         double cpu_s[DEW_LIVE_PART_COUNT])
{
    dew_PictureMoment now = {.moment = moment,
                             .surface = surface,
                             .shutter_s = 0,
                             .width_px = live->shot.width_px,
                             .height_px = live->shot.height_px,
                             .subject_m = &live->subject_m,
                             .patch_px = DEW_GL_LIVE_PATCH_PX};
    live->cpu_s = cpu_s;
    DEW_TRY(dew_gl_context_begin(live->context));
    dew_Status status = draw(live, &now);
    dew_gl_context_end(live->context);
    count_triangles(live);
    return status;
}

int64_t dew_live_triangle_count(const dew_Live *live)
{
    return live->triangle_count;
}

void dew_live_move_camera(dew_Live *live, double part)
{
    live->camera_shift.x = part;
}
#else
dew_Status dew_live_create(const dew_Problem *problem, dew_Tasks *tasks, int width_px,
                           int height_px, dew_Live **out)
{
    (void)problem, (void)tasks, (void)width_px, (void)height_px;
    *out = NULL;
    return dew_fail(DEW_UNSUPPORTED, "this build has no OpenGL");
}

void dew_live_destroy(dew_Live *live)
{
    (void)live;
}

dew_Status dew_live_draw(dew_Live *live, const dew_Moment *moment, const dew_Surface *surface,
                         double cpu_s[DEW_LIVE_PART_COUNT])
{
    (void)live, (void)moment, (void)surface, (void)cpu_s;
    return dew_fail(DEW_UNSUPPORTED, "this build has no OpenGL");
}

int64_t dew_live_triangle_count(const dew_Live *live)
{
    (void)live;
    return 0;
}

void dew_live_move_camera(dew_Live *live, double part)
{
    (void)live, (void)part;
}
#endif
