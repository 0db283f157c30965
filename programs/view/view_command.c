/// `dew view`: a window on a simulation, or on a finished run.
#include "dew/run.h"
#include "support/bundled.h"
#include "support/command.h"
#include "support/scene_arguments.h"
#include "support/string_pool.h"
#include "support/system.h"
#include "view/view.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_line(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
    fflush(stdout);
}

static dew_Status read_size(const char *words, dew_ViewDef *def)
{
    int width = 0, height = 0, end = 0;
    if (!words)
        return dew_ok();
    if (sscanf(words, "%5dx%5d%n", &width, &height, &end) != 2 || words[end] || width < 64 ||
        height < 64 || width > 8192 || height > 8192)
        return dew_fail(DEW_BAD_INPUT,
                        "--size %.40s: not a size such as 1280x720 (64 to 8192 each)", words);
    def->width_px = width;
    def->height_px = height;
    return dew_ok();
}

static dew_Status read_options(const dew_Arguments *arguments, dew_ViewDef *def)
{
    int64_t threads = 0;
    DEW_TRY(dew_option_integer(arguments, "--threads", 1, 1024, &threads));
    DEW_TRY(read_size(dew_option_value(arguments, "--size"), def));
    def->world.thread_count = (int)threads;
    def->script = dew_option_value(arguments, "--script");
    def->is_offscreen = dew_option_given(arguments, "--offscreen");
    def->is_paused = dew_option_given(arguments, "--paused");
    return dew_ok();
}

/// A run directory has a scene of its own.
static bool is_run(const char *operand, dew_StringPool *pool, const char **scene)
{
    *scene = dew_pool_format(pool, "%s/scene.yaml", operand);
    return *scene && dew_app_is_directory(operand) && dew_app_exists(*scene);
}

static int end_view(dew_Status status, const dew_ViewEnd *end, bool is_quiet)
{
    int code = DEW_EXIT_DONE;
    if (status.code != DEW_OK) {
        dew_app_fail(status);
        code = status.code == DEW_BAD_INPUT ? DEW_EXIT_USAGE : DEW_EXIT_FAILED;
    } else if (!is_quiet) {
        printf("t = %g s, frame %lld, %lld drops, volume error %.2g, %lld images",
               end->stats.time_s, (long long)end->frame, (long long)end->stats.drops,
               end->stats.volume_error, (long long)end->images);
        if (end->hash)
            printf(", %lld events, state %016llx", (long long)end->events,
                   (unsigned long long)end->hash);
        printf("\n");
    }
    if (end->is_busy) {  // a step is still under way, and nobody wants its end
        fflush(stdout);
        fflush(stderr);
        _exit(code);
    }
    return code;
}

static int open_view(const dew_Arguments *arguments, dew_ViewDef *def, dew_StringPool *pool)
{
    const char *operand = arguments->operands[0], *path = NULL;
    dew_Scene *scene = NULL;
    bool is_quiet = dew_option_given(arguments, "--quiet");
    int code;
    if (is_run(operand, pool, &path)) {
        def->directory = operand;
        code = dew_app_fail(dew_run_directory_check(operand));
        if (code == DEW_EXIT_DONE)
            code = dew_app_load_scene_file(arguments, path, &scene);
    } else {
        code = dew_app_load_scene(arguments, pool, &scene, &path);
    }
    if (code != DEW_EXIT_DONE)
        return code;
    def->name = def->directory ? operand : dew_scene_file_stem(pool, path);
    def->scene = scene;
    def->print = is_quiet ? NULL : print_line;
    def->world.log = dew_app_log();
    dew_ViewEnd end = {0};
    dew_Status status =
        def->name ? dew_view_run(def, &end) : dew_fail(DEW_NO_MEMORY, "out of memory");
    code = end_view(status, &end, is_quiet);
    dew_scene_destroy(scene);
    return code;
}

static int run(const dew_Arguments *arguments)
{
    dew_StringPool pool = {0};
    dew_ViewDef def = dew_default_view_def();
    int code = dew_app_fail(read_options(arguments, &def));
    if (code == DEW_EXIT_DONE)
        code = open_view(arguments, &def, &pool);
    dew_pool_deinit(&pool);
    return code;
}

static const dew_Option options[] = {
    {"--size", 0, "WxH", false, "pixels of the window (default 1280x720)"},
    {"--paused", 0, NULL, false, "begin paused"},
    {"--offscreen", 0, NULL, false, "draw without a display: for scripts on a server"},
    {"--script", 0, "FILE", false,
     "take input from the file instead of mouse and keys (see the manual)"},
    {"--solver", 0, "NAME", false, "use another solver than the scene's"},
    {"--set", 0, "KEY=VALUE", true, "change a value: --set drops[0].count=500"},
    {"--threads", 0, "N", false,
     "worker threads of the simulation (default all cores but one, which draws)"},
    {"--quiet", 0, NULL, false, "errors only"},
};

const dew_Command dew_command_view = {
    .name = "view",
    .operands = "SCENE|DIR",
    .summary = "opens a window on a simulation, or plays back a run",
    .details =
        "SCENE is simulated live; DIR is a run directory, played back. Mouse: right button turns,\n"
        "middle button moves, wheel zooms; left button drags movable solids, or pours. Keys: h "
        "shows\n"
        "them all. What was done can be saved as a scene (e), which `dew run` repeats bit for bit.",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run,
};
