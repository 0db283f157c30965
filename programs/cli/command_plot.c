/// `dew plot`: the curves of a run's stats.csv as SVG or PNG.
#include "cli/derived_file.h"
#include "dew/run.h"

static dew_Status plot(const char *const *directories, int count, const char *path)
{
    (void)count;
    return dew_run_plot(directories[0], path);
}

static int run(const dew_Arguments *arguments)
{
    return dew_app_derive(arguments, "plot.svg", plot);
}

static const dew_Option options[] = {
    {"--output", 'o', "FILE", false, "where to: a .svg or .png (default DIR/plot.svg)"},
};

const dew_Command dew_command_plot = {
    .name = "plot",
    .operands = "DIR",
    .summary = "draws the curves of a run's stats.csv",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .option_count = 1,
    .run = run,
};
