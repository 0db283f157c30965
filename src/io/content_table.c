// Open addressing with linear probing; at most half of the slots are used.
#include "io/content_table.h"

#include "base/hash.h"
#include "base/status.h"

typedef struct Slot {
    dew_ContentKey key;
    uint64_t value;
    bool is_used;
} Slot;

#define FIRST_SLOT_COUNT 64
#define SECOND_SEED      0x9e3779b97f4a7c15u  // any other than the first hash's

dew_ContentKey dew_content_key(dew_ContentKey before, const void *data, size_t size)
{
    return (dew_ContentKey){
        {dew_hash(data, size, before.part[0]), dew_hash(data, size, before.part[1] + SECOND_SEED)}};
}

void dew_content_table_init(dew_ContentTable *table, const dew_Allocator *allocator)
{
    dew_array_init(&table->slots, allocator, sizeof(Slot));
    table->count = 0;
}

void dew_content_table_deinit(dew_ContentTable *table)
{
    dew_array_deinit(&table->slots);
}

// The slot that has the key, or the free one where it belongs.
static Slot *slot_of(const dew_Array *slots, dew_ContentKey key)
{
    Slot *all = DEW_ITEMS(slots, Slot);
    uint64_t mask = (uint64_t)slots->count - 1;
    uint64_t i = key.part[0] & mask;
    while (all[i].is_used &&
           (all[i].key.part[0] != key.part[0] || all[i].key.part[1] != key.part[1]))
        i = (i + 1) & mask;
    return &all[i];
}

const uint64_t *dew_content_table_find(const dew_ContentTable *table, dew_ContentKey key)
{
    if (table->slots.count == 0)
        return NULL;
    const Slot *slot = slot_of(&table->slots, key);
    return slot->is_used ? &slot->value : NULL;
}

static dew_Status grow(dew_ContentTable *table)
{
    dew_Array fresh;
    int64_t count = table->slots.count > 0 ? 2 * table->slots.count : FIRST_SLOT_COUNT;
    dew_array_init(&fresh, &table->slots.allocator, sizeof(Slot));
    DEW_TRY(dew_array_reserve(&fresh, count));
    DEW_TRY(dew_array_resize(&fresh, count));
    const Slot *old = DEW_ITEMS(&table->slots, Slot);
    for (int64_t i = 0; i < table->slots.count; i++)
        if (old[i].is_used)
            *slot_of(&fresh, old[i].key) = old[i];
    dew_array_deinit(&table->slots);
    table->slots = fresh;
    return dew_ok();
}

dew_Status dew_content_table_insert(dew_ContentTable *table, dew_ContentKey key, uint64_t value)
{
    if (2 * (table->count + 1) > table->slots.count)
        DEW_TRY(grow(table));
    Slot *slot = slot_of(&table->slots, key);
    DEW_ASSERT(!slot->is_used);
    *slot = (Slot){key, value, true};
    table->count++;
    return dew_ok();
}
