// Finds and reads frame files.
#include "run/frame_read.h"

#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "io/mesh_file.h"
#include "io/ply.h"
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

/// A solid's mesh, or the values of its vertices alone.
static dew_Status load_solid(const char *path, const dew_Log *log, dew_Mesh *out)
{
    dew_Source source;
    dew_MeshLoadDef def = dew_default_mesh_load_def();
    DEW_TRY(dew_source_load(&source, path, def.max_bytes, &out->allocator, log));
    dew_Status status = dew_ply_parse_values(&source, out);
    dew_source_unload(&source);
    return status;
}

/// Replaces the wetness of the mesh by that of the file, which has it for the same vertices.
static dew_Status take_values(const char *path, const dew_Log *log, dew_Mesh *mesh)
{
    dew_Mesh values;
    dew_mesh_init(&values, &mesh->allocator);
    dew_Status status = load_solid(path, log, &values);
    const float *from = dew_mesh_find_attribute(&values, "wetness");
    float *to = NULL;
    if (status.code == DEW_OK && (!from || values.positions.count != mesh->positions.count))
        status =
            dew_fail(DEW_BAD_INPUT, "%.300s: not the wetness of %lld vertices, as the mesh has",
                     path, (long long)mesh->positions.count);
    if (status.code == DEW_OK)
        status = dew_mesh_attribute(mesh, "wetness", &to);
    if (status.code == DEW_OK && from && to)
        memcpy(to, from, (size_t)mesh->positions.count * sizeof *to);
    dew_mesh_deinit(&values);
    return status;
}

static void name_solid(char path[PATH_MAX], const char *directory, const char *solid, int64_t frame)
{
    if (frame >= 0)
        snprintf(path, PATH_MAX, "%.3000s/frames/solid.%.900s.%04lld.ply", directory, solid,
                 (long long)frame);
    else
        snprintf(path, PATH_MAX, "%.3000s/frames/solid.%.900s.ply", directory, solid);
}

dew_Status dew_frame_load_wetness(const char *directory, const char *solid, int64_t frame,
                                  const dew_Log *log, dew_Mesh *out, bool *is_there)
{
    char mesh_path[PATH_MAX], path[PATH_MAX];
    int64_t last = frame;
    dew_mesh_clear(out);
    *is_there = false;
    do {  // the last file up to the frame
        name_solid(path, directory, solid, last);
    } while (!dew_file_exists(path) && --last >= 0);
    name_solid(mesh_path, directory, solid, DEW_INVALID);
    if (last >= 0 && !dew_file_exists(mesh_path)) {
        DEW_TRY(load_solid(path, log, out));  // of a version that wrote the mesh in each frame
    } else if (dew_file_exists(mesh_path)) {
        DEW_TRY(load_solid(mesh_path, log, out));
        if (last >= 0)
            DEW_TRY(take_values(path, log, out));
    }
    *is_there = dew_mesh_find_attribute(out, "wetness") != NULL && out->triangles.count > 0;
    if (!*is_there)
        dew_mesh_clear(out);
    return dew_ok();
}
