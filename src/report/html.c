/// Composes the page: a heading with the run's state, tiles, curves, images, physics, drops,
/// scene.
#include "report/html.h"

#include "base/file.h"
#include "base/status.h"
#include "dew/text.h"
#include "geom/vec.h"
#include "report/page.h"
#include "report/plot.h"
#include "report/profile.h"
#include "run/run_info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Report {
    const char *directory;
    const dew_Scene *scene;
    dew_Arena *arena;
    dew_RunInfo info;
    dew_StatsTable stats;
    dew_Text *out;
} Report;

static const char *path_of(const Report *r, const char *name)
{
    const char *path = dew_arena_format(r->arena, "%s/%s", r->directory, name);
    return path ? path : name;
}

static void add_heading(const Report *r)
{
    const dew_SceneDef *def = dew_scene_def(r->scene);
    const char *title = def->title && *def->title ? def->title : "Dew run";
    const char *status = dew_run_info_text(&r->info, "status");
    dew_page_begin(r->out, title);
    dew_text_add(r->out, "<h1>");
    dew_page_escape(r->out, title);
    dew_text_add(r->out, "</h1>\n<p><span class=\"status ");
    dew_page_escape(r->out, status);
    dew_text_add(r->out, "\">");
    dew_page_escape(r->out, status);
    dew_text_add(r->out, "</span> solver <b>");
    dew_page_escape(r->out, def->solver);
    dew_text_add(r->out, "</b>, Dew ");
    dew_page_escape(r->out, dew_run_info_text(&r->info, "version"));
    dew_text_add(r->out, "</p>\n");
    const char *message = dew_run_info_text(&r->info, "message");
    if (*message && strcmp(message, "null") != 0) {
        dew_text_add(r->out, strcmp(status, "done") == 0 ? "<p>" : "<p class=\"message\">");
        dew_page_escape(r->out, message);
        dew_text_add(r->out, "</p>\n");
    }
}

static void add_tile(dew_Text *out, const char *label, const char *value)
{
    dew_text_add(out, "<div class=\"tile\"><b>");
    dew_page_escape(out, *value ? value : "-");
    dew_text_format(out, "</b><span>%s</span></div>\n", label);
}

static double last_stat(const Report *r, const char *name)
{
    int column = dew_stats_table_column(&r->stats, name);
    if (column < 0 || r->stats.row_count == 0)
        return (double)NAN;
    return dew_stats_table_value(&r->stats, r->stats.row_count - 1, column);
}

static void add_number_tile(const Report *r, const char *label, const char *format, double x,
                            const char *unit)
{
    char value[64] = "-";
    if (isfinite(x)) {
        size_t used = (size_t)snprintf(value, sizeof value, format, x);
        if (used < sizeof value)
            snprintf(value + used, sizeof value - used, "%s", unit);
    }
    add_tile(r->out, label, value);
}

static void add_tiles(const Report *r)
{
    char wall[32], cpu[32], peak[32];
    double steps = dew_run_info_number(&r->info, "steps");
    double cpu_s = dew_run_info_number(&r->info, "cpu_s");
    dew_format_duration(dew_run_info_number(&r->info, "wall_s"), wall, sizeof wall);
    dew_format_duration(cpu_s, cpu, sizeof cpu);
    dew_format_bytes(dew_run_info_number(&r->info, "peak_bytes"), peak, sizeof peak);
    dew_text_add(r->out, "<div class=\"tiles\">\n");
    add_number_tile(r, "simulated", "%.4g", last_stat(r, "time"), " s");
    add_tile(r->out, "frames", dew_run_info_text(&r->info, "frames"));
    add_tile(r->out, "steps", dew_run_info_text(&r->info, "steps"));
    add_number_tile(r, "drops at the end", "%.0f", last_stat(r, "drops"), "");
    add_number_tile(r, "volume error", "%.1e", last_stat(r, "volume_error"), "");
    add_tile(r->out, "wall clock", wall);
    add_tile(r->out, "CPU", cpu);
    add_number_tile(r, "CPU per step", "%.3g", 1e3 * cpu_s / steps, " ms");
    add_tile(r->out, "threads", dew_run_info_text(&r->info, "threads"));
    add_tile(r->out, "peak memory", peak);
    dew_text_add(r->out, "</div>\n");
}

static dew_Status add_curves(const Report *r)
{
    if (r->stats.row_count == 0)
        return dew_ok();
    dew_Array svg;
    dew_array_init(&svg, &r->arena->allocator, 1);
    dew_text_add(r->out, "<h2>Curves</h2>\n");
    dew_Status status =
        dew_page_svg(r->out, dew_plot_stats(&r->stats, "", DEW_PLOT_SVG, &svg), &svg);
    dew_array_deinit(&svg);
    return status;
}

enum { INSTANTS_SHOWN = 6 };  // of profiles and images, evenly spread over the run

