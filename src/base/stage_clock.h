/// CPU time by stage: of a solver's step, of an image. A solver names its stages in
/// dew_SolverOps::stages; World owns the clock and passes it in dew_Step::clock, NULL while nobody
/// measures: a stage then costs one branch.
#pragma once

#include "base/clock.h"

#define DEW_MAX_STAGES 16  // entries; a solver has at most as many stages

typedef struct dew_StageClock {
    double (*now_s)(void);  // dew_cpu_s: of the process; dew_thread_cpu_s: of the calling thread
    double last_s;
    double seconds[DEW_MAX_STAGES];
} dew_StageClock;

static inline void dew_stage_begin(dew_StageClock *clock)
{
    if (clock)
        clock->last_s = clock->now_s();
}

/// The time since the last call belongs to the stage.
static inline void dew_stage_end(dew_StageClock *clock, int stage)
{
    if (!clock)
        return;
    double now_s = clock->now_s();
    clock->seconds[stage] += now_s - clock->last_s;
    clock->last_s = now_s;
}

static inline void dew_stage_add(dew_StageClock *sum, const dew_StageClock *clock)
{
    for (int stage = 0; stage < DEW_MAX_STAGES; stage++)
        sum->seconds[stage] += clock->seconds[stage];
}
