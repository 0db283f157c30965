// A level is left for a coarser one when its images take too long, and for a finer one when that
// would be fast enough even if its time were proportional to the pixels. Part of the time is not,
// so levels do not alternate.
#include "view/dynamic_resolution.h"

static const double parts[] = {1, 0.75, 0.5};  // pixels along a side, of those of the window
enum { LEVELS = sizeof parts / sizeof parts[0] };

dew_DynamicResolution dew_dynamic_resolution(double least_rate_Hz)
{
    return (dew_DynamicResolution){.least_rate_Hz = least_rate_Hz, .is_fresh = true};
}

int dew_dynamic_resolution_px(const dew_DynamicResolution *resolution, int px)
{
    int coarse = (int)(parts[resolution->level] * px + 0.5);
    return coarse > 0 ? coarse : 1;
}

static void go_to(dew_DynamicResolution *c, int level)
{
    c->level = level;
    c->took_s = 0;
    c->is_fresh = true;
}

void dew_dynamic_resolution_learn(dew_DynamicResolution *resolution, double took_s)
{
    dew_DynamicResolution *c = resolution;
    double allowed_s = 1 / c->least_rate_Hz;
    if (c->is_fresh) {
        c->is_fresh = false;
        return;
    }
    c->took_s = c->took_s > 0 ? 0.5 * (c->took_s + took_s) : took_s;
    if (c->took_s > allowed_s && c->level + 1 < LEVELS) {
        go_to(c, c->level + 1);
    } else if (c->level > 0) {
        double more = parts[c->level - 1] / parts[c->level];
        if (more * more * c->took_s < 0.75 * allowed_s)
            go_to(c, c->level - 1);
    }
}
