/// How far a long work has come, how fast, and when it will be done.
#pragma once

#include "dew/base.h"

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

/// "3.2 s", "4 min 10 s", "2 h 05 min", "3 d 4 h"; "-" for NaN.
void dew_format_duration(double seconds, char *out, size_t size);
/// "1.5 kB", "23 MB", "1.2 GB"
void dew_format_bytes(double bytes, char *out, size_t size);
