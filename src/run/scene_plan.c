// dew_plan: the plan of a scene, counted in a World where that is cheap, with all files of the
// scene checked.
#include "base/status.h"
#include "problem/problem.h"
#include "run/run_state.h"
#include "world/plan.h"

#include <stdio.h>

#define WARNING_CPU_S 3600.0  // a run estimated to take longer than an hour is warned of

/// The files that the scene names are part of what can be wrong with it.
static dew_Status check_files(const dew_Scene *scene, const dew_Log *log)
{
    dew_ProblemDef def = {.log = *log};
    dew_Problem *problem = NULL;
    dew_Status status = dew_problem_create(scene, &def, &problem);
    if (status.code == DEW_OK)
        status = dew_run_check_images(problem, log);
    dew_problem_destroy(problem);
    return status;
}

/// Makes the initial state and counts the elements of the solver in it.
static dew_Status count(const dew_Scene *scene, const dew_Log *log, dew_Plan *plan)
{
    dew_WorldDef def = dew_default_world_def();
    def.log = *log;
    dew_World *world = NULL;
    DEW_TRY(dew_world_create(scene, &def, &world));
    dew_Status status = dew_run_check_images(world->problem, log);
    dew_plan_count(plan, world);
    dew_world_destroy(world);
    return status;
}

static void warn_of_time(const dew_Plan *plan, const dew_Log *log)
{
    if (!(plan->cpu_s > WARNING_CPU_S))
        return;
    char time[32], line[256];
    dew_plan_time_text(plan->cpu_s, time);
    snprintf(line, sizeof line,
             "it will take %s on one core: %.3g steps, %.3g %s (larger cells or a shorter duration "
             "take less)",
             time, plan->step_count, plan->elements, plan->element);
    dew_log_line(log, DEW_LOG_WARNING, line);
}

dew_Status dew_plan(const dew_Scene *scene, const dew_Log *log, dew_Plan *out)
{
    dew_Log none = {0};
    if (!log)
        log = &none;
    DEW_TRY(dew_plan_make(scene, out));
    DEW_TRY(dew_plan_is_countable(out) ? count(scene, log, out) : check_files(scene, log));
    warn_of_time(out, log);
    return dew_ok();
}
