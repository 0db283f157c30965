/// Where the time of a step goes, by stage: for the benchmark. Where no clock is set it costs one branch.
#pragma once

#include "base/clock.h"

typedef enum dew_DropStage {
    DEW_STAGE_COPY,      // into the workspace and out of it, the groups' drops put together
    DEW_STAGE_CONNECT,   // neighbours of each vertex
    DEW_STAGE_GEOMETRY,  // areas, gradients, cotangents
    DEW_STAGE_FORCES,    // and masses
    DEW_STAGE_ASSEMBLY,
    DEW_STAGE_SOLVE,
    DEW_STAGE_CONTACT,  // solids under the vertices, contact line, collision
    DEW_STAGE_VOLUME,   // motion and correction
    DEW_STAGE_REMESH,
    DEW_STAGE_MERGE,  // mending, touching drops, drops that leave
    DEW_STAGE_COUNT,
} dew_DropStage;

typedef struct dew_StageClock {
    double last_s;
    double seconds[DEW_STAGE_COUNT];  // CPU time of the thread
} dew_StageClock;

static inline void dew_stage_begin(dew_StageClock *clock)
{
    if (clock)
        clock->last_s = dew_thread_cpu_s();
}

/// What has passed since the last call belongs to the stage.
static inline void dew_stage_end(dew_StageClock *clock, dew_DropStage stage)
{
    if (!clock)
        return;
    double now_s = dew_thread_cpu_s();
    clock->seconds[stage] += now_s - clock->last_s;
    clock->last_s = now_s;
}
