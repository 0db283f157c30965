/// Time as the machine tells it.
#pragma once

#include "dew/base.h"

double dew_wall_s(void);         // monotonic, from an arbitrary origin
double dew_cpu_s(void);          // CPU time of the process, all threads
int64_t dew_peak_bytes(void);    // largest resident memory of the process so far
int64_t dew_memory_bytes(void);  // memory this process could still get (cgroup limit included)
