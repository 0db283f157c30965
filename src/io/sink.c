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

// A float as integer times a power of ten, with the fewest digits (6 to 9) that distinguish it from
// its neighbours. Nine digits and powers up to 22 are exact in double, so m * 10^k is rounded once
// [Clinger1990], as it will be when it is read; false where that does not hold.
static bool find_decimal(float x, uint64_t *m, int *k)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double a = fabs((double)x);
    int exponent = (int)floor(log10(a));
    for (int digits = 6; digits <= 9; digits++) {
        *k = exponent - digits + 1;
        if (*k < -22 || *k > 22)
            return false;
        double scaled = rint(*k < 0 ? a * powers[-*k] : a / powers[*k]);
        double back = *k < 0 ? scaled / powers[-*k] : scaled * powers[*k];
        *m = (uint64_t)scaled;
        if ((float)back == fabsf(x))
            return true;
    }
    return false;
}

// Without an exponent where that is short, as people write; else d.ddde-12.
static size_t put_decimal(char *out, uint64_t m, int k)
{
    char digits[20];
    while (m % 10 == 0) {
        m /= 10;
        k++;
    }
    int count = (int)put_digits(m, digits), point = count + k, n = 0;
    bool is_plain = point > -4 && point < 10;
    if (is_plain && point <= 0) {
        out[n++] = '0';
        out[n++] = '.';
        for (int i = point; i < 0; i++)
            out[n++] = '0';
    }
    int point_at = is_plain ? point : 1;
    for (int i = 0; i < count; i++) {
        if (i == point_at && i > 0)
            out[n++] = '.';
        out[n++] = digits[i];
    }
    for (int i = count; is_plain && i < point; i++)
        out[n++] = '0';
    if (!is_plain)
        n += sprintf(out + n, "e%d", point - 1);
    return (size_t)n;
}

void dew_sink_float(dew_Sink *sink, float x)
{
    char text[40] = "-";
    uint64_t m;
    int k;
    if (!isfinite(x) || x == 0 || !find_decimal(x, &m, &k)) {
        dew_sink_double(sink, (double)x);
        return;
    }
    size_t sign = x < 0 ? 1 : 0;
    dew_sink_write(sink, text, sign + put_decimal(text + sign, m, k));
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
