// Files: whole or not there. Plain POSIX descriptors, so that every error is seen where it happens.
//
// Order of commit: write, fsync, close, rename, fsync of the directory. A failure before the rename
// removes the part file and leaves the old file as it was. Of two writers of one path the second
// fails.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/number.h"
#include "base/part_file.h"
#include "base/status.h"
#include "dew/text.h"

#define BUFFER_BYTES     ((size_t)256 << 10)
#define HASH_BLOCK_BYTES ((size_t)64 << 10)
#define MAX_DEVICE_BYTES ((size_t)64 << 20)  // of what may never end: a terminal, /dev/zero

// "cannot WHAT PATH: reason". strerror keeps its text per thread in glibc, and constant in musl.
static dew_Status system_failure(const char *what, const char *path, int error)
{
    return dew_fail(DEW_IO, "cannot %s %s: %s", what, path, strerror(error));
}

// Same for a file that a user named: one that is missing or closed to us is their mistake.
static dew_Status input_failure(const char *path, int error)
{
    dew_Status status = system_failure("read", path, error);
    if (error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP ||
        error == ENAMETOOLONG || error == EPERM || error == ENXIO)
        status.code = DEW_BAD_INPUT;
    return status;
}

dew_Status dew_fd_write(int fd, const void *data, size_t size, const char *path)
{
    const uint8_t *at = (const uint8_t *)data;
    while (size > 0) {
        ssize_t done = write(fd, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, -1);
            continue;
        }
        if (done <= 0)
            return system_failure("write", path, done < 0 ? errno : EIO);
        at += done;
        size -= (size_t)done;
    }
    return dew_ok();
}

static int sync_fd(int fd)
{
    int result = 0;
    do
        result = fsync(fd);
    while (result != 0 && errno == EINTR);
    // Some file systems have nothing to sync and say so.
    return result != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0;
}

// Some file systems (FUSE, NFS) report failed writes at close only. A copy is closed: the lock
// stays with the descriptor.
static int close_copy(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return copy >= 0 && close(copy) != 0 && errno != EINTR ? errno : 0;
}

dew_Status dew_directory_sync(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return system_failure("sync directory", path, errno);
    int error = sync_fd(fd);
    close(fd);
    return error == 0 ? dew_ok() : system_failure("sync directory", path, error);
}

// Syncs the directory that holds `path`, so that a rename in it survives a crash.
static dew_Status sync_parent(const char *path)
{
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return dew_directory_sync(".");
    if (slash == path)
        return dew_directory_sync("/");
    size_t length = (size_t)(slash - path);
    if (length >= sizeof parent)
        return system_failure("sync directory of", path, ENAMETOOLONG);
    memcpy(parent, path, length);
    parent[length] = '\0';
    return dew_directory_sync(parent);
}

static void free_writer(dew_FileWriter *writer)
{
    const dew_Allocator *allocator = &writer->allocator;
    if (writer->path)
        dew_free(allocator, writer->path, strlen(writer->path) + 1);
    if (writer->part_path)
        dew_free(allocator, writer->part_path, strlen(writer->part_path) + 1);
    dew_free(allocator, writer->buffer, BUFFER_BYTES);
    writer->path = NULL;
    writer->part_path = NULL;
    writer->buffer = NULL;
    writer->buffered = 0;
}

// A copy of `path` with `suffix` behind it.
static char *copy_path(const dew_Allocator *allocator, const char *path, const char *suffix)
{
    size_t size = strlen(path) + strlen(suffix) + 1;
    char *copy = (char *)dew_alloc(allocator, (int64_t)size, 1);
    if (copy)
        snprintf(copy, size, "%s%s", path, suffix);
    return copy;
}

static dew_Status fail_begin(dew_FileWriter *writer, dew_Status status)
{
    free_writer(writer);
    writer->status = status;
    return status;
}

// The commit renames over what is there. That must never be a device: root would lose /dev/null by
// it.
static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

