/// Memory as the machine reports it.
#pragma once

#include "dew/base.h"

int64_t dew_peak_bytes(void);    // largest resident memory of the process so far
int64_t dew_memory_bytes(void);  // memory this process could still get (cgroup limit included)

/// dew_memory_bytes with the system's files below `root` ("" for the real ones), without ulimit.
int64_t dew_memory_bytes_below(const char *root);
