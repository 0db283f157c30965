/// A file's bytes in memory, and sentences that say where in them something is wrong.
///
/// Every reader works on a dew_Source, so that it can be fed from a file, a test or a fuzzer alike.
/// Places are given as pointers into the bytes; the line is counted only when a sentence needs it,
/// so that reading itself counts no lines. What readers do not do: they never change the bytes.
#pragma once

#include "base/allocator.h"

typedef struct dew_Source {
    const char *name;         // what messages call it: the path as the user gave it
    const uint8_t *data;      // not owned when it was not loaded by dew_source_load
    size_t size;              // bytes at data
    size_t skipped_bytes;     // of the file before data: a byte-order mark
    dew_Log log;              // where warnings go
    dew_Allocator allocator;  // for what a reader needs while it works
} dew_Source;

/// Bytes that somebody else owns and keeps alive.
dew_Source dew_source_from_memory(const char *name, const void *data, size_t size);

/// Largest image or table that is read as a whole.
#define DEW_SOURCE_MAX_BYTES ((size_t)1 << 30)

/// Reads a whole file of at most max_bytes. `name` in the source is `path` itself: keep it alive.
/// Log and allocator may be NULL. An empty file is refused: no format that Dew reads is empty.
dew_Status dew_source_load(dew_Source *source, const char *path, size_t max_bytes,
                           const dew_Allocator *allocator, const dew_Log *log);
void dew_source_unload(dew_Source *source);

/// Skips a UTF-8 byte-order mark with a warning, and refuses UTF-16. For formats that begin as
/// text.
dew_Status dew_source_skip_mark(dew_Source *source);
/// Warns when lines end with carriage returns; looks at the first line only.
void dew_source_warn_line_ends(const dew_Source *source);

/// DEW_BAD_INPUT "NAME:LINE: words", for the line that holds the byte at `at`.
dew_Status dew_source_fail_line(const dew_Source *source, const void *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// DEW_BAD_INPUT "NAME: byte N: words", N counted from 0 at the beginning of the file.
dew_Status dew_source_fail_byte(const dew_Source *source, const void *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// "NAME: words" to the log.
void dew_source_say(const dew_Source *source, dew_LogLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// "NAME:LINE: words" to the log.
void dew_source_say_line(const dew_Source *source, dew_LogLevel level, const void *at,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));
