/// Growable array of plain data: the one container of Dew's state.
///
/// The element size is fixed at init, so that one routine saves, restores and hashes any array.
/// Growth doubles; a smaller count keeps the memory, dew_array_shrink gives it back. An array of
/// zeroes with an element size is valid.
#pragma once

#include "base/allocator.h"

typedef struct dew_Array {
    void *data;
    int64_t count;
    int64_t capacity;
    size_t element_size;
    dew_Allocator allocator;
} dew_Array;

/// The elements as `type`: DEW_ITEMS(&state->position, dew_Vec3)[i].
#define DEW_ITEMS(array, type) ((type *)(array)->data)

void dew_array_init(dew_Array *array, const dew_Allocator *allocator, size_t element_size);
void dew_array_deinit(dew_Array *array);

dew_Status dew_array_reserve(dew_Array *array, int64_t capacity);
dew_Status dew_array_resize(dew_Array *array, int64_t count);  // new elements are zero
dew_Status dew_array_push(dew_Array *array, const void *element);
dew_Status dew_array_append(dew_Array *array, const void *elements, int64_t count);
dew_Status dew_array_copy(dew_Array *to, const dew_Array *from);  // same element size
/// Gives back what is beyond twice the elements. Where the allocator cannot move them, all stays.
void dew_array_shrink(dew_Array *array);
