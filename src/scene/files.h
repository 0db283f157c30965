/// The files that a scene names, and the hashes of what they hold.
///
/// They are found through the schema, so that a new key for a file needs no change here. What a run
/// keeps of them shows later whether one of them was edited meanwhile.
#pragma once

#include "base/arena.h"
#include "dew/scene.h"

typedef struct dew_SceneFile {
    const char *key;   // where the scene names it: "solids[2].file"
    const char *path;  // as it can be opened; memory:NAME for a mesh of the scene
    bool is_cosmetic;  // textures and light: decides images, not what is simulated
    uint64_t hash;     // of its content; 0: not asked for
} dew_SceneFile;

typedef struct dew_SceneFiles {
    dew_SceneFile *files;  // in the order of the schema, in the arena
    int64_t count;
} dew_SceneFiles;

/// All of them; what is made by name (procedural:bottle, studio) is no file.
dew_Status dew_scene_files(const dew_Scene *scene, dew_Arena *arena, dew_SceneFiles *out);

/// Those that decide what is simulated (or, cosmetic, how it looks), with their hashes. Fails with
/// the scene's line where one cannot be read.
dew_Status dew_scene_hash_files(const dew_Scene *scene, bool is_cosmetic, dew_Arena *arena,
                                dew_SceneFiles *out);

/// DEW_BAD_INPUT with the words for a file that is not what it was.
dew_Status dew_scene_file_changed(const dew_SceneFile *file);
