/// Writes one gnuplot script with its data inside and runs it. A panel without data is left out.
///
/// Long tables are thinned bucket by bucket, keeping each bucket's lowest and highest value, so
/// that a single bad step stays visible however long the run.
#include "report/plot.h"

#include "base/process.h"
#include "base/status.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

enum { MAX_SERIES = 3, BUCKETS = 1000 };

typedef struct Series {
    const char *column;
    const char *label;
    const char *color;
} Series;

typedef struct Panel {
    const char *title;
    Series series[MAX_SERIES];
    bool is_log;
} Panel;

static const Panel panels[] = {
    {"Height (m)", {{"top", "top", "#1f77b4"}, {"center_y", "centre of mass", "#ff7f0e"}}, false},
    {"Energy (J)",
     {{"kinetic_energy", "kinetic", "#d62728"},
      {"gravity_energy", "gravity", "#2ca02c"},
      {"surface_energy", "surface", "#1f77b4"}},
     false},
    {"Fastest speed (m/s)", {{"max_speed", NULL, "#9467bd"}}, false},
    {"Volume error (relative)", {{"volume_error", NULL, "#d62728"}}, false},
    {"Contact angle (degrees)",
     {{"contact_angle_min", "smallest", "#aec7e8"},
      {"contact_angle_max", "largest", "#ffbb78"},
      {"contact_angle", "mean", "#1f77b4"}},
     false},
    {"Drops", {{"drops", NULL, "#2ca02c"}}, false},
    {"Step length (s)", {{"dt", NULL, "#7f7f7f"}}, true},
};
enum { PANEL_COUNT = sizeof panels / sizeof panels[0] };

static bool has_data(const dew_StatsTable *table, const char *column_name)
{
    int column = dew_stats_table_column(table, column_name);
    for (int64_t row = 0; column >= 0 && row < table->row_count; row++)
        if (isfinite(dew_stats_table_value(table, row, column)))
            return true;
    return false;
}

static bool panel_has_data(const dew_StatsTable *table, const Panel *panel)
{
    for (int i = 0; i < MAX_SERIES && panel->series[i].column; i++)
        if (has_data(table, panel->series[i].column))
            return true;
    return false;
}

static void add_point(const dew_StatsTable *table, int64_t row, int time, int column, dew_Text *out)
{
    dew_text_number(out, dew_stats_table_value(table, row, time));
    dew_text_add(out, " ");
    dew_text_number(out, dew_stats_table_value(table, row, column));
    dew_text_add(out, "\n");
}

/// Rows [begin, end) as at most two points: the lowest and the highest, in order of time.
static void add_bucket(const dew_StatsTable *table, int64_t begin, int64_t end, int time,
                       int column, dew_Text *out)
{
    int64_t lowest = -1, highest = -1;
    for (int64_t row = begin; row < end; row++) {
        double x = dew_stats_table_value(table, row, column);
        if (!isfinite(x))
            continue;
        if (lowest < 0 || x < dew_stats_table_value(table, lowest, column))
            lowest = row;
        if (highest < 0 || x > dew_stats_table_value(table, highest, column))
            highest = row;
    }
    if (lowest < 0)
        return;
    add_point(table, lowest < highest ? lowest : highest, time, column, out);
    if (lowest != highest)
        add_point(table, lowest < highest ? highest : lowest, time, column, out);
}

static void add_series_data(const dew_StatsTable *table, const char *column_name, int panel,
                            int series, dew_Text *out)
{
    int time = dew_stats_table_column(table, "time");
    int column = dew_stats_table_column(table, column_name);
    int64_t buckets = table->row_count < 2 * BUCKETS ? table->row_count : BUCKETS;
    dew_text_format(out, "$p%ds%d << EOD\n", panel, series);
    for (int64_t b = 0; b < buckets; b++)
        add_bucket(table, b * table->row_count / buckets, (b + 1) * table->row_count / buckets,
                   time, column, out);
    dew_text_add(out, "EOD\n");
}

