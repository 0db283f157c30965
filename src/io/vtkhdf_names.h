/// Names as VTKHDF and VTK's assemblies allow them, none twice.
#pragma once

#include "base/arena.h"

/// Puts into names[count] a name for a block: letters, digits, "_" and "-", with a letter or "_"
/// first. All else becomes "_", and "_2" and so on is added if one of names[0..count) is the same.
dew_Status dew_vtkhdf_block_name(dew_Arena *arena, const char *name, const char **names, int count);

/// The same for an array, whose name may hold all but "/", "." and control characters.
dew_Status dew_vtkhdf_array_name(dew_Arena *arena, const char *name, const char **names, int count);
