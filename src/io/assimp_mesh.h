/// Meshes in formats that the library assimp reads: glTF, FBX and others; reading only.
///
/// Optional: where the build found no headers of assimp, or the machine lacks the library, reading
/// fails with a sentence that says what is missing. The library is opened when it is needed.
#pragma once

#include "geom/mesh.h"
#include "io/source.h"

/// Is it the ending of a format that assimp reads and Dew lets it read?
bool dew_assimp_is_ending(const char *ending);
/// The endings, for messages: ".glb, .gltf, ..."
const char *dew_assimp_endings(void);
/// False: this build was made without assimp.
bool dew_assimp_is_in_build(void);

/// All triangles of the file's scene, in its place at rest, as one mesh without attributes; equal
/// points are welded. source->name gives the format by its ending, and the folder of files that
/// this one names (the buffers of a .gltf): only those beside it are read. Replaces what is in the
/// mesh; leaves it empty on failure.
dew_Status dew_assimp_parse(const dew_Source *source, dew_Mesh *mesh);
