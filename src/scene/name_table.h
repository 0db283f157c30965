/// Names and their indices: a hash table, so that ten thousand drops on ten thousand solids are
/// checked in no time.
#pragma once

#include "base/arena.h"

typedef struct dew_NameTable {
    const char **names;  // in the order they were added
    int64_t count;
    int64_t capacity;
    int32_t *slots;  // index + 1; 0: empty
    int64_t slot_count;
} dew_NameTable;

/// Room for `capacity` names, in the arena.
dew_Status dew_names_init(dew_NameTable *table, dew_Arena *arena, int64_t capacity);
/// Adds a name, which must outlive the table; returns the index of the one that was there, or
/// DEW_INVALID when it is new.
int64_t dew_names_add(dew_NameTable *table, const char *name);
int64_t dew_names_find(const dew_NameTable *table, const char *name);
