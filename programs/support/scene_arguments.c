/// Reads the scene a command names, printing all that is wrong with it.
#include "support/scene_arguments.h"

#include "support/bundled.h"

#include <stdio.h>

/// Counts the errors that were printed, so that the status is not said a second time.
static void print_and_count(void *context, dew_LogLevel level, const char *message)
{
    dew_Log log = dew_app_log();
    log.write(log.context, level, message);
    if (level == DEW_LOG_ERROR)
        ++*(int *)context;
}

int dew_app_load_scene_file(const dew_Arguments *arguments, const char *path, dew_Scene **out)
{
    dew_SceneLoadDef def = dew_default_scene_load_def();
    const char *overrides[DEW_MAX_ARGUMENTS];
    int error_count = 0;
    def.path = path;
    def.overrides = overrides;
    def.override_count = dew_option_values(arguments, "--set", overrides, DEW_MAX_ARGUMENTS);
    def.solver = dew_option_value(arguments, "--solver");
    def.log = (dew_Log){print_and_count, &error_count};
    dew_Status status = path ? dew_scene_load_with(&def, out) : dew_pool_failure();
    if (status.code == DEW_OK)
        return DEW_EXIT_DONE;
    if (error_count > 0)
        return status.code == DEW_NO_MEMORY ? DEW_EXIT_FAILED : DEW_EXIT_USAGE;
    return dew_app_fail(status);
}

int dew_app_load_scene(const dew_Arguments *arguments, dew_StringPool *pool, dew_Scene **out,
                       const char **path)
{
    const char *found = NULL;
    dew_Status status = dew_bundled_path(pool, arguments->operands[0], &found);
    if (status.code != DEW_OK)
        return dew_app_fail(status);
    if (path)
        *path = found;
    return dew_app_load_scene_file(arguments, found, out);
}
