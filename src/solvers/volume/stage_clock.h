/// Where the time of a step goes, by stage: for the benchmark. Where no clock is set it costs one branch.
#pragma once

#include "base/clock.h"

typedef enum dew_VolumeStage {
    DEW_VOLUME_FOLLOW,     // bricks come and go; solids of the new ones
    DEW_VOLUME_TENSION,    // curvature and its filter
    DEW_VOLUME_VISCOSITY,  // and body forces
    DEW_VOLUME_PRESSURE,
    DEW_VOLUME_EXTEND,  // velocities beyond the surface and into solids
    DEW_VOLUME_ADVECT,  // of velocity
    DEW_VOLUME_MOVE,    // of phi
    DEW_VOLUME_MARKERS,
    DEW_VOLUME_DISTANCE,  // redistancing
    DEW_VOLUME_CONTACT,   // phi in solids
    DEW_VOLUME_DROPS,     // connected pieces and their volume
    DEW_VOLUME_STAGE_COUNT,
} dew_VolumeStage;

typedef struct dew_VolumeClock {
    double last_s;
    double seconds[DEW_VOLUME_STAGE_COUNT];  // CPU time of the process
} dew_VolumeClock;

static inline void dew_volume_clock_begin(dew_VolumeClock *clock)
{
    if (clock)
        clock->last_s = dew_cpu_s();
}

/// What has passed since the last call belongs to the stage.
static inline void dew_volume_clock_end(dew_VolumeClock *clock, dew_VolumeStage stage)
{
    if (!clock)
        return;
    double now_s = dew_cpu_s();
    clock->seconds[stage] += now_s - clock->last_s;
    clock->last_s = now_s;
}
