/// Reads the one JSON file of a run: an object whose values are strings, numbers, true, false or
/// null. Lists and objects among them are kept as their text.
#include "run/run_info.h"

#include "base/file.h"
#include "base/number.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

static const size_t max_info_bytes = 16 << 20;

typedef struct Reader {
    const char *at, *end;
    const char *path;
    dew_Arena *arena;
} Reader;

static dew_Status bad(const Reader *r, const char *wanted)
{
    return dew_fail(DEW_BAD_INPUT, "%s: not a run's description: %s missing", r->path, wanted);
}

static void skip_space(Reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
        r->at++;
}

static bool take(Reader *r, char c)
{
    skip_space(r);
    if (r->at >= r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/// A quoted string; \uXXXX below 128 only, which is all that Dew writes.
static dew_Status read_string(Reader *r, const char **out)
{
    if (!take(r, '"'))
        return bad(r, "a quoted name or value");
    char *text = dew_arena_array(r->arena, char, (r->end - r->at) + 1);
    if (!text)
        return dew_no_memory((size_t)(r->end - r->at));
    size_t n = 0;
    while (r->at < r->end && *r->at != '"') {
        char c = *r->at++;
        if (c == '\\' && r->at < r->end) {
            c = *r->at++;
            const char *known = strchr("n\nt\tr\rb\bf\f", c);
            if (c == 'u' && r->end - r->at >= 4) {
                c = '?';
                r->at += 4;
            } else if (known && c >= 'a') {
                c = known[1];
            }
        }
        text[n++] = c;
    }
    *out = text;
    return take(r, '"') ? dew_ok() : bad(r, "a closing quote");
}

/// Behind a list or an object, with all that is in it. False: its end is missing.
static bool skip_nested(Reader *r)
{
    int depth = 0;
    bool is_quoted = false;
    for (; r->at < r->end; r->at++) {
        char c = *r->at;
        if (is_quoted && c == '\\' && r->at + 1 < r->end)
            r->at++;
        else if (c == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && (c == '[' || c == '{'))
            depth++;
        else if (!is_quoted && (c == ']' || c == '}') && --depth == 0) {
            r->at++;
            return true;
        }
    }
    return false;
}

static dew_Status read_value(Reader *r, const char **out)
{
    skip_space(r);
    if (r->at < r->end && *r->at == '"')
        return read_string(r, out);
    const char *begin = r->at;
    if (r->at < r->end && (*r->at == '[' || *r->at == '{')) {
        if (!skip_nested(r))
            return bad(r, "the end of a list");
    }
    while (r->at < r->end && !strchr(",}\n\r \t", *r->at))
        r->at++;
    *out = dew_arena_text(r->arena, begin, (size_t)(r->at - begin));
    return *out ? dew_ok() : dew_no_memory((size_t)(r->at - begin));
}

static dew_Status read_object(Reader *r, dew_RunInfo *out)
{
    if (!take(r, '{'))
        return bad(r, "{");
    if (take(r, '}'))
        return dew_ok();
    do {
        if (out->count == DEW_RUN_INFO_MAX)
            return dew_fail(DEW_BAD_INPUT, "%s: more than %d values", r->path, DEW_RUN_INFO_MAX);
        DEW_TRY(read_string(r, &out->names[out->count]));
        if (!take(r, ':'))
            return bad(r, ":");
        DEW_TRY(read_value(r, &out->values[out->count]));
        out->count++;
    } while (take(r, ','));
    return take(r, '}') ? dew_ok() : bad(r, "}");
}

dew_Status dew_run_info_load(const char *path, dew_Arena *arena, dew_RunInfo *out)
{
    *out = (dew_RunInfo){0};
    uint8_t *data = NULL;
    size_t size = 0;
    DEW_TRY(dew_file_read(path, max_info_bytes, &arena->allocator, &data, &size));
    Reader reader = {(const char *)data, (const char *)data + size, path, arena};
    dew_Status status = read_object(&reader, out);
    dew_free(&arena->allocator, data, size + 1);
    return status;
}

const char *dew_run_info_text(const dew_RunInfo *info, const char *name)
{
    for (int i = 0; i < info->count; i++)
        if (strcmp(info->names[i], name) == 0)
            return info->values[i];
    return "";
}

double dew_run_info_number(const dew_RunInfo *info, const char *name)
{
    const char *text = dew_run_info_text(info, name);
    double x = (double)NAN;
    size_t used = dew_number_parse(text, strlen(text), &x);
    return used > 0 && text[used] == 0 ? x : (double)NAN;
}
