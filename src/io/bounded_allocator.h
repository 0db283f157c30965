/// For fuzzing: memory that is counted and ends at a limit, so that a reader whose need does not
/// follow the size of its input is found out.
///
/// Where the address sanitizer is not there to see it (DEW_FUZZ_FAST), a guard behind each block
/// shows, when the block changes or ends, that something was written beyond it.
#pragma once

#include "base/allocator.h"

#include <stdlib.h>
#include <string.h>

#ifdef DEW_FUZZ_FAST
#define DEW_GUARD      "\xd7\x5c\xe3\x91\x2a\xb6\x4f"
#define DEW_GUARD_SIZE (sizeof DEW_GUARD)
#else
#define DEW_GUARD      ""
#define DEW_GUARD_SIZE ((size_t)0)
#endif

typedef struct dew_Bounded {
    size_t used_bytes;   // not yet freed
    size_t limit_bytes;  // more is refused
} dew_Bounded;

static inline void *dew_bounded_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    dew_Bounded *bounded = (dew_Bounded *)context;
    size_t used = bounded->used_bytes - old_size + new_size;
    if (block && memcmp((uint8_t *)block + old_size, DEW_GUARD, DEW_GUARD_SIZE) != 0)
        abort();
    if (new_size > old_size && used > bounded->limit_bytes)
        return NULL;
    if (new_size == 0) {
        free(block);
        bounded->used_bytes = used;
        return NULL;
    }
    uint8_t *moved = (uint8_t *)realloc(block, new_size + DEW_GUARD_SIZE);
    if (!moved)
        return NULL;
    memcpy(moved + new_size, DEW_GUARD, DEW_GUARD_SIZE);
    bounded->used_bytes = used;
    return moved;
}

static inline dew_Allocator dew_bounded_allocator(dew_Bounded *bounded)
{
    return (dew_Allocator){dew_bounded_resize, bounded};
}
