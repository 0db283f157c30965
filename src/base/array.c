// Growable array of plain data.
//
// With DEW_AUDIT_ON each growth moves the elements, and a small array grows by what is needed only,
// so that a pointer kept across a push is caught by the address sanitizer at once.
#include "base/array.h"

#include <string.h>

#include "base/status.h"

void dew_array_init(dew_Array *array, const dew_Allocator *allocator, size_t element_size)
{
    DEW_ASSERT(element_size > 0);
    *array = (dew_Array){.element_size = element_size};
    if (allocator)
        array->allocator = *allocator;
}

void dew_array_deinit(dew_Array *array)
{
    if (array->data)
        dew_free(&array->allocator, array->data, (size_t)array->capacity * array->element_size);
    array->data = NULL;
    array->count = 0;
    array->capacity = 0;
}

// The block for `new_size` bytes with the old content, at a new place in the torture build.
static void *move_block(const dew_Array *array, size_t old_size, size_t new_size)
{
#ifdef DEW_AUDIT_ON
    void *block = dew_resize(&array->allocator, NULL, 0, new_size);
    if (block && array->data) {
        memcpy(block, array->data, old_size);
        dew_free(&array->allocator, array->data, old_size);
    }
    return block;
#else
    return dew_resize(&array->allocator, array->data, old_size, new_size);
#endif
}

dew_Status dew_array_reserve(dew_Array *array, int64_t capacity)
{
    DEW_ASSERT(array->element_size > 0);
    if (capacity <= array->capacity)
        return dew_ok();
    size_t size = 0;
    if (__builtin_mul_overflow((size_t)capacity, array->element_size, &size) || size > PTRDIFF_MAX)
        return dew_fail(DEW_NO_MEMORY, "out of memory: %lld elements of %zu bytes are too many",
                        (long long)capacity, array->element_size);
    void *data = move_block(array, (size_t)array->capacity * array->element_size, size);
    if (!data)
        return dew_no_memory(size);
    array->data = data;
    array->capacity = capacity;
    return dew_ok();
}

// Room for `count` elements; at least doubles, so that pushing n elements costs O(n).
static dew_Status grow(dew_Array *array, int64_t count)
{
    if (count <= array->capacity)
        return dew_ok();
    int64_t capacity = count;
#ifdef DEW_AUDIT_ON
    if (count > 256 && count <= INT64_MAX / 2)  // moving millions at each push would take hours
        capacity += count / 8;
#else
    if (array->capacity <= INT64_MAX / 2 && array->capacity * 2 > count)
        capacity = array->capacity * 2;
    if (capacity < 8 && array->element_size <= 64)
        capacity = 8;
#endif
    return dew_array_reserve(array, capacity);
}

dew_Status dew_array_resize(dew_Array *array, int64_t count)
{
    DEW_ASSERT(count >= 0);
    if (count < 0)
        return dew_fail(DEW_BAD_INPUT, "an array cannot have %lld elements", (long long)count);
    DEW_TRY(grow(array, count));
    if (count > array->count)
        memset((uint8_t *)array->data + (size_t)array->count * array->element_size, 0,
               (size_t)(count - array->count) * array->element_size);
    array->count = count;
    return dew_ok();
}

dew_Status dew_array_push(dew_Array *array, const void *element)
{
    return dew_array_append(array, element, 1);
}

dew_Status dew_array_append(dew_Array *array, const void *elements, int64_t count)
{
    DEW_ASSERT(count >= 0);
    if (count <= 0)
        return dew_ok();
    int64_t total = 0;
    if (__builtin_add_overflow(array->count, count, &total))
        return dew_fail(DEW_NO_MEMORY, "out of memory: %lld more elements are too many",
                        (long long)count);
    // Elements of the array itself move with it when it grows.
    uintptr_t data = (uintptr_t)array->data, from = (uintptr_t)elements;
    size_t used = (size_t)array->count * array->element_size;
    bool is_inside = array->data && from >= data && from < data + used;
    DEW_TRY(grow(array, total));
    const uint8_t *source =
        is_inside ? (const uint8_t *)array->data + (from - data) : (const uint8_t *)elements;
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): grow() has seen to the data
    memcpy((uint8_t *)array->data + used, source, (size_t)count * array->element_size);
    array->count = total;
    return dew_ok();
}

dew_Status dew_array_copy(dew_Array *to, const dew_Array *from)
{
    DEW_ASSERT(to->element_size == from->element_size);
    if (to == from)
        return dew_ok();
    DEW_TRY(grow(to, from->count));
    if (from->count > 0)
        memcpy(to->data, from->data, (size_t)from->count * from->element_size);
    to->count = from->count;
    return dew_ok();
}

void dew_array_shrink(dew_Array *array)
{
    if (array->count == 0) {
        dew_array_deinit(array);
        return;
    }
    if (array->count >= array->capacity / 2)
        return;
    size_t old_size = (size_t)array->capacity * array->element_size;
    size_t new_size = (size_t)(2 * array->count) * array->element_size;
    void *data = dew_resize(&array->allocator, array->data, old_size, new_size);
    if (!data)
        return;
    array->data = data;
    array->capacity = 2 * array->count;
}
