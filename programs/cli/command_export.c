/// `dew export`: a run as one file of a scene format.
#include "cli/frame_range.h"
#include "dew/run.h"
#include "dew/text.h"
#include "dew/units.h"
#include "support/command.h"
#include "support/progress.h"
#include "support/stop.h"
#include "support/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- progress ----------------------------------------------------------------------------------

typedef struct Bar {
    dew_Progress progress;
    bool is_terminal, is_quiet, is_shown;
    double shown_wall_s;
} Bar;

static void clear_bar(Bar *bar)
{
    if (bar->is_shown)
        fputs("\r\x1b[K", stderr);
    bar->is_shown = false;
}

static bool report(void *context, int64_t done, int64_t count)
{
    Bar *bar = context;
    double now_s = dew_app_wall_s();
    char eta[32];
    dew_progress_update(&bar->progress, (double)done / (double)count, now_s);
    bool is_due = now_s - bar->shown_wall_s > DEW_PROGRESS_INTERVAL_S;
    if (bar->is_terminal && !bar->is_quiet && is_due) {
        dew_format_duration(dew_progress_eta_s(&bar->progress), eta, sizeof eta);
        fprintf(stderr, "\r%3.0f %%  frame %lld of %lld  ETA %s\x1b[K",
                100 * bar->progress.fraction, (long long)done, (long long)count, eta);
        fflush(stderr);
        bar->is_shown = true;
        bar->shown_wall_s = now_s;
    }
    return !dew_app_stop;
}

/// Ends the line of the progress bar before a message.
static void log_below_bar(void *context, dew_LogLevel level, const char *message)
{
    clear_bar(context);
    dew_Log log = dew_app_log();
    log.write(log.context, level, message);
}

// ---- options -----------------------------------------------------------------------------------

static dew_Status read_up(const dew_Arguments *arguments, bool *is_z_up)
{
    const char *up = dew_option_value(arguments, "--up");
    if (up && strcmp(up, "y") != 0 && strcmp(up, "z") != 0)
        return dew_fail(DEW_BAD_INPUT, "--up %s: not y or z", up);
    *is_z_up = up && strcmp(up, "z") == 0;
    return dew_ok();
}

static dew_Status read_scale(const dew_Arguments *arguments, double *scale)
{
    const char *text = dew_option_value(arguments, "--scale");
    if (!text)
        return dew_ok();
    if (dew_quantity_parse(text, DEW_UNIT_NONE, scale).code != DEW_OK ||
        !(*scale >= 1e-9 && *scale <= 1e9))
        return dew_fail(DEW_BAD_INPUT, "--scale %s: not a number from 1e-9 to 1e9", text);
    return dew_ok();
}

static dew_Status read_split(const dew_Arguments *arguments, bool *splits_drops)
{
    const char *text = dew_option_value(arguments, "--split");
    if (text && strcmp(text, "drops") != 0 && strcmp(text, "none") != 0)
        return dew_fail(DEW_BAD_INPUT, "--split %s: not drops or none", text);
    *splits_drops = text && strcmp(text, "drops") == 0;
    return dew_ok();
}

static dew_Status read_options(const dew_Arguments *arguments, dew_RunExportDef *def)
{
    dew_FrameRange frames;
    def->directory = arguments->operands[0];
    def->path = dew_option_value(arguments, "--output");
    if (!def->path)
        return dew_fail(DEW_BAD_INPUT, "export needs a file to write (-o FILE.usdc, for example)");
    DEW_TRY(dew_frame_range_read(arguments, "--frames", &frames));
    def->first_frame = frames.first;
    def->last_frame = frames.last;
    DEW_TRY(read_up(arguments, &def->is_z_up));
    DEW_TRY(read_scale(arguments, &def->scale));
    return read_split(arguments, &def->splits_drops);
}

// ---- the command -------------------------------------------------------------------------------

static int run(const dew_Arguments *arguments)
{
    Bar bar = {.is_terminal = isatty(STDERR_FILENO) != 0,
               .is_quiet = dew_option_given(arguments, "--quiet"),
               .shown_wall_s = -HUGE_VAL};
    dew_RunExportDef def = dew_default_run_export_def();
    int code = dew_app_fail(read_options(arguments, &def));
    if (code != DEW_EXIT_DONE)
        return code;
    def.progress = report;
    def.context = &bar;
    def.log = (dew_Log){log_below_bar, &bar};
    dew_progress_begin(&bar.progress, 0, dew_app_wall_s());
    dew_app_catch_stop();
    dew_Status status = dew_run_export(&def);
    clear_bar(&bar);
    if (status.code == DEW_OK && !bar.is_quiet)
        printf("%s\n", def.path);
    return dew_app_fail(status);
}

static const dew_Option options[] = {
    {"--output", 'o', "FILE", false, "where to; its ending is the format"},
    {"--frames", 0, "A..B", false, "which frames (default all)"},
    {"--up", 0, "y|z", false, "the axis that is up in the file (default y)"},
    {"--scale", 0, "S", false, "units of the file per metre (default 1): 1000 for millimetres"},
    {"--split", 0, "drops", false, "an object per drop instead of one for all liquid"},
    {"--quiet", 0, NULL, false, "no progress, errors only"},
};

const dew_Command dew_command_export = {
    .name = "export",
    .operands = "RUN",
    .summary = "writes a run as one file for Blender, Houdini, ParaView or the web",
    .details =
        "RUN is a run directory, which is only read. The file holds the liquid with velocities "
        "and\n"
        "other attributes, solids with their motion, materials, camera and lights. Formats: .usda\n"
        "and .usdc (USD), .glb (glTF), .abc (Alembic), .vtkhdf (VTKHDF). Ctrl-C leaves no file "
        "behind.",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run,
};
