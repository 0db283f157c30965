/// Makes and writes one file of a run directory.
#include "app/derived_file.h"

#include "app/output_file.h"
#include "base/file.h"
#include "base/status.h"
#include "run/directory.h"

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
    return dew_app_fail(status);
}

/// Where to; and whether the directories are fit to be read, and that place to be written.
static dew_Status begin(const dew_Arguments *arguments, const char *default_name, dew_Arena *arena,
                        const char **path)
{
    for (int i = 0; i < arguments->operand_count; i++)
        DEW_TRY(dew_run_directory_check(arguments->operands[i]));
    *path = dew_option_value(arguments, "--output");
    if (!*path)
        *path = dew_arena_format(arena, "%s/%s", arguments->operands[0], default_name);
    return *path ? dew_output_check(*path) : dew_no_memory(1);
}

int dew_app_derive(const dew_Arguments *arguments, const char *default_name, dew_DeriveFn *make)
{
    dew_Arena arena;
    dew_Array bytes;
    dew_arena_init(&arena, NULL);
    dew_array_init(&bytes, NULL, 1);
    const char *path = NULL;
    dew_Status status = begin(arguments, default_name, &arena, &path);
    if (status.code == DEW_OK)
        status = make(arguments->operands[0], path, &arena, &bytes);
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
    const char *path = NULL;
    dew_Status status = begin(arguments, default_name, &arena, &path);
    if (status.code == DEW_OK)
        status = make(arguments, &arena, &bytes);
    if (status.code == DEW_OK)
        status = write_file(path, &bytes);
    int code = finish(status, path);
    dew_array_deinit(&bytes);
    dew_arena_deinit(&arena);
    return code;
}
