/// One door to memory: every byte of the library goes through dew_resize.
#pragma once

#include "dew/base.h"

/// Grows, shrinks, allocates (block NULL, old_size 0) or frees (new_size 0) through the allocator;
/// a NULL allocator or one without a function means malloc. Returns NULL when there is no memory.
void *dew_resize(const dew_Allocator *allocator, void *block, size_t old_size, size_t new_size);

/// Zeroed memory for `count` elements; NULL on overflow or lack of memory. count 0: not NULL, and
/// to be freed like any other.
void *dew_alloc(const dew_Allocator *allocator, int64_t count, size_t element_size);
void dew_free(const dew_Allocator *allocator, void *block, size_t size);
