// Bytes kept aside: an unnamed file (O_TMPFILE), or one whose name goes at once where the file
// system has none such.
#include "io/scratch_file.h"

#include "base/part_file.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)256 << 10)

static dew_Status failure(const dew_ScratchFile *file, int error)
{
    return dew_fail(DEW_IO, "cannot write %s: %s", file->path, strerror(error));
}

static dew_Status folder_of(const char *path, char out[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    size_t length = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
    if (length >= PATH_MAX)
        return dew_fail(DEW_BAD_INPUT, "cannot write %.100s...: its name is too long", path);
    memcpy(out, slash ? path : ".", slash ? length : 1);
    out[slash ? length : 1] = '\0';
    return dew_ok();
}

// A name of its own beside the file; what a killed program left there is replaced.
static dew_Status open_named(dew_ScratchFile *file)
{
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s.arrays.part", file->path);
    if (length < 0 || (size_t)length >= sizeof name)
        return dew_fail(DEW_BAD_INPUT, "cannot write %.100s...: its name is too long", file->path);
    DEW_TRY(dew_part_create(name, file->path, &file->fd));
    return unlink(name) == 0 ? dew_ok() : failure(file, errno);
}

static dew_Status open_file(dew_ScratchFile *file)
{
    char folder[PATH_MAX];
    DEW_TRY(folder_of(file->path, folder));
#ifdef O_TMPFILE
    do
        file->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    while (file->fd < 0 && errno == EINTR);
    if (file->fd >= 0)
        return dew_ok();
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)
        return failure(file, errno);
#endif
    return open_named(file);
}

dew_Status dew_scratch_file_begin(dew_ScratchFile *file, const dew_Sink *sink,
                                  const dew_Allocator *allocator)
{
    *file = (dew_ScratchFile){.fd = DEW_INVALID, .path = sink->memory ? "" : sink->file.path};
    dew_array_init(&file->bytes, allocator, 1);
    if (sink->memory)
        return dew_ok();
    dew_Status status = dew_array_reserve(&file->bytes, (int64_t)BLOCK_BYTES);
    if (status.code == DEW_OK)
        status = open_file(file);
    if (status.code != DEW_OK)
        dew_scratch_file_end(file);
    return status;
}

static void flush(dew_ScratchFile *file)
{
    if (file->status.code == DEW_OK)
        file->status =
            dew_fd_write(file->fd, file->bytes.data, (size_t)file->bytes.count, file->path);
    file->bytes.count = 0;
}

void dew_scratch_file_write(dew_ScratchFile *file, const void *data, size_t size)
{
    const uint8_t *at = (const uint8_t *)data;
    if (file->status.code != DEW_OK)
        return;
    file->size += (int64_t)size;
    if (file->fd < 0) {
        file->status = dew_array_append(&file->bytes, data, (int64_t)size);
        return;
    }
    while (size > 0 && file->status.code == DEW_OK) {
        size_t free_bytes = BLOCK_BYTES - (size_t)file->bytes.count;
        size_t part = size < free_bytes ? size : free_bytes;
        file->status = dew_array_append(&file->bytes, at, (int64_t)part);
        at += part;
        size -= part;
        if ((size_t)file->bytes.count == BLOCK_BYTES)
            flush(file);
    }
}

static dew_Status copy_block(dew_ScratchFile *file, int64_t *at, dew_Sink *sink)
{
    ssize_t got;
    do
        got = pread(file->fd, file->bytes.data, BLOCK_BYTES, (off_t)*at);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return dew_fail(DEW_IO, "cannot read back what was written for %s: %s", file->path,
                        got < 0 ? strerror(errno) : "the file has become shorter");
    dew_sink_write(sink, file->bytes.data, (size_t)got);
    *at += got;
    return dew_ok();
}

dew_Status dew_scratch_file_copy(dew_ScratchFile *file, dew_Sink *sink)
{
    if (file->fd < 0) {
        if (file->status.code == DEW_OK)
            dew_sink_write(sink, file->bytes.data, (size_t)file->bytes.count);
        return file->status;
    }
    flush(file);
    DEW_TRY(file->status);
    for (int64_t at = 0; at < file->size;)
        DEW_TRY(copy_block(file, &at, sink));
    return dew_ok();
}

void dew_scratch_file_end(dew_ScratchFile *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = DEW_INVALID;
    dew_array_deinit(&file->bytes);
}