dew_Status dew_file_begin(dew_FileWriter *writer, const char *path, const dew_Allocator *allocator)
{
    *writer = (dew_FileWriter){.fd = -1};
    if (is_special(path))
        return fail_begin(writer, dew_fail(DEW_BAD_INPUT,
                                           "cannot write %s: it is a device or a pipe (a file is "
                                           "wanted)",
                                           path));
    if (allocator)
        writer->allocator = *allocator;
    writer->path = copy_path(&writer->allocator, path, "");
    writer->part_path = copy_path(&writer->allocator, path, ".part");
    writer->buffer = (uint8_t *)dew_alloc(&writer->allocator, 1, BUFFER_BYTES);
    if (!writer->path || !writer->part_path || !writer->buffer)
        return fail_begin(writer, dew_no_memory(BUFFER_BYTES));
    dew_Status status = dew_part_create(writer->part_path, path, &writer->fd);
    return status.code == DEW_OK ? status : fail_begin(writer, status);
}

static void flush(dew_FileWriter *writer)
{
    if (writer->status.code == DEW_OK && writer->buffered > 0)
        writer->status = dew_fd_write(writer->fd, writer->buffer, writer->buffered, writer->path);
    writer->buffered = 0;
}

void dew_file_write(dew_FileWriter *writer, const void *data, size_t size)
{
    if (writer->status.code != DEW_OK || !writer->path || size == 0)
        return;
    writer->size_bytes += (int64_t)size;
    if (size > BUFFER_BYTES - writer->buffered)
        flush(writer);
    if (size >= BUFFER_BYTES) {
        if (writer->status.code == DEW_OK)
            writer->status = dew_fd_write(writer->fd, data, size, writer->path);
        return;
    }
    memcpy(writer->buffer + writer->buffered, data, size);
    writer->buffered += size;
}

void dew_file_patch(dew_FileWriter *writer, int64_t at, const void *data, size_t size)
{
    if (!writer->path)
        return;
    DEW_ASSERT(at >= 0 && at + (int64_t)size <= writer->size_bytes);
    flush(writer);
    const uint8_t *from = (const uint8_t *)data;
    while (writer->status.code == DEW_OK && size > 0) {
        ssize_t done = pwrite(writer->fd, from, size, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            writer->status = system_failure("write", writer->path, done < 0 ? errno : EIO);
            return;
        }
        from += done;
        at += done;
        size -= (size_t)done;
    }
}

void dew_file_text(dew_FileWriter *writer, const char *text)
{
    dew_file_write(writer, text, strlen(text));
}

// The rare text that is longer than the buffer.
static void write_long(dew_FileWriter *writer, size_t length, const char *format, va_list arguments)
{
    char *text = (char *)dew_alloc(&writer->allocator, (int64_t)length + 1, 1);
    if (!text) {
        writer->status = dew_no_memory(length + 1);
        return;
    }
    vsnprintf(text, length + 1, format, arguments);
    dew_file_write(writer, text, length);
    dew_free(&writer->allocator, text, length + 1);
}

void dew_file_format(dew_FileWriter *writer, const char *format, ...)
{
    if (writer->status.code != DEW_OK || !writer->path)
        return;
    char text[1024];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length < 0)
        writer->status = system_failure("format text for", writer->path, errno);
    else if ((size_t)length < sizeof text)
        dew_file_write(writer, text, (size_t)length);
    else
        write_long(writer, (size_t)length, format, again);
    va_end(again);
    va_end(arguments);
}

void dew_file_number(dew_FileWriter *writer, double x)
{
    char text[DEW_NUMBER_SIZE];
    dew_file_write(writer, text, dew_number_format(x, text));
}

dew_Status dew_file_commit(dew_FileWriter *writer)
{
    if (!writer->path)
        return writer->status;  // begin failed, or it is done
    flush(writer);
    int error = writer->status.code == DEW_OK ? sync_fd(writer->fd) : 0;
    if (error == 0 && writer->status.code == DEW_OK)
        error = close_copy(writer->fd);
    if (error != 0)
        writer->status = system_failure("write", writer->path, error);
    if (writer->status.code == DEW_OK && rename(writer->part_path, writer->path) != 0)
        writer->status = system_failure("write", writer->path, errno);
    if (writer->status.code != DEW_OK)
        unlink(writer->part_path);
    // Last, for the lock goes with it. A failure was reported above.
    close(writer->fd);
    writer->fd = -1;
    if (writer->status.code == DEW_OK)
        writer->status = sync_parent(writer->path);
    free_writer(writer);
    return writer->status;
}

