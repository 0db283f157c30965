/// Files that a scene names.
#pragma once

#include "base/arena.h"
#include "dew/scene.h"

/// Meshes that are made by formula are named so instead of by a file: `procedural:bottle`.
#define DEW_MADE_BY_NAME "procedural:"
/// Meshes that a program added by dew_scene_add_mesh are named `memory:rock`; beside a saved scene
/// they are `scene_meshes/rock.ply`.
#define DEW_MESH_IN_MEMORY "memory:"
#define DEW_MESH_FOLDER    "scene_meshes"

/// A name as it can be opened: a relative one starts in the folder of the scene file. NULL: no
/// memory.
char *dew_scene_resolve_path(const dew_Scene *scene, const char *name, dew_Arena *arena);

/// The file `path` as seen from `directory` (both from the working directory, or absolute). NULL:
/// no memory.
char *dew_path_relative(const char *path, const char *directory, dew_Arena *arena);
