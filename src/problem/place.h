/// Words about a scene's value, with the file and line where it stands.
#pragma once

#include "dew/scene.h"

/// DEW_BAD_INPUT "FILE:LINE: words" for the key at a dotted path ("solids[2].file").
dew_Status dew_scene_fail(const dew_Scene *scene, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Puts the place in front of a failure's sentence.
dew_Status dew_scene_place_status(const dew_Scene *scene, const char *path, dew_Status status);
/// The same words to the log.
void dew_scene_say(const dew_Scene *scene, const dew_Log *log, dew_LogLevel level, const char *path,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));

/// "solids[2].file"; key NULL: "solids[2]".
typedef struct dew_KeyPath {
    char text[96];
} dew_KeyPath;
dew_KeyPath dew_key_path(const char *list, int index, const char *key);
