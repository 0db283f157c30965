/// zlib streams [Deutsch1996], for the writers that compress their blocks.
#pragma once

#include "base/array.h"

/// Appends the compressed form of `size` bytes to an array of bytes.
dew_Status dew_deflate(const void *data, size_t size, dew_Array *out);
