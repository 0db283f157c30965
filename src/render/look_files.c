// Reads the files of looks and light, for images and to check them.
#include "render/look_files.h"

#include "base/status.h"
#include "io/exr.h"
#include "io/hdr.h"
#include "io/png.h"
#include "problem/place.h"

#include <string.h>
#include <strings.h>

dew_Status dew_environment_load(const char *path, const dew_Log *log, dew_FloatImage *image)
{
    static const char *const names[] = {"R", "G", "B"};
    const char *ending = strrchr(path, '.');
    if (!ending || strcasecmp(ending, ".exr") != 0)
        return dew_hdr_load(path, log, image);
    dew_Source source;
    DEW_TRY(dew_source_load(&source, path, DEW_SOURCE_MAX_BYTES, &image->samples.allocator, log));
    dew_Status status = dew_exr_parse(&source, names, 3, image);
    dew_source_unload(&source);
    return status;
}

static dew_Status check_file(const dew_SceneFile *file, const dew_Log *log,
                             const dew_Allocator *allocator)
{
    dew_Status status;
    if (strcmp(file->key, "environment") == 0) {
        dew_FloatImage image;
        dew_float_image_init(&image, allocator);
        status = dew_environment_load(file->path, log, &image);
        dew_float_image_deinit(&image);
    } else {
        dew_PngImage image;
        dew_png_init(&image, allocator);
        status = dew_png_load(file->path, log, &image);
        dew_png_deinit(&image);
    }
    return status;
}

dew_Status dew_look_files_check(const dew_Scene *scene, const dew_Log *log,
                                const dew_Allocator *allocator)
{
    dew_Arena arena;
    dew_SceneFiles files;
    dew_arena_init(&arena, allocator);
    // Hashing opens each as a regular file, and leaves out what the solver reads.
    dew_Status status = dew_scene_hash_files(scene, true, &arena, &files);
    for (int64_t i = 0; status.code == DEW_OK && i < files.count; i++)
        status = dew_scene_place_status(scene, files.files[i].key,
                                        check_file(&files.files[i], log, allocator));
    dew_arena_deinit(&arena);
    return status;
}
