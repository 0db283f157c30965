/// Memory that is freed whole. A noun owns one arena; a step works on a scratch arena that World
/// rewinds, so that error paths are plain returns.
///
/// Memory is kept on rewind: a step that needs no more than the largest one before allocates
/// nothing. (Several blocks become one when the arena is emptied, so the second step may allocate
/// once.) What is far more than recent steps needed goes back to the allocator at the end of a step
/// (base/demand.h). Memory handed out is zeroed (unless asked for raw) and aligned to 64 bytes. Not
/// for two threads at once.
#pragma once

#include "base/allocator.h"
#include "base/demand.h"

typedef struct dew_ArenaBlock dew_ArenaBlock;

typedef struct dew_Arena {
    dew_Allocator allocator;
    dew_ArenaBlock *first;    // chain of blocks, oldest first
    dew_ArenaBlock *current;  // the one being filled
    size_t used_bytes;        // handed out since the last rewind, alignment included
    size_t reserved_bytes;    // taken from the allocator
    size_t peak_bytes;        // largest used_bytes since the last dew_arena_end_step
    dew_Demand demand;
} dew_Arena;

/// A place to come back to; worthless once the arena was emptied or rewound to an earlier mark.
typedef struct dew_ArenaMark {
    dew_ArenaBlock *block;
    size_t block_used;
    size_t used_bytes;
} dew_ArenaMark;

void dew_arena_init(dew_Arena *arena, const dew_Allocator *allocator);
void dew_arena_deinit(dew_Arena *arena);

/// Zeroed, 64-byte aligned; NULL when there is no memory or count * size overflows. count 0: not
/// NULL.
void *dew_arena_alloc(dew_Arena *arena, int64_t count, size_t element_size);
#define dew_arena_array(arena, type, count)                                                        \
    ((type *)dew_arena_alloc((arena), (count), sizeof(type)))

/// Same, but what it holds is anything: for long vectors that are written before they are read.
void *dew_arena_alloc_raw(dew_Arena *arena, int64_t count, size_t element_size);
#define dew_arena_raw_array(arena, type, count)                                                    \
    ((type *)dew_arena_alloc_raw((arena), (count), sizeof(type)))

/// Copies of strings; NULL when there is no memory.
char *dew_arena_text(dew_Arena *arena, const char *text, size_t length);
char *dew_arena_format(dew_Arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

dew_ArenaMark dew_arena_mark(const dew_Arena *arena);
void dew_arena_rewind(dew_Arena *arena, dew_ArenaMark mark);  // keeps the blocks
void dew_arena_clear(dew_Arena *arena);                       // rewinds to the beginning
/// Bytes that it can hand out in one piece after it was cleared.
size_t dew_arena_capacity(const dew_Arena *arena);
/// Clears it; then it holds one block of at least this many bytes. False: there is no memory; it is
/// as small as it was or holds nothing, and still of use.
bool dew_arena_reserve(dew_Arena *arena, size_t bytes);
/// Clears it, and gives its memory back by the rule of base/demand.h. Once a step.
void dew_arena_end_step(dew_Arena *arena);
