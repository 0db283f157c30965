/// `dew report`: one self-contained HTML page of a run, or of several side by side.
#include "app/derived_file.h"
#include "base/file.h"
#include "base/status.h"
#include "report/compare.h"
#include "report/html.h"

#include <string.h>

static dew_Status report(const char *directory, const char *path, dew_Arena *arena, dew_Array *out)
{
    (void)path;
    const char *scene_path = dew_arena_format(arena, "%s/scene.yaml", directory);
    dew_Scene *scene = NULL;
    if (!scene_path)
        return dew_no_memory(strlen(directory));
    if (!dew_file_exists(scene_path))
        return dew_fail(DEW_BAD_INPUT, "%s: not a run directory (it has no scene.yaml)", directory);
    DEW_TRY(dew_scene_load(scene_path, &scene));
    dew_Text page;
    dew_text_init(&page, NULL);
    dew_Status status = dew_report_html(directory, scene, arena, &page);
    if (status.code == DEW_OK)
        status = dew_array_append(out, page.bytes.data, page.bytes.count);
    dew_text_deinit(&page);
    dew_scene_destroy(scene);
    return status;
}

static dew_Status compare(const dew_Arguments *arguments, dew_Arena *arena, dew_Array *out)
{
    dew_Text page;
    dew_text_init(&page, NULL);
    dew_Status status =
        dew_report_compare(arguments->operands, arguments->operand_count, arena, &page);
    if (status.code == DEW_OK)
        status = dew_array_append(out, page.bytes.data, page.bytes.count);
    dew_text_deinit(&page);
    return status;
}

static int run(const dew_Arguments *arguments)
{
    return arguments->operand_count > 1 ? dew_app_derive_many(arguments, "compare.html", compare)
                                        : dew_app_derive(arguments, "report.html", report);
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
        "Parameters, curves, pictures and timings in a single file that needs no network. Of "
        "several\n"
        "runs: what differs, their curves in the same panels, their profiles (solver shallow).",
    .min_operands = 1,
    .max_operands = 64,
    .options = options,
    .option_count = 1,
    .run = run,
};
