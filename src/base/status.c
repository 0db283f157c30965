// Status sentences: one line of printable UTF-8, whatever the arguments held.
//
// A sentence may quote a user's file, so control bytes and broken UTF-8 are replaced: a scene must
// not be able to move the cursor of the terminal that shows its error.
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Number of bytes of the printable character at text[0..left), 0 when there is none.
static size_t printable_length(const unsigned char *text, size_t left)
{
    static const uint32_t lowest[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char c = text[0];
    if (c < 0x80)
        return c >= 0x20 && c != 0x7f ? 1 : 0;
    size_t length = c >= 0xf0 && c < 0xf8   ? 4
                    : c >= 0xe0 && c < 0xf0 ? 3
                    : c >= 0xc0 && c < 0xe0 ? 2
                                            : 0;
    if (length == 0 || length > left)
        return 0;
    uint32_t code = c & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    bool is_surrogate = code >= 0xd800 && code < 0xe000;
    bool is_control = code < 0xa0;  // U+0080 to U+009F steer terminals too
    return code < lowest[length] || code > 0x10ffff || is_surrogate || is_control ? 0 : length;
}

// Replaces line ends and tabs by a space, all else that is not printable by a question mark.
static void sanitize(char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length;) {
        size_t step = printable_length((const unsigned char *)text + i, length - i);
        if (step == 0) {
            bool is_space = text[i] == '\n' || text[i] == '\t' || text[i] == '\r';
            text[i] = is_space ? ' ' : '?';
            step = 1;
        }
        i += step;
    }
}

// Ends a sentence that did not fit with "...", between two characters.
static void cut(char text[DEW_MESSAGE_SIZE])
{
    size_t end = DEW_MESSAGE_SIZE - 4;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    memcpy(text + end, "...", 4);
}

dew_Status dew_ok(void)
{
    dew_Status status;
    status.code = DEW_OK;
    status.message[0] = '\0';  // the rest stays unwritten: most calls succeed
    return status;
}

static dew_Status fail_with(dew_Code code, const char *format, va_list arguments)
{
    dew_Status status = {.code = code};
    int length = vsnprintf(status.message, sizeof status.message, format, arguments);
    if (length < 0)
        strcpy(status.message, "failed, and the sentence that says why could not be written");
    if (length >= DEW_MESSAGE_SIZE)
        cut(status.message);
    sanitize(status.message);
    return status;
}

dew_Status dew_fail(dew_Code code, const char *format, ...)
{
    DEW_ASSERT(code != DEW_OK);
    va_list arguments;
    va_start(arguments, format);
    dew_Status status = fail_with(code, format, arguments);
    va_end(arguments);
    return status;
}

dew_Status dew_no_memory(size_t size_bytes)
{
    return dew_fail(DEW_NO_MEMORY, "out of memory: %zu bytes could not be had", size_bytes);
}

dew_Status dew_status_prefix(dew_Status status, const char *format, ...)
{
    if (status.code == DEW_OK)
        return status;
    va_list arguments;
    va_start(arguments, format);
    dew_Status words = fail_with(status.code, format, arguments);
    va_end(arguments);
    return dew_fail(status.code, "%s: %s", words.message, status.message);
}

const char *dew_version(void)
{
    return DEW_VERSION;
}
