/// Composes the page of several runs: a table, profiles, curves, and the lines in which their
/// scenes differ.
#include "report/compare.h"

#include "base/file.h"
#include "base/status.h"
#include "report/page.h"
#include "report/plot.h"
#include "report/profile.h"
#include "run/run_info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Member {
    const char *directory, *label;
    dew_RunInfo info;
    dew_StatsTable stats;
    const char *scene;  // text of scene.yaml
} Member;

typedef struct Comparison {
    Member *members;
    int count;
    dew_Arena *arena;
    dew_Text *out;
} Comparison;

// ---- reading -----------------------------------------------------------------------------------

// The last part of a path; all of it when it ends with none.
static const char *label_of(const char *directory, dew_Arena *arena)
{
    size_t size = strlen(directory);
    while (size > 1 && directory[size - 1] == '/')
        size--;
    size_t begin = size;
    while (begin > 0 && directory[begin - 1] != '/')
        begin--;
    const char *label = dew_arena_text(arena, directory + begin, size - begin);
    return label && *label ? label : directory;
}

static dew_Status load_member(const char *directory, dew_Arena *arena, Member *out)
{
    const char *info = dew_arena_format(arena, "%s/run.json", directory);
    const char *stats = dew_arena_format(arena, "%s/stats.csv", directory);
    const char *scene = dew_arena_format(arena, "%s/scene.yaml", directory);
    if (!info || !stats || !scene)
        return dew_no_memory(strlen(directory));
    if (!dew_file_exists(scene))
        return dew_fail(DEW_BAD_INPUT, "%s: not a run directory (it has no scene.yaml)", directory);
    *out = (Member){.directory = directory, .label = label_of(directory, arena)};
    DEW_TRY(dew_run_info_load(info, arena, &out->info));
    DEW_TRY(dew_stats_table_load(stats, arena, &out->stats));
    uint8_t *data = NULL;
    size_t size = 0;
    DEW_TRY(dew_file_read(scene, 16 << 20, &arena->allocator, &data, &size));
    out->scene = dew_arena_text(arena, (const char *)data, size);
    dew_free(&arena->allocator, data, size + 1);
    return out->scene ? dew_ok() : dew_no_memory(size);
}

static double last_stat(const Member *m, const char *name)
{
    int column = dew_stats_table_column(&m->stats, name);
    return column < 0 || m->stats.row_count == 0
               ? (double)NAN
               : dew_stats_table_value(&m->stats, m->stats.row_count - 1, column);
}

// ---- the table ---------------------------------------------------------------------------------

static void add_cell(dew_Text *out, const char *format, double x)
{
    dew_text_add(out, "<td class=\"number\">");
    if (isfinite(x))
        dew_text_format(out, format, x);  // NOLINT: the callers' literals
    dew_text_add(out, "</td>");
}

static void add_table(const Comparison *c)
{
    dew_text_add(c->out, "<table><tr><th>run</th><th>solver</th><th>status</th><th>time (s)</th>"
                         "<th>steps</th><th>CPU (s)</th><th>volume kept (%)</th>"
                         "<th>fastest (m/s)</th><th>top (m)</th></tr>\n");
    for (int k = 0; k < c->count; k++) {
        const Member *m = &c->members[k];
        const char *const words[] = {m->label, dew_run_info_text(&m->info, "solver"),
                                     dew_run_info_text(&m->info, "status")};
        dew_text_add(c->out, "<tr>");
        for (int i = 0; i < 3; i++) {
            dew_text_add(c->out, "<td>");
            dew_page_escape(c->out, words[i]);
            dew_text_add(c->out, "</td>");
        }
        add_cell(c->out, "%.4g", last_stat(m, "time"));
        add_cell(c->out, "%.0f", dew_run_info_number(&m->info, "steps"));
        add_cell(c->out, "%.3g", dew_run_info_number(&m->info, "cpu_s"));
        add_cell(c->out, "%.6g", 100 * (1 + last_stat(m, "volume_error")));
        add_cell(c->out, "%.4g", last_stat(m, "max_speed"));
        add_cell(c->out, "%.4g", last_stat(m, "top"));
        dew_text_add(c->out, "</tr>\n");
    }
    dew_text_add(c->out, "</table>\n");
}

// ---- what differs ------------------------------------------------------------------------------

static bool has_line(const char *text, const char *line, size_t size)
{
    for (const char *p = text; *p;) {
        size_t here = strcspn(p, "\n");
        if (here == size && memcmp(p, line, size) == 0)
            return true;
        p += here + (p[here] != 0);
    }
    return false;
}

static bool all_have_line(const Comparison *c, const char *line, size_t size)
{
    for (int k = 0; k < c->count; k++)
        if (!has_line(c->members[k].scene, line, size))
            return false;
    return true;
}

