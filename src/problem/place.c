// Words about a scene's value, with the file and line where it stands.
#include "problem/place.h"

#include "base/status.h"
#include "scene/traits.h"

#include <stdarg.h>
#include <stdio.h>

dew_KeyPath dew_key_path(const char *list, int index, const char *key)
{
    dew_KeyPath path;
    snprintf(path.text, sizeof path.text, "%s[%d]%s%s", list, index, key ? "." : "",
             key ? key : "");
    return path;
}

dew_Status dew_scene_place_status(const dew_Scene *scene, const char *path, dew_Status status)
{
    if (status.code == DEW_OK || status.code == DEW_NO_MEMORY)
        return status;
    char place[DEW_MESSAGE_SIZE];
    dew_scene_place(scene, path, place, sizeof place);
    char words[DEW_MESSAGE_SIZE];
    snprintf(words, sizeof words, "%s", status.message);
    return dew_fail(status.code, "%s%s", place, words);
}

dew_Status dew_scene_fail(const dew_Scene *scene, const char *path, const char *format, ...)
{
    char words[DEW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return dew_scene_place_status(scene, path, dew_fail(DEW_BAD_INPUT, "%s", words));
}

void dew_scene_say(const dew_Scene *scene, const dew_Log *log, dew_LogLevel level, const char *path,
                   const char *format, ...)
{
    if (!log->write)
        return;
    char place[DEW_MESSAGE_SIZE], words[DEW_MESSAGE_SIZE], line[2 * DEW_MESSAGE_SIZE];
    dew_scene_place(scene, path, place, sizeof place);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line, "%s%s", place, words);
    dew_log_line(log, level, line);
}
