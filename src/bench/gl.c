// Throughput of the real-time engine, on whatever GL there is (Mesa's software one counts as CPU time of
// this process).
//
// First a drop of 50,000 refracting triangles on a table, at both levels. A frame: the drop has moved; bodies to
// the buffers, drawing, finished. The camera stands still, or it moves too. Then drops on a window, drawn live
// from the solver's surface on, as `dew view` does it, while all of them move, and while the camera does; goal: 15
// frames per second with one core. What rests costs less: `dew bench view`.
#include "base/clock.h"
#include "base/status.h"
#include "bench/benches.h"
#include "bench/live.h"
#include "world/world_state.h"

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

static dew_Status measure(dew_BenchRun *b, Work *work, dew_GlLevel level, int width, int height,
                          double goal)
{
    char name[64];
    const char *word = level == DEW_GL_LIVE ? "live" : "fine";
    double seconds = 0;
    dew_CameraDef def = dew_default_scene_def().camera;
    DEW_TRY(dew_camera_resolve(&def, work->scene->subject_m, width, height, &work->scene->camera));
    work->shot =
        level == DEW_GL_LIVE ? dew_gl_shot_live(width, height) : dew_gl_shot_quick(width, height);
    work->shot.is_for_screen = level == DEW_GL_LIVE;
    work->shot.light_every = 1;  // the best frame is told: none may be cheaper than the others
    work->shake_m = 0.01;
    work->camera_shake_m = 0.01;
    DEW_TRY(draw_frame(work));  // shaders are compiled by the first one
    DEW_TRY(dew_bench_best_cpu(draw_frame, work, FRAMES, &seconds));
    snprintf(name, sizeof name, "%s: %dx%d, camera moves", word, width, height);
    dew_bench_rate(b, name, 1 / seconds, "frames/CPU s", (double)NAN);
    work->camera_shake_m = 0;
    DEW_TRY(draw_frame(work));
    DEW_TRY(dew_bench_best_cpu(draw_frame, work, FRAMES, &seconds));
    snprintf(name, sizeof name, "%s: %dx%d, %lld triangles", word, width, height,
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
    DEW_TRY(measure(b, work, DEW_GL_LIVE, 1280, 720, 33));
    DEW_TRY(measure(b, work, DEW_GL_LIVE, 640, 480, (double)NAN));
    return measure(b, work, DEW_GL_FINE, 640, 480, (double)NAN);
}

// ---- drops on a window -------------------------------------------------------------------------

enum { WIDTH = 1280, HEIGHT = 720 };

static dew_Status open_window(dew_Scene **out)
{
    static const char text[] =
        "solver: surface\nduration: 1 s\nframe_rate: 30 Hz\nseed: 3\n"
        "domain: {min: [-50 mm, -40 mm, -1 mm], max: [50 mm, 40 mm, 15 mm], cell: 0.84 mm}\n"
        "materials: {glass: {advancing: 90 deg, receding: 30 deg}}\n"
        "solids: [{shape: plane, name: pane, point: [0, 0, 0], normal: [0, 0, 1], "
        "material: glass}]\n"
        "drops: [{shape: scatter, on: pane, count: 500, radius: [0.6 mm, 3 mm], angle: 60 deg}]\n"
        "camera: {eye: [14 mm, 2 mm, 150 mm], target: [4 mm, 8 mm, 0], fov: 18 deg}\n"
        "environment: rainy\nlook: {glass: {kind: glass}}\n";
    dew_SceneLoadDef load = dew_default_scene_load_def();
    load.path = "bench.yaml";
    load.text = text;
    load.text_size = sizeof text - 1;
    return dew_scene_load_with(&load, out);
}

// Mean of some frames after the first, which compiles; undivided, then by part.
static dew_Status measure_window(dew_BenchRun *b, dew_Live *live, const dew_Moment *moment,
                                 dew_Surface *const *surfaces, bool camera_moves)
{
    char name[64];
    double parts[DEW_LIVE_PART_COUNT] = {0}, begin_s = 0, end_s = 0;
    for (int k = -1; k < FRAMES; k++) {
        dew_live_move_camera(live, camera_moves ? 0.01 * k : 0);
        begin_s = k == 0 ? dew_cpu_s() : begin_s;
        DEW_TRY(dew_live_draw(live, moment, surfaces[k < 0 ? FRAMES - 1 : k], NULL));
    }
    end_s = dew_cpu_s();
    for (int k = 0; k < FRAMES; k++) {
        dew_live_move_camera(live, camera_moves ? 0.01 * k : 0);
        DEW_TRY(dew_live_draw(live, moment, surfaces[k], parts));
    }
    snprintf(name, sizeof name, "window: %dx%d, %lld triangles, %s", (int)WIDTH, (int)HEIGHT,
             (long long)dew_live_triangle_count(live),
             camera_moves ? "camera moves" : "all drops move");
    dew_bench_rate(b, name, FRAMES / (end_s - begin_s), "frames/CPU s", 15);
    for (int i = 0; i < DEW_LIVE_PART_COUNT; i++) {
        snprintf(name, sizeof name, "  %s", dew_live_part_names[i]);
        dew_bench_cost(b, name, 1e3 * parts[i] / FRAMES, "CPU ms", (double)NAN);
    }
    return dew_ok();
}

// The drops, just strewn, spread: none of them rests yet.
static dew_Status draw_window(dew_BenchRun *b, dew_World *world, dew_Surface *const *surfaces)
{
    dew_Live *live = NULL;
    for (int k = 0; k < FRAMES; k++) {
        DEW_TRY(dew_world_step_to(world, (k + 1) / 30.0));
        DEW_TRY(dew_world_surface(world, surfaces[k]));
    }
    dew_Moment moment = dew_world_moment(world);
    dew_Status status = dew_live_create(world->problem, b->tasks, WIDTH, HEIGHT, &live);
    if (status.code == DEW_OK)
        status = measure_window(b, live, &moment, surfaces, false);
    if (status.code == DEW_OK)
        status = measure_window(b, live, &moment, surfaces, true);
    dew_live_destroy(live);
    return status;
}

static dew_Status run_window(dew_BenchRun *b)
{
    dew_Scene *scene;
    dew_World *world = NULL;
    dew_Surface *surfaces[FRAMES] = {0};
    DEW_TRY(open_window(&scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = dew_tasks_worker_count(b->tasks);
    dew_Status status = dew_world_create(scene, &def, &world);
    for (int k = 0; k < FRAMES && status.code == DEW_OK; k++)
        status = dew_surface_create(NULL, &surfaces[k]);
    if (status.code == DEW_OK)
        status = draw_window(b, world, surfaces);
    dew_world_destroy(world);
    for (int k = 0; k < FRAMES; k++)
        dew_surface_destroy(surfaces[k]);
    dew_scene_destroy(scene);
    return status;
}

static dew_Status run(dew_BenchRun *b)
{
    Work work = {0};
    dew_Status status = measure_all(b, &work);
    dew_gl_drawing_destroy(work.drawing);
    dew_gl_context_destroy(work.context);
    dew_picture_scene_destroy(work.scene);
    if (status.code == DEW_OK)
        status = run_window(b);
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
