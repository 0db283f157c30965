/// `dew plot`: the curves of a run's stats.csv as SVG or PNG.
#include "report/plot.h"
#include "app/derived_file.h"
#include "base/status.h"

#include <string.h>

static dew_Status format_of(const char *path, dew_PlotFormat *out)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".svg") == 0)
        *out = DEW_PLOT_SVG;
    else if (dot && strcmp(dot, ".png") == 0)
        *out = DEW_PLOT_PNG;
    else
        return dew_fail(DEW_BAD_INPUT, "%s: plots are written as .svg or .png", path);
    return dew_ok();
}

static dew_Status plot(const char *directory, const char *path, dew_Arena *arena, dew_Array *out)
{
    dew_PlotFormat format = DEW_PLOT_SVG;
    dew_StatsTable table;
    DEW_TRY(format_of(path, &format));
    const char *table_path = dew_arena_format(arena, "%s/stats.csv", directory);
    if (!table_path)
        return dew_no_memory(strlen(directory));
    DEW_TRY(dew_stats_table_load(table_path, arena, &table));
    dew_Status status = dew_plot_stats(&table, directory, format, out);
    return status.code == DEW_BAD_INPUT ? dew_status_prefix(status, "%s", table_path) : status;
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
