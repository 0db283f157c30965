// Errors of one scene. Twenty are told, the rest are counted. They are found block by block and check by
// check; people go through a file from its top, so they are told in the order of lines.
#include "scene/complain.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/status.h"

// ---- path --------------------------------------------------------------------------------------

static size_t extend(dew_Complaints *complaints, const char *piece)
{
    size_t before = complaints->path_length, room = sizeof complaints->path;
    if (before < room)
        snprintf(complaints->path + before, room - before, "%s", piece);
    complaints->path_length += strlen(piece);
    return before;
}

size_t dew_path_key(dew_Complaints *complaints, const char *key)
{
    char piece[80];
    bool is_long = strlen(key) > 64;
    snprintf(piece, sizeof piece, "%s%.64s%s", complaints->path_length ? "." : "", key,
             is_long ? "..." : "");
    return extend(complaints, piece);
}

size_t dew_path_index(dew_Complaints *complaints, int64_t index)
{
    char piece[32];
    snprintf(piece, sizeof piece, "[%lld]", (long long)index);
    return extend(complaints, piece);
}

void dew_path_back(dew_Complaints *complaints, size_t length)
{
    complaints->path_length = length;
    if (length < sizeof complaints->path)
        complaints->path[length] = '\0';
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

static void record(dew_Complaints *complaints, const dew_Node *at, const char *path,
                   const char *words)
{
    if (complaints->count++ >= DEW_MAX_COMPLAINTS)
        return;
    int64_t i = complaints->count - 1;
    int line = line_of(at);
    for (; i > 0 && complaints->lines[i - 1] > line; i--) {
        complaints->lines[i] = complaints->lines[i - 1];
        complaints->told[i] = complaints->told[i - 1];
    }
    char place[256];
    dew_node_place(at, complaints->file, complaints->has_lines, place, sizeof place);
    complaints->lines[i] = line;
    complaints->told[i] =
        dew_fail(DEW_BAD_INPUT, "%s%s%s%s", place, path, *path ? ": " : "", words);
}

void dew_complain(dew_Complaints *complaints, const dew_Node *at, const char *format, ...)
{
    char words[DEW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    record(complaints, at, complaints->path, words);
}

void dew_complain_key(dew_Complaints *complaints, const dew_Node *map, const char *key,
                      const char *format, ...)
{
    char words[DEW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    const dew_Node *given = map ? dew_node_find(map, key) : NULL;
    size_t before = dew_path_key(complaints, key);
    record(complaints, given ? given : map, complaints->path, words);
    dew_path_back(complaints, before);
}

void dew_complain_plainly(dew_Complaints *complaints, const dew_Node *at, const char *format, ...)
{
    char words[DEW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    record(complaints, at, "", words);
}

dew_Status dew_complaints_end(dew_Complaints *complaints)
{
    if (complaints->count == 0)
        return dew_ok();
    int64_t more = complaints->count - DEW_MAX_COMPLAINTS;
    int64_t told = more > 0 ? DEW_MAX_COMPLAINTS : complaints->count;
    for (int64_t i = 0; i < told; i++)
        dew_log_line(&complaints->log, DEW_LOG_ERROR, complaints->told[i].message);
    if (more > 0) {
        dew_Status rest = dew_fail(
            DEW_BAD_INPUT, "%s%sand %lld more error%s", complaints->file ? complaints->file : "",
            complaints->file ? ": " : "", (long long)more, more == 1 ? "" : "s");
        dew_log_line(&complaints->log, DEW_LOG_ERROR, rest.message);
    }
    return complaints->told[0];
}

// ---- hints -------------------------------------------------------------------------------------

int64_t dew_names_count(const char *const *names)
{
    int64_t count = 0;
    while (names[count])
        count++;
    return count;
}

dew_Hint dew_hint(const dew_Complaints *complaints, const char *word, const char *const *names,
                  int64_t count)
{
    enum { MAX_ASKED = 500 };  // a scene of ten thousand named solids must fail fast too
    dew_Hint hint = {""};
    if (complaints && complaints->count >= DEW_MAX_COMPLAINTS)
        return hint;
    const char *nearest = dew_nearest_name(word, names, count < MAX_ASKED ? count : MAX_ASKED);
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
