/// Where the time of a step goes, by stage: for the benchmark. Where no clock is set it costs one branch.
#pragma once

#include "base/clock.h"

typedef enum dew_LiquidStage {
    DEW_LIQUID_FOLLOW,     // bricks come and go; solids of the new ones
    DEW_LIQUID_TENSION,    // curvature and its filter
    DEW_LIQUID_VISCOSITY,  // and body forces
    DEW_LIQUID_PRESSURE,
    DEW_LIQUID_EXTEND,  // velocities beyond the surface and into solids
    DEW_LIQUID_ADVECT,  // of velocity
    DEW_LIQUID_MOVE,    // of phi
    DEW_LIQUID_MARKERS,
    DEW_LIQUID_DISTANCE,  // redistancing
    DEW_LIQUID_CONTACT,   // phi in solids
    DEW_LIQUID_DROPS,     // connected pieces and their volume
    DEW_LIQUID_STAGE_COUNT,
} dew_LiquidStage;

typedef struct dew_LiquidClock {
    double last_s;
    double seconds[DEW_LIQUID_STAGE_COUNT];  // CPU time of the process
} dew_LiquidClock;

static inline void dew_liquid_clock_begin(dew_LiquidClock *clock)
{
    if (clock)
        clock->last_s = dew_cpu_s();
}

/// What has passed since the last call belongs to the stage.
static inline void dew_liquid_clock_end(dew_LiquidClock *clock, dew_LiquidStage stage)
{
    if (!clock)
        return;
    double now_s = dew_cpu_s();
    clock->seconds[stage] += now_s - clock->last_s;
    clock->last_s = now_s;
}
