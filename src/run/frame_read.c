// Finds and reads frame files.
#include "run/frame_read.h"

#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "io/mesh_file.h"
#include "run/frame.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

// "surface.0012.ply" to 12; false: another file.
static bool number_of(const char *name, const char *extension, int64_t *out)
{
    size_t prefix = strlen("surface."), length = strlen(name);
    if (length <= prefix || strncmp(name, "surface.", prefix) != 0)
        return false;
    const char *digits = name + prefix;
    size_t used = strspn(digits, "0123456789");
    return used >= 4 && dew_integer_parse(digits, used, out) == used && digits[used] == '.' &&
           strcmp(digits + used + 1, extension) == 0;
}

dew_Status dew_frames_find(const char *directory, dew_SurfaceFormat format, dew_Array *out)
{
    const char *extension = dew_frame_extension(format);
    char path[PATH_MAX];
    out->count = 0;
    if (!extension)
        return dew_ok();
    snprintf(path, sizeof path, "%.4000s/frames", directory);
    DIR *stream = opendir(path);
    if (!stream && errno == ENOENT)
        return dew_ok();
    if (!stream)
        return dew_fail(DEW_BAD_INPUT, "cannot read %.300s: %s", path, strerror(errno));
    dew_Status status = dew_ok();
    for (const struct dirent *entry; status.code == DEW_OK && (entry = readdir(stream));) {
        int64_t number;
        if (number_of(entry->d_name, extension, &number))
            status = dew_array_push(out, &number);
    }
    closedir(stream);
    if (status.code == DEW_OK && out->count > 1)
        qsort(out->data, (size_t)out->count, sizeof(int64_t), by_number);
    return status;
}

dew_Status dew_frame_load(const char *directory, dew_SurfaceFormat format, int64_t frame,
                          const dew_Log *log, dew_Surface *out)
{
    char path[PATH_MAX];
    dew_MeshLoadDef def = dew_default_mesh_load_def();
    if (log)
        def.log = *log;
    snprintf(path, sizeof path, "%.4000s/frames/surface.%04lld.%s", directory, (long long)frame,
             dew_frame_extension(format));
    return dew_surface_load(path, &def, out);
}

dew_Status dew_frame_load_wetness(const char *directory, const char *solid, int64_t frame,
                                  const dew_Log *log, dew_Mesh *out, bool *is_there)
{
    char path[PATH_MAX];
    dew_MeshLoadDef def = dew_default_mesh_load_def();
    if (log)
        def.log = *log;
    dew_mesh_clear(out);
    snprintf(path, sizeof path, "%.3000s/frames/solid.%.900s.%04lld.ply", directory, solid,
             (long long)frame);
    *is_there = dew_file_exists(path);
    return *is_there ? dew_mesh_load(path, &def, out) : dew_ok();
}
