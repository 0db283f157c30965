// One door to memory. Sizes beyond PTRDIFF_MAX are refused here, before any allocator sees them.
#include "base/allocator.h"

#include <stdlib.h>
#include <string.h>

static bool is_custom(const dew_Allocator *allocator)
{
    return allocator && allocator->resize;
}

void *dew_resize(const dew_Allocator *allocator, void *block, size_t old_size, size_t new_size)
{
    if (!block && new_size == 0)
        return NULL;
    if (new_size > PTRDIFF_MAX)
        return NULL;
    if (block && old_size == 0)
        old_size = 1;  // dew_alloc gives one byte for nothing
    if (is_custom(allocator))
        return allocator->resize(allocator->context, block, block ? old_size : 0, new_size);
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

void *dew_alloc(const dew_Allocator *allocator, int64_t count, size_t element_size)
{
    size_t size = 0;
    if (count < 0 || __builtin_mul_overflow((size_t)count, element_size, &size))
        return NULL;
    if (size > PTRDIFF_MAX)
        return NULL;
    if (size == 0)
        size = 1;
    if (!is_custom(allocator))
        return calloc(1, size);  // fresh pages are zero already and stay untouched
    void *block = dew_resize(allocator, NULL, 0, size);
    if (block)
        memset(block, 0, size);
    return block;
}

void dew_free(const dew_Allocator *allocator, void *block, size_t size)
{
    if (block)
        dew_resize(allocator, block, size, 0);
}
