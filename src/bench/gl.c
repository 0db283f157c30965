// Throughput of the real-time engine: frames per CPU second of a drop of 50,000 refracting triangles on a
// table, with shadows, caustics and reflections, on whatever GL there is (Mesa's software one counts as
// CPU time of this process). A frame: the drop has moved; bodies to the buffers, drawing, finished. The
// camera stands still, or it moves too.
#include "base/clock.h"
#include "base/status.h"
#include "bench/benches.h"

#ifdef DEW_HAVE_GL
#include "geom/shapes.h"
#include "render/gl/drawing.h"
#include "render/gl/egl.h"

#include <math.h>
#include <stdio.h>

enum { FREQUENCY = 50, FRAMES = 5 };  // 20 x 50^2 triangles

typedef struct Work {
    dew_GlContext *context;
    dew_GlDrawing *drawing;
    dew_PictureScene *scene;
    dew_GlShot shot;
    int64_t first_of_drop;             // of the scene's vertices
    double shake_m;                    // by which the drop goes to and fro
    double camera_shake_m;             // by which the camera does
    double mark_s;                     // CPU time when the pass began
    double pass_s[DEW_GL_PASS_COUNT];  // least of all frames
} Work;

static dew_Status add_mesh(dew_PictureScene *scene, const dew_PictureBody *body, dew_Mesh *mesh,
                           dew_Vec3 at)
{
    dew_mesh_transform(mesh, 1, dew_rotation_identity(), at);
    return dew_picture_scene_add_mesh(scene, body, mesh, DEW_DEG(40));
}

static dew_Status make_scene(Work *work, dew_Tasks *tasks)
{
    DEW_TRY(dew_picture_scene_create_bare(NULL, &work->scene));
    dew_PictureScene *scene = work->scene;
    dew_PictureBody table = {.look = {.kind = DEW_LOOK_PLASTIC, .color = {0.6f, 0.6f, 0.6f}},
                             .to_own = dew_rotation_identity(),
                             .fade_begin_m = 6,
                             .fade_end_m = 30};
    dew_PictureBody water = {.solid_id = DEW_INVALID,
                             .kind = DEW_BODY_CLEAR,
                             .medium = {.ior = 1.333f},
                             .to_own = dew_rotation_identity()};
    DEW_TRY(dew_environment_create("studio", tasks, NULL, &scene->environment));
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Status status = dew_shape_patch(60, 60, 0, &mesh);
    if (status.code == DEW_OK)
        status = add_mesh(scene, &table, &mesh, dew_vec(0, -0.8, 0));
    work->first_of_drop = scene->positions.count;
    if (status.code == DEW_OK)
        status = dew_shape_icosphere(1, FREQUENCY, &mesh);
    if (status.code == DEW_OK)
        status = add_mesh(scene, &water, &mesh, dew_vec(0, 0, 0));
    dew_mesh_deinit(&mesh);
    scene->subject_m = (dew_Box){{-1, -1, -1}, {1, 1, 1}};
    return status;
}

static void move(Work *work)
{
    dew_Vec3 *positions = work->scene->positions.data;
    for (int64_t i = work->first_of_drop; i < work->scene->positions.count; i++)
        positions[i].y += work->shake_m;
    work->shake_m = -work->shake_m;
    work->scene->camera.eye_m.y += work->camera_shake_m;
    work->camera_shake_m = -work->camera_shake_m;
}

static dew_Status draw_frame(void *context)
{
    Work *work = context;
    const dew_Gl *gl = dew_gl_context_calls(work->context);
    move(work);
    DEW_TRY(dew_gl_drawing_set_bodies(work->drawing, work->scene));
    DEW_TRY(dew_gl_drawing_draw(work->drawing, &work->shot));
    gl->Finish();
    return dew_ok();
}

