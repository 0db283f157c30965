/// Goes over the frames that are wanted: reads, draws, writes.
#include "app/render_job.h"

#include "app/output_file.h"
#include "app/render_progress.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/part_file.h"
#include "base/status.h"
#include "problem/poured.h"
#include "render/film.h"
#include "render/picture_file.h"
#include "run/frame_read.h"
#include "run/picture_maker.h"
#include "run/run_json.h"
#include "world/frames.h"

#include <stdio.h>
#include <string.h>

#define FASTEST_FILM_HZ 60.0  // runs with more frames become slow motion
#define SLOW_FILM_HZ    30.0

typedef struct Work {
    const dew_RenderJob *job;
    dew_Arena arena;   // of names
    dew_Array frames;  // int64_t: those to draw; a scene's first instant is frame 0
    dew_Tasks *tasks;
    dew_Problem *problem;
    dew_PictureMaker *maker;
    dew_Surface *surface;
    dew_Image *image;
    dew_Film *film;              // NULL: none, or not yet begun
    dew_Mesh *wet_maps;          // per solid
    const dew_Mesh **wet_views;  // the same, NULL where there is none
    dew_RenderBar bar;
} Work;

// ---- which frames ------------------------------------------------------------------------------

static bool makes_film(const Work *w)
{
    const char *output = w->job->options->output;
    return output && dew_film_is_name(output);
}

/// Without --frame: all for a film, else the last.
static dew_Status choose_frames(Work *w)
{
    const dew_RenderJob *job = w->job;
    const dew_FrameRange *range = &job->options->frames;
    int64_t zero = 0;
    if (!job->directory) {
        if (range->is_given)
            return dew_fail(DEW_BAD_INPUT,
                            "--frame is for run directories (a scene has its first instant only)");
        if (makes_film(w))
            return dew_fail(DEW_BAD_INPUT, "a film needs a run directory (dew run makes one)");
        return dew_array_push(&w->frames, &zero);
    }
    const dew_SceneDef *def = dew_scene_def(job->scene);
    DEW_TRY(dew_frames_find(job->directory, def->output.surface, &w->frames));
    int64_t *frames = w->frames.data, count = w->frames.count, kept = 0;
    if (def->output.surface == DEW_SURFACE_NONE)
        return dew_fail(DEW_BAD_INPUT, "%s: the run wrote no surfaces (output.surface: none)",
                        job->directory);
    if (count == 0)
        return dew_fail(DEW_BAD_INPUT, "%s: there are no frames to draw", job->directory);
    int64_t lowest = frames[0], highest = frames[count - 1];
    int64_t first = range->first >= 0 ? range->first : lowest;
    int64_t last = range->last >= 0 ? range->last : highest;
    if (!range->is_given && !makes_film(w))
        first = highest;
    for (int64_t i = 0; i < count; i++)
        if (frames[i] >= first && frames[i] <= last)
            frames[kept++] = frames[i];
    w->frames.count = kept;
    if (kept == 0)
        return dew_fail(DEW_BAD_INPUT, "%s: no frame %s (there are %lld to %lld)", job->directory,
                        first == last ? "of that number" : "in that range", (long long)lowest,
                        (long long)highest);
    return dew_ok();
}

// ---- names of files ----------------------------------------------------------------------------

static char *name_of_picture(Work *w, int64_t frame)
{
    const dew_RenderJob *job = w->job;
    const char *output = job->options->output;
    if (!output && job->directory)
        return dew_arena_format(&w->arena, "%s/images/%04lld.png", job->directory,
                                (long long)frame);
    if (!output)
        return dew_arena_format(&w->arena, "%s.png", job->stem);
    if (w->frames.count == 1)
        return dew_arena_format(&w->arena, "%s", output);
    const char *dot = strrchr(output, '.');
    return dew_arena_format(&w->arena, "%.*s.%04lld%s", (int)(dot - output), output,
                            (long long)frame, dot);
}

/// Removes what a killed program left of numbered pictures.
static dew_Status sweep_series(Work *w, const char *output)
{
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    const char *dot = strrchr(base, '.');
    const char *folder = slash ? dew_arena_text(&w->arena, output, (size_t)(base - output)) : ".";
    const char *prefix = dew_arena_text(&w->arena, base, (size_t)(dot + 1 - base));
    if (!folder || !prefix)
        return dew_no_memory(strlen(output));
    dew_part_sweep_series(folder, prefix, dot);
    return dew_ok();
}

