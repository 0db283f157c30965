/// Surface over ground along x, from the heights of runs in one dimension: the figures of
/// [Wong2006, chapter 4].
#pragma once

#include "base/text.h"
#include "run/stats_table.h"

/// One panel.
typedef struct dew_Profile {
    const char *title;
    dew_StatsTable heights;  // frames/height.NNNN.csv
} dew_Profile;

/// The gnuplot script: two panels side by side, axes alike. Liquid is drawn where a column is
/// deeper than a hundred thousandth of the tallest height.
void dew_profile_script(const dew_Profile *profiles, int count, dew_Text *out);
/// Appends the SVG. DEW_UNSUPPORTED without gnuplot.
dew_Status dew_profile_plot(const dew_Profile *profiles, int count, dew_Array *out);
