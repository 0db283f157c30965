/// Integers and bytes as crate files compress them [Pixar2016].
#pragma once

#include "base/array.h"

/// Appends to `out` the bytes as one LZ4 block behind the number of further blocks, zero.
dew_Status dew_usd_pack(const void *data, size_t size, dew_Array *out);

/// Appends the coded, packed form of `count` integers; signed ones in two's complement. `scratch`
/// is an array of bytes that is overwritten.
dew_Status dew_usd_pack_integers(const uint32_t *x, int64_t count, dew_Array *scratch,
                                 dew_Array *out);
