/// Goes over the frames that are wanted: reads, draws, writes.
#include "cli/render_job.h"

#include "cli/render_progress.h"
#include "dew/run.h"
#include "dew/text.h"
#include "support/string_pool.h"
#include "support/system.h"
#include "support/video_rate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Work {
    const dew_RenderJob *job;
    dew_StringPool pool;  // of names and arrays
    dew_RunReader *run;   // NULL: the scene's first instant is drawn, as frame 0
    int64_t *frames;      // numbers of those to draw
    int64_t frame_count;
    dew_Renderer *renderer;
    dew_Surface *surface;
    dew_Image *image;
    dew_Video *video;         // NULL: none, or not yet begun
    dew_Mesh **wet_maps;      // per solid
    dew_WetMesh *wet_meshes;  // the same, empty where there is none
    dew_RenderBar bar;
} Work;

// ---- which frames ------------------------------------------------------------------------------

static bool makes_video(const Work *w)
{
    const char *output = w->job->options->output;
    return output && dew_video_is_name(output);
}

/// A reader of the run, by the scene as the command line has changed it.
static dew_Status open_run(Work *w)
{
    dew_RunReaderDef def = dew_default_run_reader_def();
    def.directory = w->job->directory;
    def.scene = w->job->scene;
    def.log = dew_app_log();
    return dew_run_reader_create(&def, &w->run);
}

static dew_Status choose_first_instant(Work *w)
{
    if (w->job->options->frames.is_given)
        return dew_fail(DEW_BAD_INPUT,
                        "--frame is for run directories (a scene has its first instant only)");
    if (makes_video(w))
        return dew_fail(DEW_BAD_INPUT, "a video needs a run directory (dew run makes one)");
    w->frame_count = 1;
    w->frames = dew_pool_alloc(&w->pool, sizeof *w->frames);
    return w->frames ? dew_ok() : dew_pool_failure();
}

/// Without --frame: all for a video, else the last.
static dew_Status choose_frames(Work *w)
{
    const dew_RenderJob *job = w->job;
    const dew_FrameRange *range = &job->options->frames;
    if (!job->directory)
        return choose_first_instant(w);
    DEW_TRY(open_run(w));
    int64_t count = dew_run_reader_frame_count(w->run);
    if (dew_scene_def(job->scene)->output.surface == DEW_SURFACE_NONE)
        return dew_fail(DEW_BAD_INPUT, "%s: the run wrote no surfaces (output.surface: none)",
                        job->directory);
    if (count == 0)
        return dew_fail(DEW_BAD_INPUT, "%s: there are no frames to draw", job->directory);
    w->frames = dew_pool_alloc(&w->pool, (size_t)count * sizeof *w->frames);
    if (!w->frames)
        return dew_pool_failure();
    int64_t lowest = dew_run_reader_frame(w->run, 0);
    int64_t highest = dew_run_reader_frame(w->run, count - 1);
    int64_t first = range->first >= 0 ? range->first : lowest;
    int64_t last = range->last >= 0 ? range->last : highest;
    if (!range->is_given && !makes_video(w))
        first = highest;
    for (int64_t i = 0; i < count; i++) {
        int64_t frame = dew_run_reader_frame(w->run, i);
        if (frame >= first && frame <= last)
            w->frames[w->frame_count++] = frame;
    }
    if (w->frame_count == 0)
        return dew_fail(DEW_BAD_INPUT, "%s: no frame %s (there are %lld to %lld)", job->directory,
                        first == last ? "of that number" : "in that range", (long long)lowest,
                        (long long)highest);
    return dew_ok();
}

// ---- names of files ----------------------------------------------------------------------------

static char *image_path(Work *w, int64_t frame)
{
    const dew_RenderJob *job = w->job;
    const char *output = job->options->output;
    if (!output && job->directory)
        return dew_pool_format(&w->pool, "%s/images/%04lld.png", job->directory, (long long)frame);
    if (!output)
        return dew_pool_format(&w->pool, "%s.png", job->stem);
    if (w->frame_count == 1)
        return dew_pool_format(&w->pool, "%s", output);
    const char *dot = strrchr(output, '.');
    return dew_pool_format(&w->pool, "%.*s.%04lld%s", (int)(dot - output), output, (long long)frame,
                           dot);
}

/// Removes what a killed program left of numbered images.
static dew_Status sweep_series(Work *w, const char *output)
{
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    const char *dot = strrchr(base, '.');
    const char *folder = slash ? dew_pool_text(&w->pool, output, (size_t)(base - output)) : ".";
    const char *prefix = dew_pool_text(&w->pool, base, (size_t)(dot + 1 - base));
    if (!folder || !prefix)
        return dew_pool_failure();
    dew_output_sweep(folder, prefix, dot);
    return dew_ok();
}

