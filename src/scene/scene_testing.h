/// For tests: a scene from a text, with all that the log heard.
#pragma once

#include <stdio.h>
#include <string.h>

#include "scene/sample_solvers.h"

typedef struct TestLog {
    char lines[16384];  // each ends with a newline
    int count;
} TestLog;

static inline void test_log_write(void *context, dew_LogLevel level, const char *message)
{
    TestLog *log = (TestLog *)context;
    size_t length = strlen(log->lines);
    snprintf(log->lines + length, sizeof log->lines - length, "%s\n", message);
    log->count += level == DEW_LOG_ERROR;
}

/// Reads `text` as the file scene.yaml with up to two overrides (NULL: none).
static inline dew_Status test_read(const char *text, const char *set1, const char *set2,
                                   TestLog *log, dew_Scene **out)
{
    const char *sets[2] = {set1, set2};
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = "scene.yaml";
    def.text = text;
    def.text_size = strlen(text);
    def.overrides = sets;
    def.override_count = set2 ? 2 : set1 ? 1 : 0;
    if (log) {
        memset(log, 0, sizeof *log);
        def.log = (dew_Log){test_log_write, log};
    }
    return dew_scene_read(&def, sample_solvers(), out);
}

/// The least a scene needs; more can be put behind it.
#define TEST_HEAD                                                                                  \
    "solver: volume\n"                                                                             \
    "domain: {min: [-6 mm, 0 mm, -6 mm], max: [6 mm, 8 mm, 6 mm], cell: 0.25 mm}\n"
#define TEST_DROP "drops: [{shape: sphere, center: [0, 2 mm, 0], radius: 2 mm}]\n"
