// run.json, written whole each time.
#include "run/run_json.h"

#include "base/file.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    write_number(&writer, "time_s", r->time_s);
    write_number(&writer, "wall_s", r->wall_s);
    write_number(&writer, "cpu_s", r->cpu_s);
    dew_file_format(&writer, ",\n  \"peak_bytes\": %lld", (long long)r->peak_bytes);
    dew_file_format(&writer, ",\n  \"scene_hash\": \"%016llx\"", (unsigned long long)r->scene_hash);
    if (r->state_hash)
        dew_file_format(&writer, ",\n  \"state_hash\": \"%016llx\"",
                        (unsigned long long)r->state_hash);
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

dew_RunHistory dew_run_json_history(const dew_RunDirectory *directory,
                                    const dew_Allocator *allocator)
{
    dew_RunHistory history = {0};
    uint8_t *data = NULL;
    size_t size = 0;
    dew_RunPath path = dew_run_path(directory, "run.json");
    if (dew_file_read(path.text, 1 << 20, allocator, &data, &size).code != DEW_OK)
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