/// Said before long work, not behind it.
static dew_Status check_place(Work *w)
{
    const dew_RenderJob *job = w->job;
    const char *output = job->options->output;
    if (!output && job->directory) {
        const char *folder = dew_pool_format(&w->pool, "%s/images", job->directory);
        const char *first = image_path(w, w->frames[0]);
        if (!folder || !first)
            return dew_pool_failure();
        // An image that the run itself wrote is never touched again.
        if (dew_scene_def(job->scene)->output.images != DEW_IMAGES_NONE && dew_app_exists(first))
            return dew_fail(DEW_BAD_INPUT, "%s is the run's own (-o names another file)", first);
        dew_output_sweep(folder, "", ".png");
        return dew_app_make_directory(folder);
    }
    char *path =
        makes_video(w) ? dew_pool_format(&w->pool, "%s", output) : image_path(w, w->frames[0]);
    if (!path)
        return dew_pool_failure();
    DEW_TRY(dew_output_check(path));
    return !output || makes_video(w) || w->frame_count == 1 ? dew_ok() : sweep_series(w, output);
}

// ---- one image -------------------------------------------------------------------------------

static bool report(void *context, double fraction)
{
    Work *w = context;
    dew_render_bar_update(&w->bar, fraction);
    return !(w->job->stop && *w->job->stop);
}

static dew_Status load_wetness(Work *w, int64_t frame)
{
    for (int i = 0; i < dew_renderer_solid_count(w->renderer); i++) {
        dew_Mesh *map = w->wet_maps[i];
        DEW_TRY(
            dew_run_reader_wetness(w->run, dew_renderer_solid_name(w->renderer, i), frame, map));
        w->wet_meshes[i] = (dew_WetMesh){{dew_mesh_positions_m(map), dew_mesh_vertex_count(map),
                                          dew_mesh_indices(map), dew_mesh_triangle_count(map)},
                                         dew_mesh_attribute_values(map, "wetness")};
    }
    return dew_ok();
}

/// The liquid of a run meets the solids that it was simulated with: another mesh is worth a
/// warning.
static dew_Status warn_of_changes(const Work *w)
{
    if (!w->run)
        return dew_ok();
    dew_Status status = dew_run_reader_check_files(w->run);
    if (status.code != DEW_BAD_INPUT)
        return status;
    dew_Log log = dew_app_log();
    log.write(log.context, DEW_LOG_WARNING, status.message);
    return dew_ok();
}

/// The liquid of a frame, or of the first instant.
static dew_Status load_liquid(Work *w, int64_t frame)
{
    if (!w->run)
        return dew_renderer_initial_surface(w->renderer, w->surface);
    DEW_TRY(dew_run_reader_surface(w->run, frame, w->surface));
    if (dew_surface_triangle_count(w->surface) == 0 && w->frame_count == 1)
        return dew_fail(DEW_BAD_INPUT, "%s: frame %lld is empty: it has no liquid to draw",
                        w->job->directory, (long long)frame);
    return load_wetness(w, frame);
}

static dew_Status begin_video(Work *w)
{
    const dew_RenderOptions *options = w->job->options;
    double rate_Hz = dew_scene_def(w->job->scene)->frame_rate_Hz;
    dew_VideoDef def = dew_default_video_def();
    if (rate_Hz > DEW_MAX_VIDEO_RATE_HZ)
        rate_Hz = def.rate_Hz;  // slow motion
    def.path = options->output;
    def.width_px = dew_image_width_px(w->image);
    def.height_px = dew_image_height_px(w->image);
    def.rate_Hz = options->video_rate_Hz > 0 ? options->video_rate_Hz : rate_Hz;
    def.exposure_stops = options->exposure_stops;
    return dew_video_create(&def, &w->video);
}

static dew_Status write_image(Work *w, int64_t frame)
{
    const dew_RenderOptions *options = w->job->options;
    if (makes_video(w)) {
        if (!w->video)
            DEW_TRY(begin_video(w));
        DEW_TRY(dew_video_add(w->video, w->image));
        dew_render_bar_image(&w->bar, options->output);
        return dew_ok();
    }
    char *path = image_path(w, frame);
    if (!path)
        return dew_pool_failure();
    DEW_TRY(dew_image_save(w->image, options->exposure_stops, path));
    dew_render_bar_image(&w->bar, path);
    dew_render_bar_end(&w->bar);
    if (!options->is_quiet)
        printf("%s\n", path);
    fflush(stdout);
    return dew_ok();
}