static void add_panel(const dew_StatsTable *table, int panel, dew_Text *out)
{
    const Panel *p = &panels[panel];
    for (int i = 0; i < MAX_SERIES && p->series[i].column; i++)
        if (has_data(table, p->series[i].column))
            add_series_data(table, p->series[i].column, panel, i, out);
    dew_text_format(out, "set title '%s'\n%sset logscale y\nplot ", p->title,
                    p->is_log ? "" : "un");
    const char *separator = "";
    for (int i = 0; i < MAX_SERIES && p->series[i].column; i++) {
        const Series *s = &p->series[i];
        if (!has_data(table, s->column))
            continue;
        dew_text_format(out, "%s$p%ds%d using 1:2 with lines lw 1.6 lc rgb '%s' ", separator, panel,
                        i, s->color);
        dew_text_format(out, s->label ? "title '%s'" : "notitle", s->label);
        separator = ", ";
    }
    dew_text_add(out, "\n");
}

void dew_plot_quoted(const char *words, dew_Text *out)
{
    dew_text_add(out, "'");
    size_t left = strlen(words), used;
    for (; left > 0; words += used, left -= used) {
        char other[12];
        size_t same = dew_utf8_show_one(words, left, &used, other);
        if (same > 0)
            dew_text_add_bytes(out, words, same);
        else
            dew_text_add(out, other);
        if (*words == '\'')
            dew_text_add(out, "'");
    }
    dew_text_add(out, "'");
}

void dew_plot_script(const dew_StatsTable *table, const char *title, dew_PlotFormat format,
                     dew_Text *out)
{
    int used = 0;
    for (int i = 0; i < PANEL_COUNT; i++)
        used += panel_has_data(table, &panels[i]);
    int rows = (used + 1) / 2 > 0 ? (used + 1) / 2 : 1;
    int height = 90 + 260 * rows;
    if (format == DEW_PLOT_SVG)
        dew_text_format(
            out, "set terminal svg size 1000,%d dynamic background rgb 'white' font 'sans,12'\n",
            height);
    else
        dew_text_format(
            out, "set terminal pngcairo size 1000,%d background rgb 'white' font 'sans,10'\n",
            height);
    dew_text_add(out,
                 "set encoding utf8\nset grid lc rgb '#dddddd'\nset border 3 lc rgb '#888888'\n"
                 "set tics nomirror\nset xrange [] noextend\nset xlabel 'time (s)'\nset key top "
                 "right samplen 1\n"
                 "set format y '%.4g'\nset offsets 0, 0, graph 0.05, graph 0.05\n");
    dew_text_format(out, "set multiplot layout %d,2 title ", rows);
    dew_plot_quoted(title, out);
    dew_text_add(out, " noenhanced\n");
    for (int i = 0; i < PANEL_COUNT; i++)
        if (panel_has_data(table, &panels[i]))
            add_panel(table, i, out);
    dew_text_add(out, "unset multiplot\n");
}

/// A drawing to its last byte: the closing tag of SVG, the last chunk of PNG (its kind and
/// checksum).
static bool is_whole(const char *bytes, int64_t count)
{
    static const char svg_end[] = "</svg>", png_end[] = "IEND\xae\x42\x60\x82";
    int64_t svg_length = sizeof svg_end - 1, png_length = sizeof png_end - 1;
    if (count >= png_length && memcmp(bytes + count - png_length, png_end, (size_t)png_length) == 0)
        return true;
    while (count > 0 && strchr(" \r\n\t", bytes[count - 1]))
        count--;
    return count >= svg_length &&
           memcmp(bytes + count - svg_length, svg_end, (size_t)svg_length) == 0;
}

dew_Status dew_plot_run(const dew_Text *script, dew_Array *out)
{
    DEW_TRY(script->status);
    int64_t begin = out->count;
    const char *argv[] = {"gnuplot", "-", NULL};
    dew_Status status =
        dew_process_run(argv, dew_text_string(script), dew_text_length(script), out);
    if (status.code == DEW_UNSUPPORTED)
        return dew_fail(DEW_UNSUPPORTED, "plots need gnuplot, which is not installed "
                                         "(Debian: apt-get install gnuplot-nox)");
    if (status.code == DEW_OK &&
        (out->count == begin || !is_whole((const char *)out->data + begin, out->count - begin)))
        return dew_fail(DEW_IO, "gnuplot wrote only a part of the plot (a full disk?)");
    return status;
}

