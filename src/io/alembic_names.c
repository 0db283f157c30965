// Replaces what Alembic's names and metadata cannot hold.
#include "io/alembic_names.h"

#include "base/status.h"

#include <string.h>

static bool is_control(char c)
{
    return (unsigned char)c < 32 || c == 127;
}

const char *dew_abc_legal_name(dew_Arena *arena, const char *name)
{
    char *legal = dew_arena_text(arena, name, strlen(name));
    for (char *p = legal; p && *p; p++)
        if (*p == '/' || is_control(*p))
            *p = '_';
    return legal && !*legal ? "object" : legal;
}

static bool is_taken(const char *name, const char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

dew_Status dew_abc_unique_name(dew_Arena *arena, const char *name, const char **names, int count)
{
    const char *legal = dew_abc_legal_name(arena, name), *unique = legal;
    for (int n = 2; unique && is_taken(unique, names, count); n++)
        unique = dew_arena_format(arena, "%s_%d", legal, n);
    names[count] = unique;
    return unique ? dew_ok() : dew_no_memory(strlen(name) + 1);
}

const char *dew_abc_legal_value(dew_Arena *arena, const char *text)
{
    char *legal = dew_arena_text(arena, text, strlen(text));
    for (char *p = legal; p && *p; p++)
        if (*p == ';' || *p == '=' || is_control(*p))
            *p = ' ';
    return legal ? legal : "";
}