static dew_Status draw_frame(Work *w, int64_t frame)
{
    DEW_TRY(load_liquid(w, frame));
    dew_RenderFrame instant = {.time_s = w->run ? dew_run_reader_time_s(w->run, frame) : 0,
                               .surface = w->surface,
                               .wet_meshes = w->run ? w->wet_meshes : NULL};
    dew_renderer_set_frame(w->renderer, frame);
    DEW_TRY(dew_renderer_draw(w->renderer, &instant, w->image));
    return write_image(w, frame);
}

// ---- what is framed ----------------------------------------------------------------------------

static void enclose(dew_RenderDef *def, dew_Vec3 x)
{
    dew_Vec3 *min = &def->subject_min_m, *max = &def->subject_max_m;
    *min = (dew_Vec3){fmin(min->x, x.x), fmin(min->y, x.y), fmin(min->z, x.z)};
    *max = (dew_Vec3){fmax(max->x, x.x), fmax(max->y, x.y), fmax(max->z, x.z)};
}

/// Around the liquid of the images to be drawn, looked at in a few of them: for a camera that
/// stands still. As it was for a single image, and when the scene has a camera.
static dew_Status find_subject(Work *w, dew_RenderDef *def)
{
    enum { LOOKS = 12 };
    int64_t count = w->frame_count;
    if (count < 2 || dew_scene_def(w->job->scene)->camera.is_given)
        return dew_ok();
    for (int64_t i = 0; i < LOOKS && i < count; i++) {
        int64_t which = count <= LOOKS ? i : i * (count - 1) / (LOOKS - 1);
        DEW_TRY(dew_run_reader_surface(w->run, w->frames[which], w->surface));
        for (int64_t v = 0; v < dew_surface_vertex_count(w->surface); v++)
            enclose(def, dew_surface_positions_m(w->surface)[v]);
    }
    return dew_ok();
}

// ---- all of them -------------------------------------------------------------------------------

static dew_Status make_wet_maps(Work *w)
{
    size_t count = (size_t)dew_renderer_solid_count(w->renderer);
    w->wet_maps = dew_pool_alloc(&w->pool, (count + 1) * sizeof(dew_Mesh *));
    w->wet_meshes = dew_pool_alloc(&w->pool, (count + 1) * sizeof *w->wet_meshes);
    if (!w->wet_maps || !w->wet_meshes)
        return dew_pool_failure();
    for (size_t i = 0; i < count; i++)
        DEW_TRY(dew_mesh_create(NULL, &w->wet_maps[i]));
    return dew_ok();
}

static dew_Status make_parts(Work *w)
{
    dew_RenderDef def = w->job->options->render;
    def.progress = (dew_RenderProgress){report, w};
    def.log = dew_app_log();
    DEW_TRY(dew_surface_create(NULL, &w->surface));
    DEW_TRY(find_subject(w, &def));
    DEW_TRY(dew_renderer_create(w->job->scene, &def, &w->renderer));
    DEW_TRY(warn_of_changes(w));
    DEW_TRY(dew_image_create(NULL, &w->image));
    return make_wet_maps(w);
}

static void free_parts(Work *w)
{
    dew_video_destroy(w->video);
    for (int i = 0; w->wet_maps && w->wet_maps[i]; i++)
        dew_mesh_destroy(w->wet_maps[i]);
    dew_image_destroy(w->image);
    dew_surface_destroy(w->surface);
    dew_renderer_destroy(w->renderer);
    dew_run_reader_destroy(w->run);
    dew_pool_deinit(&w->pool);
}

static dew_Status end_video(Work *w)
{
    if (!w->video)
        return dew_ok();
    const char *folder = dew_video_folder(w->video), *output = w->job->options->output;
    if (folder) {
        fprintf(stderr,
                "dew: warning: ffmpeg is not installed; the images are in %s, and this "
                "makes the video:\n%s\n",
                folder, dew_video_command(w->video));
        folder = dew_pool_format(&w->pool, "%s", folder);
        output = folder ? folder : output;
    }
    dew_Video *video = w->video;
    w->video = NULL;
    DEW_TRY(dew_video_finish(video));
    if (!w->job->options->is_quiet)
        printf("%s\n", output);
    return dew_ok();
}

static dew_Status work(Work *w)
{
    DEW_TRY(choose_frames(w));
    DEW_TRY(make_parts(w));
    DEW_TRY(check_place(w));
    dew_render_bar_begin(&w->bar, w->frame_count, w->job->options->is_quiet);
    dew_Status status = dew_ok();
    for (int64_t i = 0; i < w->frame_count && status.code == DEW_OK; i++)
        status = draw_frame(w, w->frames[i]);
    dew_render_bar_end(&w->bar);
    return status.code == DEW_OK ? end_video(w) : status;
}

dew_Status dew_render_job_run(const dew_RenderJob *job)
{
    Work w = {.job = job};
    dew_Status status = work(&w);
    free_parts(&w);
    return status;
}
