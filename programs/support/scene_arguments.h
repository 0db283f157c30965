/// The scene that a command's arguments name: SCENE, --solver and --set.
#pragma once

#include "dew/scene.h"
#include "support/command.h"
#include "support/string_pool.h"

/// Loads operand 0. Every error of the file is printed; returns the exit code, 0 when *out is
/// there. *path (may be NULL) becomes the file's path, kept in the pool.
int dew_app_load_scene(const dew_Arguments *arguments, dew_StringPool *pool, dew_Scene **out,
                       const char **path);
/// The same for a file that is not the operand itself, such as the scene.yaml of a run directory.
int dew_app_load_scene_file(const dew_Arguments *arguments, const char *path, dew_Scene **out);
