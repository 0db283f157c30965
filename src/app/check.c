/// `dew check`: reads and checks a scene, prints the plan, runs nothing.
#include "app/command.h"
#include "app/scene_arguments.h"
#include "base/status.h"
#include "problem/problem.h"
#include "run/run.h"
#include "world/plan.h"
#include "world/world_state.h"

#include <stdio.h>

/// The files that the scene names are part of what can be wrong with it.
static dew_Status check_files(const dew_Scene *scene)
{
    dew_ProblemDef def = {.log = dew_app_log()};
    dew_Problem *problem = NULL;
    dew_Status status = dew_problem_create(scene, &def, &problem);
    if (status.code == DEW_OK)
        status = dew_run_check_pictures(problem, &def.log);
    dew_problem_destroy(problem);
    return status;
}

/// Pours the liquid, to count what the solver makes of it.
static dew_Status count(const dew_Scene *scene, dew_Plan *plan)
{
    dew_WorldDef def = dew_default_world_def();
    def.log = dew_app_log();
    dew_World *world = NULL;
    DEW_TRY(dew_world_create(scene, &def, &world));
    dew_Status status = dew_run_check_pictures(world->problem, &def.log);
    dew_plan_count(plan, world);
    dew_world_destroy(world);
    return status;
}

static void warn_of_time(const dew_Plan *plan)
{
    if (!(plan->cpu_s > DEW_PLAN_LONG_S))
        return;
    char time[32], line[256];
    dew_plan_time_text(plan->cpu_s, time);
    snprintf(line, sizeof line,
             "it will take %s on one core: %.3g steps, %.3g %s (larger cells or a shorter duration "
             "take less)",
             time, plan->step_count, plan->elements, plan->traits->element);
    dew_Log log = dew_app_log();
    log.write(log.context, DEW_LOG_WARNING, line);
}

static dew_Status check(const dew_Scene *scene)
{
    dew_Plan plan;
    char text[4096];
    DEW_TRY(dew_plan_make(scene, &plan));
    DEW_TRY(dew_plan_is_countable(&plan) ? count(scene, &plan) : check_files(scene));
    warn_of_time(&plan);
    dew_plan_text(&plan, text, sizeof text);
    printf("%s", text);
    return dew_ok();
}

static int run(const dew_Arguments *arguments)
{
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    dew_Scene *scene = NULL;
    int code = dew_app_load_scene(arguments, &arena, &scene, NULL);
    if (code == DEW_EXIT_DONE)
        code = dew_app_fail(check(scene));
    dew_scene_destroy(scene);
    dew_arena_deinit(&arena);
    return code;
}

static const dew_Option options[] = {
    {"--solver", 0, "NAME", false, "check for another solver than the scene's"},
    {"--set", 0, "KEY=VALUE", true, "change a value: --set drops[0].radius=\"3 mm\""},
};

const dew_Command dew_command_check = {
    .name = "check",
    .operands = "SCENE",
    .summary = "checks a scene and prints what running it would take",
    .details =
        "Prints the plan: solver, cells or triangles, bricks, memory, time-step limits, frames,\n"
        "and about how long it takes on one core.\n"
        "A scene that is wrong, or does not fit into the memory, is refused with exit code 2.",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .option_count = 2,
    .run = run,
};
