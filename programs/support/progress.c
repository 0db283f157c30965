// Progress: for the first 30 s the rate is the mean since the beginning; after that an exponential
// moving average with this time constant, for any spacing of the updates.
#include "support/progress.h"

#include <math.h>

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
