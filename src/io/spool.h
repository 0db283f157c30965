/// Bytes that a format wants behind what is known only later: kept aside, then copied to the sink.
///
/// For a file they lie in an unnamed file in the same folder, which vanishes with the process; for
/// memory in memory. Failures are kept and returned by dew_spool_copy, as those of a sink.
#pragma once

#include "io/sink.h"

typedef struct dew_Spool {
    dew_Array bytes;   // of uint8_t: all of them, or those not yet in the file
    int fd;            // DEW_INVALID: in memory
    int64_t size;      // in bytes, all together
    const char *path;  // of the sink's file, for messages
    dew_Status status;
} dew_Spool;

/// The sink must outlive the spool.
dew_Status dew_spool_begin(dew_Spool *spool, const dew_Sink *sink, const dew_Allocator *allocator);
void dew_spool_write(dew_Spool *spool, const void *data, size_t size);
/// Appends all of it to the sink.
dew_Status dew_spool_copy(dew_Spool *spool, dew_Sink *sink);
void dew_spool_end(dew_Spool *spool);