void dew_file_abandon(dew_FileWriter *writer)
{
    if (!writer->path)
        return;
    unlink(writer->part_path);
    close(writer->fd);
    writer->fd = -1;
    free_writer(writer);
}

// ---- reading -----------------------------------------------------------------------------------

// The descriptor that a path is another name of: /dev/stdin, and /dev/fd/N of the shell's
// <(command). -1: none. Such a stream is read through its descriptor; opening it by name could wait
// for a writer.
static int stream_fd(const char *path)
{
    const char *digits = NULL;
    if (strcmp(path, "/dev/stdin") == 0)
        return STDIN_FILENO;
    if (strncmp(path, "/dev/fd/", 8) == 0)
        digits = path + 8;
    else if (strncmp(path, "/proc/self/fd/", 14) == 0)
        digits = path + 14;
    int fd = 0;
    for (; digits && *digits >= '0' && *digits <= '9' && fd < 100000; digits++)
        fd = 10 * fd + (*digits - '0');
    bool is_number = digits && !*digits && digits[-1] != '/';
    return is_number ? fd : -1;
}

// What a path names that is not a regular file; NULL: it is one.
static const char *special_kind(mode_t mode)
{
    return S_ISREG(mode)    ? NULL
           : S_ISDIR(mode)  ? "a directory"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

static dew_Status check_kind(const char *path, mode_t mode)
{
    const char *kind = special_kind(mode);
    if (!kind)
        return dew_ok();
    return dew_fail(DEW_BAD_INPUT, "cannot read %s: it is %s (a file is wanted)", path, kind);
}

// Opens a regular file. Never waits for a pipe's other end, and does not open a device, for that
// alone can have effects: asked before opening, and again once it is open, since the name may mean
// another file by then.
static dew_Status open_regular(const char *path, int *fd, struct stat *info)
{
    if (stat(path, info) == 0)
        DEW_TRY(check_kind(path, info->st_mode));
    do
        *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    while (*fd < 0 && errno == EINTR);
    if (*fd < 0)
        return input_failure(path, errno);
    dew_Status status =
        fstat(*fd, info) == 0 ? check_kind(path, info->st_mode) : input_failure(path, errno);
    if (status.code != DEW_OK)
        close(*fd);
    return status;
}

// A regular file, or a stream that the program was started with.
static dew_Status open_input(const char *path, int *fd, struct stat *info)
{
    int stream = stream_fd(path);
    if (stream < 0)
        return open_regular(path, fd, info);
    *fd = fcntl(stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (*fd < 0)
        return input_failure(path, errno == EBADF ? ENOENT : errno);
    dew_Status status = fstat(*fd, info) != 0    ? input_failure(path, errno)
                        : S_ISDIR(info->st_mode) ? check_kind(path, info->st_mode)
                                                 : dew_ok();
    if (status.code != DEW_OK)
        close(*fd);
    return status;
}

// Fills the block, but at the end of the file. -1: failed, see errno.
static ssize_t read_block(int fd, uint8_t *block, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(fd, block + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

dew_Status dew_file_read_head(const char *path, uint8_t *data, size_t size, size_t *got)
{
    struct stat info;
    int fd;
    *got = 0;
    DEW_TRY(open_regular(path, &fd, &info));
    ssize_t done = read_block(fd, data, size);
    dew_Status status = done < 0 ? input_failure(path, errno) : dew_ok();
    close(fd);
    *got = done > 0 ? (size_t)done : 0;
    return status;
}

dew_Status dew_file_hash(const char *path, uint64_t *hash)
{
    uint8_t block[HASH_BLOCK_BYTES];
    struct stat info;
    int fd;
    ssize_t got;
    *hash = 0;
    DEW_TRY(open_regular(path, &fd, &info));
    // Block after block, each seeded with the hash so far; an empty file has one empty block.
    do {
        got = read_block(fd, block, sizeof block);
        if (got >= 0)
            *hash = dew_hash(block, (size_t)got, *hash);
    } while (got == (ssize_t)sizeof block);
    dew_Status status = got < 0 ? input_failure(path, errno) : dew_ok();
    close(fd);
    return status;
}

uint64_t dew_file_hash_bytes(const uint8_t *data, size_t size)
{
    uint64_t hash = 0;
    size_t at = 0, count;
    do {
        count = size - at < HASH_BLOCK_BYTES ? size - at : HASH_BLOCK_BYTES;
        hash = dew_hash(data + at, count, hash);
        at += count;
    } while (count == HASH_BLOCK_BYTES);
    return hash;
}

// A file as it is being read.
typedef struct Reading {
    int fd;
    const char *path;
    const dew_Allocator *allocator;
    size_t max_bytes;
    uint8_t *data;
    size_t size, capacity;
} Reading;

static dew_Status too_large(const Reading *reading)
{
    char limit[32];
    dew_format_bytes((double)reading->max_bytes, limit, sizeof limit);
    return dew_fail(DEW_BAD_INPUT, "%s: the file is too large (at most %s can be read)",
                    reading->path, limit);
}

static dew_Status set_capacity(Reading *reading, size_t capacity)
{
    uint8_t *data =
        (uint8_t *)dew_resize(reading->allocator, reading->data, reading->capacity, capacity);
    if (!data)
        return dew_status_prefix(dew_no_memory(capacity), "cannot read %s", reading->path);
    reading->data = data;
    reading->capacity = capacity;
    return dew_ok();
}

// Reads to the end. One byte more than allowed is asked for, to see whether there is more.
static dew_Status read_all(Reading *reading, size_t size_hint)
{
    DEW_TRY(set_capacity(reading, size_hint + 2));
    for (;;) {
        if (reading->size + 1 >= reading->capacity)
            DEW_TRY(set_capacity(reading, reading->capacity * 2));
        size_t room = reading->capacity - 1 - reading->size;
        ssize_t got = read(reading->fd, reading->data + reading->size, room);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd ready = {.fd = reading->fd, .events = POLLIN};
            poll(&ready, 1, -1);  // a stream whose owner made it so
            continue;
        }
        if (got < 0)
            return input_failure(reading->path, errno);
        if (got == 0)
            break;
        reading->size += (size_t)got;
        if (reading->size > reading->max_bytes)
            return too_large(reading);
    }
    DEW_TRY(set_capacity(reading, reading->size + 1));
    reading->data[reading->size] = 0;
    return dew_ok();
}

static dew_Status read_open(Reading *reading, const struct stat *info)
{
    if (S_ISCHR(info->st_mode) && reading->max_bytes > MAX_DEVICE_BYTES)
        reading->max_bytes = MAX_DEVICE_BYTES;
    size_t size_hint = (size_t)64 << 10;
    if (S_ISREG(info->st_mode)) {
        if ((uintmax_t)info->st_size > reading->max_bytes)
            return too_large(reading);
        if (info->st_size > 0)  // files of /proc say 0 and are longer
            size_hint = (size_t)info->st_size;
    }
    return read_all(reading, size_hint);
}

dew_Status dew_file_read(const char *path, size_t max_bytes, const dew_Allocator *allocator,
                         uint8_t **data, size_t *size)
{
    *data = NULL;
    *size = 0;
    Reading reading = {.path = path, .allocator = allocator, .max_bytes = max_bytes};
    struct stat info = {0};
    DEW_TRY(open_input(path, &reading.fd, &info));
    dew_Status status = read_open(&reading, &info);
    close(reading.fd);
    if (status.code != DEW_OK) {
        dew_free(allocator, reading.data, reading.capacity);
        return status;
    }
    *data = reading.data;
    *size = reading.size;
    return status;
}

bool dew_directory_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

dew_Status dew_directory_make(const char *path)
{
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof part)
        return system_failure("make directory", path, ENAMETOOLONG);
    memcpy(part, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        bool is_end = i == length;
        if (part[i - 1] == '/' || (!is_end && part[i] != '/'))
            continue;
        part[i] = '\0';
        if (mkdir(part, 0777) != 0) {
            int error = errno;
            if (!dew_directory_exists(part))
                return error == EEXIST
                           ? dew_fail(DEW_IO, "cannot make directory %s: %s is a file", path, part)
                           : system_failure("make directory", path, error);
        }
        if (!is_end)
            part[i] = '/';
    }
    return dew_directory_exists(path) ? dew_ok() : system_failure("make directory", path, ENOENT);
}

bool dew_file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}
