/// zlib with memory from an allocator.
#pragma once

#include "io/sized_memory.h"

#include <zlib.h>

static inline void *dew_zlib_alloc(void *allocator, unsigned count, unsigned size)
{
    return dew_sized_alloc((const dew_Allocator *)allocator, (size_t)count * size);
}

static inline void dew_zlib_free(void *allocator, void *memory)
{
    dew_sized_free((const dew_Allocator *)allocator, memory);
}

/// A stream before deflateInit or inflateInit. The allocator must outlive it.
static inline z_stream dew_zlib_stream(dew_Allocator *allocator)
{
    return (z_stream){.zalloc = dew_zlib_alloc, .zfree = dew_zlib_free, .opaque = allocator};
}
