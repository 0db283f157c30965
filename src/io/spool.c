// Bytes kept aside: an unnamed file (O_TMPFILE), or one whose name goes at once where the file
// system has none such.
#include "io/spool.h"

#include "base/part_file.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)256 << 10)

static dew_Status failure(const dew_Spool *spool, int error)
{
    return dew_fail(DEW_IO, "cannot write %s: %s", spool->path, strerror(error));
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
static dew_Status open_named(dew_Spool *spool)
{
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s.spool.part", spool->path);
    if (length < 0 || (size_t)length >= sizeof name)
        return dew_fail(DEW_BAD_INPUT, "cannot write %.100s...: its name is too long", spool->path);
    DEW_TRY(dew_part_create(name, spool->path, &spool->fd));
    return unlink(name) == 0 ? dew_ok() : failure(spool, errno);
}

static dew_Status open_file(dew_Spool *spool)
{
    char folder[PATH_MAX];
    DEW_TRY(folder_of(spool->path, folder));
#ifdef O_TMPFILE
    do
        spool->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    while (spool->fd < 0 && errno == EINTR);
    if (spool->fd >= 0)
        return dew_ok();
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)
        return failure(spool, errno);
#endif
    return open_named(spool);
}

dew_Status dew_spool_begin(dew_Spool *spool, const dew_Sink *sink, const dew_Allocator *allocator)
{
    *spool = (dew_Spool){.fd = DEW_INVALID, .path = sink->memory ? "" : sink->file.path};
    dew_array_init(&spool->bytes, allocator, 1);
    if (sink->memory)
        return dew_ok();
    dew_Status status = dew_array_reserve(&spool->bytes, (int64_t)BLOCK_BYTES);
    if (status.code == DEW_OK)
        status = open_file(spool);
    if (status.code != DEW_OK)
        dew_spool_end(spool);
    return status;
}

static void flush(dew_Spool *spool)
{
    if (spool->status.code == DEW_OK)
        spool->status =
            dew_fd_write(spool->fd, spool->bytes.data, (size_t)spool->bytes.count, spool->path);
    spool->bytes.count = 0;
}

void dew_spool_write(dew_Spool *spool, const void *data, size_t size)
{
    const uint8_t *at = (const uint8_t *)data;
    if (spool->status.code != DEW_OK)
        return;
    spool->size += (int64_t)size;
    if (spool->fd < 0) {
        spool->status = dew_array_append(&spool->bytes, data, (int64_t)size);
        return;
    }
    while (size > 0 && spool->status.code == DEW_OK) {
        size_t free_bytes = BLOCK_BYTES - (size_t)spool->bytes.count;
        size_t part = size < free_bytes ? size : free_bytes;
        spool->status = dew_array_append(&spool->bytes, at, (int64_t)part);
        at += part;
        size -= part;
        if ((size_t)spool->bytes.count == BLOCK_BYTES)
            flush(spool);
    }
}

static dew_Status copy_block(dew_Spool *spool, int64_t *at, dew_Sink *sink)
{
    ssize_t got;
    do
        got = pread(spool->fd, spool->bytes.data, BLOCK_BYTES, (off_t)*at);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return dew_fail(DEW_IO, "cannot read back what was written for %s: %s", spool->path,
                        got < 0 ? strerror(errno) : "the file has become shorter");
    dew_sink_write(sink, spool->bytes.data, (size_t)got);
    *at += got;
    return dew_ok();
}

dew_Status dew_spool_copy(dew_Spool *spool, dew_Sink *sink)
{
    if (spool->fd < 0) {
        if (spool->status.code == DEW_OK)
            dew_sink_write(sink, spool->bytes.data, (size_t)spool->bytes.count);
        return spool->status;
    }
    flush(spool);
    DEW_TRY(spool->status);
    for (int64_t at = 0; at < spool->size;)
        DEW_TRY(copy_block(spool, &at, sink));
    return dew_ok();
}

void dew_spool_end(dew_Spool *spool)
{
    if (spool->fd >= 0)
        close(spool->fd);
    spool->fd = DEW_INVALID;
    dew_array_deinit(&spool->bytes);
}
