// How much memory there is, and how much was used: /proc, control groups, ulimit.
//
// What a control group still gives is its limit less its use, plus the file cache it can drop; the
// tightest group on the way up to the root counts. Version 2 and version 1 hierarchies are read.
// Where there is no /proc, the answers come from getrusage and sysconf.
#include "base/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// Reads the start of a file as text; false when there is none.
static bool read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    size_t length = 0;
    while (length + 1 < size) {
        ssize_t got = read(fd, text + length, size - 1 - length);
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    close(fd);
    text[length] = '\0';
    return length > 0;
}

// The number behind `name` at the start of a line; -1 when there is none.
static int64_t value_of(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0)
            return strtoll(line + length, NULL, 10);
    }
    return -1;
}

// Like read_text for ROOT + FOLDER + "/" + NAME.
static bool read_below(const char *root, const char *folder, const char *name, char *text,
                       size_t size)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    return length > 0 && (size_t)length < sizeof path && read_text(path, text, size);
}

typedef struct GroupFiles {
    const char *limit, *use, *cache_name;
} GroupFiles;

static const GroupFiles version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                     "total_inactive_file "};
static const GroupFiles version_2 = {"memory.max", "memory.current", "inactive_file "};

// What the group in `folder` still gives; INT64_MAX without a limit.
static int64_t left_in_group(const char *root, const char *folder, const GroupFiles *files)
{
    char text[8192];
    if (!read_below(root, folder, files->limit, text, sizeof text) || text[0] < '0' ||
        text[0] > '9')
        return INT64_MAX;  // no such file, or "max"
    int64_t limit = strtoll(text, NULL, 10);
    if (!read_below(root, folder, files->use, text, sizeof text))
        return limit;
    int64_t use = strtoll(text, NULL, 10);
    int64_t cache = 0;
    if (read_below(root, folder, "memory.stat", text, sizeof text))
        cache = value_of(text, files->cache_name);
    cache = cache < 0 ? 0 : cache > use ? use : cache;
    int64_t left = limit - (use - cache);
    return left < 0 ? 0 : left;
}

// The tightest of the group MOUNT + GROUP and those above it.
static int64_t left_up_to_root(const char *root, const char *mount, const char *group,
                               const GroupFiles *files)
{
    char folder[4096];
    size_t mount_length = strlen(mount);
    int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    if (length < 0 || (size_t)length >= sizeof folder)
        return INT64_MAX;
    int64_t least = INT64_MAX;
    for (;;) {
        int64_t left = left_in_group(root, folder, files);
        least = left < least ? left : least;
        char *slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < mount_length)
            return least;
        *slash = '\0';
    }
}

// The least that any control group of this process gives.
static int64_t left_in_groups(const char *root)
{
    char text[8192];
    if (!read_below(root, "/proc/self", "cgroup", text, sizeof text))
        return INT64_MAX;
    int64_t least = INT64_MAX;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        int64_t left = INT64_MAX;
        if (group == controllers + 1)
            left = left_up_to_root(root, "/sys/fs/cgroup", group + 1, &version_2);
        else if (strncmp(controllers, ":memory:", 8) == 0)
            left = left_up_to_root(root, "/sys/fs/cgroup/memory", group + 1, &version_1);
        least = left < least ? left : least;
    }
    return least;
}

int64_t dew_memory_bytes_below(const char *root)
{
    char text[8192];
    int64_t available = -1;
    if (read_below(root, "/proc", "meminfo", text, sizeof text))
        available = value_of(text, "MemAvailable:");
    if (available >= 0)
        available *= 1024;
    else
        available = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    int64_t grouped = left_in_groups(root);
    return grouped < available ? grouped : available;
}

int64_t dew_memory_bytes(void)
{
    int64_t available = dew_memory_bytes_below("");
    struct rlimit limit;
    char text[4096];
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        !read_text("/proc/self/statm", text, sizeof text))
        return available;
    int64_t taken = strtoll(text, NULL, 10) * sysconf(_SC_PAGESIZE);
    int64_t left = limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur - taken;
    left = left < 0 ? 0 : left;
    return left < available ? left : available;
}

int64_t dew_peak_bytes(void)
{
    // Not getrusage first: its maximum is inherited from the program that started this one.
    char text[8192];
    if (read_text("/proc/self/status", text, sizeof text)) {
        int64_t kilobytes = value_of(text, "VmHWM:");
        if (kilobytes >= 0)
            return kilobytes * 1024;
    }
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss * 1024 : 0;
}
