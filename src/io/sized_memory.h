/// Memory for C libraries that free without telling the size: each block carries it in front.
#pragma once

#include "base/allocator.h"

#include <stddef.h>
#include <string.h>

#define DEW_SIZED_PREFIX _Alignof(max_align_t)  // keeps the alignment of malloc

static inline void *dew_sized_alloc(const dew_Allocator *allocator, size_t size)
{
    if (size > SIZE_MAX - DEW_SIZED_PREFIX)
        return NULL;
    size_t whole = size + DEW_SIZED_PREFIX;
    uint8_t *block = (uint8_t *)dew_resize(allocator, NULL, 0, whole);
    if (!block)
        return NULL;
    memcpy(block, &whole, sizeof whole);
    return block + DEW_SIZED_PREFIX;
}

static inline void dew_sized_free(const dew_Allocator *allocator, void *memory)
{
    if (!memory)
        return;
    uint8_t *block = (uint8_t *)memory - DEW_SIZED_PREFIX;
    size_t whole;
    memcpy(&whole, block, sizeof whole);
    dew_free(allocator, block, whole);
}
