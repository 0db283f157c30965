// The window at work: figure 10 of [Zhang2011], a button pushed through 500 drops on a pane,
// simulated on one thread while this one draws it, as `dew view` does, into a window that nobody
// sees.
//
// The simulation runs as fast as it can, not at the clock's pace, so that its figure says what is
// left. Figures are per CPU second, of the thread that simulates and of all others (drawing, Mesa's
// threads): what one core each would do. Those of the wall clock, which others' load spoils, stand
// below without goals. All of it twice: with as many pixels as the window has, and with fewer while
// drawing is slow, as the window does.
#include "bench/benches.h"
#include "support/system.h"

#ifdef DEW_HAVE_SDL
#include "view/canvas.h"
#include "view/dynamic_resolution.h"
#include "view/orbit.h"
#include "view/session.h"
#include "view/window.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH   1280
#define HEIGHT  720
#define WARM_S  0.4   // simulated, and a few pictures: shaders are compiled by the first
#define TIME_S  1.5   // simulated: the button's way across
#define LONG_S  20.0  // of the wall clock, at most
#define HURRIED 1e3   // times the clock's pace

static const char scene_text[] =
    "solver: surface\nduration: 100 s\nframe_rate: 30 Hz\nseed: 3\n"
    "domain: {min: [-50 mm, -40 mm, -1 mm], max: [50 mm, 40 mm, 15 mm], cell: 0.8 mm}\n"
    "materials: {glass: {advancing: 90 deg, receding: 30 deg}, plastic: {angle: 90 deg}}\n"
    "solids:\n"
    "- {shape: plane, name: pane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}\n"
    "- shape: cylinder\n  name: button\n  from: [-62 mm, 8 mm, -1 mm]\n  to: [-62 mm, 8 mm, 5 mm]\n"
    "  radius: 6 mm\n  material: plastic\n  movable: true\n"
    "  keyframes: [{time: 0.3 s}, {time: 1.8 s, translate: [100 mm, -8 mm, 0]}]\n"
    "drops: [{shape: scatter, on: pane, count: 500, radius: [0.6 mm, 2.2 mm], angle: 60 deg}]\n"
    "surface: {steps_per_period: 0}\n"
    "camera: {eye: [14 mm, 2 mm, 150 mm], target: [4 mm, 8 mm, 0], fov: 18 deg}\n"
    "environment: rainy\n"
    "look: {glass: {kind: glass}, plastic: {kind: plastic, color: [0.7, 0.1, 0.08]}}\n";

typedef struct Work {
    dew_Scene *scene;
    dew_Window *window;
    dew_Canvas *canvas;
    dew_Session *session;
    dew_Orbit orbit;
    bool is_whole;
    dew_DynamicResolution resolution;
    double pixels;  // of all pictures, in those of whole ones
    int64_t pictures, triangles, drops;
    double thread_cpu_s;  // of the simulation
    double volume_error;  // largest
} Work;

static dew_Status open_all(Work *work)
{
    dew_SceneLoadDef load_def = dew_default_scene_load_def();
    dew_WindowDef window_def = {
        .title = "bench", .width_px = WIDTH, .height_px = HEIGHT, .is_offscreen = true};
    load_def.text = scene_text;
    load_def.text_size = strlen(scene_text);
    DEW_TRY(dew_window_open(&window_def, &work->window));
    DEW_TRY(dew_scene_load_with(&load_def, &work->scene));
    DEW_TRY(dew_canvas_create(work->window, work->scene, &work->canvas));
    dew_SessionDef session_def = {
        .scene = work->scene, .world = dew_default_world_def(), .begins_paused = true};
    session_def.world.thread_count = 1;
    DEW_TRY(dew_session_begin(&session_def, &work->session));
    bool is_new;
    dew_CameraDef home;
    const dew_ViewState *instant = dew_session_look(work->session, &is_new);
    DEW_TRY(dew_canvas_home(work->canvas, instant, &home));
    dew_orbit_begin(&work->orbit, &home);
    return dew_ok();
}

