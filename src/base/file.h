/// Files: whole or not there.
///
/// A dew_FileWriter writes NAME.part beside the final name; commit flushes, syncs, renames it over
/// the final name and syncs the directory, so that a reader never sees half a file and a crash
/// loses at most what was not committed. Every system error becomes a status with the path and the
/// reason.
#pragma once

#include "base/allocator.h"

typedef struct dew_FileWriter {
    int fd;           // of the part; for reading, too
    char *path;       // final name
    char *part_path;  // the name while it is written
    uint8_t *buffer;
    size_t buffered;
    int64_t size_bytes;  // written so far, buffered included
    dew_Status status;   // the first failure; later writes do nothing
    dew_Allocator allocator;
} dew_FileWriter;

dew_Status dew_file_begin(dew_FileWriter *writer, const char *path, const dew_Allocator *allocator);
/// Failures are remembered and reported by commit; so the many small writes need no check.
void dew_file_write(dew_FileWriter *writer, const void *data, size_t size);
void dew_file_text(dew_FileWriter *writer, const char *text);
void dew_file_format(dew_FileWriter *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void dew_file_number(dew_FileWriter *writer, double x);  // shortest form, any locale
/// Replaces bytes that were written before, at an offset from the file's beginning: for heads that
/// state what comes out at the end.
void dew_file_patch(dew_FileWriter *writer, int64_t at, const void *data, size_t size);
dew_Status dew_file_commit(dew_FileWriter *writer);  // ends the writer, also when it fails
void dew_file_abandon(dew_FileWriter *writer);       // removes the part; harmless after commit

/// Reads a whole regular file, at most max_bytes; a zero byte is put behind its end. Free with
/// dew_free(allocator, *data, *size + 1). DEW_BAD_INPUT when it is missing, not for us to read, too
/// large, or a directory, pipe, socket or device, which would wait or never end; DEW_IO when the
/// system fails. What the program was started with is read by its name, as it comes: /dev/stdin and
/// /dev/fd/N may be pipes.
dew_Status dew_file_read(const char *path, size_t max_bytes, const dew_Allocator *allocator,
                         uint8_t **data, size_t *size);

/// The first bytes of a regular file, at most `size` of them; *got: how many there are. Failures as
/// above.
dew_Status dew_file_read_head(const char *path, uint8_t *data, size_t size, size_t *got);

/// Hash of a regular file's content, read block by block; no stream. Failures as above.
dew_Status dew_file_hash(const char *path, uint64_t *hash);
/// The same hash of a file's content in memory.
uint64_t dew_file_hash_bytes(const uint8_t *data, size_t size);

/// Appends to an open descriptor; retries interrupted and short writes.
dew_Status dew_fd_write(int fd, const void *data, size_t size, const char *path);

dew_Status dew_directory_make(const char *path);  // with its parents; fine when it exists
bool dew_file_exists(const char *path);           // a directory, too
bool dew_directory_exists(const char *path);
dew_Status dew_directory_sync(const char *path);
