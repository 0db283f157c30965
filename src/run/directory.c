// The run directory: lock, names, removal.
#include "run/directory.h"

#include "base/file.h"
#include "base/part_file.h"
#include "base/status.h"
#include "scene/paths.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static dew_Status system_failure(const char *what, const char *path)
{
    return dew_fail(DEW_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

// ---- lock --------------------------------------------------------------------------------------

/// What cannot be opened: not there yet is well, what can never be a run directory was named
/// wrongly.
static dew_Status judge_missing(const char *path, int error)
{
    struct stat info;
    if (error == ENOENT && lstat(path, &info) == 0 && S_ISLNK(info.st_mode))
        return dew_fail(DEW_BAD_INPUT, "cannot write to %s: it is a symbolic link to nothing",
                        path);
    if (error == ENOENT)
        return dew_ok();
    if (error == ENOTDIR)
        return dew_fail(DEW_BAD_INPUT,
                        "cannot write to %s: it is not a directory, or lies below a file", path);
    dew_Status status = system_failure("open", path);
    if (error == EACCES || error == ELOOP || error == ENAMETOOLONG)
        status.code = DEW_BAD_INPUT;
    return status;
}

static dew_Status lock(dew_RunDirectory *directory)
{
    int fd = open(directory->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return judge_missing(directory->path, errno);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            close(fd);
            return dew_fail(DEW_BUSY, "another dew run is writing %s (wait for it, or choose -o)",
                            directory->path);
        }
        directory->is_lockless = true;  // network file systems; nothing better can be had there
    }
    directory->lock_fd = fd;
    return dew_ok();
}

dew_Status dew_run_directory_open(dew_RunDirectory *directory, const char *path)
{
    size_t length = strlen(path);
    *directory = (dew_RunDirectory){.lock_fd = -1};
    if (length == 0 || length >= sizeof directory->path)
        return dew_fail(DEW_BAD_INPUT, "the run directory's name is %s",
                        length == 0 ? "empty" : "too long");
    memcpy(directory->path, path, length + 1);
    while (length > 1 && directory->path[length - 1] == '/')
        directory->path[--length] = '\0';
    return lock(directory);
}

dew_Status dew_run_directory_make(dew_RunDirectory *directory, bool has_frames)
{
    DEW_TRY(dew_directory_make(directory->path));
    if (directory->lock_fd < 0)
        DEW_TRY(lock(directory));
    if (directory->lock_fd < 0)
        return dew_fail(DEW_IO, "cannot open %s: somebody removed it", directory->path);
    if (has_frames)
        DEW_TRY(dew_directory_make(dew_run_path(directory, "frames").text));
    return dew_ok();
}

void dew_run_directory_close(dew_RunDirectory *directory)
{
    if (directory->lock_fd >= 0)
        close(directory->lock_fd);
    directory->lock_fd = -1;
}

// ---- names -------------------------------------------------------------------------------------

dew_RunPath dew_run_path(const dew_RunDirectory *directory, const char *name)
{
    dew_RunPath path;
    snprintf(path.text, sizeof path.text, "%s/%s", directory->path, name);
    return path;
}

dew_RunPath dew_run_frame_path(const dew_RunDirectory *directory, const char *kind, int64_t frame,
                               const char *extension)
{
    char name[200];
    snprintf(name, sizeof name, "frames/%s.%04lld.%s", kind, (long long)frame, extension);
    return dew_run_path(directory, name);
}

dew_RunPath dew_run_solid_path(const dew_RunDirectory *directory, const char *solid, int64_t frame,
                               const char *extension)
{
    char kind[170];
    if (frame != DEW_INVALID) {
        snprintf(kind, sizeof kind, "solid.%.150s", solid);
        return dew_run_frame_path(directory, kind, frame, extension);
    }
    snprintf(kind, sizeof kind, "frames/solid.%.150s.%s", solid, extension);
    return dew_run_path(directory, kind);
}

static bool is_one_of(const char *word, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == length && memcmp(*words, word, length) == 0)
            return true;
    return false;
}