/// Said before long work, not behind it.
static dew_Status check_place(Work *w)
{
    const dew_RenderJob *job = w->job;
    const char *output = job->options->output;
    if (!output && job->directory) {
        const char *folder = dew_arena_format(&w->arena, "%s/images", job->directory);
        const char *first = name_of_picture(w, *DEW_ITEMS(&w->frames, int64_t));
        if (!folder || !first)
            return dew_no_memory(strlen(job->directory));
        // A picture that the run itself wrote is never touched again.
        if (dew_scene_def(job->scene)->output.images != DEW_IMAGES_NONE && dew_file_exists(first))
            return dew_fail(DEW_BAD_INPUT, "%s is the run's own (-o names another file)", first);
        dew_part_sweep_series(folder, "", ".png");
        return dew_directory_make(folder);
    }
    char *path = makes_film(w) ? dew_arena_format(&w->arena, "%s", output)
                               : name_of_picture(w, *DEW_ITEMS(&w->frames, int64_t));
    if (!path)
        return dew_no_memory(1);
    DEW_TRY(dew_output_check(path));
    return makes_film(w) || w->frames.count == 1 ? dew_ok() : sweep_series(w, output);
}

// ---- one picture -------------------------------------------------------------------------------

static bool report(void *context, double fraction)
{
    Work *w = context;
    dew_render_bar_update(&w->bar, fraction);
    return !(w->job->stop && *w->job->stop);
}

static dew_Status load_wetness(Work *w, int64_t frame)
{
    for (int i = 0; i < dew_problem_solid_count(w->problem); i++) {
        bool is_there = false;
        dew_Log log = dew_app_log();
        DEW_TRY(dew_frame_load_wetness(w->job->directory, dew_problem_solid_name(w->problem, i),
                                       frame, &log, &w->wet_maps[i], &is_there));
        w->wet_views[i] = is_there ? &w->wet_maps[i] : NULL;
    }
    return dew_ok();
}

/// The liquid of a run meets the solids that it was simulated with: another mesh is worth a warning.
static dew_Status warn_of_changes(const Work *w)
{
    if (!w->job->directory)
        return dew_ok();
    dew_Status status =
        dew_run_json_check_files(w->job->directory, dew_problem_files(w->problem), NULL);
    if (status.code != DEW_BAD_INPUT)
        return status;
    dew_Log log = dew_app_log();
    log.write(log.context, DEW_LOG_WARNING, status.message);
    return dew_ok();
}

/// The liquid of a frame, or of the first instant.
static dew_Status load_liquid(Work *w, int64_t frame)
{
    const dew_RenderJob *job = w->job;
    if (!job->directory)
        return dew_problem_poured(w->problem, NULL, w->surface);
    DEW_TRY(dew_frame_load(job->directory, dew_scene_def(job->scene)->output.surface, frame, NULL,
                           w->surface));
    if (dew_surface_triangle_count(w->surface) == 0 && w->frames.count == 1)
        return dew_fail(DEW_BAD_INPUT, "%s: frame %lld is empty: it has no liquid to draw",
                        job->directory, (long long)frame);
    return load_wetness(w, frame);
}

static dew_Status begin_film(Work *w)
{
    const dew_RenderOptions *options = w->job->options;
    double rate_Hz = dew_scene_def(w->job->scene)->frame_rate_Hz;
    if (rate_Hz > FASTEST_FILM_HZ)
        rate_Hz = SLOW_FILM_HZ;
    dew_FilmDef def = {.path = options->output,
                       .width_px = dew_image_width_px(w->image),
                       .height_px = dew_image_height_px(w->image),
                       .rate_Hz = options->film_rate_Hz > 0 ? options->film_rate_Hz : rate_Hz,
                       .exposure_stops = options->exposure_stops};
    return dew_film_begin(&def, &w->film);
}

static dew_Status write_picture(Work *w, int64_t frame)
{
    const dew_RenderOptions *options = w->job->options;
    if (makes_film(w)) {
        if (!w->film)
            DEW_TRY(begin_film(w));
        DEW_TRY(dew_film_add(w->film, w->image));
        dew_render_bar_picture(&w->bar, options->output);
        return dew_ok();
    }
    char *path = name_of_picture(w, frame);
    if (!path)
        return dew_no_memory(1);
    DEW_TRY(dew_picture_save(w->image, options->exposure_stops, path));
    dew_render_bar_picture(&w->bar, path);
    dew_render_bar_end(&w->bar);
    if (!options->is_quiet)
        printf("%s\n", path);
    fflush(stdout);
    return dew_ok();
}

static dew_Status draw_frame(Work *w, int64_t frame)
{
    const dew_SceneDef *def = dew_scene_def(w->job->scene);
    double time_s =
        w->job->directory ? dew_frame_time_s(frame, def->duration_s, def->frame_rate_Hz) : 0;
    DEW_TRY(load_liquid(w, frame));
    DEW_TRY(dew_picture_maker_draw(w->maker, time_s, frame, w->surface,
                                   w->job->directory ? w->wet_views : NULL, w->image));
    return write_picture(w, frame);
}

// ---- what is framed ------------------------------------------------------------------------------

