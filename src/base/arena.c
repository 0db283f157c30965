// Arena: a chain of blocks, filled one after the other.
//
// Block sizes follow what is reserved so far, so their number grows with the logarithm of the use.
// When an arena of several blocks becomes empty they are exchanged for one block of what was used
// of them, and a quarter more: from then on any work that needs no more than that allocates
// nothing, in whatever order it asks. The holes at the ends of blocks, up to as much again, are not
// kept. Memory that was never handed out is still zero from the allocator; only what was is
// cleared.
//
// Under AddressSanitizer the memory not handed out is poisoned, and a gap is left between pieces.
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISON
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISON
#endif
#endif

#ifdef ARENA_POISON
#include <sanitizer/asan_interface.h>
#define POISON(start, size)   __asan_poison_memory_region((start), (size))
#define UNPOISON(start, size) __asan_unpoison_memory_region((start), (size))
#define GAP_BYTES             ((size_t)64)
#else
#define POISON(start, size)   ((void)(start), (void)(size))
#define UNPOISON(start, size) ((void)(start), (void)(size))
#define GAP_BYTES             ((size_t)0)
#endif

#define ALIGN_BYTES     ((size_t)64)
#define MIN_BLOCK_BYTES ((size_t)64 << 10)
#define MAX_BLOCK_BYTES ((size_t)64 << 20)  // larger ones only when a single request asks for it

struct dew_ArenaBlock {
    dew_ArenaBlock *next;
    size_t size;    // of the whole block, as the allocator knows it
    uint8_t *data;  // first aligned byte behind this header
    size_t capacity;
    size_t used;
    size_t dirty;  // bytes below this were handed out before; above it all is zero
};

void dew_arena_init(dew_Arena *arena, const dew_Allocator *allocator)
{
    *arena = (dew_Arena){0};
    if (allocator)
        arena->allocator = *allocator;
}

static void free_blocks(dew_Arena *arena)
{
    for (dew_ArenaBlock *block = arena->first; block;) {
        dew_ArenaBlock *next = block->next;
        UNPOISON(block->data, block->capacity);
        dew_free(&arena->allocator, block, block->size);
        block = next;
    }
    arena->first = NULL;
    arena->current = NULL;
    arena->reserved_bytes = 0;
}

void dew_arena_deinit(dew_Arena *arena)
{
    free_blocks(arena);
    arena->used_bytes = 0;
}

// A block with room for `capacity` bytes, at the end of the chain; NULL when there is no memory.
static dew_ArenaBlock *add_block(dew_Arena *arena, size_t capacity)
{
    size_t size = 0;
    if (__builtin_add_overflow(capacity, sizeof(dew_ArenaBlock) + ALIGN_BYTES, &size) ||
        size > PTRDIFF_MAX)
        return NULL;
    dew_ArenaBlock *block = (dew_ArenaBlock *)dew_alloc(&arena->allocator, (int64_t)size, 1);
    if (!block)
        return NULL;
    uintptr_t start = (uintptr_t)(block + 1);
    uintptr_t aligned = (start + ALIGN_BYTES - 1) & ~(uintptr_t)(ALIGN_BYTES - 1);
    *block = (dew_ArenaBlock){
        .size = size, .data = (uint8_t *)(block + 1) + (aligned - start), .capacity = capacity};
    POISON(block->data, block->capacity);
    dew_ArenaBlock **end = &arena->first;
    while (*end)
        end = &(*end)->next;
    *end = block;
    arena->reserved_bytes += size;
    return block;
}

// Makes `current` a block with room for `size` bytes; false when there is none to be had. A block
// that is passed over keeps its hole until the rewind.
static bool find_room(dew_Arena *arena, size_t size)
{
    if (arena->current && arena->current->capacity - arena->current->used >= size)
        return true;
    dew_ArenaBlock *block = arena->current ? arena->current->next : arena->first;
    while (block && block->capacity < size)
        block = block->next;
    if (!block) {
        size_t wanted = arena->reserved_bytes;
        wanted = wanted < MIN_BLOCK_BYTES ? MIN_BLOCK_BYTES : wanted;
        wanted = wanted > MAX_BLOCK_BYTES ? MAX_BLOCK_BYTES : wanted;
        block = add_block(arena, wanted > size ? wanted : size);
        if (!block && wanted > size)
            block = add_block(arena, size);
    }
    if (!block)
        return false;
    block->used = 0;
    arena->current = block;
    return true;
}

