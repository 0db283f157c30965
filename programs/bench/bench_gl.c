// Throughput of the real-time engine, on whatever GL there is (Mesa's software one counts as CPU
// time of this process).
//
// First a drop of 50,000 refracting triangles on a table, at both levels. A frame: the drop has
// moved; from the surface to the image, finished. The camera stands still, or it moves too. Then
// drops on a window, drawn live from the solver's surface on, as `dew view` does it, while all of
// them move, and while the camera does; goal: 15 frames per second with one core. What rests costs
// less: `dew bench view`.
#include "bench/bench_live.h"
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "support/system.h"
#include "support/vec.h"

#include <math.h>
#include <stdio.h>

enum { FREQUENCY = 50, FRAMES = 5 };  // 20 x 50^2 triangles

#define SHAKE_M 0.01  // by which the drop, and the camera, go to and fro
#define HIGH_M  0.05  // of the drop: its box, rounded, is the same at both ends, as in most frames

typedef struct Work {
    dew_Scene *scene;
    dew_Renderer *live;
    dew_Surface *drops[2];  // at either end of its way
    dew_CameraDef camera;
    int width_px, height_px;
    int64_t frame;
    double camera_shake_m;
} Work;

static const char scene_text[] =
    "solver: volume\nduration: 1 s\n"
    "domain: {min: [-6 m, -0.8 m, -6 m], max: [6 m, 2 m, 6 m], cell: 0.2 m}\n"
    "materials: {table: {angle: 90 deg}}\n"
    "solids: [{shape: plane, point: [0, -0.8 m, 0], normal: [0, 1, 0], material: table}]\n"
    "drops: [{shape: sphere, center: [0, 0.5 m, 0], radius: 1 m}]\n"
    "environment: studio\nlook: {table: {kind: plastic, color: [0.6, 0.6, 0.6], roughness: 0}}\n";

static dew_Status make_drops(Work *work)
{
    dew_Mesh *mesh;
    DEW_TRY(dew_mesh_create(NULL, &mesh));
    dew_Status status = dew_mesh_icosphere(1, FREQUENCY, mesh);
    for (int k = 0; k < 2 && status.code == DEW_OK; k++) {
        dew_Vec3 *positions_m = dew_mesh_edit_positions_m(mesh);
        for (int64_t i = 0; i < dew_mesh_vertex_count(mesh); i++)
            positions_m[i].y += k == 0 ? HIGH_M : SHAKE_M;
        status = dew_surface_create(NULL, &work->drops[k]);
        if (status.code == DEW_OK)
            status = dew_surface_from_mesh(mesh, work->drops[k]);
    }
    dew_mesh_destroy(mesh);
    return status;
}

static dew_Status draw_frame(void *context)
{
    Work *work = context;
    int side = (int)(work->frame++ % 2);
    dew_CameraDef camera = work->camera;
    camera.eye_m.y += side * work->camera_shake_m;
    camera.target_m.y += side * work->camera_shake_m;
    DEW_TRY(dew_renderer_set_camera(work->live, &camera));
    return dew_live_draw(work->live, 0, work->drops[side], work->width_px, work->height_px);
}

// The least of several frames, by pass.
static dew_Status measure_passes(dew_BenchRun *b, Work *work)
{
    static const char *const names[DEW_BENCH_STAGES] = {[DEW_LIVE_LIGHTS] =
                                                            "  lights: shadows, caustics",
                                                        [DEW_LIVE_SOLIDS] = "  solids",
                                                        [DEW_LIVE_SIDES] = "  far sides, copy",
                                                        [DEW_LIVE_LIQUID] = "  liquid"};
    double least_s[DEW_BENCH_STAGES];
    for (int s = 0; s < DEW_BENCH_STAGES; s++)
        least_s[s] = (double)INFINITY;
    for (int i = 0; i < FRAMES; i++) {
        dew_StageTime stages[DEW_BENCH_STAGES];
        dew_renderer_time_stages(work->live, true);
        DEW_TRY(draw_frame(work));
        int count = dew_renderer_stages(work->live, stages, DEW_BENCH_STAGES);
        for (int s = 0; s < count; s++)
            least_s[s] = fmin(least_s[s], stages[s].cpu_s);
    }
    dew_renderer_time_stages(work->live, false);
    for (int s = 0; s < DEW_BENCH_STAGES; s++)
        if (names[s])
            dew_bench_cost(b, names[s], 1e3 * least_s[s], "CPU ms", (double)NAN);
    return dew_ok();
}

static dew_Status set_up(Work *work, bool is_fine, int width_px, int height_px)
{
    dew_RenderFrame frame = {.surface = work->drops[0]};
    dew_LiveDef live = dew_default_live_def();
    live.is_fine = is_fine;
    live.light_every = 1;  // the best frame is reported: none may be cheaper than the others
    work->width_px = width_px;
    work->height_px = height_px;
    work->frame = 0;
    DEW_TRY(dew_renderer_set_live(work->live, &live));
    DEW_TRY(dew_renderer_set_size(work->live, width_px, height_px));
    DEW_TRY(dew_renderer_set_camera(work->live, NULL));
    return dew_renderer_camera(work->live, &frame, &work->camera);
}

// Best of several frames, in CPU seconds.
static dew_Status measure_frames(Work *work, double camera_shake_m, double *seconds)
{
    work->camera_shake_m = camera_shake_m;
    for (int k = 0; k < DEW_LIVE_WARM_FRAMES; k++)
        DEW_TRY(draw_frame(work));
    return dew_bench_best_cpu(draw_frame, work, FRAMES, seconds);
}

