// Real-time mode of `surface` against resolved oscillations: the speed of a sliding drop must not
// depend on the length of the step. Water on a vertical pane, whose rear is a corner, and glycerol;
// steps of 1/30 and 1/60 s. Allowed: a ratio of 1.25 either way.
#include "validate/cases.h"
#include "validate/sliding.h"

#include <stdio.h>

static const dew_SlidingDrop drops[] = {
    {"water", 998.2, 1e-3, 72.8e-3, 37, 70, 30, 90, "surface", 9, 24, 1.0 / 60, 8},
    {"glycerol", 1260, 1.41, 63e-3, 20, 70, 50, 60, "surface", 8, 24, 1.0 / 60, 0.5},
};

static dew_Status run(dew_CaseRun *c)
{
    for (size_t k = 0; k < sizeof drops / sizeof drops[0]; k++) {
        dew_SlidingDrop d = drops[k];
        double resolved = 0;
        DEW_TRY(dew_sliding_speed(&d, &resolved));
        d.steps_per_period = 0;
        for (int rate = 30; rate <= 60; rate += 30) {
            double speed = 0;
            char name[64];
            d.frame_s = 1.0 / rate;
            DEW_TRY(dew_sliding_speed(&d, &speed));
            snprintf(name, sizeof name, "%s, %d Hz over resolved", d.name, rate);
            dew_case_within(c, name, speed / resolved, 1, 0.25);
        }
    }
    return dew_ok();
}

const dew_Case dew_case_realtime_sliding = {
    "realtime_sliding", "surface: steps of 1/30 and 1/60 s slide as resolved ones do", true, run};
