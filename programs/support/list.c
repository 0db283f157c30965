// Capacity doubles, so that appending takes constant time on average.
#include "support/list.h"

#include <stdlib.h>
#include <string.h>

void dew_list_init(dew_List *list, size_t item_size)
{
    *list = (dew_List){.item_size = item_size};
}

void dew_list_deinit(dew_List *list)
{
    free(list->items);
    list->items = NULL;
    list->count = list->capacity = 0;
}

dew_Status dew_list_resize(dew_List *list, int64_t count)
{
    if (count > list->capacity) {
        int64_t capacity = count > 2 * list->capacity ? count : 2 * list->capacity;
        void *items = realloc(list->items, (size_t)capacity * list->item_size);
        if (!items)
            return dew_fail(DEW_NO_MEMORY, "out of memory (%lld items of %zu bytes)",
                            (long long)capacity, list->item_size);
        list->items = items;
        list->capacity = capacity;
    }
    list->count = count;
    return dew_ok();
}

dew_Status dew_list_push(dew_List *list, const void *item)
{
    DEW_TRY(dew_list_resize(list, list->count + 1));
    memcpy((char *)list->items + (size_t)(list->count - 1) * list->item_size, item,
           list->item_size);
    return dew_ok();
}

bool dew_list_take_first(dew_List *list, void *item)
{
    if (list->count == 0)
        return false;
    memcpy(item, list->items, list->item_size);
    list->count--;
    memmove(list->items, (char *)list->items + list->item_size,
            (size_t)list->count * list->item_size);
    return true;
}
