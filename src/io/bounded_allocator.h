/// For fuzzing: memory that is counted and ends at a limit, so that a reader whose need does not
/// follow the size of its input is found out.
#pragma once

#include "base/allocator.h"

#include <stdlib.h>

typedef struct dew_Bounded {
    size_t used_bytes;   // not yet freed
    size_t limit_bytes;  // more is refused
} dew_Bounded;

static inline void *dew_bounded_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    dew_Bounded *bounded = (dew_Bounded *)context;
    size_t used = bounded->used_bytes - old_size + new_size;
    if (new_size > old_size && used > bounded->limit_bytes)
        return NULL;
    if (new_size == 0) {
        free(block);
        bounded->used_bytes = used;
        return NULL;
    }
    void *moved = realloc(block, new_size);
    if (moved)
        bounded->used_bytes = used;
    return moved;
}

static inline dew_Allocator dew_bounded_allocator(dew_Bounded *bounded)
{
    return (dew_Allocator){dew_bounded_resize, bounded};
}
