/// Tasks: parallel loops, sums and hashes whose results are bit-identical on any number of threads.
///
/// A loop is cut into chunks whose borders depend on the item count and the chunk size only, never
/// on the number of workers: what is summed per chunk and then in chunk order is bit-identical on
/// any machine. Worlds, renderers and runs have pools of their own; this one is for a program's own
/// loops.
#pragma once

#include "dew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pool of threads. Idle workers park on a condition variable.
typedef struct dew_Tasks dew_Tasks;

/// How a pool is made.
typedef struct dew_TasksDef {
    int worker_count;     // threads that work, the caller included; 0: one per core
    dew_TaskHost host;    // a host's scheduler instead of our threads
    bool reverse_chunks;  // for tests: hand chunks out from the last to the first
    dew_Allocator allocator;
    uint32_t cookie;  // set by dew_default_tasks_def
} dew_TasksDef;

/// One thread per core, the threads of the library.
dew_TasksDef dew_default_tasks_def(void);
/// A pool of threads. *out is NULL unless DEW_OK.
dew_Status dew_tasks_create(const dew_TasksDef *def, dew_Tasks **out);
void dew_tasks_destroy(dew_Tasks *tasks);
int dew_tasks_worker_count(const dew_Tasks *tasks);  // 1 for NULL

/// Work on items [begin, end), the chunk_index-th chunk.
typedef dew_Status (*dew_ChunkFunction)(void *context, int64_t begin, int64_t end,
                                        int64_t chunk_index);

/// Number of chunks dew_parallel_for makes.
int64_t dew_chunk_count(int64_t item_count, int64_t chunk_size);

/// Runs `fn` over all chunks. All chunks run even if one fails; of failing chunks the lowest
/// one gives the status. Allocates nothing. `tasks` may be NULL: serial. A call while the pool is
/// at work, from inside a chunk or from another thread, runs serially on the calling thread.
dew_Status dew_parallel_for(dew_Tasks *tasks, int64_t item_count, int64_t chunk_size,
                            dew_ChunkFunction fn, void *context);

/// The exact sum of x[0..count), rounded once, to nearest: the same in any order. NaN and
/// infinities propagate. [Neal2015]
double dew_sum(dew_Tasks *tasks, const double *x, int64_t count);

/// Content hash: XXH3, 64 bits. For checksums and determinism, not against malice.
uint64_t dew_hash(const void *data, size_t size, uint64_t seed);

#ifdef __cplusplus
}
#endif
