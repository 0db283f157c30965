/// Task pool: dew_parallel_for over fixed chunks.
///
/// Chunk borders depend on the item count and the chunk size only, never on the number of workers,
/// so that whatever is summed per chunk and then in chunk order has the same bits on any machine.
/// Idle workers park on a condition variable. A call from inside a chunk runs serially, in place.
#pragma once

#include "dew/base.h"

typedef struct dew_Tasks dew_Tasks;

typedef struct dew_TasksDef {
    int worker_count;     // threads that work, the caller included; 0: one per core
    dew_TaskHost host;    // a host's scheduler instead of our threads
    bool reverse_chunks;  // torture: hand chunks out from the last to the first
    dew_Allocator allocator;
} dew_TasksDef;

dew_TasksDef dew_default_tasks_def(void);
dew_Status dew_tasks_create(const dew_TasksDef *def, dew_Tasks **out);
void dew_tasks_destroy(dew_Tasks *tasks);
int dew_tasks_worker_count(const dew_Tasks *tasks);  // 1 for NULL

/// Work on items [begin, end), the chunk_index-th chunk.
typedef dew_Status dew_ChunkFn(void *context, int64_t begin, int64_t end, int64_t chunk_index);

/// Number of chunks dew_parallel_for makes.
int64_t dew_chunk_count(int64_t item_count, int64_t chunk_size);

/// Runs `fn` over all chunks. All chunks run even if one fails; of failing chunks the lowest speaks.
/// Allocates nothing. `tasks` may be NULL: serial. A call while the pool is at work, from inside a chunk
/// or from another thread, runs serially on the calling thread.
dew_Status dew_parallel_for(dew_Tasks *tasks, int64_t item_count, int64_t chunk_size,
                            dew_ChunkFn *fn, void *context);
