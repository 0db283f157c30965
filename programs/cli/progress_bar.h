/// What a run shows while it works: a bar on a terminal, a plain line per frame elsewhere.
#pragma once

#include "base/progress.h"
#include "run/run.h"

typedef struct dew_ProgressBar {
    dew_Progress progress;
    bool is_terminal;
    bool is_quiet;
    bool is_shown;  // a bar stands on the line and must be ended before other words
    double shown_wall_s;
    int64_t first_step;
} dew_ProgressBar;

void dew_progress_bar_begin(dew_ProgressBar *bar, bool is_quiet);
/// As dew_RunDef's progress function; context is the bar.
void dew_progress_bar_update(void *context, const dew_RunProgress *progress);
void dew_progress_bar_end(dew_ProgressBar *bar);
