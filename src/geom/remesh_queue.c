// Binary heap of edges.
#include "geom/remesh_queue.h"

static bool comes_before(const dew_RemeshEdge *a, const dew_RemeshEdge *b)
{
    return a->key < b->key || (a->key == b->key && a->half < b->half);
}

bool dew_remesh_queue_push(dew_Array *heap, dew_RemeshEdge edge)
{
    if (heap->count == heap->capacity &&
        dew_array_reserve(heap, 2 * heap->count + 64).code != DEW_OK)
        return false;
    dew_RemeshEdge *item = DEW_ITEMS(heap, dew_RemeshEdge);
    int64_t i = heap->count++;
    for (; i > 0 && comes_before(&edge, &item[(i - 1) / 2]); i = (i - 1) / 2)
        item[i] = item[(i - 1) / 2];
    item[i] = edge;
    return true;
}

bool dew_remesh_queue_pop(dew_Array *heap, dew_RemeshEdge *out)
{
    if (heap->count == 0)
        return false;
    dew_RemeshEdge *item = DEW_ITEMS(heap, dew_RemeshEdge);
    *out = item[0];
    int64_t count = --heap->count, i = 0;
    dew_RemeshEdge last = item[count];
    while (2 * i + 1 < count) {
        int64_t child = 2 * i + 1;
        if (child + 1 < count && comes_before(&item[child + 1], &item[child]))
            child++;
        if (!comes_before(&item[child], &last))
            break;
        item[i] = item[child];
        i = child;
    }
    item[i] = last;
    return true;
}