dew_Status dew_plot_stats(const dew_StatsTable *table, const char *title, dew_PlotFormat format,
                          dew_Array *out)
{
    if (dew_stats_table_column(table, "time") < 0)
        return dew_fail(DEW_BAD_INPUT, "the table has no column 'time'");
    if (table->row_count == 0)
        return dew_fail(DEW_BAD_INPUT, "the table has no rows yet");
    dew_Text script;
    dew_text_init(&script, &out->allocator);
    dew_plot_script(table, title, format, &script);
    dew_Status status = dew_plot_run(&script, out);
    dew_text_deinit(&script);
    return status;
}

// ---- runs together ------------------------------------------------------------------------------

typedef struct Curve {
    const char *title, *column;
    bool is_relative;  // to its first value
} Curve;
static const Curve curves[] = {
    {"Volume, of that at the start", "volume", true},
    {"Fastest speed (m/s)", "max_speed", false},
    {"Kinetic energy (J)", "kinetic_energy", false},
    {"Height of the top (m)", "top", false},
};
enum { CURVE_COUNT = sizeof curves / sizeof curves[0] };
static const char *const colors[] = {"#d62728", "#2ca02c", "#ff7f0e", "#1f77b4",
                                     "#9467bd", "#8c564b", "#7f7f7f", "#17becf"};
enum { COLOR_COUNT = sizeof colors / sizeof colors[0] };

static void add_curve(const dew_PlotRun *runs, int run_count, int curve, dew_Text *out)
{
    const Curve *c = &curves[curve];
    const char *separator = "";
    for (int k = 0; k < run_count; k++)
        if (has_data(runs[k].table, c->column))
            add_series_data(runs[k].table, c->column, curve, k, out);
    dew_text_format(out, "set title '%s'\nplot ", c->title);
    for (int k = 0; k < run_count; k++) {
        if (!has_data(runs[k].table, c->column))
            continue;
        int column = dew_stats_table_column(runs[k].table, c->column);
        double first = dew_stats_table_value(runs[k].table, 0, column);
        double unit = c->is_relative && first != 0 && isfinite(first) ? first : 1;
        dew_text_format(out, "%s$p%ds%d using 1:($2/%.17g) with lines lw 1.6 lc rgb '%s' ",
                        separator, curve, k, unit, colors[k % COLOR_COUNT]);
        dew_text_add(out, "title ");
        dew_plot_quoted(curve == 0 ? runs[k].label : "", out);  // the first panel's key is for all
        dew_text_add(out, " noenhanced");
        separator = ", ";
    }
    dew_text_add(out, "\n");
}

static bool any_has_data(const dew_PlotRun *runs, int run_count, const char *column)
{
    for (int k = 0; k < run_count; k++)
        if (has_data(runs[k].table, column))
            return true;
    return false;
}

void dew_plot_runs_script(const dew_PlotRun *runs, int run_count, dew_Text *out)
{
    int used = 0;
    for (int k = 0; k < CURVE_COUNT; k++)
        used += any_has_data(runs, run_count, curves[k].column);
    int rows = (used + 1) / 2 > 0 ? (used + 1) / 2 : 1;
    dew_text_format(out,
                    "set terminal svg size 1000,%d dynamic background rgb 'white' font 'sans,12'\n",
                    20 + 300 * rows);
    dew_text_add(out,
                 "set encoding utf8\nset grid lc rgb '#dddddd'\nset border 3 lc rgb '#888888'\n"
                 "set tics nomirror\nset xrange [] noextend\nset xlabel 'time (s)'\nset key bottom "
                 "left samplen 1\nset format y '%.4g'\nset offsets 0, 0, graph 0.05, graph 0.05\n");
    dew_text_format(out, "set multiplot layout %d,2\n", rows);
    for (int k = 0; k < CURVE_COUNT; k++)
        if (any_has_data(runs, run_count, curves[k].column))
            add_curve(runs, run_count, k, out);
    dew_text_add(out, "unset multiplot\n");
}

dew_Status dew_plot_runs(const dew_PlotRun *runs, int run_count, dew_Array *out)
{
    dew_Text script;
    dew_text_init(&script, &out->allocator);
    dew_plot_runs_script(runs, run_count, &script);
    dew_Status status = dew_plot_run(&script, out);
    dew_text_deinit(&script);
    return status;
}
