/// `dew check`: reads and checks a scene, prints the plan, runs nothing.
#include "app/command.h"
#include "app/scene_arguments.h"
#include "problem/problem.h"
#include "run/run.h"
#include "world/plan.h"

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

static int run(const dew_Arguments *arguments)
{
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    dew_Scene *scene = NULL;
    int code = dew_app_load_scene(arguments, &arena, &scene, NULL);
    if (code == DEW_EXIT_DONE) {
        dew_Plan plan;
        char text[4096];
        dew_Status status = dew_plan_make(scene, &plan);
        if (status.code == DEW_OK)
            status = check_files(scene);
        if (status.code == DEW_OK) {
            dew_plan_text(&plan, text, sizeof text);
            printf("%s", text);
        }
        code = dew_app_fail(status);
    }
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
        "Prints the plan: solver, cells or triangles, bricks, memory, time-step limits, frames.\n"
        "A scene that is wrong, or does not fit into the memory, is refused with exit code 2.",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .option_count = 2,
    .run = run,
};