/// Length of `name` without an ending ".DIGITS.EXTENSION" (at least four digits); 0 when it has
/// none.
static size_t stem_of_frame(const char *name, size_t length, const char *const *extensions)
{
    size_t dot = length;
    while (dot > 0 && name[dot - 1] != '.')
        dot--;
    if (dot == 0 || !is_one_of(name + dot, length - dot, extensions))
        return 0;
    size_t digits = 0, at = dot - 1;
    while (at > 0 && isdigit((unsigned char)name[at - 1]))
        at--, digits++;
    return digits >= 4 && at > 1 && name[at - 1] == '.' ? at - 1 : 0;
}

/// solid.NAME.ply or .vtp: a solid that does not change. Names have no points.
static bool is_solid(const char *name, size_t length)
{
    size_t begin = strlen("solid."), end = length - strlen(".ply");
    if (length <= begin + 4 || strncmp(name, "solid.", begin) != 0)
        return false;
    return !memchr(name + begin, '.', end - begin) &&
           (!strncmp(name + end, ".ply", 4) || !strncmp(name + end, ".vtp", 4));
}

bool dew_run_makes(const char *folder, const char *name, bool *is_part)
{
    static const char *const top[] = {
        "scene.yaml",     "run.json", "stats.csv",  "drops.csv",  "checkpoint",
        "checkpoint.old", "run.pvd",  "frames.pvd", "solids.csv", NULL};
    static const char *const kinds[] = {"surface", "volume", "particles", "height", NULL};
    static const char *const extensions[] = {"ply", "obj", "stl", "vtp", "vdb", "vti", "csv", NULL};
    static const char *const images[] = {"png", "exr", NULL};
    size_t length = strlen(name);
    *is_part = length > 5 && strcmp(name + length - 5, ".part") == 0;
    if (*is_part)
        length -= 5;
    if (folder[0] == '\0')
        return is_one_of(name, length, top);
    if (strcmp(folder, "images") == 0) {
        char numbered[300];  // as a frame of some kind: "0012.png"
        snprintf(numbered, sizeof numbered, "x.%.*s", (int)(length < 280 ? length : 280), name);
        return stem_of_frame(numbered, strlen(numbered), images) == 1;
    }
    if (strcmp(folder, DEW_MESH_FOLDER) == 0)
        return length > 4 && strncmp(name + length - 4, ".ply", 4) == 0;
    size_t stem = stem_of_frame(name, length, extensions);
    if (stem == 0 && is_solid(name, length))
        return true;
    return stem > 0 && (is_one_of(name, stem, kinds) || (stem > 6 && !strncmp(name, "solid.", 6)));
}

// ---- what is there -----------------------------------------------------------------------------

typedef enum Purpose { LOOK, REMOVE_PARTS, REMOVE_ALL } Purpose;

static dew_Status refuse_entry(const char *path, const char *name, const char *what)
{
    return dew_fail(DEW_BAD_INPUT,
                    "%.300s%s%.200s is %s (a run directory is used only when its files are its "
                    "own; copy them there)",
                    path, *name ? "/" : "", name, what);
}

/// What a run wrote is a plain file. Anything else was put there, and would be followed out of the
/// directory, read without an end, or overwritten where it leads to.
static dew_Status check_entry(const char *path, int folder_fd, const struct dirent *entry)
{
    struct stat info;
    if (entry->d_type == DT_REG || entry->d_type == DT_DIR ||
        fstatat(folder_fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))
        return dew_ok();
    return refuse_entry(path, entry->d_name,
                        S_ISLNK(info.st_mode) ? "a symbolic link" : "a device or a pipe");
}

