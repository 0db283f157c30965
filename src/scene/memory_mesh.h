/// Meshes that a program gives to a scene as arrays. Each is kept as the bytes of a PLY file, so
/// that reading, hashing and saving it are those of a mesh file.
#pragma once

#include "dew/scene.h"
#include "scene/paths.h"

typedef struct dew_MemoryMesh {
    const char *name;
    const uint8_t *bytes;  // a PLY file, in the scene's arena
    size_t size;
} dew_MemoryMesh;

/// Is `file` the name of such a mesh, "memory:NAME"?
bool dew_is_memory_mesh(const char *file);

/// The mesh of "memory:NAME"; DEW_BAD_INPUT when none of that name was added.
dew_Status dew_scene_find_mesh(const dew_Scene *scene, const char *file,
                               const dew_MemoryMesh **out);

/// Gives another scene the meshes of this one.
dew_Status dew_scene_copy_meshes(const dew_Scene *from, dew_Scene *to);

/// Writes each mesh to DIRECTORY/scene_meshes/NAME.ply, where dew_scene_text says it is. Files that
/// hold it already stay as they are.
dew_Status dew_scene_save_meshes(const dew_Scene *scene, const char *directory);
