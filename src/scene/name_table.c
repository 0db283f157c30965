// Open addressing with linear steps, never more than half full.
#include "scene/name_table.h"

#include <string.h>

#include "base/hash.h"
#include "base/status.h"

dew_Status dew_names_init(dew_NameTable *table, dew_Arena *arena, int64_t capacity)
{
    int64_t slot_count = 16;
    while (slot_count < 2 * capacity)
        slot_count *= 2;
    *table = (dew_NameTable){.names = dew_arena_array(arena, const char *, capacity),
                             .capacity = capacity,
                             .slots = dew_arena_array(arena, int32_t, slot_count),
                             .slot_count = slot_count};
    if (!table->names || !table->slots)
        return dew_no_memory((size_t)slot_count * sizeof *table->slots);
    return dew_ok();
}

// The slot of a name, or the empty one where it would go.
static int64_t find_slot(const dew_NameTable *table, const char *name)
{
    uint64_t mask = (uint64_t)table->slot_count - 1;
    uint64_t slot = dew_hash(name, strlen(name), 0) & mask;
    while (table->slots[slot] && strcmp(table->names[table->slots[slot] - 1], name) != 0)
        slot = (slot + 1) & mask;
    return (int64_t)slot;
}

int64_t dew_names_add(dew_NameTable *table, const char *name)
{
    int64_t slot = find_slot(table, name);
    if (table->slots[slot])
        return table->slots[slot] - 1;
    DEW_ASSERT(table->count < table->capacity);
    table->names[table->count++] = name;
    table->slots[slot] = (int32_t)table->count;
    return DEW_INVALID;
}

int64_t dew_names_find(const dew_NameTable *table, const char *name)
{
    return (int64_t)table->slots[find_slot(table, name)] - 1;
}
