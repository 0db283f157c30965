/// `dew scenes`: the bundled scenes, a line each.
#include "dew/scene.h"
#include "dew/text.h"
#include "support/bundled.h"
#include "support/command.h"

#include <stdio.h>
#include <string.h>

static void print_scene(dew_StringPool *pool, const char *name)
{
    const char *path = NULL;
    dew_Scene *scene = NULL;
    dew_Status status = dew_bundled_path(pool, name, &path);
    if (status.code == DEW_OK)
        status = dew_scene_load(path, &scene);
    char title[256] = "";
    if (status.code == DEW_OK && dew_scene_def(scene)->title)
        dew_utf8_show(dew_scene_def(scene)->title, title, sizeof title);
    if (status.code == DEW_OK)
        printf("%-22s %-8s %s\n", name, dew_scene_def(scene)->solver, title);
    else
        printf("%-22s (%s)\n", name, status.message);
    dew_scene_destroy(scene);
}

static int run(const dew_Arguments *arguments)
{
    dew_StringPool pool = {0};
    const char **names;
    int count;
    dew_Status status = dew_bundled_names(&pool, &names, &count);
    for (int i = 0; status.code == DEW_OK && i < count; i++) {
        if (dew_option_given(arguments, "--names"))
            printf("%s\n", names[i]);
        else
            print_scene(&pool, names[i]);
    }
    dew_pool_deinit(&pool);
    return dew_app_fail(status);
}

static const dew_Option options[] = {
    {"--names", 0, NULL, false, "print the names only"},
};

const dew_Command dew_command_scenes = {
    .name = "scenes",
    .operands = "",
    .summary = "lists the bundled scenes with a line each",
    .details = "Run one by its bare name: dew run NAME. DEW_SCENES names another folder of scenes.",
    .options = options,
    .option_count = 1,
    .run = run,
};
