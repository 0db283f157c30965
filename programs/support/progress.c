// Progress: the rate is the mean since the beginning for the first half minute, then it follows the
// last half minute or so by exponential forgetting, whatever the spacing of the updates.
#include "base/progress.h"

#include <math.h>
#include <stdio.h>

#define MEMORY_S 30.0

void dew_progress_begin(dew_Progress *progress, double fraction, double wall_s)
{
    *progress = (dew_Progress){.begin_wall_s = wall_s,
                               .begin_fraction = fraction,
                               .fraction = fraction,
                               .last_wall_s = wall_s};
}

void dew_progress_update(dew_Progress *progress, double fraction, double wall_s)
{
    if (!isfinite(fraction) || !isfinite(wall_s))
        return;
    double elapsed = wall_s - progress->begin_wall_s;
    double dt = wall_s - progress->last_wall_s;
    double gain = fraction - progress->fraction;
    bool is_first = progress->last_wall_s == progress->begin_wall_s;
    if (elapsed > 0 && (elapsed <= MEMORY_S || is_first))
        progress->recent_rate = (fraction - progress->begin_fraction) / elapsed;
    else if (elapsed > 0 && dt > 0)
        progress->recent_rate += -expm1(-dt / MEMORY_S) * (gain / dt - progress->recent_rate);
    else if (elapsed > 0)
        progress->recent_rate += gain / MEMORY_S;  // the limit of the above for dt = 0
    progress->fraction = fraction;
    if (dt > 0)
        progress->last_wall_s = wall_s;
}

double dew_progress_eta_s(const dew_Progress *progress)
{
    if (progress->fraction >= 1)
        return 0;
    if (!(progress->recent_rate > 0))
        return (double)NAN;
    return (1 - progress->fraction) / progress->recent_rate;
}

void dew_format_duration(double seconds, char *out, size_t size)
{
    if (!isfinite(seconds) || seconds > 1e15) {
        snprintf(out, size, "-");
        return;
    }
    seconds = seconds < 0 ? 0 : seconds;
    long long whole = llround(seconds), minutes = llround(seconds / 60),
              hours = llround(seconds / 3600);
    // Each form begins where the one before would round up to its own end.
    if (seconds < 9.95)
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
    while (fabs(bytes) >= 999.5 && i < 6) {
        bytes /= 1000;
        i++;
    }
    if (fabs(bytes) >= 1e9) {  // beyond all units
        snprintf(out, size, "%.1e %s", bytes, unit[i]);
        return;
    }
    snprintf(out, size, "%.*f %s", i > 0 && fabs(bytes) < 9.95 ? 1 : 0, bytes, unit[i]);
}
