// What images take: what the reader makes of a file, and what is kept of that, together the most
// that is held at a time. Textures and light count when the run draws images.
#include "world/plan_images.h"

#include "io/image_size.h"
#include "scene/files.h"

#include <stdio.h>
#include <string.h>

// Kept per pixel: of a texture and of light three floats (render/render_scene.c, environment.c), of
// an affinity map one (problem/assets.c), of a heightfield a double in the table and one in the
// field.
static double kept_bytes(const dew_SceneFile *file)
{
    size_t length = strlen(file->key);
    bool is_heights = length > 5 && strcmp(file->key + length - 5, ".file") == 0;
    return file->is_cosmetic ? 3 * sizeof(float) : is_heights ? 2 * sizeof(double) : sizeof(float);
}

static void add_image(const dew_SceneFile *file, dew_ImagePlan *out)
{
    dew_ImageSize size;
    if (!dew_image_size_load(file->path, &size))
        return;
    double bytes =
        (double)size.width * (double)size.height * (size.bytes_per_pixel + kept_bytes(file));
    out->bytes += bytes;
    if (bytes <= out->worst_bytes)
        return;
    out->worst_bytes = bytes;
    snprintf(out->worst_key, sizeof out->worst_key, "%.90s", file->key);
}

dew_Status dew_plan_images(const dew_Scene *scene, const dew_Allocator *allocator,
                           dew_ImagePlan *out)
{
    *out = (dew_ImagePlan){0};
    bool are_drawn = dew_scene_def(scene)->output.images != DEW_IMAGES_NONE;
    dew_Arena arena;
    dew_SceneFiles files;
    dew_arena_init(&arena, allocator);
    dew_Status status = dew_scene_files(scene, &arena, &files);
    for (int64_t i = 0; status.code == DEW_OK && i < files.count; i++)
        if (are_drawn || !files.files[i].is_cosmetic)
            add_image(&files.files[i], out);
    dew_arena_deinit(&arena);
    return status;
}
