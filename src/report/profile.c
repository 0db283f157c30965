/// Panels of ground (red) and surface (blue) over x, as the paper draws them; what is between is
/// liquid.
#include "report/profile.h"

#include "base/status.h"
#include "report/plot.h"

#include <math.h>

static const double dry_part = 1e-5;  // of the tallest height: thinner is not drawn

typedef struct Range {
    double low, high;
} Range;

static Range range_of(const dew_Profile *profiles, int count)
{
    Range range = {HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < count; k++) {
        const dew_StatsTable *t = &profiles[k].heights;
        int ground = dew_stats_table_column(t, "ground"),
            depth = dew_stats_table_column(t, "depth");
        for (int64_t row = 0; ground >= 0 && depth >= 0 && row < t->row_count; row++) {
            double b = dew_stats_table_value(t, row, ground);
            range.low = fmin(range.low, b);
            range.high = fmax(range.high, b + dew_stats_table_value(t, row, depth));
        }
    }
    return range;
}

static void add_data(const dew_Profile *profile, int panel, double dry_m, dew_Text *out)
{
    const dew_StatsTable *t = &profile->heights;
    int x = dew_stats_table_column(t, "x"), ground = dew_stats_table_column(t, "ground");
    int depth = dew_stats_table_column(t, "depth");
    dew_text_format(out, "$h%d << EOD\n", panel);
    for (int64_t row = 0; x >= 0 && ground >= 0 && depth >= 0 && row < t->row_count; row++) {
        double b = dew_stats_table_value(t, row, ground), d = dew_stats_table_value(t, row, depth);
        dew_text_number(out, dew_stats_table_value(t, row, x));
        dew_text_add(out, " ");
        dew_text_number(out, b);
        dew_text_add(out, " ");
        if (d > dry_m)
            dew_text_number(out, b + d);
        else
            dew_text_add(out, "NaN");
        dew_text_add(out, " ");
        dew_text_number(out, b + (d > dry_m ? d : 0));
        dew_text_add(out, "\n");
    }
    dew_text_add(out, "EOD\n");
}

void dew_profile_script(const dew_Profile *profiles, int count, dew_Text *out)
{
    Range range = range_of(profiles, count);
    int rows = (count + 1) / 2;
    dew_text_format(out,
                    "set terminal svg size 1000,%d dynamic background rgb 'white' font 'sans,12'\n",
                    20 + 240 * rows);
    dew_text_add(out,
                 "set encoding utf8\nset grid lc rgb '#dddddd'\nset border 3 lc rgb '#888888'\n"
                 "set tics nomirror\nset xrange [] noextend\nset xlabel 'x (m)'\n"
                 "set format y '%.4g'\nset offsets 0, 0, graph 0.05, graph 0.05\n"
                 "set key top center horizontal samplen 1\n");
    if (range.high > range.low)
        dew_text_format(out, "set yrange [%.9g:%.9g]\n", range.low,
                        range.high + 0.1 * (range.high - range.low));
    dew_text_format(out, "set multiplot layout %d,2\n", rows > 0 ? rows : 1);
    for (int k = 0; k < count; k++) {
        add_data(&profiles[k], k, dry_part * fabs(range.high - range.low), out);
        dew_text_add(out, "set title ");
        dew_plot_quoted(profiles[k].title, out);
        dew_text_format(out,
                        " noenhanced\nplot $h%d using 1:2:4 with filledcurves fc rgb '#d6e8f7' "
                        "notitle, $h%d using 1:2 with lines lw 1.4 lc rgb '#d62728' title "
                        "'ground', $h%d using 1:3 with lines lw 1.4 lc rgb '#1f77b4' title "
                        "'surface'\n",
                        k, k, k);
    }
    dew_text_add(out, "unset multiplot\n");
}

dew_Status dew_profile_plot(const dew_Profile *profiles, int count, dew_Array *out)
{
    dew_Text script;
    dew_text_init(&script, &out->allocator);
    dew_profile_script(profiles, count, &script);
    dew_Status status = dew_plot_run(&script, out);
    dew_text_deinit(&script);
    return status;
}