static dew_Status measure(dew_BenchRun *b, Work *work, bool is_fine, int width_px, int height_px,
                          double goal)
{
    char name[64];
    const char *word = is_fine ? "fine" : "live";
    double seconds = 0;
    DEW_TRY(set_up(work, is_fine, width_px, height_px));
    DEW_TRY(measure_frames(work, SHAKE_M, &seconds));
    snprintf(name, sizeof name, "%s: %dx%d, camera moves", word, width_px, height_px);
    dew_bench_rate(b, name, 1 / seconds, "frames/CPU s", (double)NAN);
    DEW_TRY(measure_frames(work, 0, &seconds));
    snprintf(name, sizeof name, "%s: %dx%d, %lld triangles", word, width_px, height_px,
             (long long)dew_surface_triangle_count(work->drops[0]));
    dew_bench_rate(b, name, 1 / seconds, "frames/CPU s", goal);
    return measure_passes(b, work);
}

static dew_Status measure_all(dew_BenchRun *b, Work *work)
{
    int workers = dew_tasks_worker_count(b->tasks);
    DEW_TRY(dew_bench_scene(scene_text, &work->scene));
    DEW_TRY(make_drops(work));
    DEW_TRY(dew_live_open(work->scene, workers, 1280, 720, &work->live));
    dew_renderer_set_subject(work->live, dew_v3(-1, -1, -1), dew_v3(1, 1, 1));
    DEW_TRY(measure(b, work, false, 1280, 720, 33));
    DEW_TRY(measure(b, work, false, 640, 480, (double)NAN));
    return measure(b, work, true, 640, 480, (double)NAN);
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
    return dew_bench_scene(text, out);
}

/// Moves the camera sideways by a part of its distance.
static dew_Status shift_camera(dew_Renderer *live, const dew_CameraDef *home, double part)
{
    dew_CameraDef camera = *home;
    dew_Vec3 view = dew_v3_sub(home->target_m, home->eye_m);
    dew_Vec3 right = dew_v3_unit(dew_v3_cross(view, home->up));
    double shift_m = part * dew_v3_length(view);
    camera.eye_m = dew_v3_add_scaled(home->eye_m, shift_m, right);
    camera.target_m = dew_v3_add_scaled(home->target_m, shift_m, right);
    return dew_renderer_set_camera(live, &camera);
}

static dew_Status draw_shifted(dew_Renderer *live, const dew_CameraDef *home, double part,
                               const dew_Surface *surface)
{
    DEW_TRY(shift_camera(live, home, part));
    return dew_live_draw(live, 0, surface, WIDTH, HEIGHT);
}

// Mean of some frames after the first ones; undivided, then by stage.
static dew_Status measure_window(dew_BenchRun *b, dew_Renderer *live, const dew_CameraDef *home,
                                 dew_Surface *const *surfaces, bool camera_moves)
{
    char name[64];
    double begin_s = 0, end_s, part = camera_moves ? 0.01 : 0;
    for (int k = -DEW_LIVE_WARM_FRAMES; k < FRAMES; k++) {
        begin_s = k == 0 ? dew_app_cpu_s() : begin_s;
        DEW_TRY(draw_shifted(live, home, part * k, surfaces[k < 0 ? FRAMES + k : k]));
    }
    end_s = dew_app_cpu_s();
    dew_renderer_time_stages(live, true);
    for (int k = 0; k < FRAMES; k++)
        DEW_TRY(draw_shifted(live, home, part * k, surfaces[k]));
    snprintf(name, sizeof name, "window: %dx%d, %lld triangles, %s", (int)WIDTH, (int)HEIGHT,
             (long long)dew_surface_triangle_count(surfaces[FRAMES - 1]),
             camera_moves ? "camera moves" : "all drops move");
    dew_bench_rate(b, name, FRAMES / (end_s - begin_s), "frames/CPU s", 15);
    (void)dew_live_tell(b, live, "  ", FRAMES, "CPU ms");
    dew_renderer_time_stages(live, false);
    return dew_ok();
}

// The drops, just strewn, spread: none of them rests yet.
static dew_Status draw_window(dew_BenchRun *b, const dew_Scene *scene, dew_World *world,
                              dew_Surface *const *surfaces)
{
    dew_Renderer *live = NULL;
    dew_CameraDef home;
    for (int k = 0; k < FRAMES; k++) {
        DEW_TRY(dew_world_step_to(world, (k + 1) / 30.0));
        DEW_TRY(dew_world_surface(world, surfaces[k]));
    }
    dew_RenderFrame frame = {.surface = surfaces[0]};
    DEW_TRY(dew_live_open(scene, dew_tasks_worker_count(b->tasks), WIDTH, HEIGHT, &live));
    dew_Status status = dew_renderer_camera(live, &frame, &home);
    if (status.code == DEW_OK)
        status = measure_window(b, live, &home, surfaces, false);
    if (status.code == DEW_OK)
        status = measure_window(b, live, &home, surfaces, true);
    dew_renderer_destroy(live);
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
        status = draw_window(b, scene, world, surfaces);
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
    dew_renderer_destroy(work.live);
    dew_surface_destroy(work.drops[0]);
    dew_surface_destroy(work.drops[1]);
    dew_scene_destroy(work.scene);
    if (status.code == DEW_OK)
        status = run_window(b);
    return status.code == DEW_UNSUPPORTED ? dew_ok() : status;  // nothing to measure
}

const dew_Bench dew_bench_gl = {"gl", "frames by OpenGL", run};
