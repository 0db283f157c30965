// Paths of the files that a scene names. Folders are resolved by the system where they exist (so
// that ".." behind a symbolic link is right), by their text where they do not.
#include "scene/paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *dew_scene_resolve_path(const dew_Scene *scene, const char *name, dew_Arena *arena)
{
    const char *path = dew_scene_path(scene);
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (name[0] == '/' || !slash)
        return dew_arena_text(arena, name, strlen(name));
    return dew_arena_format(arena, "%.*s%s", (int)(slash + 1 - path), path, name);
}

// Takes ".", ".." and double slashes out of an absolute path, in place.
static void tidy(char *path)
{
    char *out = path;
    for (const char *in = path; *in;) {
        while (*in == '/')
            in++;
        size_t n = strcspn(in, "/");
        if (n == 2 && in[0] == '.' && in[1] == '.') {
            while (out > path && *--out != '/') {
            }
        } else if (n > 0 && !(n == 1 && in[0] == '.')) {
            *out++ = '/';
            memmove(out, in, n);
            out += n;
        }
        in += n;
    }
    *out = '\0';  // the root is ""
}

// The absolute path of a folder, without links where it exists; "" is the root.
static char *absolute_folder(const char *folder, dew_Arena *arena)
{
    char buffer[PATH_MAX];
    char *path = NULL;
    if (realpath(*folder ? folder : ".", buffer))
        path = dew_arena_text(arena, buffer, strlen(buffer));
    else if (folder[0] == '/')
        path = dew_arena_text(arena, folder, strlen(folder));
    else
        path =
            dew_arena_format(arena, "%s/%s", getcwd(buffer, sizeof buffer) ? buffer : "", folder);
    if (path)
        tidy(path);
    return path;
}

char *dew_path_relative(const char *path, const char *directory, dew_Arena *arena)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    char *parent = dew_arena_text(arena, path, (size_t)(base - path));
    const char *folder = parent ? absolute_folder(parent, arena) : NULL;
    const char *from = absolute_folder(directory, arena);
    if (!folder || !from)
        return NULL;
    size_t common = 0;  // length of the folders they share
    for (size_t i = 0;; i++) {
        bool is_border = (folder[i] == '/' || !folder[i]) && (from[i] == '/' || !from[i]);
        common = is_border ? i : common;
        if (folder[i] != from[i] || !folder[i])
            break;
    }
    size_t ups = 0;
    for (const char *c = from + common; *c; c++)
        ups += *c == '/';
    const char *down = folder + common + (folder[common] == '/');
    size_t down_length = strlen(down), base_length = strlen(base);
    char *out = dew_arena_array(arena, char, (int64_t)(3 * ups + down_length + base_length + 2));
    if (!out)
        return NULL;
    char *end = out;
    for (size_t i = 0; i < ups; i++)
        end = stpcpy(end, "../");
    end = stpcpy(end, down);
    if (down_length > 0)
        end = stpcpy(end, "/");
    stpcpy(end, base);
    return out;
}
