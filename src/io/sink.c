// One way to write for files and memory.
#include "io/sink.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
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
    sink->status = dew_ok();
}

void dew_sink_write(dew_Sink *sink, const void *data, size_t size)
{
    if (!sink->memory)
        dew_file_write(&sink->file, data, size);
    else if (sink->status.code == DEW_OK)
        sink->status = dew_array_append(sink->memory, data, (int64_t)size);
}

void dew_sink_text(dew_Sink *sink, const char *text)
{
    dew_sink_write(sink, text, strlen(text));
}

void dew_sink_integer(dew_Sink *sink, int64_t x)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%lld", (long long)x);
    dew_sink_write(sink, text, (size_t)length);
}

void dew_sink_double(dew_Sink *sink, double x)
{
    char text[DEW_NUMBER_SIZE];
    size_t length = dew_number_format(x, text);
    dew_sink_write(sink, text, length);
}

// snprintf writes the decimal point of the locale, in whatever bytes: make it a point.
static size_t plain_point(char *text)
{
    size_t length = 0;
    for (const char *p = text; *p; p++) {
        if ((*p >= '0' && *p <= '9') || *p == '-' || *p == '+' || *p == 'e')
            text[length++] = *p;
        else if (length > 0 && text[length - 1] != '.')
            text[length++] = '.';
    }
    return length;
}

void dew_sink_float(dew_Sink *sink, float x)
{
    if (!isfinite(x)) {
        dew_sink_double(sink, (double)x);
        return;
    }
    char text[40];
    // Nine digits tell any two floats apart; most need fewer.
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)x);
        if (strtof(text, NULL) == x)
            break;
    }
    dew_sink_write(sink, text, plain_point(text));
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
