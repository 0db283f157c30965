/// For tests: a problem from the text of a scene, with all that the log heard; files in a folder
/// that is removed again.
#pragma once

#include "problem/resolved.h"
#include "scene/sample_solvers.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEST_HEAD                                                                                  \
    "solver: volume\n"                                                                             \
    "domain: {min: [-6 mm, -6 mm, -6 mm], max: [6 mm, 6 mm, 6 mm], cell: 0.25 mm}\n"               \
    "materials: {glass: {advancing: 90 deg, receding: 60 deg}, lotus: {angle: 150 deg}}\n"
#define TEST_DROP "drops: [{shape: sphere, radius: 1 mm}]\n"

typedef struct TestProblem {
    dew_Scene *scene;
    dew_Problem *problem;
    dew_Status status;  // of reading, else of creating
    char log[8192];     // each line ends with a newline
    char folder[64];    // where the scene is said to be; empty: none was made
} TestProblem;

static inline void test_log(void *context, dew_LogLevel level, const char *message)
{
    TestProblem *t = (TestProblem *)context;
    size_t length = strlen(t->log);
    (void)level;
    snprintf(t->log + length, sizeof t->log - length, "%s\n", message);
}

/// A folder for the scene's files; call before test_file and test_make.
static inline void test_folder(TestProblem *t)
{
    *t = (TestProblem){0};
    snprintf(t->folder, sizeof t->folder, "/tmp/dew_problem_XXXXXX");
    if (!mkdtemp(t->folder))
        abort();
}

static inline void test_file(const TestProblem *t, const char *name, const void *bytes, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", t->folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static inline void test_text_file(const TestProblem *t, const char *name, const char *text)
{
    test_file(t, name, text, strlen(text));
}

/// Reads and resolves; `t` zeroed or from test_folder.
static inline void test_make_with(TestProblem *t, const char *text, const dew_Allocator *allocator)
{
    char path[256];
    snprintf(path, sizeof path, "%s%sscene.yaml", t->folder, t->folder[0] ? "/" : "");
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = path;
    def.text = text;
    def.text_size = strlen(text);
    def.log = (dew_Log){test_log, t};
    t->log[0] = 0;
    t->status = dew_scene_read(&def, sample_solvers(), &t->scene);
    if (t->status.code != DEW_OK)
        return;
    dew_ProblemDef problem_def = {.log = def.log};
    if (allocator)
        problem_def.allocator = *allocator;
    t->status = dew_problem_create(t->scene, &problem_def, &t->problem);
}

static inline void test_make(TestProblem *t, const char *text)
{
    test_make_with(t, text, NULL);
}

/// Frees what was made; the folder stays.
static inline void test_clear(TestProblem *t)
{
    dew_problem_destroy(t->problem);
    dew_scene_destroy(t->scene);
    t->problem = NULL;
    t->scene = NULL;
}

static inline void test_done(TestProblem *t)
{
    test_clear(t);
    if (!t->folder[0])
        return;
    DIR *folder = opendir(t->folder);
    for (struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder)) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", t->folder, e->d_name);
        if (e->d_name[0] != '.')
            unlink(path);
    }
    if (folder)
        closedir(folder);
    rmdir(t->folder);
}