static void after_pass(void *context, dew_GlPass pass)
{
    Work *work = context;
    dew_gl_context_calls(work->context)->Finish();
    double now = dew_cpu_s();
    work->pass_s[pass] = fmin(work->pass_s[pass], now - work->mark_s);
    work->mark_s = dew_cpu_s();
}

static dew_Status draw_watched_frame(void *context)
{
    Work *work = context;
    move(work);
    DEW_TRY(dew_gl_drawing_set_bodies(work->drawing, work->scene));
    dew_gl_context_calls(work->context)->Finish();
    work->mark_s = dew_cpu_s();
    return dew_gl_drawing_draw(work->drawing, &work->shot);
}

static dew_Status measure_passes(dew_BenchRun *b, Work *work)
{
    static const char *const names[DEW_GL_PASS_COUNT] = {"  lamps: shadows, caustics", "  solids",
                                                         "  far sides, copy", "  liquid"};
    for (int i = 0; i < DEW_GL_PASS_COUNT; i++)
        work->pass_s[i] = (double)INFINITY;
    work->shot.after_pass = after_pass;
    work->shot.context = work;
    for (int i = 0; i < FRAMES; i++)
        DEW_TRY(draw_watched_frame(work));
    work->shot.after_pass = NULL;
    for (int i = 0; i < DEW_GL_PASS_COUNT; i++)
        dew_bench_cost(b, names[i], 1e3 * work->pass_s[i], "CPU ms", (double)NAN);
    return dew_ok();
}

static dew_Status measure(dew_BenchRun *b, Work *work, int width, int height, double goal)
{
    char name[64];
    double seconds = 0;
    dew_CameraDef def = dew_default_scene_def().camera;
    DEW_TRY(dew_camera_resolve(&def, work->scene->subject_m, width, height, &work->scene->camera));
    work->shot = dew_gl_shot_fast(width, height);
    work->shake_m = 0.01;
    work->camera_shake_m = 0.01;
    DEW_TRY(draw_frame(work));  // shaders are compiled by the first one
    DEW_TRY(dew_bench_best_cpu(draw_frame, work, FRAMES, &seconds));
    snprintf(name, sizeof name, "%dx%d, %lld triangles, camera moves", width, height,
             (long long)work->scene->triangles.count);
    dew_bench_rate(b, name, 1 / seconds, "frames/CPU s", (double)NAN);
    work->camera_shake_m = 0;
    DEW_TRY(draw_frame(work));
    DEW_TRY(dew_bench_best_cpu(draw_frame, work, FRAMES, &seconds));
    snprintf(name, sizeof name, "%dx%d, %lld triangles", width, height,
             (long long)work->scene->triangles.count);
    dew_bench_rate(b, name, 1 / seconds, "frames/CPU s", goal);
    return measure_passes(b, work);
}

static dew_Status measure_all(dew_BenchRun *b, Work *work)
{
    DEW_TRY(dew_gl_context_create(DEW_GL_ES3, NULL, &work->context));
    DEW_TRY(dew_gl_drawing_create(dew_gl_context_calls(work->context), NULL, &work->drawing));
    DEW_TRY(make_scene(work, b->tasks));
    DEW_TRY(dew_gl_drawing_set_scene(work->drawing, work->scene, b->tasks));
    DEW_TRY(measure(b, work, 1280, 720, 33));
    return measure(b, work, 640, 480, (double)NAN);
}

static dew_Status run(dew_BenchRun *b)
{
    Work work = {0};
    dew_Status status = measure_all(b, &work);
    dew_gl_drawing_destroy(work.drawing);
    dew_gl_context_destroy(work.context);
    dew_picture_scene_destroy(work.scene);
    return status.code == DEW_UNSUPPORTED ? dew_ok() : status;  // nothing to measure
}
#else
static dew_Status run(dew_BenchRun *b)
{
    (void)b;
    return dew_ok();
}
#endif

const dew_Bench dew_bench_gl = {"gl", "frames by OpenGL", run};
