/// The curves of stats.csv, drawn by gnuplot.
#pragma once

#include "base/text.h"
#include "report/stats_table.h"

typedef enum dew_PlotFormat {
    DEW_PLOT_SVG,
    DEW_PLOT_PNG,
} dew_PlotFormat;

/// Energies, heights, speed, volume error, contact angle, drops and step length against time, as far as
/// the run has them. Appends the picture's bytes to `out`. Long tables are thinned so that no peak is
/// lost. Needs the program gnuplot: DEW_UNSUPPORTED without it.
dew_Status dew_plot_stats(const dew_StatsTable *table, const char *title, dew_PlotFormat format,
                          dew_Array *out);

/// The gnuplot script of that picture; for those who want to change it.
void dew_plot_script(const dew_StatsTable *table, const char *title, dew_PlotFormat format,
                     dew_Text *out);
