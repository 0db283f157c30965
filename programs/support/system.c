// Clocks, file names and the terminal, by POSIX calls.
#include "support/system.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double clock_s(clockid_t id)
{
    struct timespec t = {0};
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double dew_app_wall_s(void)
{
    return clock_s(CLOCK_MONOTONIC);
}

double dew_app_cpu_s(void)
{
    return clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

double dew_app_thread_cpu_s(void)
{
    return clock_s(CLOCK_THREAD_CPUTIME_ID);
}

bool dew_app_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

bool dew_app_is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static dew_Status read_open(FILE *file, const char *path, size_t max_bytes, char *text)
{
    size_t size = fread(text, 1, max_bytes + 1, file);
    if (ferror(file))
        return dew_fail(DEW_IO, "cannot read %.300s: %s", path, strerror(errno));
    if (size > max_bytes)
        return dew_fail(DEW_BAD_INPUT, "%.300s: expected at most %zu bytes", path, max_bytes);
    text[size] = 0;
    if (strlen(text) != size)
        return dew_fail(DEW_BAD_INPUT, "%.300s: byte %zu is 0 (expected a text file)", path,
                        strlen(text));
    return dew_ok();
}

dew_Status dew_app_read_text(const char *path, size_t max_bytes, char **out)
{
    *out = NULL;
    if (dew_app_is_directory(path))
        return dew_fail(DEW_BAD_INPUT, "cannot read %.300s: expected a file, found a directory",
                        path);
    FILE *file = fopen(path, "rb");
    if (!file)
        return dew_fail(DEW_IO, "cannot read %.300s: %s", path, strerror(errno));
    char *text = malloc(max_bytes + 2);
    dew_Status status = text ? read_open(file, path, max_bytes, text)
                             : dew_fail(DEW_NO_MEMORY, "out of memory (%zu bytes)", max_bytes);
    fclose(file);
    if (status.code != DEW_OK) {
        free(text);
        return status;
    }
    *out = text;
    return dew_ok();
}

dew_Status dew_app_make_directory(const char *path)
{
    if (mkdir(path, 0777) == 0 || dew_app_is_directory(path))
        return dew_ok();
    return dew_fail(DEW_IO, "cannot make directory %s: %s", path,
                    errno == EEXIST ? "it is a file" : strerror(errno));
}

int dew_app_terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

dew_Status dew_app_make_temporary(char path[DEW_TEMPORARY_SIZE])
{
    const char *folder = getenv("TMPDIR");
    int length =
        snprintf(path, DEW_TEMPORARY_SIZE, "%s/dew.XXXXXX", folder && *folder ? folder : "/tmp");
    if (length < 0 || length >= DEW_TEMPORARY_SIZE) {
        path[0] = 0;
        return dew_fail(DEW_BAD_INPUT, "$TMPDIR is too long (a shorter path is wanted)");
    }
    if (mkdtemp(path))
        return dew_ok();
    dew_Status status = dew_fail(DEW_IO, "cannot make %s: %s", path, strerror(errno));
    path[0] = 0;
    return status;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

void dew_app_remove_tree(const char *path)
{
    if (*path)
        nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
