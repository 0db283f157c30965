/// Bytes that a format wants behind what is known only later: kept aside, then copied to the sink.
///
/// For a file they lie in an unnamed file in the same folder, which vanishes with the process; for
/// memory in memory. Failures are kept and returned by dew_scratch_file_copy, as those of a sink.
#pragma once

#include "io/sink.h"

typedef struct dew_ScratchFile {
    dew_Array bytes;   // of uint8_t: all of them, or those not yet in the file
    int fd;            // DEW_INVALID: in memory
    int64_t size;      // in bytes, all together
    const char *path;  // of the sink's file, for messages
    dew_Status status;
} dew_ScratchFile;

/// The sink must outlive it.
dew_Status dew_scratch_file_begin(dew_ScratchFile *file, const dew_Sink *sink,
                                  const dew_Allocator *allocator);
void dew_scratch_file_write(dew_ScratchFile *file, const void *data, size_t size);
/// Appends all of it to the sink.
dew_Status dew_scratch_file_copy(dew_ScratchFile *file, dew_Sink *sink);
void dew_scratch_file_end(dew_ScratchFile *file);
