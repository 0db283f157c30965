// run.json, written whole each time.
#include "run/run_json.h"

#include "base/file.h"
#include "base/number.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)16 << 20)  // a line per file of the scene

static void write_text(dew_FileWriter *writer, const char *text)
{
    dew_file_text(writer, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            dew_file_format(writer, "\\%c", c);
        else if (c < 0x20)
            dew_file_format(writer, "\\u%04x", c);
        else
            dew_file_write(writer, text, 1);
    }
    dew_file_text(writer, "\"");
}

static void write_number(dew_FileWriter *writer, const char *key, double x)
{
    dew_file_format(writer, ",\n  \"%s\": ", key);
    if (isfinite(x))
        dew_file_number(writer, x);
    else
        dew_file_text(writer, "null");
}

static void write_word(dew_FileWriter *writer, const char *key, const char *word)
{
    dew_file_format(writer, ",\n  \"%s\": ", key);
    write_text(writer, word);
}

// One line per file, so that check_file finds it again.
static void write_files(dew_FileWriter *writer, const dew_SceneFiles *files, bool *is_first)
{
    for (int64_t i = 0; files && i < files->count; i++) {
        const dew_SceneFile *file = &files->files[i];
        dew_file_text(writer, *is_first ? "\n" : ",\n");
        *is_first = false;
        dew_file_text(writer, "    {\"key\": ");
        write_text(writer, file->key);
        dew_file_format(writer, ", \"hash\": \"%016llx\"}", (unsigned long long)file->hash);
    }
}

static void write_all_files(dew_FileWriter *writer, const dew_RunReport *r)
{
    bool is_first = true;
    dew_file_text(writer, ",\n  \"files\": [");
    write_files(writer, r->files, &is_first);
    write_files(writer, r->looks, &is_first);
    dew_file_text(writer, is_first ? "]" : "\n  ]");
}

dew_Status dew_run_json_save(const dew_RunDirectory *directory, const dew_RunReport *r,
                             const dew_Allocator *allocator)
{
    dew_FileWriter writer;
    DEW_TRY(dew_file_begin(&writer, dew_run_path(directory, "run.json").text, allocator));
    dew_file_text(&writer, "{\n  \"version\": ");
    write_text(&writer, dew_version());
    write_word(&writer, "solver", r->solver);
    dew_file_format(&writer, ",\n  \"threads\": %d", r->threads);
    write_word(&writer, "status", r->status);
    dew_file_format(&writer, ",\n  \"steps\": %lld", (long long)r->steps);
    dew_file_format(&writer, ",\n  \"frames\": %lld", (long long)r->frames);
    dew_file_format(&writer, ",\n  \"retries\": %lld", (long long)r->retries);
    write_number(&writer, "time_s", r->time_s);
    write_number(&writer, "wall_s", r->wall_s);
    write_number(&writer, "cpu_s", r->cpu_s);
    dew_file_format(&writer, ",\n  \"peak_bytes\": %lld", (long long)r->peak_bytes);
    dew_file_format(&writer, ",\n  \"scene_hash\": \"%016llx\"", (unsigned long long)r->scene_hash);
    if (r->state_hash)
        dew_file_format(&writer, ",\n  \"state_hash\": \"%016llx\"",
                        (unsigned long long)r->state_hash);
    write_all_files(&writer, r);
    write_word(&writer, "message", r->message);
    dew_file_text(&writer, "\n}\n");
    return dew_file_commit(&writer);
}

/// What follows "KEY": in text that this file wrote; NULL when it is not there.
static const char *find_value(const char *text, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\n  \"%s\": ", key);
    const char *found = strstr(text, quoted);
    return found ? found + strlen(quoted) : NULL;
}

static bool read_json(const char *directory, const dew_Allocator *allocator, uint8_t **data,
                      size_t *size)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/run.json", directory);
    return dew_file_read(path, MAX_BYTES, allocator, data, size).code == DEW_OK;
}

/// Is the file what the text says, or not mentioned in it?
static bool is_as_given(const char *text, const dew_SceneFile *file)
{
    char line[480];
    snprintf(line, sizeof line, "\n    {\"key\": \"%.400s\", \"hash\": \"", file->key);
    const char *found = strstr(text, line);
    return !found || strtoull(found + strlen(line), NULL, 16) == file->hash;
}

dew_Status dew_run_json_check_files(const char *directory, const dew_SceneFiles *files,
                                    const dew_Allocator *allocator)
{
    uint8_t *data = NULL;
    size_t size = 0;
    if (files->count == 0 || !read_json(directory, allocator, &data, &size))
        return dew_ok();
    dew_Status status = dew_ok();
    for (int64_t i = 0; i < files->count && status.code == DEW_OK; i++)
        if (!is_as_given((const char *)data, &files->files[i]))
            status = dew_scene_file_changed(&files->files[i]);
    dew_free(allocator, data, size + 1);
    return status;
}

dew_RunHistory dew_run_json_history(const dew_RunDirectory *directory,
                                    const dew_Allocator *allocator)
{
    dew_RunHistory history = {0};
    uint8_t *data = NULL;
    size_t size = 0;
    if (!read_json(directory->path, allocator, &data, &size))
        return history;
    const char *text = (const char *)data;
    const char *wall = find_value(text, "wall_s"), *status = find_value(text, "status");
    const char *hash = find_value(text, "scene_hash");
    if (wall)
        dew_number_parse(wall, strlen(wall), &history.wall_s);
    if (!(history.wall_s >= 0) || isinf(history.wall_s))
        history.wall_s = 0;
    history.is_done = status && strncmp(status, "\"done\"", 6) == 0;
    if (hash && hash[0] == '"') {
        char *end;
        history.scene_hash = strtoull(hash + 1, &end, 16);
        history.has_scene_hash = end == hash + 17;
    }
    dew_free(allocator, data, size + 1);
    return history;
}
