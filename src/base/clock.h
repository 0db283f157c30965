/// Time as the machine reports it.
#pragma once

#include "base/memory.h"

double dew_wall_s(void);        // monotonic, from an arbitrary origin
double dew_cpu_s(void);         // CPU time of the process, all threads
double dew_thread_cpu_s(void);  // of the calling thread