/// Surface over ground at six instants, of a run in one dimension.
static dew_Status add_profiles(const Report *r)
{
    dew_Profile panels[INSTANTS_SHOWN];
    int64_t frames = (int64_t)fmax(0, dew_run_info_number(&r->info, "frames")), last = -1;
    int used = 0;
    for (int i = 0; i < INSTANTS_SHOWN && dew_scene_def(r->scene)->dimensions == 1; i++) {
        int64_t frame = (frames - 1) * i / (INSTANTS_SHOWN - 1);
        const char *path =
            path_of(r, dew_arena_format(r->arena, "frames/height.%04lld.csv", (long long)frame));
        if (frame == last || !dew_file_exists(path))
            continue;
        last = frame;
        DEW_TRY(dew_stats_table_load(path, r->arena, &panels[used].heights));
        double time_s = (double)frame / dew_scene_def(r->scene)->frame_rate_Hz;
        panels[used].title = dew_arena_format(r->arena, "t = %.3g s", time_s);
        if (!panels[used++].title)
            return dew_no_memory(32);
    }
    if (used == 0)
        return dew_ok();
    dew_Array svg;
    dew_array_init(&svg, &r->arena->allocator, 1);
    dew_text_add(r->out, "<h2>Profiles</h2>\n");
    dew_Status status = dew_page_svg(r->out, dew_profile_plot(panels, used, &svg), &svg);
    dew_array_deinit(&svg);
    return status;
}

/// Up to six images, evenly spread over the run.
static dew_Status add_images(const Report *r)
{
    int64_t frames = (int64_t)fmax(0, dew_run_info_number(&r->info, "frames"));
    int64_t last = -1;
    bool is_open = false;
    for (int i = 0; i < INSTANTS_SHOWN && frames > 0; i++) {
        int64_t frame = (frames - 1) * i / (INSTANTS_SHOWN - 1);
        const char *path =
            path_of(r, dew_arena_format(r->arena, "images/%04lld.png", (long long)frame));
        if (frame == last || !dew_file_exists(path))
            continue;
        if (!is_open)
            dew_text_add(r->out, "<h2>Images</h2>\n<div class=\"images\">\n");
        is_open = true;
        last = frame;
        DEW_TRY(dew_page_image(r->out, path, r->arena));
    }
    if (is_open)
        dew_text_add(r->out, "</div>\n");
    return dew_ok();
}

static void add_quantity(dew_Text *out, const char *name, double x, const char *unit)
{
    dew_text_format(out, "<tr><td>%s</td><td class=\"number\">%.5g</td><td>%s</td></tr>\n", name, x,
                    unit);
}

/// What a physicist asks first: the liquid, and the numbers that decide which force rules.
static void add_physics(const Report *r)
{
    const dew_SceneDef *def = dew_scene_def(r->scene);
    double rho = def->liquid.density_kg_m3, mu = def->liquid.viscosity_Pa_s;
    double sigma = def->liquid.surface_tension_N_m, g = dew_length(def->gravity_m_s2);
    double h = def->domain.cell_m;
    dew_Vec3 size = dew_sub(def->domain.max_m, def->domain.min_m);
    dew_text_add(r->out, "<h2>Physics</h2>\n<table>\n");
    add_quantity(r->out, "density", rho, "kg/m³");
    add_quantity(r->out, "viscosity", 1e3 * mu, "mPa s");
    add_quantity(r->out, "surface tension", 1e3 * sigma, "mN/m");
    add_quantity(r->out, "gravity", g, "m/s²");
    if (g > 0 && sigma > 0)
        add_quantity(r->out, "capillary length √(σ/ρg)", 1e3 * sqrt(sigma / (rho * g)), "mm");
    if (mu > 0 && sigma > 0)
        add_quantity(r->out, "viscous length μ²/ρσ", 1e6 * mu * mu / (rho * sigma), "µm");
    add_quantity(r->out, "cell", 1e3 * h, "mm");
    dew_text_format(
        r->out, "<tr><td>domain</td><td class=\"number\">%.4g × %.4g × %.4g</td><td>mm</td></tr>\n",
        1e3 * size.x, 1e3 * size.y, 1e3 * size.z);
    if (sigma > 0)
        add_quantity(r->out, "capillary step √(ρh³/2πσ)",
                     1e3 * sqrt(rho * h * h * h / (2 * DEW_PI * sigma)), "ms");
    dew_text_add(r->out, "</table>\n");
}

static dew_Status add_scene(const Report *r)
{
    uint8_t *data = NULL;
    size_t size = 0;
    const char *path = path_of(r, "scene.yaml");
    DEW_TRY(dew_file_read(path, 16 << 20, &r->arena->allocator, &data, &size));
    dew_text_add(r->out,
                 "<h2>Scene</h2>\n<details open><summary>scene.yaml, every default filled in"
                 "</summary><pre>");
    dew_page_escape(r->out, (const char *)data);
    dew_text_add(r->out, "</pre></details>\n");
    dew_free(&r->arena->allocator, data, size + 1);
    return dew_ok();
}

dew_Status dew_report_html(const char *directory, const dew_Scene *scene, dew_Arena *scratch,
                           dew_Text *out)
{
    Report r = {.directory = directory, .scene = scene, .arena = scratch, .out = out};
    DEW_TRY(dew_run_info_load(path_of(&r, "run.json"), scratch, &r.info));
    DEW_TRY(dew_stats_table_load(path_of(&r, "stats.csv"), scratch, &r.stats));
    add_heading(&r);
    add_tiles(&r);
    DEW_TRY(add_images(&r));
    DEW_TRY(add_profiles(&r));
    DEW_TRY(add_curves(&r));
    DEW_TRY(dew_page_drops(out, path_of(&r, "drops.csv"), scratch));
    add_physics(&r);
    DEW_TRY(add_scene(&r));
    dew_page_end(out);
    return out->status;
}
