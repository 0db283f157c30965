// Bytes in memory with places. Lines are counted on demand: LF, CR LF and a lone CR each end one.
#include "io/source.h"

#include "base/file.h"
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAME_SHOWN 200  // of a long path the end is shown, so that the sentence behind it survives

dew_Source dew_source_from_memory(const char *name, const void *data, size_t size)
{
    return (dew_Source){.name = name, .data = data, .size = size};
}

// The name as messages show it.
static void shown_name(const dew_Source *source, char out[NAME_SHOWN + 4])
{
    size_t length = strlen(source->name);
    if (length <= NAME_SHOWN)
        memcpy(out, source->name, length + 1);
    else
        snprintf(out, NAME_SHOWN + 4, "...%s", source->name + (length - NAME_SHOWN));
}

dew_Status dew_source_load(dew_Source *source, const char *path, size_t max_bytes,
                           const dew_Allocator *allocator, const dew_Log *log)
{
    *source = (dew_Source){.name = path};
    if (allocator)
        source->allocator = *allocator;
    if (log)
        source->log = *log;
    uint8_t *data = NULL;
    size_t size = 0;
    DEW_TRY(dew_file_read(path, max_bytes, &source->allocator, &data, &size));
    source->data = data;
    source->size = size;
    if (size == 0) {
        dew_Status status = dew_source_fail_byte(source, data, "the file is empty");
        dew_source_unload(source);
        return status;
    }
    return dew_ok();
}

void dew_source_unload(dew_Source *source)
{
    if (source->data) {
        const uint8_t *block = source->data - source->skipped_bytes;
        dew_free(&source->allocator, (void *)(uintptr_t)block,
                 source->size + source->skipped_bytes + 1);
    }
    source->data = NULL;
    source->size = 0;
    source->skipped_bytes = 0;
}

dew_Status dew_source_skip_mark(dew_Source *source)
{
    const uint8_t *p = source->data;
    if (source->size >= 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF) {
        source->data += 3;
        source->size -= 3;
        source->skipped_bytes += 3;
        dew_source_say(source, DEW_LOG_WARNING, "byte-order mark at the beginning was skipped");
        return dew_ok();
    }
    if (source->size >= 2 && ((p[0] == 0xFF && p[1] == 0xFE) || (p[0] == 0xFE && p[1] == 0xFF)))
        return dew_source_fail_byte(source, p, "this is UTF-16 text (save it as plain UTF-8)");
    return dew_ok();
}

void dew_source_warn_line_ends(const dew_Source *source)
{
    for (size_t i = 0; i < source->size; i++) {
        if (source->data[i] == '\n' || source->data[i] < '\t')  // no text
            return;
        if (source->data[i] == '\r') {
            dew_source_say(source, DEW_LOG_WARNING,
                           "lines end with carriage returns; read as plain line ends");
            return;
        }
    }
}

static int64_t line_of(const dew_Source *source, const uint8_t *at)
{
    int64_t line = 1;
    const uint8_t *end = source->data + source->size;
    for (const uint8_t *p = source->data; p < at && p < end; p++) {
        bool is_lone_return = *p == '\r' && !(p + 1 < end && p[1] == '\n');
        line += *p == '\n' || is_lone_return;
    }
    return line;
}

// "NAME:LINE: " or "NAME: byte N: " or "NAME: "
#define PLACE_SIZE (NAME_SHOWN + 40)

static void place_of_line(const dew_Source *source, const void *at, char out[PLACE_SIZE])
{
    char name[NAME_SHOWN + 4];
    shown_name(source, name);
    snprintf(out, PLACE_SIZE, "%s:%lld: ", name, (long long)line_of(source, at));
}

static dew_Status fail_at(const char *place, const char *format, va_list arguments)
{
    char words[DEW_MESSAGE_SIZE];
    vsnprintf(words, sizeof words, format, arguments);
    return dew_fail(DEW_BAD_INPUT, "%s%s", place, words);
}

static void say_at(const dew_Source *source, dew_LogLevel level, const char *place,
                   const char *format, va_list arguments)
{
    char words[DEW_MESSAGE_SIZE], message[PLACE_SIZE + DEW_MESSAGE_SIZE];
    vsnprintf(words, sizeof words, format, arguments);
    snprintf(message, sizeof message, "%s%s", place, words);
    dew_log_line(&source->log, level, message);
}

dew_Status dew_source_fail_line(const dew_Source *source, const void *at, const char *format, ...)
{
    char place[PLACE_SIZE];
    place_of_line(source, at, place);
    va_list arguments;
    va_start(arguments, format);
    dew_Status status = fail_at(place, format, arguments);
    va_end(arguments);
    return status;
}

dew_Status dew_source_fail_byte(const dew_Source *source, const void *at, const char *format, ...)
{
    char name[NAME_SHOWN + 4], place[PLACE_SIZE];
    shown_name(source, name);
    size_t byte = (size_t)((const uint8_t *)at - source->data) + source->skipped_bytes;
    snprintf(place, sizeof place, "%s: byte %zu: ", name, byte);
    va_list arguments;
    va_start(arguments, format);
    dew_Status status = fail_at(place, format, arguments);
    va_end(arguments);
    return status;
}

void dew_source_say(const dew_Source *source, dew_LogLevel level, const char *format, ...)
{
    if (!source->log.write)
        return;
    char name[NAME_SHOWN + 4], place[PLACE_SIZE];
    shown_name(source, name);
    snprintf(place, sizeof place, "%s: ", name);
    va_list arguments;
    va_start(arguments, format);
    say_at(source, level, place, format, arguments);
    va_end(arguments);
}

void dew_source_say_line(const dew_Source *source, dew_LogLevel level, const void *at,
                         const char *format, ...)
{
    if (!source->log.write)
        return;
    char place[PLACE_SIZE];
    place_of_line(source, at, place);
    va_list arguments;
    va_start(arguments, format);
    say_at(source, level, place, format, arguments);
    va_end(arguments);
}
