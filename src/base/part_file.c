// Parts: made with O_EXCL, locked, checked to be still there under their name.
//
// A part that is there already is removed, never written: an encoder whose parent was killed may
// still write into it, and must not write into ours.
#include "base/part_file.h"

#include "base/status.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ATTEMPTS 100  // of writers that take a part from one another

static int open_at(int directory_fd, const char *name, int flags)
{
    int fd;
    do
        fd = openat(directory_fd, name, flags | O_NOFOLLOW | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/// True where somebody else holds the lock. A file system without locks counts as not locked.
static bool is_locked_by_another(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/// Is the open file the one that the name means now?
static bool is_named(int fd, int directory_fd, const char *name)
{
    struct stat open_file, named;
    return fstat(fd, &open_file) == 0 &&
           fstatat(directory_fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

bool dew_part_remove(int directory_fd, const char *name)
{
    // Not blocking: somebody may have put a pipe there.
    int fd = open_at(directory_fd, name, O_RDWR | O_NONBLOCK);
    if (fd < 0) {
        // A symbolic link is none of our parts, and a part that cannot be opened has no writer that
        // we could know of: the name goes, whatever the link means stays.
        return errno == ENOENT || unlinkat(directory_fd, name, 0) == 0;
    }
    bool is_gone = false;
    if (!is_locked_by_another(fd))
        is_gone = !is_named(fd, directory_fd, name) || unlinkat(directory_fd, name, 0) == 0;
    close(fd);
    return is_gone;
}

dew_Status dew_part_create(const char *part_path, const char *path, int *fd)
{
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
        *fd = open_at(AT_FDCWD, part_path, O_RDWR | O_CREAT | O_EXCL);
        if (*fd < 0 && errno == EEXIST) {
            if (dew_part_remove(AT_FDCWD, part_path))
                continue;
            struct stat info;
            if (lstat(part_path, &info) == 0 && S_ISDIR(info.st_mode))
                return dew_fail(DEW_BAD_INPUT, "cannot write %s: %s is a directory", path,
                                part_path);
            return dew_fail(DEW_BUSY, "cannot write %s: another program is writing it", path);
        }
        if (*fd < 0)
            return dew_fail(DEW_IO, "cannot write %s: %s", path, strerror(errno));
        // Between the two calls another writer may have thought it left behind.
        if (!is_locked_by_another(*fd) && is_named(*fd, AT_FDCWD, part_path))
            return dew_ok();
        close(*fd);
    }
    *fd = -1;
    return dew_fail(DEW_BUSY, "cannot write %s: another program is writing it", path);
}

void dew_part_sweep(const char *path)
{
    char part_path[PATH_MAX];
    int length = snprintf(part_path, sizeof part_path, "%s.part", path);
    if (length > 0 && (size_t)length < sizeof part_path)
        dew_part_remove(AT_FDCWD, part_path);
}

static bool is_of_series(const char *name, const char *prefix, const char *suffix)
{
    size_t begin = strlen(prefix);
    if (strncmp(name, prefix, begin) != 0)
        return false;
    size_t end = begin;
    while (isdigit((unsigned char)name[end]))
        end++;
    size_t length = strlen(suffix);
    return end >= begin + 4 && strncmp(name + end, suffix, length) == 0 &&
           strcmp(name + end + length, ".part") == 0;
}

void dew_part_sweep_series(const char *folder, const char *prefix, const char *suffix)
{
    DIR *stream = opendir(folder);
    if (!stream)
        return;
    for (const struct dirent *entry; (entry = readdir(stream));)
        if (is_of_series(entry->d_name, prefix, suffix))
            dew_part_remove(dirfd(stream), entry->d_name);
    closedir(stream);
}
