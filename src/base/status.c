// Status sentences: one line of printable UTF-8, whatever the arguments held.
//
// A sentence may quote a user's file, so what is not seen as it stands is replaced (base/utf8.h): a
// scene must not be able to move the cursor of the terminal that shows its error, nor to turn the
// line around.
#include "base/status.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    char words[DEW_MESSAGE_SIZE];
    int length = vsnprintf(words, sizeof words, format, arguments);
    if (length < 0)
        strcpy(words, "failed, and the sentence that says why could not be written");
    if (length >= DEW_MESSAGE_SIZE)
        cut(words);
    dew_utf8_show(words, status.message, sizeof status.message);
    return status;
}

dew_Status dew_fail_text(dew_Code code, const char *message)
{
    return dew_fail(code, "%s", message);
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

void dew_log_line(const dew_Log *log, dew_LogLevel level, const char *words)
{
    char line[2 * DEW_MESSAGE_SIZE];
    if (!log->write)
        return;
    dew_utf8_show(words, line, sizeof line);
    log->write(log->context, level, line);
}

const char *dew_version(void)
{
    return DEW_VERSION;
}
