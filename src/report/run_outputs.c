// dew_run_plot and dew_run_report: a file made from run directories, written whole or not at all.
#include "base/file.h"
#include "base/status.h"
#include "dew/run.h"
#include "dew/text.h"
#include "report/compare.h"
#include "report/html.h"
#include "report/plot.h"

#include <string.h>

static dew_Status check_paths(const char *const *directories, int count, const char *path)
{
    for (int i = 0; i < count; i++)
        DEW_TRY(dew_run_directory_check(directories[i]));
    return dew_output_check(path);
}

static dew_Status write_file(const char *path, const dew_Array *bytes)
{
    dew_FileWriter writer;
    DEW_TRY(dew_file_begin(&writer, path, NULL));
    dew_file_write(&writer, bytes->data, (size_t)bytes->count);
    return dew_file_commit(&writer);
}

// ---- plot --------------------------------------------------------------------------------------

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

static dew_Status make_plot(const char *directory, const char *path, dew_Arena *arena,
                            dew_Array *out)
{
    dew_PlotFormat format = DEW_PLOT_SVG;
    dew_StatsTable table;
    DEW_TRY(check_paths(&directory, 1, path));
    DEW_TRY(format_of(path, &format));
    const char *table_path = dew_arena_format(arena, "%s/stats.csv", directory);
    if (!table_path)
        return dew_no_memory(strlen(directory));
    DEW_TRY(dew_stats_table_load(table_path, arena, &table));
    dew_Status status = dew_plot_stats(&table, directory, format, out);
    return status.code == DEW_BAD_INPUT ? dew_status_prefix(status, "%s", table_path) : status;
}

dew_Status dew_run_plot(const char *directory, const char *path)
{
    dew_Arena arena;
    dew_Array bytes;
    dew_arena_init(&arena, NULL);
    dew_array_init(&bytes, NULL, 1);
    dew_Status status = make_plot(directory, path, &arena, &bytes);
    if (status.code == DEW_OK)
        status = write_file(path, &bytes);
    dew_array_deinit(&bytes);
    dew_arena_deinit(&arena);
    return status;
}

// ---- report ------------------------------------------------------------------------------------

static dew_Status make_page(const char *directory, dew_Arena *arena, dew_Text *page)
{
    const char *scene_path = dew_arena_format(arena, "%s/scene.yaml", directory);
    dew_Scene *scene = NULL;
    if (!scene_path)
        return dew_no_memory(strlen(directory));
    if (!dew_file_exists(scene_path))
        return dew_fail(DEW_BAD_INPUT, "%s: not a run directory (it has no scene.yaml)", directory);
    DEW_TRY(dew_scene_load(scene_path, &scene));
    dew_Status status = dew_report_html(directory, scene, arena, page);
    dew_scene_destroy(scene);
    return status;
}

dew_Status dew_run_report(const char *const *directories, int count, const char *path)
{
    DEW_ASSERT(count > 0);
    DEW_TRY(check_paths(directories, count, path));
    dew_Arena arena;
    dew_Text page;
    dew_arena_init(&arena, NULL);
    dew_text_init(&page, NULL);
    dew_Status status = count > 1 ? dew_report_compare(directories, count, &arena, &page)
                                  : make_page(directories[0], &arena, &page);
    if (status.code == DEW_OK)
        status = page.status;
    if (status.code == DEW_OK)
        status = write_file(path, &page.bytes);
    dew_text_deinit(&page);
    dew_arena_deinit(&arena);
    return status;
}