/// Around the liquid of the pictures to be drawn, looked at in a few of them: for a camera that stands
/// still. Empty for a single picture, and when the scene has a camera.
static dew_Status find_subject(Work *w, dew_Box *out)
{
    enum { LOOKS = 12 };
    *out = dew_box_empty();
    int64_t count = w->frames.count;
    if (count < 2 || dew_scene_def(w->job->scene)->camera.is_given)
        return dew_ok();
    for (int64_t i = 0; i < LOOKS && i < count; i++) {
        int64_t which = count <= LOOKS ? i : i * (count - 1) / (LOOKS - 1);
        DEW_TRY(dew_frame_load(w->job->directory, dew_scene_def(w->job->scene)->output.surface,
                               DEW_ITEMS(&w->frames, int64_t)[which], NULL, w->surface));
        for (int64_t v = 0; v < dew_surface_vertex_count(w->surface); v++)
            *out = dew_box_add(*out, dew_surface_positions_m(w->surface)[v]);
    }
    return dew_ok();
}

// ---- all of them -------------------------------------------------------------------------------

static dew_Status make_parts(Work *w)
{
    const dew_RenderOptions *options = w->job->options;
    dew_TasksDef tasks_def = dew_default_tasks_def();
    tasks_def.worker_count = options->render.thread_count;
    DEW_TRY(dew_tasks_create(&tasks_def, &w->tasks));
    dew_ProblemDef problem_def = {.log = dew_app_log(), .tasks = w->tasks};
    DEW_TRY(dew_problem_create(w->job->scene, &problem_def, &w->problem));
    DEW_TRY(warn_of_changes(w));
    dew_PictureMakerDef maker_def = {.problem = w->problem,
                                     .tasks = w->tasks,
                                     .render = options->render,
                                     .denoises = options->denoises,
                                     .levels = options->levels,
                                     .log = dew_app_log()};
    maker_def.render.progress = (dew_RenderProgress){report, w};
    maker_def.render.log = dew_app_log();
    DEW_TRY(dew_surface_create(NULL, &w->surface));
    DEW_TRY(find_subject(w, &maker_def.subject_m));
    DEW_TRY(dew_picture_maker_create(&maker_def, &w->maker));
    DEW_TRY(dew_image_create(NULL, &w->image));
    int count = dew_problem_solid_count(w->problem);
    w->wet_maps = dew_arena_array(&w->arena, dew_Mesh, count);
    w->wet_views = dew_arena_array(&w->arena, const dew_Mesh *, count);
    if (!w->wet_maps || !w->wet_views)
        return dew_no_memory((size_t)count * sizeof *w->wet_maps);
    for (int i = 0; i < count; i++)
        dew_mesh_init(&w->wet_maps[i], NULL);
    return dew_ok();
}

static void free_parts(Work *w)
{
    dew_film_drop(w->film);
    for (int i = 0; w->wet_views && i < dew_problem_solid_count(w->problem); i++)
        dew_mesh_deinit(&w->wet_maps[i]);
    dew_image_destroy(w->image);
    dew_surface_destroy(w->surface);
    dew_picture_maker_destroy(w->maker);
    dew_problem_destroy(w->problem);
    dew_tasks_destroy(w->tasks);
    dew_array_deinit(&w->frames);
    dew_arena_deinit(&w->arena);
}

static dew_Status end_film(Work *w)
{
    if (!w->film)
        return dew_ok();
    const char *folder = dew_film_folder(w->film), *output = w->job->options->output;
    if (folder) {
        fprintf(stderr,
                "dew: warning: ffmpeg is not installed; the pictures are in %s, and this "
                "makes the film:\n%s\n",
                folder, dew_film_command(w->film));
        folder = dew_arena_format(&w->arena, "%s", folder);
        output = folder ? folder : output;
    }
    dew_Film *film = w->film;
    w->film = NULL;
    DEW_TRY(dew_film_end(film));
    if (!w->job->options->is_quiet)
        printf("%s\n", output);
    return dew_ok();
}

static dew_Status work(Work *w)
{
    DEW_TRY(choose_frames(w));
    DEW_TRY(make_parts(w));
    DEW_TRY(check_place(w));
    dew_render_bar_begin(&w->bar, w->frames.count, w->job->options->is_quiet);
    dew_Status status = dew_ok();
    for (int64_t i = 0; i < w->frames.count && status.code == DEW_OK; i++)
        status = draw_frame(w, DEW_ITEMS(&w->frames, int64_t)[i]);
    dew_render_bar_end(&w->bar);
    return status.code == DEW_OK ? end_film(w) : status;
}

dew_Status dew_render_job_run(const dew_RenderJob *job)
{
    Work w = {.job = job};
    dew_arena_init(&w.arena, NULL);
    dew_array_init(&w.frames, NULL, sizeof(int64_t));
    dew_Status status = work(&w);
    free_parts(&w);
    return status;
}
