/// Priority queue of edges: a binary heap, smallest key first, ties by half-edge.
///
/// Entries are not removed when an edge changes: an entry is stale, and to be skipped, when its
/// half-edge no longer joins the two vertices or its key is not what the edge has now.
#pragma once

#include "base/array.h"

typedef struct dew_RemeshEdge {
    double key;
    uint32_t half, from, to;
} dew_RemeshEdge;

/// False: no memory.
bool dew_remesh_queue_push(dew_Array *heap, dew_RemeshEdge edge);
bool dew_remesh_queue_pop(dew_Array *heap, dew_RemeshEdge *out);  // false: empty
