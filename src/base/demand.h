/// When a workspace gives memory back: what recent steps needed, against what it holds.
///
/// Scratch memory is kept from step to step, so that a step like those before allocates nothing.
/// Kept for ever, it stays as large as the one largest step of the run made it. The rule: once a
/// step the workspace notes what it needed; when it holds more than DEW_DEMAND_EXCESS times the
/// largest need of the last DEW_DEMAND_STEPS steps at least (twice as many at most), it gives that
/// back. Growth by doubling holds at most twice the need, so a need that varies by less than a
/// factor of two within that many steps gives nothing back, and a workspace that has given back
/// does not do so again before it has grown anew.
#pragma once

#include "dew/base.h"

#define DEW_DEMAND_STEPS  64
#define DEW_DEMAND_EXCESS 4
#define DEW_DEMAND_LEAST                                                                           \
    ((size_t)128 << 10)  // bytes, always kept: twice the least block of an arena

/// All zero: nothing noted yet.
typedef struct dew_Demand {
    size_t now_bytes;     // largest need since the count of steps began
    size_t before_bytes;  // in the DEW_DEMAND_STEPS steps before
    int32_t step_count;
} dew_Demand;

/// Notes the need of a step. True: what is held beyond the need is to be given back.
static inline bool dew_demand_note(dew_Demand *demand, size_t needed_bytes, size_t held_bytes)
{
    if (needed_bytes > demand->now_bytes)
        demand->now_bytes = needed_bytes;
    if (++demand->step_count < DEW_DEMAND_STEPS)
        return false;
    size_t most =
        demand->now_bytes > demand->before_bytes ? demand->now_bytes : demand->before_bytes;
    *demand = (dew_Demand){.before_bytes = demand->now_bytes};
    return held_bytes > DEW_DEMAND_LEAST && held_bytes / DEW_DEMAND_EXCESS > most;
}
