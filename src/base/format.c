// Durations and sizes of memory as text.
#include "dew/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

void dew_format_duration(double seconds, char *out, size_t size)
{
    if (!(seconds < (double)LLONG_MAX)) {  // does not fit the integers below, or is not a number
        snprintf(out, size, "-");
        return;
    }
    seconds = seconds < 0 ? 0 : seconds;
    long long whole = llround(seconds), minutes = llround(seconds / 60),
              hours = llround(seconds / 3600);
    // Each form begins where the one before would round up to its own end.
    if (round(10 * seconds) < 100)
        snprintf(out, size, "%.1f s", seconds);
    else if (whole < 60)
        snprintf(out, size, "%lld s", whole);
    else if (whole < 3600)
        snprintf(out, size, "%lld min %02lld s", whole / 60, whole % 60);
    else if (minutes < 24 * 60)
        snprintf(out, size, "%lld h %02lld min", minutes / 60, minutes % 60);
    else
        snprintf(out, size, "%lld d %lld h", hours / 24, hours % 24);
}

void dew_format_bytes(double bytes, char *out, size_t size)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    if (!isfinite(bytes)) {
        snprintf(out, size, "-");
        return;
    }
    int i = 0;
    while (round(fabs(bytes)) >= 1000 && i < 6) {
        bytes /= 1000;
        i++;
    }
    if (fabs(bytes) >= 1e9) {  // beyond all units
        snprintf(out, size, "%.1e %s", bytes, unit[i]);
        return;
    }
    snprintf(out, size, "%.*f %s", i > 0 && round(10 * fabs(bytes)) < 100 ? 1 : 0, bytes, unit[i]);
}
