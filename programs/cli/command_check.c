/// `dew check`: reads and checks a scene, prints the plan, runs nothing.
#include "dew/run.h"
#include "support/command.h"
#include "support/scene_arguments.h"

#include <stdio.h>

static dew_Status check(const dew_Scene *scene)
{
    dew_Plan plan;
    char text[4096];
    dew_Log log = dew_app_log();
    DEW_TRY(dew_plan(scene, &log, &plan));
    dew_plan_text(&plan, text, sizeof text);
    printf("%s", text);
    return dew_ok();
}

static int run(const dew_Arguments *arguments)
{
    dew_StringPool pool = {0};
    dew_Scene *scene = NULL;
    int code = dew_app_load_scene(arguments, &pool, &scene, NULL);
    if (code == DEW_EXIT_DONE)
        code = dew_app_fail(check(scene));
    dew_scene_destroy(scene);
    dew_pool_deinit(&pool);
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