// *stale: how many of the first bytes were handed out before.
static void *take(dew_Arena *arena, int64_t count, size_t element_size, size_t *stale)
{
    size_t size = 0;
    if (count < 0 || __builtin_mul_overflow((size_t)count, element_size, &size) ||
        size > PTRDIFF_MAX - 2 * ALIGN_BYTES)
        return NULL;
    size_t wanted = size == 0 ? 1 : size;
    wanted = ((wanted + ALIGN_BYTES - 1) & ~(ALIGN_BYTES - 1)) + GAP_BYTES;
    if (!find_room(arena, wanted))
        return NULL;
    dew_ArenaBlock *block = arena->current;
    uint8_t *start = block->data + block->used;
    UNPOISON(start, size);
    *stale = block->used < block->dirty ? block->dirty - block->used : 0;
    *stale = *stale < size ? *stale : size;
    block->used += wanted;
    if (block->dirty < block->used)
        block->dirty = block->used;
    arena->used_bytes += wanted;
    if (arena->peak_bytes < arena->used_bytes)
        arena->peak_bytes = arena->used_bytes;
    return start;
}

void *dew_arena_alloc(dew_Arena *arena, int64_t count, size_t element_size)
{
    size_t stale;
    void *start = take(arena, count, element_size, &stale);
    return start ? memset(start, 0, stale) : NULL;
}

void *dew_arena_alloc_raw(dew_Arena *arena, int64_t count, size_t element_size)
{
    size_t stale;
    return take(arena, count, element_size, &stale);
}

char *dew_arena_text(dew_Arena *arena, const char *text, size_t length)
{
    if (length >= PTRDIFF_MAX)
        return NULL;
    char *copy = dew_arena_array(arena, char, (int64_t)length + 1);
    if (copy && length > 0)
        memcpy(copy, text, length);
    return copy;
}

char *dew_arena_format(dew_Arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : dew_arena_array(arena, char, (int64_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

dew_ArenaMark dew_arena_mark(const dew_Arena *arena)
{
    return (dew_ArenaMark){.block = arena->current,
                           .block_used = arena->current ? arena->current->used : 0,
                           .used_bytes = arena->used_bytes};
}

void dew_arena_rewind(dew_Arena *arena, dew_ArenaMark mark)
{
    DEW_ASSERT(mark.used_bytes <= arena->used_bytes);
    if (mark.used_bytes == 0) {
        dew_arena_clear(arena);
        return;
    }
#ifdef ARENA_POISON
    for (dew_ArenaBlock *block = mark.block->next; block; block = block->next)
        POISON(block->data, block->capacity);
    POISON(mark.block->data + mark.block_used, mark.block->capacity - mark.block_used);
#endif
    arena->current = mark.block;
    arena->current->used = mark.block_used;
    arena->used_bytes = mark.used_bytes;
}

void dew_arena_clear(dew_Arena *arena)
{
    arena->used_bytes = 0;
    if (arena->first && arena->first->next) {
        size_t capacity = 0;
        for (dew_ArenaBlock *block = arena->first; block; block = block->next)
            capacity += block->capacity;
        size_t used = arena->peak_bytes + arena->peak_bytes / 4;
        capacity = used < capacity ? used : capacity;
        free_blocks(arena);          // before, not after: never twice the memory at once
        add_block(arena, capacity);  // without it the next request tries for itself
    }
    arena->current = arena->first;
    if (arena->current) {
        arena->current->used = 0;
        POISON(arena->current->data, arena->current->capacity);
    }
}

size_t dew_arena_capacity(const dew_Arena *arena)
{
    return arena->first ? arena->first->capacity : 0;
}

bool dew_arena_reserve(dew_Arena *arena, size_t bytes)
{
    dew_arena_clear(arena);
    if (arena->first && arena->first->capacity >= bytes)
        return true;
    free_blocks(arena);
    bool has_room = bytes == 0 || add_block(arena, bytes) != NULL;
    dew_arena_clear(arena);
    return has_room;
}

void dew_arena_end_step(dew_Arena *arena)
{
    bool is_excess = dew_demand_note(&arena->demand, arena->peak_bytes, arena->reserved_bytes);
    if (is_excess)
        free_blocks(arena);
    dew_arena_clear(arena);
    arena->peak_bytes = 0;
}
