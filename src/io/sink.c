// One way to write for files and memory.
#include "io/sink.h"

#include "base/number.h"
#include "base/status.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

dew_Status dew_sink_begin_file(dew_Sink *sink, const char *path, const dew_Allocator *allocator)
{
    sink->memory = NULL;
    sink->status = dew_ok();
    return dew_file_begin(&sink->file, path, allocator);
}

void dew_sink_begin_memory(dew_Sink *sink, dew_Array *bytes)
{
    sink->memory = bytes;
    sink->memory_begin = bytes->count;
    sink->status = dew_ok();
}

void dew_sink_write(dew_Sink *sink, const void *data, size_t size)
{
    if (!sink->memory)
        dew_file_write(&sink->file, data, size);
    else if (sink->status.code == DEW_OK)
        sink->status = dew_array_append(sink->memory, data, (int64_t)size);
}

int64_t dew_sink_size(const dew_Sink *sink)
{
    return sink->memory ? sink->memory->count - sink->memory_begin : sink->file.size_bytes;
}

void dew_sink_patch(dew_Sink *sink, int64_t at, const void *data, size_t size)
{
    if (!sink->memory) {
        dew_file_patch(&sink->file, at, data, size);
    } else if (sink->status.code == DEW_OK && size > 0) {
        DEW_ASSERT(at >= 0 && at + (int64_t)size <= dew_sink_size(sink));
        memcpy(DEW_ITEMS(sink->memory, uint8_t) + sink->memory_begin + at, data, size);
    }
}

void dew_sink_text(dew_Sink *sink, const char *text)
{
    dew_sink_write(sink, text, strlen(text));
}

// Digits of x, most significant first; returns their number.
static size_t put_digits(uint64_t x, char out[20])
{
    char reversed[20];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + x % 10);
        x /= 10;
    } while (x > 0);
    for (size_t i = 0; i < count; i++)
        out[i] = reversed[count - 1 - i];
    return count;
}

void dew_sink_integer(dew_Sink *sink, int64_t x)
{
    char text[21] = "-";
    size_t sign = x < 0 ? 1 : 0;
    uint64_t magnitude = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    dew_sink_write(sink, text, sign + put_digits(magnitude, text + sign));
}

void dew_sink_double(dew_Sink *sink, double x)
{
    char text[DEW_NUMBER_SIZE];
    size_t length = dew_number_format(x, text);
    dew_sink_write(sink, text, length);
}

void dew_sink_float(dew_Sink *sink, float x)
{
    char text[DEW_NUMBER_SIZE];
    dew_sink_write(sink, text, dew_number_format_single(x, text));
}

void dew_sink_xml(dew_Sink *sink, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '&')
            dew_sink_text(sink, "&amp;");
        else if (*p == '<')
            dew_sink_text(sink, "&lt;");
        else if (*p == '>')
            dew_sink_text(sink, "&gt;");
        else if (*p == '"')
            dew_sink_text(sink, "&quot;");
        else
            dew_sink_write(sink, p, 1);
    }
}

void dew_sink_json(dew_Sink *sink, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    size_t left = strlen(text);
    dew_sink_text(sink, "\"");
    while (left > 0) {
        uint32_t code;
        size_t used = dew_utf8_decode(text, left, &code);
        char escaped[] = {'\\', 'u', '0', '0', digits[code >> 4 & 15], digits[code & 15], 0};
        if (used == 0)
            dew_sink_text(sink, "\xef\xbf\xbd");
        else if (code < 0x20)
            dew_sink_text(sink, escaped);
        else if (code == '"' || code == '\\')
            dew_sink_write(sink, (const char[]){'\\', (char)code}, 2);
        else
            dew_sink_write(sink, text, used);
        used = used > 0 ? used : 1;
        text += used;
        left -= used;
    }
    dew_sink_text(sink, "\"");
}

dew_Status dew_sink_end(dew_Sink *sink, dew_Status status)
{
    if (sink->memory)
        return status.code != DEW_OK ? status : sink->status;
    if (status.code != DEW_OK) {
        dew_file_abandon(&sink->file);
        return status;
    }
    return dew_file_commit(&sink->file);
}
