/// Several runs on one self-contained HTML page: what differs, their curves in the same panels,
/// their profiles.
#pragma once

#include "base/arena.h"
#include "base/text.h"

/// Reads the run directories and appends the page. Runs of the solver `shallow` in one dimension
/// are drawn side by side: the first one's start, then each run's last frame.
dew_Status dew_report_compare(const char *const *directories, int count, dew_Arena *scratch,
                              dew_Text *out);
