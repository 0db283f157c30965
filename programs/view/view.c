// The loop of the window: read input, draw what is new, show it.
#include "view/view.h"

dew_ViewDef dew_default_view_def(void)
{
    return (dew_ViewDef){
        .name = "view", .width_px = 1280, .height_px = 720, .world = dew_default_world_def()};
}

#ifdef DEW_HAVE_SDL
#include "dew/render.h"
#include "dew/text.h"
#include "support/system.h"
#include "support/video_rate.h"
#include "view/canvas.h"
#include "view/controls.h"
#include "view/dynamic_resolution.h"
#include "view/overlay.h"
#include "view/panel.h"
#include "view/script.h"
#include "view/window.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Long enough for most steps, short enough to seem immediate: what a closed window waits for the
// step under way, and how long the image is unchanged before it is drawn with all pixels.
#define SHORT_WAIT_S 0.3
#define IDLE_MS      4  // between looks when there is nothing to draw

typedef struct View {
    const dew_ViewDef *def;
    dew_Window *window;
    dew_Canvas *canvas;
    dew_Overlay overlay, help;
    dew_Session *session;
    dew_Controls controls;
    dew_DynamicResolution resolution;
    bool is_coarse;  // the image that is shown
    double shown_s;  // when, by the wall clock
    dew_Script script;
    dew_Video *video;
    dew_Image *image;
    int video_px[2];
    char video_path[512];
    const dew_ViewState *instant;
    bool needs_image;
    dew_Figures figures;
    int64_t images, timed_images;
    double took_s;     // to draw the present image
    double drawing_s;  // all images but the first, which compiles shaders
} View;

static void print(const View *v, const char *line)
{
    if (v->def->print)
        v->def->print(v->def->context, line);
}

static void say(View *v, const char *words)
{
    snprintf(v->figures.message, sizeof v->figures.message, "%.200s", words);
    v->figures.message_s = dew_app_wall_s();
    v->needs_image = true;
}

// ---- files -------------------------------------------------------------------------------------

/// The first name that is free: NAME.0001.ENDING.
static void free_name(const View *v, const char *ending, char *out, size_t size)
{
    int i = 1;
    do
        snprintf(out, size, "%.400s.%04d.%s", v->def->name, i++, ending);
    while (dew_app_exists(out) && i < INT_MAX);
}

static void report(View *v, dew_Status status, const char *path)
{
    say(v, status.code == DEW_OK ? path : status.message);
    print(v, status.code == DEW_OK ? path : status.message);
}

static dew_Status save_image(View *v, const char *path)
{
    int width, height;
    dew_window_size(v->window, &width, &height);
    return dew_canvas_save(v->canvas, width, height, path);
}

// ---- videos ------------------------------------------------------------------------------------

static dew_Status begin_video(View *v)
{
    double rate_Hz = dew_scene_def(v->def->scene)->frame_rate_Hz;
    dew_window_size(v->window, &v->video_px[0], &v->video_px[1]);
    free_name(v, "mp4", v->video_path, sizeof v->video_path);
    dew_VideoDef def = dew_default_video_def();
    def.path = v->video_path;
    def.width_px = v->video_px[0];
    def.height_px = v->video_px[1];
    def.rate_Hz = fmin(rate_Hz, DEW_MAX_VIDEO_RATE_HZ);
    if (!v->image)
        DEW_TRY(dew_image_create(NULL, &v->image));
    return dew_video_create(&def, &v->video);
}

static void end_video(View *v)
{
    const char *folder = dew_video_folder(v->video);
    if (folder)
        snprintf(v->video_path, sizeof v->video_path, "%.500s", folder);
    dew_Status status = dew_video_finish(v->video);
    v->video = NULL;
    v->figures.is_recording = false;
    dew_session_wait_for_looks(v->session, v->def->script != NULL);
    report(v, status, v->video_path);
}

static void turn_recording(View *v)
{
    if (v->video) {
        end_video(v);
        return;
    }
    dew_Status status = begin_video(v);
    if (status.code != DEW_OK) {
        report(v, status, "");
        return;
    }
    v->figures.is_recording = true;
    dew_session_wait_for_looks(v->session, true);  // every frame is in it, however slow the drawing
}

static void record_image(View *v)
{
    int width, height;
    dew_window_size(v->window, &width, &height);
    dew_Status status = dew_ok();
    if (width != v->video_px[0] || height != v->video_px[1])
        status = dew_fail(DEW_BAD_INPUT, "the video ended: the window has another size now");
    if (status.code == DEW_OK)
        status = dew_canvas_read(v->canvas, v->image);
    if (status.code == DEW_OK)
        status = dew_video_add(v->video, v->image);
    if (status.code != DEW_OK) {
        end_video(v);
        say(v, status.message);
    }
}

// ---- images ------------------------------------------------------------------------------------