static dew_Status draw(Work *work, const dew_ViewState *instant)
{
    double begin_s = dew_app_wall_s();
    bool is_usual;
    dew_CameraDef camera = dew_orbit_camera(&work->orbit, WIDTH, HEIGHT);
    if (!work->is_whole) {
        camera.width_px = dew_dynamic_resolution_px(&work->resolution, WIDTH);
        camera.height_px = dew_dynamic_resolution_px(&work->resolution, HEIGHT);
    }
    DEW_TRY(dew_canvas_draw(work->canvas, instant, &camera, WIDTH, HEIGHT, &is_usual));
    dew_window_gl(work->window)->Finish();
    if (is_usual)
        dew_dynamic_resolution_learn(&work->resolution, dew_app_wall_s() - begin_s);
    dew_window_show(work->window);
    work->pictures++;
    work->pixels += (double)camera.width_px * camera.height_px / ((double)WIDTH * HEIGHT);
    return dew_ok();
}

/// Draws what comes until a simulated time; returns the frame that was reached.
static dew_Status look_until(Work *work, double time_s, int64_t *frame)
{
    double begin_s = dew_app_wall_s();
    for (;;) {
        bool is_new;
        const dew_ViewState *instant = dew_session_look(work->session, &is_new);
        if (is_new)
            DEW_TRY(draw(work, instant));
        else
            dew_window_rest(work->window, 1);
        work->triangles = dew_surface_triangle_count(instant->surface);
        work->drops = instant->stats.drops;
        work->volume_error = fmax(work->volume_error, fabs(instant->stats.volume_error));
        work->thread_cpu_s = instant->cpu_s;
        *frame = instant->frame;
        if (instant->time_s >= time_s || dew_app_wall_s() - begin_s > LONG_S)
            return dew_ok();
    }
}

static dew_Status measure(dew_BenchRun *b, Work *work)
{
    char name[64];
    int64_t first, last;
    bool is_new;
    DEW_TRY(draw(work, dew_session_look(work->session, &is_new)));
    dew_session_set_speed(work->session, HURRIED);
    dew_session_pause(work->session, false);
    DEW_TRY(look_until(work, WARM_S, &first));
    snprintf(name, sizeof name, "%lld drops, %lld triangles", (long long)work->drops,
             (long long)work->triangles);
    dew_bench_rate(b, name, (double)work->triangles, "triangles", 50000);
    work->pictures = 0;
    work->pixels = 0;
    double begin_s = dew_app_wall_s(), cpu_s = dew_app_cpu_s(), thread_s = work->thread_cpu_s;
    DEW_TRY(look_until(work, WARM_S + TIME_S, &last));
    double took_s = dew_app_wall_s() - begin_s, stepping_s = work->thread_cpu_s - thread_s;
    double drawing_s = dew_app_cpu_s() - cpu_s - stepping_s;
    dew_bench_rate(b, "simulated on one core, while drawn", (double)(last - first) / stepping_s,
                   "steps of 1/30 s", 30);
    snprintf(name, sizeof name, "drawn on the other, %dx%d%s", WIDTH, HEIGHT,
             work->is_whole ? "" : ", coarser while slow");
    dew_bench_rate(b, name, (double)work->pictures / drawing_s, "pictures/s", 15);
    dew_bench_rate(b, "  by the wall clock, simulated", (double)(last - first) / took_s, "steps/s",
                   (double)NAN);
    dew_bench_rate(b, "  by the wall clock, drawn", (double)work->pictures / took_s, "pictures/s",
                   (double)NAN);
    if (!work->is_whole)
        dew_bench_rate(b, "  pixels drawn of those shown", work->pixels / (double)work->pictures,
                       "", (double)NAN);
    dew_bench_cost(b, "largest volume error", work->volume_error, "", 1e-6);
    return dew_ok();
}

static dew_Status look_on(dew_BenchRun *b, bool is_whole)
{
    Work work = {.is_whole = is_whole, .resolution = dew_dynamic_resolution(DEW_LIVE_RATE_HZ)};
    dew_Status status = open_all(&work);
    if (status.code == DEW_OK)
        status = measure(b, &work);
    if (work.session)
        (void)dew_session_stop(work.session, (double)INFINITY);
    dew_session_destroy(work.session);
    dew_canvas_destroy(work.canvas);
    dew_window_close(work.window);
    dew_scene_destroy(work.scene);
    return status;
}

static dew_Status run(dew_BenchRun *b)
{
    dew_Status status = look_on(b, true);
    if (status.code == DEW_OK)
        status = look_on(b, false);
    return status.code == DEW_UNSUPPORTED ? dew_ok() : status;  // nothing to measure
}
#else
static dew_Status run(dew_BenchRun *b)
{
    (void)b;
    return dew_ok();
}
#endif

const dew_Bench dew_bench_view = {"view", "the window scene, simulated and drawn", run};