/// NULL with DEW_OK: it is not there.
static dew_Status open_folder(const dew_RunDirectory *directory, const char *folder,
                              const char *path, DIR **out)
{
    const char *name = *folder ? folder : ".";
    struct stat info;
    *out = NULL;
    if (fstatat(directory->lock_fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode))
        return refuse_entry(path, "", "a symbolic link");
    int fd = openat(directory->lock_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? dew_ok() : system_failure("read", path);
    *out = fdopendir(fd);
    if (*out)
        return dew_ok();
    dew_Status status = system_failure("read", path);
    close(fd);
    return status;
}

/// Visits what a run made in one folder; *found: there was anything but parts.
static dew_Status go_over(const dew_RunDirectory *directory, const char *folder, Purpose purpose,
                          bool *found)
{
    dew_RunPath path = *folder ? dew_run_path(directory, folder) : (dew_RunPath){""};
    if (!*folder)
        snprintf(path.text, sizeof path.text, "%s", directory->path);
    DIR *stream;
    DEW_TRY(open_folder(directory, folder, path.text, &stream));
    if (!stream)
        return dew_ok();
    dew_Status status = dew_ok();
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(stream);
        if (!entry) {
            if (errno != 0)
                status = system_failure("read", path.text);
            break;
        }
        bool is_part;
        bool is_made = dew_run_makes(folder, entry->d_name, &is_part);
        // Beside a run's files there may be a user's links; in its folders there is nothing else.
        if (purpose == LOOK && (is_made || *folder))
            status = check_entry(path.text, dirfd(stream), entry);
        if (status.code != DEW_OK)
            break;
        if (!is_made)
            continue;
        *found = *found || !is_part;
        if (purpose == REMOVE_PARTS && is_part)
            (void)dew_part_remove(dirfd(stream), entry->d_name);  // `dew render` may be writing it
        // run.json goes last, by clear: as long as there is anything, it says whose it is.
        bool is_mark = folder[0] == '\0' && strcmp(entry->d_name, "run.json") == 0;
        if (purpose == REMOVE_ALL && !is_mark && unlinkat(dirfd(stream), entry->d_name, 0) != 0 &&
            errno != ENOENT) {
            status = dew_fail(DEW_IO, "cannot remove %s/%s: %s", path.text, entry->d_name,
                              strerror(errno));
            break;
        }
    }
    closedir(stream);
    return status;
}

static dew_Status go_over_all(const dew_RunDirectory *directory, Purpose purpose, bool *found)
{
    *found = false;
    if (directory->lock_fd < 0)
        return dew_ok();
    DEW_TRY(go_over(directory, "frames", purpose, found));
    DEW_TRY(go_over(directory, "images", purpose, found));
    DEW_TRY(go_over(directory, DEW_MESH_FOLDER, purpose, found));
    return go_over(directory, "", purpose, found);
}

dew_Status dew_run_directory_has_run(const dew_RunDirectory *directory, bool *out)
{
    return go_over_all(directory, LOOK, out);
}

dew_Status dew_run_directory_check(const char *path)
{
    dew_RunDirectory directory = {.lock_fd = -1};
    if (strlen(path) >= sizeof directory.path)
        return dew_fail(DEW_BAD_INPUT, "the run directory's name is too long");
    snprintf(directory.path, sizeof directory.path, "%s", path);
    directory.lock_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // not locked: for readers
    if (directory.lock_fd < 0)
        return errno == ENOTDIR ? dew_ok() : judge_missing(path, errno);
    bool found;
    dew_Status status = go_over_all(&directory, LOOK, &found);
    dew_run_directory_close(&directory);
    return status;
}

bool dew_run_directory_is_runs(const dew_RunDirectory *directory)
{
    static const char *const marks[] = {"run.json", "checkpoint", "checkpoint.old"};
    for (int i = 0; i < 3 && directory->lock_fd >= 0; i++)
        if (faccessat(directory->lock_fd, marks[i], F_OK, 0) == 0)
            return true;
    return false;
}

dew_Status dew_run_directory_clear(const dew_RunDirectory *directory)
{
    // Checkpoints first: whatever happens then, nobody resumes a run whose frames are gone.
    static const char *const checkpoints[] = {"checkpoint", "checkpoint.old"};
    for (int i = 0; i < 2 && directory->lock_fd >= 0; i++)
        if (unlinkat(directory->lock_fd, checkpoints[i], 0) != 0 && errno != ENOENT)
            return dew_fail(DEW_IO, "cannot remove %s/%s: %s", directory->path, checkpoints[i],
                            strerror(errno));
    bool found;
    DEW_TRY(go_over_all(directory, REMOVE_ALL, &found));
    if (directory->lock_fd >= 0 && unlinkat(directory->lock_fd, "run.json", 0) != 0 &&
        errno != ENOENT)
        return dew_fail(DEW_IO, "cannot remove %s/run.json: %s", directory->path, strerror(errno));
    return dew_ok();
}

dew_Status dew_run_directory_sweep(const dew_RunDirectory *directory)
{
    bool found;
    return go_over_all(directory, REMOVE_PARTS, &found);
}
