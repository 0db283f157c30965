/// Names and values as Alembic allows them: no slash in names, no ";" and "=" in metadata.
#pragma once

#include "base/arena.h"

/// The name with "_" for slashes and control characters; "object" for an empty one. NULL: no
/// memory.
const char *dew_abc_legal_name(dew_Arena *arena, const char *name);

/// Puts into names[count] a legal name that none of names[0..count) is: "_2" and so on is added.
dew_Status dew_abc_unique_name(dew_Arena *arena, const char *name, const char **names, int count);

/// The text with spaces for separators and control characters; "" when there is no memory.
const char *dew_abc_legal_value(dew_Arena *arena, const char *text);