static dew_Status draw_text(View *v, int width, int height)
{
    char text[2048];
    int scale = height >= 900 ? 3 : height >= 500 ? 2 : 1;
    if (!v->controls.hides_figures) {
        dew_panel_figures(&v->figures, &v->controls, v->instant, text, sizeof text);
        DEW_TRY(dew_overlay_text(&v->overlay, text, 0, 0, scale, width, height));
    }
    if (v->controls.shows_help)
        DEW_TRY(dew_overlay_text(&v->help, dew_controls_help, width / 16, v->overlay.height + 8,
                                 scale, width, height));
    int64_t count = dew_session_frame_count(v->session);
    if (count > 1)
        dew_overlay_bar(&v->overlay, dew_panel_progress(v->instant, v->def->scene), width, height);
    return dew_ok();
}

// is_whole: with as many pixels as the window has.
static dew_Status draw(View *v, bool is_whole)
{
    int width, height;
    double begin_s = dew_app_wall_s();
    bool is_usual = false;
    dew_window_size(v->window, &width, &height);
    dew_CameraDef camera = dew_orbit_camera(&v->controls.orbit, width, height);
    if (!is_whole) {
        camera.width_px = dew_dynamic_resolution_px(&v->resolution, width);
        camera.height_px = dew_dynamic_resolution_px(&v->resolution, height);
    }
    v->is_coarse = camera.width_px != width;
    DEW_TRY(dew_canvas_draw(v->canvas, v->instant, &camera, width, height, &is_usual));
    DEW_TRY(draw_text(v, width, height));
    dew_window_gl(v->window)->Finish();
    v->took_s = dew_app_wall_s() - begin_s;
    if (is_usual && !is_whole)
        dew_dynamic_resolution_learn(&v->resolution, v->took_s);
    return dew_ok();
}

static void show(View *v)
{
    double begin_s = dew_app_wall_s();
    dew_window_show(v->window);
    v->shown_s = dew_app_wall_s();
    v->took_s += v->shown_s - begin_s;
    if (v->images++ == 0)
        return;
    double old_s = v->figures.image_s;
    v->timed_images++;
    v->drawing_s += v->took_s;
    v->figures.image_s = old_s > 0 ? 0.75 * old_s + 0.25 * v->took_s : v->took_s;
}

// ---- input -------------------------------------------------------------------------------------

static void fulfil(View *v)
{
    dew_Wishes wishes = v->controls.wishes;
    char path[512];
    v->controls.wishes = (dew_Wishes){.quits = wishes.quits};
    if (wishes.saves_image) {
        free_name(v, "png", path, sizeof path);
        dew_Status status = draw(v, true);
        if (status.code == DEW_OK)
            status = save_image(v, path);
        report(v, status, path);
    }
    if (wishes.saves_scene) {
        free_name(v, "yaml", path, sizeof path);
        report(v, dew_session_save(v->session, path), path);
    }
    if (wishes.turns_recording)
        turn_recording(v);
}

static void read_input(View *v)
{
    dew_Input input;
    dew_window_size(v->window, &v->controls.width_px, &v->controls.height_px);
    v->controls.bar_px =
        dew_session_is_live(v->session) ? 0 : dew_overlay_bar_px(v->controls.height_px);
    while (!v->controls.wishes.quits && dew_window_poll(v->window, &input)) {
        dew_controls_input(&v->controls, &input, v->instant);
        v->needs_image = true;
    }
    char words[256];
    if (dew_session_message(v->session, words, sizeof words)) {
        say(v, words);
        print(v, words);
    }
}

/// Everything of the script up to the next image. A file that cannot be written ends the session.
static dew_Status follow_script(View *v)
{
    const dew_Act *act;
    char line[512];
    while (!v->controls.wishes.quits && (act = dew_script_next(&v->script, v->instant->frame))) {
        if (act->kind == DEW_ACT_INPUT) {
            dew_window_push(v->window, &act->input);
            read_input(v);
        } else if (act->kind == DEW_ACT_SHOT || act->kind == DEW_ACT_SAVE) {
            DEW_TRY(act->kind == DEW_ACT_SHOT ? save_image(v, act->path)
                                              : dew_session_save(v->session, act->path));
            report(v, dew_ok(), act->path);
        } else if (act->kind == DEW_ACT_PRINT) {
            dew_panel_line(v->instant, line, sizeof line);
            print(v, line);
        }
    }
    return dew_ok();
}

// ---- the loop ----------------------------------------------------------------------------------

// There is nothing new to draw.
static dew_Status rest(View *v)
{
    bool is_sharp = !v->is_coarse && dew_canvas_is_sharp(v->canvas);
    if (!is_sharp && dew_app_wall_s() - v->shown_s > SHORT_WAIT_S) {
        DEW_TRY(draw(v, true));
        dew_window_show(v->window);
        return dew_ok();
    }
    dew_window_rest(v->window, IDLE_MS);
    return dew_ok();
}

