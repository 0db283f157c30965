/// Growing text on a dew_Array; a zero byte is kept behind the end but not counted.
#include "base/text.h"

#include "base/number.h"
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void dew_text_init(dew_Text *text, const dew_Allocator *allocator)
{
    dew_array_init(&text->bytes, allocator, 1);
    text->status = dew_ok();
}

void dew_text_deinit(dew_Text *text)
{
    dew_array_deinit(&text->bytes);
}

/// Room for `more` characters and the zero behind them; NULL once something failed.
static char *make_room(dew_Text *text, size_t more)
{
    if (text->status.code != DEW_OK)
        return NULL;
    int64_t wanted = text->bytes.count + (int64_t)more + 1;
    if (wanted > text->bytes.capacity)
        text->status = dew_array_reserve(&text->bytes, wanted + wanted / 2);
    return text->status.code == DEW_OK ? DEW_ITEMS(&text->bytes, char) + text->bytes.count : NULL;
}

void dew_text_add_bytes(dew_Text *text, const void *bytes, size_t size)
{
    char *end = make_room(text, size);
    if (!end)
        return;
    if (size)
        memcpy(end, bytes, size);
    end[size] = 0;
    text->bytes.count += (int64_t)size;
}

void dew_text_add(dew_Text *text, const char *words)
{
    dew_text_add_bytes(text, words, strlen(words));
}

void dew_text_format(dew_Text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *end = length >= 0 ? make_room(text, (size_t)length) : NULL;
    if (end) {
        vsnprintf(end, (size_t)length + 1, format, again);
        text->bytes.count += length;
    }
    va_end(again);
    va_end(arguments);
}

void dew_text_number(dew_Text *text, double x)
{
    char number[DEW_NUMBER_SIZE];
    dew_text_add_bytes(text, number, dew_number_format(x, number));
}

const char *dew_text_string(const dew_Text *text)
{
    return text->bytes.count ? DEW_ITEMS(&text->bytes, char) : "";
}

size_t dew_text_length(const dew_Text *text)
{
    return (size_t)text->bytes.count;
}
