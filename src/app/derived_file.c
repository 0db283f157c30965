/// Makes and writes one file of a run directory.
#include "app/derived_file.h"

#include "base/file.h"
#include "base/status.h"

#include <stdio.h>

// Writes what was made, whole or not at all.
static dew_Status write_file(const char *path, const dew_Array *bytes)
{
    dew_FileWriter writer;
    DEW_TRY(dew_file_begin(&writer, path, NULL));
    dew_file_write(&writer, bytes->data, (size_t)bytes->count);
    return dew_file_commit(&writer);
}

static int finish(dew_Status status, const char *path)
{
    if (status.code == DEW_OK)
        printf("%s\n", path);
    return dew_app_refuse(status);
}

static const char *path_of(const dew_Arguments *arguments, const char *default_name,
                           dew_Arena *arena)
{
    const char *path = dew_option_value(arguments, "--output");
    return path ? path : dew_arena_format(arena, "%s/%s", arguments->operands[0], default_name);
}

int dew_app_derive(const dew_Arguments *arguments, const char *default_name, dew_DeriveFn *make)
{
    dew_Arena arena;
    dew_Array bytes;
    dew_arena_init(&arena, NULL);
    dew_array_init(&bytes, NULL, 1);
    const char *path = path_of(arguments, default_name, &arena);
    dew_Status status =
        path ? make(arguments->operands[0], path, &arena, &bytes) : dew_no_memory(1);
    if (status.code == DEW_OK)
        status = write_file(path, &bytes);
    int code = finish(status, path);
    dew_array_deinit(&bytes);
    dew_arena_deinit(&arena);
    return code;
}

int dew_app_derive_many(const dew_Arguments *arguments, const char *default_name,
                        dew_DeriveManyFn *make)
{
    dew_Arena arena;
    dew_Array bytes;
    dew_arena_init(&arena, NULL);
    dew_array_init(&bytes, NULL, 1);
    const char *path = path_of(arguments, default_name, &arena);
    dew_Status status = path ? make(arguments, &arena, &bytes) : dew_no_memory(1);
    if (status.code == DEW_OK)
        status = write_file(path, &bytes);
    int code = finish(status, path);
    dew_array_deinit(&bytes);
    dew_arena_deinit(&arena);
    return code;
}