static dew_Status take_turn(View *v)
{
    bool is_new = false, is_scripted = v->def->script != NULL;
    v->instant = dew_session_look(v->session, &is_new);
    read_input(v);
    if (v->controls.wishes.quits)
        return dew_ok();
    dew_controls_tick(&v->controls, v->instant);
    fulfil(v);
    if (is_scripted && v->def->is_offscreen && v->images > 0 && dew_script_is_done(&v->script)) {
        v->controls.wishes.quits = true;  // there is no window to close
        return dew_ok();
    }
    // A script counts images: each frame is one while frames come, else each turn of the loop.
    bool is_still =
        is_scripted && dew_session_is_paused(v->session) && dew_session_is_settled(v->session);
    v->needs_image |= is_still;
    if (!is_new && !v->needs_image)
        return rest(v);
    bool counts = is_new || is_still;
    v->needs_image = false;
    DEW_TRY(draw(v, is_scripted || v->video));
    if (v->video && is_new)
        record_image(v);
    if (is_scripted && counts)
        DEW_TRY(follow_script(v));
    if (!v->controls.wishes.quits)
        dew_session_go_on(v->session);
    show(v);
    return dew_ok();
}

static int cores(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

static dew_Status open_session(View *v)
{
    dew_SessionDef def = {.scene = v->def->scene,
                          .directory = v->def->directory,
                          .world = v->def->world,
                          .begins_paused = v->def->is_paused,
                          .waits = v->def->script != NULL};
    if (def.world.thread_count == 0)
        def.world.thread_count = cores() > 1 ? cores() - 1 : 1;
    return dew_session_begin(&def, &v->session);
}

static dew_Status open_canvas(View *v)
{
    const dew_GlCalls *gl = dew_window_gl(v->window);
    DEW_TRY(dew_canvas_create(v->window, v->def->scene, &v->canvas));
    DEW_TRY(dew_overlay_init(&v->overlay, gl));
    return dew_overlay_init(&v->help, gl);
}

static dew_Status open_all(View *v)
{
    const dew_ViewDef *def = v->def;
    const char *words = dew_scene_def(def->scene)->title;
    char title[256];
    dew_utf8_show(words && *words ? words : "Dew", title, sizeof title);
    if (def->script)
        DEW_TRY(dew_script_load(&v->script, def->script));
    dew_WindowDef window_def = {.title = title,
                                .width_px = def->width_px,
                                .height_px = def->height_px,
                                .is_offscreen = def->is_offscreen};
    DEW_TRY(dew_window_open(&window_def, &v->window));
    DEW_TRY(open_canvas(v));
    DEW_TRY(open_session(v));
    bool is_new;
    dew_CameraDef home;
    v->instant = dew_session_look(v->session, &is_new);
    v->needs_image = true;
    DEW_TRY(dew_canvas_home(v->canvas, v->instant, &home));
    dew_controls_init(&v->controls, v->session, dew_canvas_renderer(v->canvas), def->scene);
    dew_orbit_begin(&v->controls.orbit, &home);
    return dew_ok();
}

static void close_all(View *v, dew_ViewEnd *end)
{
    dew_video_destroy(v->video);
    if (v->session && !dew_session_stop(v->session, SHORT_WAIT_S)) {
        end->is_busy = true;
        return;
    }
    if (v->session) {
        end->hash = dew_session_hash(v->session);
        end->events = dew_session_event_count(v->session);
    }
    dew_session_destroy(v->session);
    dew_overlay_deinit(&v->overlay);
    dew_overlay_deinit(&v->help);
    dew_canvas_destroy(v->canvas);
    dew_image_destroy(v->image);
    dew_window_close(v->window);
    dew_script_deinit(&v->script);
}

dew_Status dew_view_run(const dew_ViewDef *def, dew_ViewEnd *end)
{
    View v = {.def = def, .resolution = dew_dynamic_resolution(DEW_LIVE_RATE_HZ)};
    *end = (dew_ViewEnd){0};
    dew_script_init(&v.script);
    dew_Status status = open_all(&v);
    while (status.code == DEW_OK && !v.controls.wishes.quits)
        status = take_turn(&v);
    if (status.code == DEW_OK && v.video)
        end_video(&v);
    else
        dew_video_destroy(v.video);
    if (v.instant) {
        end->stats = v.instant->stats;
        end->frame = v.instant->frame;
    }
    end->images = v.images;
    end->images_per_s = v.drawing_s > 0 ? (double)v.timed_images / v.drawing_s : 0;
    close_all(&v, end);
    return status;
}

#else

dew_Status dew_view_run(const dew_ViewDef *def, dew_ViewEnd *end)
{
    (void)def;
    *end = (dew_ViewEnd){0};
    return dew_fail(DEW_UNSUPPORTED,
                    "this build has no windows (Debian: libsdl2-dev, libegl-dev and "
                    "libgles-dev, then build again)");
}
#endif
