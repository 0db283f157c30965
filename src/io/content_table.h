/// A table of contents seen before, by 128 bits of their hash: what is equal is stored once without
/// being kept in memory. Two different contents get one key with a probability of 2^-128 a pair.
#pragma once

#include "base/array.h"

typedef struct dew_ContentKey {
    uint64_t part[2];
} dew_ContentKey;

typedef struct dew_ContentTable {
    dew_Array slots;
    int64_t count;
} dew_ContentTable;

/// The key of bytes that follow what has the key `before`; a key of zeros: nothing.
dew_ContentKey dew_content_key(dew_ContentKey before, const void *data, size_t size);

void dew_content_table_init(dew_ContentTable *table, const dew_Allocator *allocator);
void dew_content_table_deinit(dew_ContentTable *table);
/// The value stored with a key; NULL: none. Valid until the next insertion.
const uint64_t *dew_content_table_find(const dew_ContentTable *table, dew_ContentKey key);
/// The key must not be there yet.
dew_Status dew_content_table_insert(dew_ContentTable *table, dew_ContentKey key, uint64_t value);
