// Meshes from arrays: encoded as PLY [Turk1994], binary little endian with double positions, when
// they are added.
#include "scene/memory_mesh.h"

#include <string.h>

#include "base/file.h"
#include "base/status.h"
#include "base/text.h"
#include "io/mesh_file.h"
#include "io/ply.h"
#include "scene/scene.h"

#define MAX_NAME_LENGTH                                                                            \
    (DEW_WORD_SIZE - 1)  // of a mesh; with "scene_meshes/" and ".ply" it is a path

bool dew_is_memory_mesh(const char *file)
{
    return strncmp(file, DEW_MESH_IN_MEMORY, strlen(DEW_MESH_IN_MEMORY)) == 0;
}

// ---- adding ------------------------------------------------------------------------------------

// The name becomes that of a file, on any system.
static dew_Status check_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    size_t length = strlen(name);
    if (length > 0 && length <= MAX_NAME_LENGTH && strspn(name, allowed) == length)
        return dew_ok();
    return dew_fail(DEW_BAD_INPUT,
                    "\"%.80s\" cannot name a mesh (expected 1 to %d letters, digits, _ or -)", name,
                    MAX_NAME_LENGTH);
}

static dew_Status encode(const dew_MeshData *data, dew_Mesh *mesh, dew_Array *bytes)
{
    dew_Sink sink;
    dew_MeshSaveDef def = dew_default_mesh_save_def();
    def.has_double_positions = true;
    DEW_TRY(dew_mesh_set(mesh, data->positions_m, data->vertex_count, data->triangles,
                         data->triangle_count));
    dew_sink_begin_memory(&sink, bytes);
    return dew_sink_end(&sink, dew_ply_write(mesh, &def, &sink));
}

// Appends copies of a name and a file.
static dew_Status push_mesh(dew_Scene *scene, const char *name, const void *bytes, size_t size)
{
    uint8_t *copy = dew_arena_array(&scene->arena, uint8_t, (int64_t)size);
    dew_MemoryMesh mesh = {
        .name = dew_arena_text(&scene->arena, name, strlen(name)), .bytes = copy, .size = size};
    if (!copy || !mesh.name)
        return dew_no_memory(size);
    memcpy(copy, bytes, size);
    return dew_scene_push(scene, &scene->meshes, &mesh, sizeof mesh);
}

dew_Status dew_scene_add_mesh(dew_Scene *scene, const char *name, const dew_MeshData *data)
{
    DEW_TRY(check_name(name));
    for (int64_t i = 0; i < scene->meshes.count; i++)
        if (strcmp(DEW_ITEMS(&scene->meshes, dew_MemoryMesh *)[i]->name, name) == 0)
            return dew_fail(DEW_BAD_INPUT, "the scene has a mesh %s already", name);
    dew_Mesh mesh;
    dew_Array bytes;
    dew_mesh_init(&mesh, &scene->allocator);
    dew_array_init(&bytes, &scene->allocator, 1);
    dew_Status status = encode(data, &mesh, &bytes);
    if (status.code == DEW_BAD_INPUT)
        status = dew_status_prefix(status, "mesh %s", name);
    if (status.code == DEW_OK)
        status = push_mesh(scene, name, bytes.data, (size_t)bytes.count);
    dew_array_deinit(&bytes);
    dew_mesh_deinit(&mesh);
    return status;
}

// ---- use ---------------------------------------------------------------------------------------

dew_Status dew_scene_find_mesh(const dew_Scene *scene, const char *file, const dew_MemoryMesh **out)
{
    const char *name = file + strlen(DEW_MESH_IN_MEMORY);
    for (int64_t i = 0; i < scene->meshes.count; i++) {
        *out = DEW_ITEMS(&scene->meshes, dew_MemoryMesh *)[i];
        if (strcmp((*out)->name, name) == 0)
            return dew_ok();
    }
    *out = NULL;
    return dew_fail(DEW_BAD_INPUT,
                    "%.200s: the scene has no mesh of this name (dew_scene_add_mesh adds one)",
                    file);
}

dew_Status dew_scene_copy_meshes(const dew_Scene *from, dew_Scene *to)
{
    for (int64_t i = 0; i < from->meshes.count; i++) {
        const dew_MemoryMesh *mesh = DEW_ITEMS(&from->meshes, dew_MemoryMesh *)[i];
        DEW_TRY(push_mesh(to, mesh->name, mesh->bytes, mesh->size));
    }
    return dew_ok();
}

static dew_Status save_mesh(const dew_MemoryMesh *mesh, const char *path,
                            const dew_Allocator *allocator)
{
    uint64_t hash = 0;
    if (dew_file_hash(path, &hash).code == DEW_OK &&
        hash == dew_file_hash_bytes(mesh->bytes, mesh->size))
        return dew_ok();
    dew_FileWriter writer;
    DEW_TRY(dew_file_begin(&writer, path, allocator));
    dew_file_write(&writer, mesh->bytes, mesh->size);
    return dew_file_commit(&writer);
}

dew_Status dew_scene_save_meshes(const dew_Scene *scene, const char *directory)
{
    dew_Arena arena;
    dew_Status status = dew_ok();
    dew_arena_init(&arena, &scene->allocator);
    for (int64_t i = 0; i < scene->meshes.count && status.code == DEW_OK; i++) {
        const dew_MemoryMesh *mesh = DEW_ITEMS(&scene->meshes, dew_MemoryMesh *)[i];
        const char *folder = dew_arena_format(&arena, "%s/" DEW_MESH_FOLDER, directory);
        const char *path =
            dew_arena_format(&arena, "%s/" DEW_MESH_FOLDER "/%s.ply", directory, mesh->name);
        status = folder && path ? dew_directory_make(folder) : dew_no_memory(strlen(directory));
        if (status.code == DEW_OK)
            status = save_mesh(mesh, path, &scene->allocator);
    }
    dew_arena_deinit(&arena);
    return status;
}
