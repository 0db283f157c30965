/// `dew run`: simulates a scene into a run directory.
#include "cli/progress_bar.h"
#include "dew/text.h"
#include "dew/units.h"
#include "support/bundled.h"
#include "support/command.h"
#include "support/scene_arguments.h"
#include "support/stop.h"
#include "support/string_pool.h"
#include "support/system.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/// A reader of the progress (a pipe) that closes it must not end the run.
static void ignore_closed_pipes(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    sigaction(SIGPIPE, &action, NULL);
}

/// Ends the line of the progress bar before a message.
static void log_below_bar(void *context, dew_LogLevel level, const char *message)
{
    dew_progress_bar_end(context);
    dew_Log log = dew_app_log();
    log.write(log.context, level, message);
}

static dew_Status read_options(const dew_Arguments *arguments, dew_RunDef *def)
{
    int64_t threads = 0;
    DEW_TRY(dew_option_integer(arguments, "--threads", 1, 1024, &threads));
    def->world.thread_count = (int)threads;
    def->resume = dew_option_given(arguments, "--resume");
    def->overwrite = dew_option_given(arguments, "--overwrite");
    if (def->resume && def->overwrite)
        return dew_fail(DEW_BAD_INPUT, "--resume and --overwrite exclude each other");
    const char *until = dew_option_value(arguments, "--until");
    if (until) {
        dew_Status status = dew_quantity_parse(until, DEW_UNIT_TIME, &def->until_s);
        if (status.code != DEW_OK)
            return dew_fail(DEW_BAD_INPUT, "--until %s: %.400s", until, status.message);
        if (!(def->until_s > 0) || isinf(def->until_s))
            return dew_fail(DEW_BAD_INPUT, "--until %s: not a time above 0 (such as 0.5 s)", until);
    }
    return dew_ok();
}

/// A word of a command line as a shell wants it, with a space in front.
static void print_word(const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,@%+-";
    bool is_plain = *word && word[strspn(word, plain)] == 0;
    dew_StringPool pool = {0};
    size_t size = 4 * strlen(word) + 4;
    char *quoted = is_plain ? NULL : dew_pool_alloc(&pool, size);
    if (quoted)
        dew_shell_word(word, quoted, size);
    fprintf(stderr, " %s", is_plain ? word : quoted ? quoted : "'...'");
    dew_pool_deinit(&pool);
}

static void print_option(const dew_Arguments *arguments, const char *name)
{
    if (dew_option_given(arguments, name)) {
        fprintf(stderr, " %s", name);
        print_word(dew_option_value(arguments, name));
    }
}

static void print_arguments_to_resume(const dew_Arguments *arguments, const char *directory)
{
    const char *sets[DEW_MAX_ARGUMENTS];
    int count = dew_option_values(arguments, "--set", sets, DEW_MAX_ARGUMENTS);
    fprintf(stderr, "dew run");
    print_word(arguments->operands[0]);
    fprintf(stderr, " -o");
    print_word(directory);
    print_option(arguments, "--solver");
    for (int i = 0; i < count; i++) {
        fprintf(stderr, " --set");
        print_word(sets[i]);
    }
    print_option(arguments, "--until");
    fprintf(stderr, " --resume\n");
}

static int report_end(const dew_Arguments *arguments, dew_Run *run, dew_Status status,
                      const char *directory, double wall_s)
{
    double time_s = dew_world_time_s(dew_run_world(run));
    if (status.code == DEW_INTERRUPTED) {
        fprintf(stderr, "dew: interrupted at t = %g s; resume with: ", time_s);
        print_arguments_to_resume(arguments, directory);
        return DEW_EXIT_INTERRUPTED;
    }
    if (status.code != DEW_OK) {
        dew_app_fail(status);
        return DEW_EXIT_FAILED;
    }
    if (!dew_option_given(arguments, "--quiet")) {
        char took[32], name[512];
        long long retries = (long long)dew_world_retry_count(dew_run_world(run));
        if (retries > 0)
            fprintf(stderr, "dew: warning: %lld failed step%s tried again with half the length\n",
                    retries, retries == 1 ? " was" : "s were");
        dew_format_duration(wall_s, took, sizeof took);
        dew_utf8_show(directory, name, sizeof name);
        printf("%s: %lld frames, %lld steps, t = %g s, in %s\n", name,
               (long long)dew_run_frames(run), (long long)dew_world_step_count(dew_run_world(run)),
               time_s, took);
    }
    return DEW_EXIT_DONE;
}

static int execute(const dew_Arguments *arguments, dew_RunDef *def)
{
    ignore_closed_pipes();
    dew_ProgressBar bar;
    dew_progress_bar_begin(&bar, dew_option_given(arguments, "--quiet"));
    def->progress = dew_progress_bar_update;
    def->cancel = dew_progress_bar_cancel;
    def->context = &bar;
    def->world.log = (dew_Log){log_below_bar, &bar};
    double begin_wall_s = dew_app_wall_s();
    dew_Run *run = NULL;
    dew_Status status = dew_run_create(def, &run);
    if (!run)
        return dew_app_fail(status);
    dew_app_catch_stop();
    if (dew_run_is_done(run) && !bar.is_quiet)
        printf("%s: this run is done already; --until TIME goes further\n", def->directory);
    status = dew_run_execute(run);
    dew_progress_bar_end(&bar);
    int code = report_end(arguments, run, status, def->directory, dew_app_wall_s() - begin_wall_s);
    dew_run_destroy(run);
    return code;
}

static int run(const dew_Arguments *arguments)
{
    dew_StringPool pool = {0};
    dew_RunDef def = dew_default_run_def();
    const char *path = NULL;
    int code = dew_app_fail(read_options(arguments, &def));
    if (code == DEW_EXIT_DONE)
        code = dew_app_load_scene(arguments, &pool, &def.scene, &path);
    if (code == DEW_EXIT_DONE) {
        def.directory = dew_option_value(arguments, "--output");
        if (!def.directory)
            def.directory = dew_pool_format(&pool, "runs/%s", dew_scene_file_stem(&pool, path));
        code = def.directory ? execute(arguments, &def) : dew_app_fail(dew_pool_failure());
    }
    dew_scene_destroy(def.scene);
    dew_pool_deinit(&pool);
    return code;
}

static const dew_Option options[] = {
    {"--output", 'o', "DIR", false, "the run directory (default runs/<scene name>)"},
    {"--solver", 0, "NAME", false, "use another solver than the scene's"},
    {"--set", 0, "KEY=VALUE", true, "change a value: --set drops[0].radius=\"3 mm\""},
    {"--until", 0, "TIME", false, "end at this simulated time instead of the scene's duration"},
    {"--threads", 0, "N", false,
     "worker threads (default one per core; results do not depend on it)"},
    {"--resume", 0, NULL, false, "continue from the directory's checkpoint"},
    {"--overwrite", 0, NULL, false, "replace an earlier run in the directory"},
    {"--quiet", 0, NULL, false, "no progress, errors only"},
};

const dew_Command dew_command_run = {
    .name = "run",
    .operands = "SCENE",
    .summary = "simulates a scene and writes a run directory",
    .details =
        "SCENE is a scene file, or the bare name of a bundled scene (dew scenes). Ctrl-C finishes\n"
        "the step, writes a checkpoint and says how to resume.\n"
        "Exit codes: 0 done, 1 the run failed, 2 bad usage or bad input, 130 interrupted.",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run,
};
