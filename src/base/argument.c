// Prefixes and quotes.
#include "base/argument.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

char *dew_argument_ffmpeg_file(dew_Arena *arena, const char *path)
{
    return dew_arena_format(arena, "file:%s", path);
}

char *dew_argument_ffmpeg_series(dew_Arena *arena, const char *folder, const char *pattern)
{
    char *safe = dew_arena_array(arena, char, 2 * (int64_t)strlen(folder) + 1);
    if (!safe)
        return NULL;
    size_t n = 0;
    for (; *folder; folder++) {
        if (*folder == '%')
            safe[n++] = '%';
        safe[n++] = *folder;
    }
    safe[n] = '\0';
    return dew_arena_format(arena, "file:%s%s", safe, pattern);
}

// In $'...': what a terminal would not show as it is, a character that turns the line around
// included.
static bool is_coded(unsigned char c)
{
    return c < ' ' || c >= 0x7f;
}

size_t dew_shell_word(const char *text, char *out, size_t size)
{
    bool has_control = !dew_utf8_is_shown_text(text);
    size_t n = 0;
    if (size <
        4 * strlen(text) + 4)  // at most 4 characters for each byte, the quotes, $ and the end
        return 0;
    if (has_control)
        out[n++] = '$';
    out[n++] = '\'';
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (!has_control && c == '\'')
            n += (size_t)snprintf(out + n, size - n, "'\\''");
        else if (has_control && (c == '\'' || c == '\\'))
            n += (size_t)snprintf(out + n, size - n, "\\%c", c);
        else if (has_control && is_coded(c))
            n += (size_t)snprintf(out + n, size - n, "\\%03o", c);
        else
            out[n++] = (char)c;
    }
    out[n++] = '\'';
    out[n] = '\0';
    return n;
}

char *dew_argument_shell_word(dew_Arena *arena, const char *text)
{
    size_t size = 4 * strlen(text) + 4;
    char *word = dew_arena_array(arena, char, (int64_t)size);
    if (word)
        dew_shell_word(text, word, size);
    return word;
}
