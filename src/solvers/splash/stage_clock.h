/// Where the time of a step goes, by stage: for the benchmark. Where no clock is set it costs one branch.
#pragma once

#include "base/clock.h"

typedef enum dew_SplashStage {
    DEW_SPLASH_MOMENTUM,
    DEW_SPLASH_PRESSURE,
    DEW_SPLASH_EXTEND,   // velocities beyond the surface and into solids
    DEW_SPLASH_MARKERS,  // they move
    DEW_SPLASH_SORT,     // by brick; bricks come and go; solids of the new ones
    DEW_SPLASH_SEED,     // inflow, reseeding
    DEW_SPLASH_CELLS,    // kinds of cells, open sides, limits of the next step
    DEW_SPLASH_SKIN,     // tension and contact angles
    DEW_SPLASH_STAGE_COUNT,
} dew_SplashStage;

typedef struct dew_SplashClock {
    double last_s;
    double seconds[DEW_SPLASH_STAGE_COUNT];  // CPU time of the process
} dew_SplashClock;

static inline void dew_splash_clock_begin(dew_SplashClock *clock)
{
    if (clock)
        clock->last_s = dew_cpu_s();
}

/// What has passed since the last call belongs to the stage.
static inline void dew_splash_clock_end(dew_SplashClock *clock, dew_SplashStage stage)
{
    if (!clock)
        return;
    double now_s = dew_cpu_s();
    clock->seconds[stage] += now_s - clock->last_s;
    clock->last_s = now_s;
}
