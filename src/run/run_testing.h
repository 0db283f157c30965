/// For tests of runs: directories that come and go, and a digest of all that a run left.
#pragma once

#include "base/file.h"
#include "base/hash.h"
#include "dew/run.h"
#include "world/world_testing.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/// Balls on a tilted plate with a drip, small and quick: 11 frames, some 60 steps.
#define TEST_SHORT                                                                                 \
    "solver: rigid\nduration: 0.1 s\nframe_rate: 100 Hz\noutput: {checkpoint_every: 0 s}\n"        \
    "domain: {min: [-50 mm, 0, -50 mm], max: [50 mm, 100 mm, 50 mm], cell: 1 mm, "                 \
    "walls: {floor: glass, others: open}}\n"                                                       \
    "materials: {glass: {}}\n"                                                                     \
    "drops: [{shape: sphere, center: [0, 10 mm, 0], radius: 4 mm}, "                               \
    "{shape: sphere, center: [1 mm, 20 mm, 0], radius: 3 mm}]\n"                                   \
    "sources: [{shape: drip, at: [20 mm, 30 mm, 5 mm], radius: 2 mm, every: 31 ms}]\n"

typedef struct TestDirectory {
    char path[64];
} TestDirectory;

static inline TestDirectory test_directory(void)
{
    // In memory where that can be had: what is tested syncs much.
    TestDirectory directory = {"/dev/shm/dew_run_test.XXXXXX"};
    if (mkdtemp(directory.path))
        return directory;
    directory = (TestDirectory){"/tmp/dew_run_test.XXXXXX"};
    if (!mkdtemp(directory.path))
        abort();
    return directory;
}

static inline void test_remove(const char *path)
{
    DIR *stream = opendir(path);
    if (!stream) {
        unlink(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(stream));) {
        char below[512];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(below, sizeof below, "%.200s/%.255s", path, entry->d_name);
        test_remove(below);
    }
    closedir(stream);
    rmdir(path);
}

/// What depends on the time of day: the last column of stats.csv, and three lines of run.json.
static inline size_t test_lasting_length(const char *line, size_t length, bool is_stats)
{
    static const char *const passing[] = {"  \"wall_s\"", "  \"cpu_s\"", "  \"peak_bytes\""};
    for (int i = 0; i < 3; i++)
        if (!is_stats && strncmp(line, passing[i], strlen(passing[i])) == 0)
            return 0;
    while (is_stats && length > 0 && line[length - 1] != ',')
        length--;
    return length;
}

static inline uint64_t test_hash_file(const char *path, uint64_t seed)
{
    uint8_t *data = NULL;
    size_t size = 0;
    if (dew_file_read(path, (size_t)1 << 30, NULL, &data, &size).code != DEW_OK)
        return 0;
    const char *name = strrchr(path, '/') + 1;
    bool is_stats = strcmp(name, "stats.csv") == 0;
    if (is_stats || strcmp(name, "run.json") == 0) {
        for (const char *line = (const char *)data, *next; *line; line = next) {
            size_t length = strcspn(line, "\n");
            next = line + length + (line[length] == '\n');
            seed = dew_hash(line, test_lasting_length(line, length, is_stats), seed);
        }
    } else {
        seed = dew_hash(data, size, seed);
    }
    dew_free(NULL, data, size + 1);
    return seed;
}

/// Over names and contents of all files below a directory, in any order of reading.
static inline uint64_t test_digest(const char *path, int *count)
{
    uint64_t sum = 0;
    DIR *stream = opendir(path);
    if (!stream)
        return 0;
    for (struct dirent *entry; (entry = readdir(stream));) {
        char below[512];
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(below, sizeof below, "%.200s/%.255s", path, entry->d_name);
        uint64_t name = dew_hash(entry->d_name, strlen(entry->d_name), 0);
        if (stat(below, &info) == 0 && S_ISDIR(info.st_mode)) {
            sum += dew_hash(&name, sizeof name, test_digest(below, count));
        } else {
            sum += test_hash_file(below, name);
            if (count)
                (*count)++;
        }
    }
    closedir(stream);
    return sum;
}
