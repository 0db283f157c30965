/// Scenes that come with Dew, and scene names on the command line.
#pragma once

#include "support/string_pool.h"

/// The folder of bundled scenes: $DEW_SCENES, the source tree, beside the installed program; NULL:
/// none.
const char *dew_bundled_directory(dew_StringPool *pool);

/// SCENE as the user gave it to a path: a file as it is, else a bundled scene's bare name. The
/// failure offers the nearest bundled scene.
dew_Status dew_bundled_path(dew_StringPool *pool, const char *scene, const char **path);

/// Names of the bundled scenes, sorted, without ".yaml".
dew_Status dew_bundled_names(dew_StringPool *pool, const char ***names, int *count);

/// "drop_on_glass" of "path/to/drop_on_glass.yaml".
const char *dew_scene_file_stem(dew_StringPool *pool, const char *path);
