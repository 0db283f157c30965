/// LZ4 blocks [Collet2013], for formats that compress by them: USD's crate files.
#pragma once

#include "base/array.h"

/// The largest input of one block.
#define DEW_LZ4_MAX_BYTES ((size_t)0x7E000000)

/// Appends the block of `size` bytes (at most DEW_LZ4_MAX_BYTES) to an array of bytes. The same
/// bytes from the same input, always.
dew_Status dew_lz4_compress(const void *data, size_t size, dew_Array *out);