static void add_differences(const Comparison *c)
{
    dew_text_add(c->out, "<h2>What differs in the scenes</h2>\n");
    for (int k = 0; k < c->count; k++) {
        const Member *m = &c->members[k];
        dew_text_add(c->out, "<p><b>");
        dew_page_escape(c->out, m->label);
        dew_text_add(c->out, "</b></p>\n<pre>");
        for (const char *p = m->scene; *p;) {
            size_t size = strcspn(p, "\n");
            const char *line = dew_arena_text(c->arena, p, size);
            if (line && !all_have_line(c, p, size)) {
                dew_page_escape(c->out, line);
                dew_text_add(c->out, "\n");
            }
            p += size + (p[size] != 0);
        }
        dew_text_add(c->out, "</pre>\n");
    }
}

// ---- figures -----------------------------------------------------------------------------------

static dew_Status load_panel(const Comparison *c, const Member *m, int64_t frame, dew_Profile *out,
                             bool *is_there)
{
    const char *path =
        dew_arena_format(c->arena, "%s/frames/height.%04lld.csv", m->directory, (long long)frame);
    *is_there = path && dew_file_exists(path) && strstr(m->scene, "\ndimensions: 1\n");
    if (!*is_there)
        return dew_ok();
    DEW_TRY(dew_stats_table_load(path, c->arena, &out->heights));
    double last = fmax(1, dew_run_info_number(&m->info, "frames") - 1);
    double time_s = (double)frame / last * dew_run_info_number(&m->info, "time_s");
    out->title =
        frame == 0 ? "t = 0 s" : dew_arena_format(c->arena, "%s, t = %.3g s", m->label, time_s);
    return out->title ? dew_ok() : dew_no_memory(64);
}

static dew_Status add_drawing(const Comparison *c, const dew_Profile *panels, int count)
{
    dew_Array svg;
    dew_array_init(&svg, &c->arena->allocator, 1);
    dew_Status status = dew_page_svg(c->out, dew_profile_plot(panels, count, &svg), &svg);
    dew_array_deinit(&svg);
    return status;
}

// The start of the first run; then each run on its way and at its end, side by side.
static dew_Status add_profiles(const Comparison *c)
{
    dew_Profile start, *panels = dew_arena_array(c->arena, dew_Profile, 2 * c->count);
    int used = 0;
    bool has_start, is_there;
    if (!panels)
        return dew_no_memory((size_t)c->count * sizeof *panels);
    DEW_TRY(load_panel(c, &c->members[0], 0, &start, &has_start));
    for (int k = 0; k < 2 * c->count; k++) {
        const Member *m = &c->members[k / 2];
        int64_t last = (int64_t)fmax(1, dew_run_info_number(&m->info, "frames")) - 1;
        DEW_TRY(load_panel(c, m, k % 2 ? last : 2 * last / 3, &panels[used], &is_there));
        used += is_there;
    }
    if (!has_start || used == 0)
        return dew_ok();
    dew_text_add(c->out, "<h2>Profiles</h2>\n");
    DEW_TRY(add_drawing(c, &start, 1));
    return add_drawing(c, panels, used);
}

static dew_Status add_curves(const Comparison *c)
{
    dew_PlotRun *runs = dew_arena_array(c->arena, dew_PlotRun, c->count);
    if (!runs)
        return dew_no_memory((size_t)c->count * sizeof *runs);
    for (int k = 0; k < c->count; k++)
        runs[k] = (dew_PlotRun){&c->members[k].stats, c->members[k].label};
    dew_text_add(c->out, "<h2>Curves</h2>\n");
    dew_Array svg;
    dew_array_init(&svg, &c->arena->allocator, 1);
    dew_Status status = dew_page_svg(c->out, dew_plot_runs(runs, c->count, &svg), &svg);
    dew_array_deinit(&svg);
    return status;
}

dew_Status dew_report_compare(const char *const *directories, int count, dew_Arena *scratch,
                              dew_Text *out)
{
    Comparison c = {.count = count, .arena = scratch, .out = out};
    c.members = dew_arena_array(scratch, Member, count);
    if (!c.members)
        return dew_no_memory((size_t)count * sizeof *c.members);
    for (int k = 0; k < count; k++)
        DEW_TRY(load_member(directories[k], scratch, &c.members[k]));
    dew_page_begin(out, "Dew runs side by side");
    dew_text_format(out, "<h1>%d runs side by side</h1>\n", count);
    add_table(&c);
    DEW_TRY(add_profiles(&c));
    DEW_TRY(add_curves(&c));
    add_differences(&c);
    dew_page_end(out);
    return out->status;
}
