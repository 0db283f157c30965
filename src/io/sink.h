/// Where a writer's bytes go: a file that appears whole or not at all, or an array in memory.
///
/// Failures are kept and returned by dew_sink_end, so that the many small writes need no check.
#pragma once

#include "base/array.h"
#include "base/file.h"

typedef struct dew_Sink {
    dew_FileWriter file;   // when memory is NULL
    dew_Array *memory;     // of uint8_t, appended to; not owned
    int64_t memory_begin;  // how many bytes it had before
    dew_Status status;     // the first failure of memory
} dew_Sink;

dew_Status dew_sink_begin_file(dew_Sink *sink, const char *path, const dew_Allocator *allocator);
void dew_sink_begin_memory(dew_Sink *sink, dew_Array *bytes);

void dew_sink_write(dew_Sink *sink, const void *data, size_t size);
int64_t dew_sink_size(const dew_Sink *sink);  // bytes written so far
/// Replaces bytes written before, at an offset from the sink's first byte.
void dew_sink_patch(dew_Sink *sink, int64_t at, const void *data, size_t size);
void dew_sink_text(dew_Sink *sink, const char *text);
void dew_sink_integer(dew_Sink *sink, int64_t x);
void dew_sink_double(dew_Sink *sink, double x);       // shortest decimal that reads back the same
void dew_sink_float(dew_Sink *sink, float x);         // same for single precision
void dew_sink_xml(dew_Sink *sink, const char *text);  // text with & < > " as entities
/// A string of JSON, quotes included. Bytes that are no UTF-8 become U+FFFD.
void dew_sink_json(dew_Sink *sink, const char *text);

/// Commits the file, or drops it when `status` is a failure, which is then returned.
dew_Status dew_sink_end(dew_Sink *sink, dew_Status status);
