/// `dew report`: one self-contained HTML page of a run, or of several side by side.
#include "cli/derived_file.h"
#include "dew/run.h"

static int run(const dew_Arguments *arguments)
{
    const char *name = arguments->operand_count > 1 ? "compare.html" : "report.html";
    return dew_app_derive(arguments, name, dew_run_report);
}

static const dew_Option options[] = {
    {"--output", 'o', "FILE", false,
     "where to (default DIR/report.html, DIR/compare.html of several)"},
};

const dew_Command dew_command_report = {
    .name = "report",
    .operands = "DIR...",
    .summary = "writes one self-contained HTML page of a run, or of several side by side",
    .details =
        "Parameters, curves, images and timings in a single file that needs no network. Of "
        "several\n"
        "runs: what differs, their curves in the same panels, their profiles (solver shallow).",
    .min_operands = 1,
    .max_operands = 64,
    .options = options,
    .option_count = 1,
    .run = run,
};
