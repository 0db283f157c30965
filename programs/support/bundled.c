/// Finds bundled scenes in the source tree or beside the installed program.
#include "support/bundled.h"

#include "dew/text.h"
#include "support/system.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SCENES = 1000 };

/// PREFIX/bin/dew -> PREFIX/share/dew/scenes, wherever the prefix was moved to.
static const char *beside_program(dew_StringPool *pool)
{
    char program[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0)
        return NULL;
    program[n] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(program, '/');
        if (!slash)
            return NULL;
        *slash = 0;
    }
    return dew_pool_format(pool, "%s/share/dew/scenes", program);
}

const char *dew_bundled_directory(dew_StringPool *pool)
{
    const char *candidates[] = {getenv("DEW_SCENES"), beside_program(pool), DEW_SCENE_DIR_SOURCE,
                                DEW_SCENE_DIR_INSTALLED};
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++)
        if (candidates[i] && *candidates[i] && dew_app_exists(candidates[i]))
            return candidates[i];
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Folders of bundled scenes, below dew_bundled_directory: a name may be in one of them only.
static const char *const folders[] = {"", "/papers"};

enum { FOLDER_COUNT = sizeof folders / sizeof folders[0] };

static dew_Status add_names(dew_StringPool *pool, DIR *listing, const char **names, int *count)
{
    for (struct dirent *entry; (entry = readdir(listing)) && *count < MAX_SCENES;) {
        size_t length = strlen(entry->d_name);
        if (length <= 5 || strcmp(entry->d_name + length - 5, ".yaml") != 0)
            continue;
        const char *name = dew_pool_text(pool, entry->d_name, length - 5);
        if (!name)
            return dew_pool_failure();
        names[(*count)++] = name;
    }
    return dew_ok();
}

dew_Status dew_bundled_names(dew_StringPool *pool, const char ***names, int *count)
{
    *count = 0;
    *names = dew_pool_alloc(pool, MAX_SCENES * sizeof(char *));
    if (!*names)
        return dew_pool_failure();
    const char *directory = dew_bundled_directory(pool);
    if (!directory || !dew_app_is_directory(directory))
        return dew_fail(DEW_BAD_INPUT,
                        "the bundled scenes are not there (set DEW_SCENES to their folder)");
    for (int k = 0; k < FOLDER_COUNT; k++) {
        const char *folder = dew_pool_format(pool, "%s%s", directory, folders[k]);
        if (!folder)
            return dew_pool_failure();
        DIR *listing = opendir(folder);
        if (!listing)
            continue;
        dew_Status status = add_names(pool, listing, *names, count);
        closedir(listing);
        if (status.code != DEW_OK)
            return status;
    }
    qsort(*names, (size_t)*count, sizeof **names, by_name);
    return dew_ok();
}

/// The file of a bundled scene, in the first folder that has it.
static dew_Status path_of(dew_StringPool *pool, const char *scene, const char **path)
{
    const char *directory = dew_bundled_directory(pool);
    for (int k = 0; k < FOLDER_COUNT; k++) {
        *path = dew_pool_format(pool, "%s%s/%s.yaml", directory, folders[k], scene);
        if (!*path)
            return dew_pool_failure();
        if (dew_app_exists(*path))
            break;
    }
    return dew_ok();
}

dew_Status dew_bundled_path(dew_StringPool *pool, const char *scene, const char **path)
{
    *path = scene;
    bool is_folder = dew_app_is_directory(scene);  // hides no scene that is called so
    if (strchr(scene, '/') || (dew_app_exists(scene) && !is_folder))
        return dew_ok();
    const char **names;
    int count;
    dew_Status status = dew_bundled_names(pool, &names, &count);
    if (status.code == DEW_NO_MEMORY)
        return status;
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], scene) == 0)
            return path_of(pool, scene, path);
    }
    if (is_folder)
        return dew_fail(DEW_BAD_INPUT, "%s: a directory, not a scene", scene);
    const char *nearest = count ? dew_nearest_name(scene, names, count) : NULL;
    if (nearest)
        return dew_fail(DEW_BAD_INPUT, "%s: no such file or bundled scene (did you mean %s?)",
                        scene, nearest);
    return dew_fail(DEW_BAD_INPUT, "%s: no such file or bundled scene (dew scenes lists them)",
                    scene);
}

const char *dew_scene_file_stem(dew_StringPool *pool, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    // The stem of "..yaml" would be this directory, that of "...yaml" its parent.
    if (length <= 2 && strspn(name, ".") >= length)
        length = strlen(name);
    return dew_pool_text(pool, name, length);
}
