// A list of strings from vasprintf.
#include "support/string_pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char *keep(dew_StringPool *pool, char *text)
{
    if (text && pool->count == pool->capacity) {
        int capacity = pool->capacity ? 2 * pool->capacity : 16;
        char **strings = realloc(pool->strings, (size_t)capacity * sizeof *strings);
        if (!strings) {
            free(text);
            return NULL;
        }
        pool->strings = strings;
        pool->capacity = capacity;
    }
    if (text)
        pool->strings[pool->count++] = text;
    return text;
}

char *dew_pool_format(dew_StringPool *pool, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return keep(pool, text);
}

char *dew_pool_text(dew_StringPool *pool, const char *text, size_t length)
{
    return dew_pool_format(pool, "%.*s", (int)length, text);
}

void *dew_pool_alloc(dew_StringPool *pool, size_t size)
{
    return keep(pool, calloc(1, size));
}

void dew_pool_deinit(dew_StringPool *pool)
{
    for (int i = 0; i < pool->count; i++)
        free(pool->strings[i]);
    free(pool->strings);
    *pool = (dew_StringPool){0};
}

dew_Status dew_pool_failure(void)
{
    return dew_fail(DEW_NO_MEMORY, "out of memory: no room for a string");
}
