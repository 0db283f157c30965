/// `dew render`: images of a run's frames, or of a scene's first instant.
#include "cli/render_job.h"
#include "dew/render.h"
#include "dew/run.h"
#include "support/bundled.h"
#include "support/command.h"
#include "support/scene_arguments.h"
#include "support/stop.h"
#include "support/string_pool.h"
#include "support/system.h"

#include <stdio.h>
#include <string.h>

/// Is the operand a run directory? One without a scene.yaml counts when no scene is called so
/// either.
static dew_Status find_directory(const char *operand, dew_StringPool *pool, const char **directory)
{
    *directory = NULL;
    if (!dew_app_is_directory(operand))
        return dew_ok();
    const char *scene = dew_pool_format(pool, "%s/scene.yaml", operand), *path = NULL;
    if (!scene)
        return dew_pool_failure();
    DEW_TRY(dew_run_directory_check(operand));
    if (dew_app_exists(scene)) {
        *directory = operand;
        return dew_ok();
    }
    dew_Status status = dew_bundled_path(pool, operand, &path);
    if (status.code == DEW_OK && strcmp(path, operand) != 0)
        return dew_ok();
    return dew_fail(DEW_BAD_INPUT, "%s: not a run directory (it has no scene.yaml)", operand);
}

static int end(dew_Status status, bool is_video)
{
    if (status.code == DEW_INTERRUPTED) {
        fputs(is_video ? "dew: interrupted; no video was written\n"
                       : "dew: interrupted; images that were finished stay\n",
              stderr);
        return DEW_EXIT_INTERRUPTED;
    }
    return dew_app_fail(status);
}

static int render(const dew_Arguments *arguments, const dew_RenderOptions *options,
                  dew_StringPool *pool)
{
    dew_RenderJob job = {.options = options, .stop = &dew_app_stop};
    dew_Scene *scene = NULL;
    const char *path = NULL;
    dew_Status status = find_directory(arguments->operands[0], pool, &job.directory);
    if (status.code != DEW_OK)
        return dew_app_fail(status);
    int code = job.directory
                   ? dew_app_load_scene_file(
                         arguments, dew_pool_format(pool, "%s/scene.yaml", job.directory), &scene)
                   : dew_app_load_scene(arguments, pool, &scene, &path);
    if (code == DEW_EXIT_DONE) {
        job.scene = scene;
        job.stem = path ? dew_scene_file_stem(pool, path) : "";
        dew_app_catch_stop();
        code = end(dew_render_job_run(&job), options->output && dew_video_is_name(options->output));
    }
    dew_scene_destroy(scene);
    return code;
}

static int run(const dew_Arguments *arguments)
{
    dew_StringPool pool = {0};
    dew_RenderOptions options;
    int code = dew_app_fail(dew_render_options_read(arguments, &options));
    if (code == DEW_EXIT_DONE)
        code = render(arguments, &options, &pool);
    dew_pool_deinit(&pool);
    return code;
}

static const dew_Option options[] = {
    {"--output", 'o', "FILE", false,
     "a .png, .exr or video: .mp4 .mov .mkv .webm (default DIR/images/NNNN.png or SCENE.png)"},
    {"--frame", 0, "N|A..B", false, "which frames of a run (default the last; of a video all)"},
    {"--engine", 0, "ray|gl", false, "what draws (default ray)"},
    {"--size", 0, "WxH", false, "pixels (default as the scene's camera says)"},
    {"--samples", 0, "N", false, "light paths per pixel"},
    {"--noise", 0, "X", false,
     "until the noise is below this, such as 0.02; then --samples is the most"},
    {"--denoise", 0, NULL, false, "smooth the grain away: for previews with few samples"},
    {"--subdivide", 0, "N", false, "levels of Loop subdivision of the liquid (default 0)"},
    {"--exposure", 0, "STOPS", false, "brighter (1 doubles) or darker (-1 halves)"},
    {"--fps", 0, "N", false, "frames per second of a video (default the run's; above 60, 30)"},
    {"--set", 0, "KEY=VALUE", true, "change a value: --set environment=sky"},
    {"--threads", 0, "N", false,
     "worker threads (default one per core; images do not depend on it)"},
    {"--quiet", 0, NULL, false, "no progress, errors only"},
};

const dew_Command dew_command_render = {
    .name = "render",
    .operands = "DIR|SCENE",
    .summary = "draws images and videos of a run, or of a scene's first instant",
    .details =
        "DIR is a run directory: frames/ holds what is drawn. SCENE is a scene file, or the bare "
        "name\n"
        "of a bundled scene: its initial state is drawn. A video is made by the program "
        "ffmpeg;\n"
        "where that is not installed, the images are kept with the command that makes the video.",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run,
};
