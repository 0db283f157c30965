// Errors of one scene. The first DEW_MAX_DIAGNOSTICS are reported, the rest are counted. Blocks and
// checks find them in any order; they are reported in the order of lines.
#include "scene/diagnostics.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "dew/text.h"

// ---- path --------------------------------------------------------------------------------------

static size_t extend(dew_Diagnostics *diagnostics, const char *piece)
{
    size_t before = diagnostics->path_length, room = sizeof diagnostics->path;
    if (before < room)
        snprintf(diagnostics->path + before, room - before, "%s", piece);
    diagnostics->path_length += strlen(piece);
    return before;
}

size_t dew_path_key(dew_Diagnostics *diagnostics, const char *key)
{
    char piece[80];
    bool is_long = strlen(key) > 64;
    snprintf(piece, sizeof piece, "%s%.64s%s", diagnostics->path_length ? "." : "", key,
             is_long ? "..." : "");
    return extend(diagnostics, piece);
}

size_t dew_path_index(dew_Diagnostics *diagnostics, int64_t index)
{
    char piece[32];
    snprintf(piece, sizeof piece, "[%lld]", (long long)index);
    return extend(diagnostics, piece);
}

void dew_path_back(dew_Diagnostics *diagnostics, size_t length)
{
    diagnostics->path_length = length;
    if (length < sizeof diagnostics->path)
        diagnostics->path[length] = '\0';
}

// ---- words -------------------------------------------------------------------------------------

void dew_node_place(const dew_Node *node, const char *file, bool has_lines, char *out, size_t size)
{
    out[0] = '\0';
    if (node && node->origin)
        snprintf(out, size, "%s: ", node->origin);
    else if (file && node && node->line > 0 && has_lines)
        snprintf(out, size, "%s:%d: ", file, node->key ? node->key_line : node->line);
    else if (file)
        snprintf(out, size, "%s: ", file);
    else if (node && node->line > 0 && has_lines)
        snprintf(out, size, "line %d: ", node->key ? node->key_line : node->line);
}

// Those without a line come first, those of --set last.
static int line_of(const dew_Node *at)
{
    if (!at)
        return 0;
    return at->origin ? INT_MAX : at->key ? at->key_line : at->line;
}

static void record(dew_Diagnostics *diagnostics, const dew_Node *at, const char *path,
                   const char *words)
{
    if (diagnostics->count++ >= DEW_MAX_DIAGNOSTICS)
        return;
    int64_t i = diagnostics->count - 1;
    int line = line_of(at);
    for (; i > 0 && diagnostics->lines[i - 1] > line; i--) {
        diagnostics->lines[i] = diagnostics->lines[i - 1];
        diagnostics->reported[i] = diagnostics->reported[i - 1];
    }
    char place[256];
    dew_node_place(at, diagnostics->file, diagnostics->has_lines, place, sizeof place);
    diagnostics->lines[i] = line;
    diagnostics->reported[i] =
        dew_fail(DEW_BAD_INPUT, "%s%s%s%s", place, path, *path ? ": " : "", words);
}

void dew_diagnose(dew_Diagnostics *diagnostics, const dew_Node *at, const char *format, ...)
{
    char words[DEW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    record(diagnostics, at, diagnostics->path, words);
}

void dew_diagnose_key(dew_Diagnostics *diagnostics, const dew_Node *map, const char *key,
                      const char *format, ...)
{
    char words[DEW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    const dew_Node *given = map ? dew_node_find(map, key) : NULL;
    size_t before = dew_path_key(diagnostics, key);
    record(diagnostics, given ? given : map, diagnostics->path, words);
    dew_path_back(diagnostics, before);
}

void dew_diagnose_plainly(dew_Diagnostics *diagnostics, const dew_Node *at, const char *format, ...)
{
    char words[DEW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    record(diagnostics, at, "", words);
}

dew_Status dew_diagnostics_end(dew_Diagnostics *diagnostics)
{
    if (diagnostics->count == 0)
        return dew_ok();
    int64_t more = diagnostics->count - DEW_MAX_DIAGNOSTICS;
    int64_t reported = more > 0 ? DEW_MAX_DIAGNOSTICS : diagnostics->count;
    for (int64_t i = 0; i < reported; i++)
        dew_log_line(&diagnostics->log, DEW_LOG_ERROR, diagnostics->reported[i].message);
    if (more > 0) {
        dew_Status rest = dew_fail(
            DEW_BAD_INPUT, "%s%sand %lld more error%s", diagnostics->file ? diagnostics->file : "",
            diagnostics->file ? ": " : "", (long long)more, more == 1 ? "" : "s");
        dew_log_line(&diagnostics->log, DEW_LOG_ERROR, rest.message);
    }
    return diagnostics->reported[0];
}

// ---- hints -------------------------------------------------------------------------------------

int64_t dew_names_count(const char *const *names)
{
    int64_t count = 0;
    while (names[count])
        count++;
    return count;
}

dew_Hint dew_hint(const dew_Diagnostics *diagnostics, const char *word, const char *const *names,
                  int64_t count)
{
    dew_Hint hint = {""};
    if (diagnostics && diagnostics->count >= DEW_MAX_DIAGNOSTICS)
        return hint;
    const char *nearest =
        dew_nearest_name(word, names, count < DEW_MAX_HINT_NAMES ? count : DEW_MAX_HINT_NAMES);
    if (nearest) {
        snprintf(hint.text, sizeof hint.text, "(did you mean %s?)", nearest);
        return hint;
    }
    size_t length = 0;
    for (int64_t i = 0; i < count; i++) {
        size_t room = sizeof hint.text - length;
        if (strlen(names[i]) + 8 > room) {
            snprintf(hint.text + length, room, "%s", length ? ", ...)" : "");
            return hint;
        }
        const char *before = i == 0 ? "(" : i == count - 1 ? " or " : ", ";
        length += (size_t)snprintf(hint.text + length, room, "%s%s", before, names[i]);
    }
    if (length > 0)
        snprintf(hint.text + length, sizeof hint.text - length, ")");
    return hint;
}
