/// The task pool of dew/tasks.h, for the library's own files.
#pragma once

#include "dew/tasks.h"

/// What a dew_ChunkFunction points to.
typedef dew_Status dew_ChunkFn(void *context, int64_t begin, int64_t end, int64_t chunk_index);

/// Chunk size of loops over vertices, triangles and the like: a chunk takes much longer than
/// handing it out, and some thousand items still occupy several workers.
#define DEW_CHUNK_ITEMS 512
/// The same of loops that only copy, compare or sort numbers.
#define DEW_CHUNK_COPIES 4096
