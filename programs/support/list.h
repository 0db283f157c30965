/// A list that grows: items of one size, one after the other.
#pragma once

#include "dew/base.h"

#include <stdint.h>

typedef struct dew_List {
    void *items;
    size_t item_size;
    int64_t count, capacity;
} dew_List;

void dew_list_init(dew_List *list, size_t item_size);
void dew_list_deinit(dew_List *list);
/// Appends a copy of the item.
dew_Status dew_list_push(dew_List *list, const void *item);
/// New items are not initialised.
dew_Status dew_list_resize(dew_List *list, int64_t count);
/// Takes out the first item; false: the list is empty.
bool dew_list_take_first(dew_List *list, void *item);
