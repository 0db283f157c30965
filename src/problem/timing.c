// The next time at which the problem changes.
#include "problem/timing.h"

#include "problem/resolved.h"

typedef struct Next {
    double now_s, time_s;
    const char *what;
} Next;

static void consider(Next *next, double time_s, const char *what)
{
    if (time_s < next->time_s && !dew_time_has_come(time_s, next->now_s)) {
        next->time_s = time_s;
        next->what = what;
    }
}

double dew_problem_next_time_s(const dew_Problem *problem, double now_s, const char **what)
{
    Next next = {now_s, (double)INFINITY, NULL};
    for (int s = 0; s < problem->sources.count; s++) {
        const dew_SourceDef *def = problem->sources.defs[s];
        if (def->shape != DEW_SOURCE_DISK && def->shape != DEW_SOURCE_CONDENSATION)
            continue;
        consider(&next, def->start_s, "source");
        consider(&next, def->stop_s, "source");
    }
    for (int i = 0; i < problem->solid_count; i++) {
        const dew_SolidMotion *motion = &problem->solids[i].motion;
        for (int k = 0; k < motion->keyframe_count; k++)
            consider(&next, motion->keyframes[k].time_s, "keyframe");
    }
    if (next.what)
        *what = next.what;
    return next.time_s;
}
