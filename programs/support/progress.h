/// Fraction of a long task that is done, its rate, and the time left.
#pragma once

#include "dew/base.h"

#define DEW_PROGRESS_INTERVAL_S 0.1  // between updates of a progress bar, seconds

typedef struct dew_Progress {
    double begin_wall_s;
    double begin_fraction;  // where it started (a resumed run does not start at 0)
    double fraction;        // 0..1
    double recent_rate;     // fraction per second, smoothed
    double last_wall_s;
} dew_Progress;

void dew_progress_begin(dew_Progress *progress, double fraction, double wall_s);
void dew_progress_update(dew_Progress *progress, double fraction, double wall_s);
double dew_progress_eta_s(const dew_Progress *progress);  // seconds left; NaN when not yet known
