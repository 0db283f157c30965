// Time from the system's clocks.
#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t id)
{
    struct timespec now;
    if (clock_gettime(id, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double dew_wall_s(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double dew_cpu_s(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double dew_thread_cpu_s(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
