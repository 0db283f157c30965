// Replaces what the names of HDF5's links and of VTK's nodes cannot hold.
#include "io/vtkhdf_names.h"

#include "base/status.h"

#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_of_block(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
}

static bool is_of_array(char c)
{
    return (unsigned char)c >= 32 && c != 127 && c != '/' && c != '.';
}

static bool is_taken(const char *name, const char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static dew_Status make_name(dew_Arena *arena, const char *name, const char *prefix,
                            bool (*is_legal)(char c), const char **names, int count)
{
    char *legal = dew_arena_format(arena, "%s%s", prefix, name);
    const char *unique = legal;
    for (char *p = legal; p && *p; p++)
        if (!is_legal(*p))
            *p = '_';
    for (int n = 2; unique && is_taken(unique, names, count); n++)
        unique = dew_arena_format(arena, "%s_%d", legal, n);
    names[count] = unique;
    return unique ? dew_ok() : dew_no_memory(strlen(name) + 2);
}

dew_Status dew_vtkhdf_block_name(dew_Arena *arena, const char *name, const char **names, int count)
{
    return make_name(arena, name, is_letter(name[0]) ? "" : "_", is_of_block, names, count);
}

dew_Status dew_vtkhdf_array_name(dew_Arena *arena, const char *name, const char **names, int count)
{
    return make_name(arena, name, name[0] ? "" : "_", is_of_array, names, count);
}
