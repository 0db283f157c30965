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

// In $'...': what a terminal would not show as it is, a character that turns the line around included.
static bool is_coded(unsigned char c)
{
    return c < ' ' || c >= 0x7f;
}

char *dew_argument_shell_word(dew_Arena *arena, const char *text)
{
    bool has_control = !dew_utf8_is_shown_text(text);
    // At most 4 characters for each, the quotes and a $.
    size_t size = 4 * strlen(text) + 4, n = 0;
    char *word = dew_arena_array(arena, char, (int64_t)size);
    if (!word)
        return NULL;
    if (has_control)
        word[n++] = '$';
    word[n++] = '\'';
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (!has_control && c == '\'')
            n += (size_t)snprintf(word + n, size - n, "'\\''");
        else if (has_control && (c == '\'' || c == '\\'))
            n += (size_t)snprintf(word + n, size - n, "\\%c", c);
        else if (has_control && is_coded(c))
            n += (size_t)snprintf(word + n, size - n, "\\%03o", c);
        else
            word[n++] = (char)c;
    }
    word[n++] = '\'';
    word[n] = '\0';
    return word;
}
