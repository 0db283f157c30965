// What the scene's files hold: registry, grounds and maps. Meshes are in mesh_asset.c, depths in
// depth.c.
#include "problem/assets.h"

#include "base/status.h"
#include "io/csv.h"
#include "io/png.h"
#include "problem/place.h"
#include "scene/paths.h"

#include <string.h>
#include <strings.h>

void dew_assets_init(dew_Assets *assets, const dew_Scene *scene, dew_Arena *arena)
{
    *assets = (dew_Assets){.scene = scene, .arena = arena, .allocator = arena->allocator};
    dew_array_init(&assets->meshes, &assets->allocator, sizeof(dew_MeshAsset *));
    dew_array_init(&assets->grounds, &assets->allocator, sizeof(dew_Heightfield *));
    dew_array_init(&assets->depths, &assets->allocator, sizeof(dew_DepthAsset *));
}

void dew_assets_deinit(dew_Assets *assets)
{
    for (int64_t i = 0; i < assets->meshes.count; i++) {
        dew_MeshAsset *asset = DEW_ITEMS(&assets->meshes, dew_MeshAsset *)[i];
        dew_mesh_distance_destroy(asset->distance);
        dew_mesh_deinit(&asset->mesh);
    }
    for (int64_t i = 0; i < assets->grounds.count; i++)
        dew_heightfield_destroy(DEW_ITEMS(&assets->grounds, dew_Heightfield *)[i]);
    dew_array_deinit(&assets->meshes);
    dew_array_deinit(&assets->grounds);
    dew_array_deinit(&assets->depths);
}

// ---- grounds -----------------------------------------------------------------------------------

static bool is_png(const char *file)
{
    size_t length = strlen(file);
    return length >= 4 && strcasecmp(file + length - 4, ".png") == 0;
}

// Brightness of a pixel, 0..1: the mean of its colours; alpha is left out.
static double brightness(const dew_PngImage *image, int64_t x, int64_t y)
{
    int colors = image->channel_count >= 3 ? 3 : 1;
    double sum = 0;
    for (int c = 0; c < colors; c++)
        sum += dew_png_sample(image, x, y, c);
    return sum / colors;
}

static dew_Status heights_from_png(dew_Assets *assets, const char *key, const char *path,
                                   const double range_m[2], dew_Table *table)
{
    if (!(range_m[0] != range_m[1]))
        return dew_fail(DEW_BAD_INPUT,
                        "a PNG has no heights of its own (give height: [of black, of white])");
    dew_PngImage image;
    dew_png_init(&image, &assets->allocator);
    dew_Status status = dew_png_load(path, &assets->log, &image);
    if (status.code == DEW_OK && image.file_bits < 16)
        dew_scene_say(assets->scene, &assets->log, DEW_LOG_WARNING, key,
                      "%s has %d bits per pixel: its ground has steps of %g m (16 bits are better)",
                      path, image.file_bits,
                      fabs(range_m[1] - range_m[0]) / ((1 << image.file_bits) - 1));
    if (status.code == DEW_OK)
        status = dew_array_resize(&table->values, image.width * image.height);
    if (status.code == DEW_OK) {
        table->column_count = image.width;
        table->row_count = image.height;
        for (int64_t i = 0; i < table->values.count; i++) {
            double f = brightness(&image, i % image.width, i / image.width);
            DEW_ITEMS(&table->values, double)[i] = (1 - f) * range_m[0] + f * range_m[1];
        }
    }
    dew_png_deinit(&image);
    return status;
}

// The heightfield about the middle of its box.
static dew_Status ground_from_table(dew_Assets *assets, const dew_SolidDef *def, dew_Table *table,
                                    const dew_Heightfield **out, dew_Vec3 *middle_m)
{
    double *h = DEW_ITEMS(&table->values, double);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t i = 0; i < table->values.count; i++)
        low = fmin(low, h[i]), high = fmax(high, h[i]);
    *middle_m = dew_vec((def->min_xz_m[0] + def->max_xz_m[0]) / 2, (low + high) / 2,
                        (def->min_xz_m[1] + def->max_xz_m[1]) / 2);
    for (int64_t i = 0; i < table->values.count; i++)
        h[i] -= middle_m->y;
    dew_HeightfieldDef field_def = {
        .columns = table->column_count,
        .rows = table->row_count,
        .min_x = def->min_xz_m[0] - middle_m->x,
        .min_z = def->min_xz_m[1] - middle_m->z,
        .max_x = def->max_xz_m[0] - middle_m->x,
        .max_z = def->max_xz_m[1] - middle_m->z,
        .heights = h,
        .allocator = assets->allocator,
    };
    dew_Heightfield *field;
    DEW_TRY(dew_heightfield_create(&field_def, &field));
    dew_Status status = dew_array_push(&assets->grounds, &field);
    if (status.code != DEW_OK)
        dew_heightfield_destroy(field);
    *out = field;
    return status;
}

dew_Status dew_assets_ground(dew_Assets *assets, const char *key, const dew_SolidDef *def,
                             const dew_Heightfield **out, dew_Vec3 *middle_m)
{
    const char *path = dew_scene_resolve_path(assets->scene, def->file, assets->arena);
    if (!path)
        return dew_no_memory(strlen(def->file) + 1);
    dew_Table table;
    dew_table_init(&table, &assets->allocator);
    dew_Status status = is_png(def->file)
                            ? heights_from_png(assets, key, path, def->height_m, &table)
                            : dew_csv_load(path, &assets->log, &table);
    if (status.code == DEW_OK)
        status = ground_from_table(assets, def, &table, out, middle_m);
    dew_table_deinit(&table);
    return dew_scene_place_status(assets->scene, key, status);
}

// ---- maps --------------------------------------------------------------------------------------

static dew_Status map_from_image(dew_Assets *assets, const dew_PngImage *image,
                                 const dew_AffinityMap **out)
{
    int64_t count = image->width * image->height;
    dew_AffinityMap *map = dew_arena_array(assets->arena, dew_AffinityMap, 1);
    float *values = dew_arena_array(assets->arena, float, count);
    if (!map || !values)
        return dew_no_memory((size_t)count * sizeof(float));
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)brightness(image, i % image->width, i / image->width);
    *map = (dew_AffinityMap){image->width, image->height, values};
    *out = map;
    return dew_ok();
}

dew_Status dew_assets_map(dew_Assets *assets, const char *key, const char *file,
                          const dew_AffinityMap **out)
{
    const char *path = dew_scene_resolve_path(assets->scene, file, assets->arena);
    if (!path)
        return dew_no_memory(strlen(file) + 1);
    dew_PngImage image;
    dew_png_init(&image, &assets->allocator);
    dew_Status status = dew_png_load(path, &assets->log, &image);
    if (status.code == DEW_OK)
        status = map_from_image(assets, &image, out);
    dew_png_deinit(&image);
    return dew_scene_place_status(assets->scene, key, status);
}
