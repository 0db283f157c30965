// Walks the schema over the scene's definitions, and hashes what the keys for files name.
#include "scene/files.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/status.h"
#include "scene/memory_mesh.h"
#include "scene/paths.h"
#include "scene/scene.h"
#include "scene/units.h"

typedef struct Walk {
    const dew_Scene *scene;
    dew_Arena *arena;
    dew_Array files;  // of dew_SceneFile
} Walk;

static bool is_choice(const dew_Key *key, const char *name)
{
    for (int i = 0; key->choices && key->choices[i]; i++)
        if (strcmp(key->choices[i], name) == 0)
            return true;
    return false;
}

static dew_Status add_file(Walk *walk, const dew_Key *key, const char *path, const char *name,
                           bool is_cosmetic)
{
    bool is_made = strncmp(name, DEW_MADE_BY_NAME, strlen(DEW_MADE_BY_NAME)) == 0;
    if (is_made || is_choice(key, name))
        return dew_ok();
    dew_SceneFile file = {.key = dew_arena_text(walk->arena, path, strlen(path)),
                          .path = dew_is_memory_mesh(name)
                                      ? name
                                      : dew_scene_resolve_path(walk->scene, name, walk->arena),
                          .is_cosmetic = is_cosmetic};
    if (!file.key || !file.path)
        return dew_no_memory(strlen(name) + 1);
    return dew_array_push(&walk->files, &file);
}

static dew_Status walk_block(Walk *walk, const dew_Block *block, const char *def, const char *path,
                             bool is_cosmetic);

static dew_Status walk_entries(Walk *walk, const dew_Key *key, const dew_Array *entries,
                               const char *path, bool is_cosmetic)
{
    for (int64_t i = 0; i < entries->count; i++) {
        const char *def = DEW_ITEMS(entries, char *)[i], *name = NULL;
        char entry[4 * DEW_WORD_SIZE];  // "solids[2]", "materials.NAME"
        if (key->kind == DEW_KEY_NAMED)
            memcpy(&name, def + key->block->name_offset, sizeof name);
        if (name)
            snprintf(entry, sizeof entry, "%.80s.%.150s", path, name);
        else
            snprintf(entry, sizeof entry, "%.80s[%lld]", path, (long long)i);
        DEW_TRY(walk_block(walk, key->block, def, entry, is_cosmetic));
    }
    return dew_ok();
}

static dew_Status walk_field(Walk *walk, const dew_Key *key, const char *field, const char *path,
                             bool is_cosmetic)
{
    const char *name = NULL;
    switch (key->kind) {
    case DEW_KEY_FILE:
        memcpy(&name, field, sizeof name);
        return name ? add_file(walk, key, path, name, is_cosmetic) : dew_ok();
    case DEW_KEY_LIST:
    case DEW_KEY_NAMED:
        return walk_entries(walk, key, (const dew_Array *)(const void *)field, path, is_cosmetic);
    case DEW_KEY_BLOCK:
        return walk_block(walk, key->block, field, path, is_cosmetic);
    default:
        return dew_ok();
    }
}

static dew_Status walk_block(Walk *walk, const dew_Block *block, const char *def, const char *path,
                             bool is_cosmetic)
{
    int shape = dew_block_shape_of(block, def);
    for (int i = 0; i < block->key_count; i++) {
        const dew_Key *key = &block->keys[i];
        char inner[6 * DEW_WORD_SIZE];  // "solids[2].affinity_map"
        if (!dew_key_has_shape(key, shape))
            continue;
        snprintf(inner, sizeof inner, "%.300s%s%s", path, *path ? "." : "", key->name);
        DEW_TRY(walk_field(walk, key, def + key->offset, inner, is_cosmetic || key->is_cosmetic));
    }
    return dew_ok();
}

dew_Status dew_scene_files(const dew_Scene *scene, dew_Arena *arena, dew_SceneFiles *out)
{
    *out = (dew_SceneFiles){0};
    Walk walk = {.scene = scene, .arena = arena};
    dew_array_init(&walk.files, &arena->allocator, sizeof(dew_SceneFile));
    dew_Status status =
        walk_block(&walk, dew_scene_schema(), (const char *)(const void *)scene, "", false);
    int64_t count = walk.files.count;
    if (status.code == DEW_OK && count > 0) {
        out->files = dew_arena_array(arena, dew_SceneFile, count);
        if (!out->files)
            status = dew_no_memory((size_t)count * sizeof(dew_SceneFile));
    }
    if (out->files) {
        memcpy(out->files, walk.files.data, (size_t)count * sizeof(dew_SceneFile));
        out->count = count;
    }
    dew_array_deinit(&walk.files);
    return status;
}

static dew_Status hash_content(const dew_Scene *scene, const char *path, uint64_t *hash)
{
    if (!dew_is_memory_mesh(path))
        return dew_file_hash(path, hash);
    const dew_MemoryMesh *mesh;
    DEW_TRY(dew_scene_find_mesh(scene, path, &mesh));
    *hash = dew_file_hash_bytes(mesh->bytes, mesh->size);
    return dew_ok();
}

// A file that was hashed already is not read again: a thousand solids may share a mesh.
static dew_Status hash_file(const dew_Scene *scene, const dew_SceneFiles *done, dew_SceneFile *file)
{
    for (int64_t i = 0; i < done->count; i++)
        if (strcmp(done->files[i].path, file->path) == 0) {
            file->hash = done->files[i].hash;
            return dew_ok();
        }
    dew_Status status = hash_content(scene, file->path, &file->hash);
    if (status.code == DEW_OK)
        return status;
    char place[256];
    dew_scene_place(scene, file->key, place, sizeof place);
    return dew_fail(status.code, "%s%s", place, status.message);
}

dew_Status dew_scene_hash_files(const dew_Scene *scene, bool is_cosmetic, dew_Arena *arena,
                                dew_SceneFiles *out)
{
    DEW_TRY(dew_scene_files(scene, arena, out));
    int64_t count = out->count;
    out->count = 0;
    for (int64_t i = 0; i < count; i++) {
        dew_SceneFile file = out->files[i];
        if (file.is_cosmetic != is_cosmetic)
            continue;
        DEW_TRY(hash_file(scene, out, &file));
        out->files[out->count++] = file;
    }
    return dew_ok();
}

dew_Status dew_scene_file_changed(const dew_SceneFile *file)
{
    return dew_fail(DEW_BAD_INPUT,
                    "%.300s: %s has changed since the run began (put the old file back, or start "
                    "the run anew)",
                    file->path, file->key);
}
