/// Times at which something begins, ends or happens: World ends a step at each of them.
///
/// A time can be computed in several ways: frame 3 of 10 Hz is at 3 / 10 s, the third drop of a
/// drip at 3 * 0.1 s, and the two differ in the last bit. Times that agree within DEW_TIME_ROUNDING
/// are therefore one time: the clock stops at one of them, and the others have come then, too. Near
/// zero the rounding is absolute: a step to a time of 1e-300 s is too short for the arithmetic of
/// the solvers.
#pragma once

#include "problem/problem.h"
#include "scene/schema.h"

#include <math.h>

#define DEW_TIME_ROUNDING     1e-9                                  // relative
#define DEW_TIME_RESOLUTION_S (DEW_TIME_ROUNDING * DEW_MIN_TIME_S)  // of the shortest duration

static inline double dew_time_rounding_s(double time_s)
{
    return fmax(DEW_TIME_ROUNDING * fabs(time_s), DEW_TIME_RESOLUTION_S);
}

/// Has this time come, up to rounding?
static inline bool dew_time_has_come(double time_s, double now_s)
{
    return time_s <= now_s + dew_time_rounding_s(now_s);
}

/// The first time behind now_s, more than rounding, at which a disk or a condensation begins or
/// ends or a solid passes a keyframe; INFINITY: none. *what becomes "source" or "keyframe" when
/// there is one. Births of drips and rain are dew_problem_births, and the scene's events World's.
double dew_problem_next_time_s(const dew_Problem *problem, double now_s, const char **what);

/// Does it flow at the time, and from then on?
static inline bool dew_inflow_is_open(const dew_Inflow *inflow, double now_s)
{
    return dew_time_has_come(inflow->start_s, now_s) && !dew_time_has_come(inflow->stop_s, now_s);
}
