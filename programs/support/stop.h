/// Signals that ask a command to end: what it is at comes to a good end first.
#pragma once

#include <signal.h>

/// The number of the signal that came; 0: none.
extern volatile sig_atomic_t dew_app_stop;

/// From now on Ctrl-C, TERM and HUP (unless it is ignored, as under nohup) are noted only. A second
/// Ctrl-C ends at once.
void dew_app_catch_stop(void);
