/// The files that only images need: textures and light.
#pragma once

#include "io/float_image.h"
#include "scene/files.h"

/// Light from all around: OpenEXR by its ending, else Radiance. Log may be NULL.
dew_Status dew_environment_load(const char *path, const dew_Log *log, dew_FloatImage *image);

/// Reads all textures and light that the scene names, whether images are drawn or not, and keeps
/// none: for `dew check`. Fails with the scene's line.
dew_Status dew_look_files_check(const dew_Scene *scene, const dew_Log *log,
                                const dew_Allocator *allocator);
