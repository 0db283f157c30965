// A tail in memory behind a file without a name.
#include "io/spool.h"

#include "base/part_file.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define COPY_BYTES ((size_t)64 << 10)
#define SUFFIX     ".spool.part"

void dew_spool_init(dew_Spool *spool, const dew_Sink *sink, size_t memory_bytes,
                    const dew_Allocator *allocator)
{
    *spool = (dew_Spool){.fd = -1, .memory_bytes = memory_bytes};
    spool->path = sink->memory ? NULL : sink->file.path;
    dew_array_init(&spool->tail, allocator, 1);
}

void dew_spool_deinit(dew_Spool *spool)
{
    if (spool->fd >= 0)
        close(spool->fd);
    spool->fd = -1;
    dew_array_deinit(&spool->tail);
}

int64_t dew_spool_size(const dew_Spool *spool)
{
    return spool->file_bytes + spool->tail.count;
}

dew_Sink dew_spool_sink(dew_Spool *spool)
{
    dew_Sink sink = {0};
    dew_sink_begin_memory(&sink, &spool->tail);
    return sink;
}

static dew_Status failure(const dew_Spool *spool, int error)
{
    return dew_fail(DEW_IO, "cannot write %s: %s", spool->path, strerror(error));
}

// In the target's folder: a file that never had a name.
static bool open_unnamed(dew_Spool *spool, char *name)
{
#ifdef O_TMPFILE
    char *slash = strrchr(name, '/');
    char *end = slash ? slash + (slash == name) : name;
    char kept = *end;
    *end = '\0';
    do
        spool->fd = open(slash ? name : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    while (spool->fd < 0 && errno == EINTR);
    *end = kept;
#else
    (void)name;
#endif
    return spool->fd >= 0;
}

// Where the file system has no such files: one that loses its name at once.
static dew_Status open_named(dew_Spool *spool, const char *name)
{
    dew_Status status = dew_part_create(name, spool->path, &spool->fd);
    if (status.code != DEW_OK)
        spool->fd = -1;
    else if (unlink(name) != 0)
        status = failure(spool, errno);
    return status;
}

static dew_Status make_file(dew_Spool *spool)
{
    size_t size = strlen(spool->path) + sizeof SUFFIX;
    const dew_Allocator *allocator = &spool->tail.allocator;
    char *name = (char *)dew_alloc(allocator, (int64_t)size, 1);
    if (!name)
        return dew_no_memory(size);
    snprintf(name, size, "%s" SUFFIX, spool->path);
    dew_Status status = open_unnamed(spool, name) ? dew_ok() : open_named(spool, name);
    dew_free(allocator, name, size);
    return status;
}

dew_Status dew_spool_settle(dew_Spool *spool)
{
    if (!spool->path || (size_t)spool->tail.count < spool->memory_bytes)
        return dew_ok();
    if (spool->fd < 0)
        DEW_TRY(make_file(spool));
    DEW_TRY(dew_fd_write(spool->fd, spool->tail.data, (size_t)spool->tail.count, spool->path));
    spool->file_bytes += spool->tail.count;
    spool->tail.count = 0;
    return dew_ok();
}

// From the file, all of which is there.
static dew_Status copy_file(const dew_Spool *spool, int64_t begin, int64_t size, dew_Sink *sink)
{
    uint8_t block[COPY_BYTES];
    while (size > 0) {
        size_t wanted = size < (int64_t)COPY_BYTES ? (size_t)size : COPY_BYTES;
        ssize_t got = pread(spool->fd, block, wanted, (off_t)begin);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? failure(spool, errno)
                           : dew_fail(DEW_IO, "cannot write %s: its parts are lost", spool->path);
        dew_sink_write(sink, block, (size_t)got);
        begin += got;
        size -= got;
    }
    return dew_ok();
}

dew_Status dew_spool_copy(const dew_Spool *spool, int64_t begin, int64_t size, dew_Sink *sink)
{
    DEW_ASSERT(begin >= 0 && size >= 0 && begin + size <= dew_spool_size(spool));
    int64_t in_file = begin < spool->file_bytes ? spool->file_bytes - begin : 0;
    if (in_file > size)
        in_file = size;
    DEW_TRY(copy_file(spool, begin, in_file, sink));
    if (size > in_file)
        dew_sink_write(sink,
                       DEW_ITEMS(&spool->tail, uint8_t) + (begin + in_file - spool->file_bytes),
                       (size_t)(size - in_file));
    return dew_ok();
}
