/// The curves of stats.csv, drawn by gnuplot.
#pragma once

#include "base/text.h"
#include "run/stats_table.h"

typedef enum dew_PlotFormat {
    DEW_PLOT_SVG,
    DEW_PLOT_PNG,
} dew_PlotFormat;

/// Energies, heights, speed, volume error, contact angle, drops and step length against time, as
/// far as the run has them. Appends the image's bytes to `out`. Long tables are thinned so that
/// no peak is lost. Needs the program gnuplot: DEW_UNSUPPORTED without it.
dew_Status dew_plot_stats(const dew_StatsTable *table, const char *title, dew_PlotFormat format,
                          dew_Array *out);

/// The gnuplot script of that image; for those who want to change it.
void dew_plot_script(const dew_StatsTable *table, const char *title, dew_PlotFormat format,
                     dew_Text *out);

/// A run among others: its stats.csv, and what it is called.
typedef struct dew_PlotRun {
    const dew_StatsTable *table;
    const char *label;
} dew_PlotRun;
/// Curves of several runs in the same panels: volume, speed, energy, height. Appends an SVG.
dew_Status dew_plot_runs(const dew_PlotRun *runs, int run_count, dew_Array *out);
void dew_plot_runs_script(const dew_PlotRun *runs, int run_count, dew_Text *out);

/// A title in gnuplot's single quotes: quotes doubled, control characters left out.
void dew_plot_quoted(const char *words, dew_Text *out);
/// Runs gnuplot on a script and appends what it draws.
dew_Status dew_plot_run(const dew_Text *script, dew_Array *out);
