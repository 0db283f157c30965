/// The progress of a run on stderr: a bar on a terminal, a plain line per frame elsewhere.
#pragma once

#include "dew/run.h"
#include "support/progress.h"

typedef struct dew_ProgressBar {
    dew_Progress progress;
    bool is_terminal;
    bool is_quiet;
    bool is_shown;  // a bar is on the line; it must be ended before a message
    double shown_wall_s;
    int64_t first_step;
} dew_ProgressBar;

void dew_progress_bar_begin(dew_ProgressBar *bar, bool is_quiet);
/// The callbacks of a dew_RunDef whose context is the bar. cancel: a signal has asked the program
/// to end.
void dew_progress_bar_update(void *context, const dew_RunProgress *progress);
bool dew_progress_bar_cancel(void *context);
void dew_progress_bar_end(dew_ProgressBar *bar);
