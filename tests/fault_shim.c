// Makes one system call or allocation of a program fail, or kills the program there.
//
// Preloaded (LD_PRELOAD) into the program under test, and controlled by the environment:
//   FAULT_CALL   one of the calls in the list below; openat is an open, calloc a malloc
//   FAULT_AT     which call, counted from 1
//   FAULT_KIND   ENOSPC, EIO, ENOMEM; SHORT: write half and say so; KILL: SIGKILL instead of the
//                call
//   FAULT_UNDER  only calls on files below this directory count (not for malloc)
//   FAULT_MARK   a file that is made when the call was reached
//   FAULT_IN     only in the program of that name; else also in those that it starts
//   FAULT_COUNTS a file for "CALL COUNT" lines, written when the program ends
// For glibc: it reaches malloc through the names that glibc keeps for such purposes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static const char *const calls[] = {"open",   "write", "fsync", "rename", "link",
                                    "unlink", "mkdir", "close", "read",   "ftruncate",
                                    "flock",  "pipe",  "spawn", "malloc", "pread"};
enum { CALL_COUNT = sizeof calls / sizeof calls[0] };

static atomic_long reached[CALL_COUNT];

static int is_here(void)
{
    const char *name = getenv("FAULT_IN");
    return !name || strcmp(name, program_invocation_short_name) == 0;
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("FAULT_COUNTS");
    if (!path || !is_here())
        return;
    char text[1024];
    size_t length = 0;
    for (int i = 0; i < CALL_COUNT; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s %ld\n", calls[i],
                                   atomic_load(&reached[i]));
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    syscall(SYS_write, fd, text, length);
    syscall(SYS_close, fd);
}

static int is_under(const char *path)
{
    const char *under = getenv("FAULT_UNDER");
    return !under || strncmp(path, under, strlen(under)) == 0;
}

static int fd_is_under(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = '\0';
    return is_under(path);
}

static int is_kind(const char *kind)
{
    const char *wanted = getenv("FAULT_KIND");
    return wanted && strcmp(wanted, kind) == 0;
}

/// Is it this call's turn? Makes the mark, and kills when that is the kind.
static int strikes(const char *call)
{
    const char *wanted = getenv("FAULT_CALL"), *at = getenv("FAULT_AT"),
               *mark = getenv("FAULT_MARK");
    int which = 0;
    while (which < CALL_COUNT && strcmp(call, calls[which]) != 0)
        which++;
    if (which == CALL_COUNT || !is_here())
        return 0;
    long number = atomic_fetch_add(&reached[which], 1) + 1;
    if (!wanted || !at || strcmp(call, wanted) != 0 || number != atol(at))
        return 0;
    if (mark)
        syscall(SYS_close, (int)syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0600));
    if (is_kind("KILL"))
        syscall(SYS_kill, getpid(), SIGKILL);
    errno = is_kind("EIO") ? EIO : is_kind("ENOMEM") ? ENOMEM : ENOSPC;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size)
{
    if (fd_is_under(fd) && strikes("write")) {
        if (!is_kind("SHORT"))
            return -1;
        size = size / 2;
    }
    return syscall(SYS_write, fd, data, size);
}

int fsync(int fd)
{
    return fd_is_under(fd) && strikes("fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    return fd_is_under(fd) && strikes("fsync") ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int close(int fd)
{
    int fails = fd_is_under(fd) && strikes("close"), error = errno;
    int result = (int)syscall(SYS_close, fd);  // the descriptor is gone in any case
    if (!fails)
        return result;
    errno = error;
    return -1;
}

int rename(const char *from, const char *to)
{
    return is_under(to) && strikes("rename") ? -1 : REAL(rename)(from, to);
}

int link(const char *from, const char *to)
{
    return is_under(to) && strikes("link") ? -1 : REAL(link)(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    return is_under(path) && strikes("mkdir") ? -1 : REAL(mkdir)(path, mode);
}

int unlink(const char *path)
{
    return is_under(path) && strikes("unlink") ? -1 : REAL(unlink)(path);
}

int unlinkat(int directory, const char *path, int flags)
{
    return fd_is_under(directory) && strikes("unlink") ? -1
                                                       : REAL(unlinkat)(directory, path, flags);
}

int ftruncate(int fd, off_t length)
{
    return fd_is_under(fd) && strikes("ftruncate") ? -1 : (int)syscall(SYS_ftruncate, fd, length);
}

static int open_with_mode(const char *path, int flags, va_list arguments)
{
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    if (is_under(path) && strikes("open"))
        return -1;
    va_list arguments;
    va_start(arguments, flags);
    int fd = open_with_mode(path, flags, arguments);
    va_end(arguments);
    return fd;
}

int openat(int directory, const char *path, int flags, ...)
{
    int is_counted =
        directory == AT_FDCWD || path[0] == '/' ? is_under(path) : fd_is_under(directory);
    if (is_counted && strikes("open"))
        return -1;
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return (int)syscall(SYS_openat, directory, path, flags, mode);
}

ssize_t read(int fd, void *data, size_t size)
{
    return fd_is_under(fd) && strikes("read") ? -1 : syscall(SYS_read, fd, data, size);
}

ssize_t pread(int fd, void *data, size_t size, off_t at)
{
    return fd_is_under(fd) && strikes("pread") ? -1 : syscall(SYS_pread64, fd, data, size, at);
}

int flock(int fd, int operation)
{
    return fd_is_under(fd) && strikes("flock") ? -1 : (int)syscall(SYS_flock, fd, operation);
}

int pipe2(int fds[2], int flags)
{
    return strikes("pipe") ? -1 : (int)syscall(SYS_pipe2, fds, flags);
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
    return strikes("spawn") ? EAGAIN
                            : REAL(posix_spawnp)(pid, file, actions, attributes, argv, environment);
}

void *malloc(size_t size)
{
    return strikes("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return strikes("malloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return strikes("malloc") ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return strikes("malloc") ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (strikes("malloc"))
        return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
