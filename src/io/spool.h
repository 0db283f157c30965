/// Texts that are written in one order and read in another: kept in memory while they are few, then
/// in a file beside the one that a sink writes.
///
/// That file has no name, so that nothing is left behind whatever happens.
#pragma once

#include "io/sink.h"

/// What writers keep in memory before a file is begun.
#define DEW_SPOOL_MEMORY_BYTES ((size_t)1 << 20)

typedef struct dew_Spool {
    dew_Array tail;      // of bytes: those that are not in the file yet
    int64_t file_bytes;  // those that are
    int fd;              // -1: no file
    const char *path;    // of the sink's file; NULL: all stays in memory
    size_t memory_bytes;
} dew_Spool;

/// `memory_bytes`: when to go to the file.
void dew_spool_init(dew_Spool *spool, const dew_Sink *sink, size_t memory_bytes,
                    const dew_Allocator *allocator);
void dew_spool_deinit(dew_Spool *spool);

int64_t dew_spool_size(const dew_Spool *spool);
/// A sink to its end, until dew_spool_settle.
dew_Sink dew_spool_sink(dew_Spool *spool);
/// After something was written: to the file with it where it is much.
dew_Status dew_spool_settle(dew_Spool *spool);
/// Copies bytes that are in it to a sink.
dew_Status dew_spool_copy(const dew_Spool *spool, int64_t begin, int64_t size, dew_Sink *sink);
