/// Makes and writes one file of a run directory.
#include "app/derived_file.h"

#include "base/file.h"
#include "base/status.h"

#include <stdio.h>

static dew_Status derive(const char *directory, const char *path, dew_Arena *arena,
                         dew_DeriveFn *make)
{
    dew_Array bytes;
    dew_array_init(&bytes, NULL, 1);
    dew_FileWriter writer;
    dew_Status status = make(directory, path, arena, &bytes);
    if (status.code == DEW_OK)
        status = dew_file_begin(&writer, path, NULL);
    if (status.code == DEW_OK) {
        dew_file_write(&writer, bytes.data, (size_t)bytes.count);
        status = dew_file_commit(&writer);
    }
    dew_array_deinit(&bytes);
    return status;
}

int dew_app_derive(const dew_Arguments *arguments, const char *default_name, dew_DeriveFn *make)
{
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    const char *directory = arguments->operands[0];
    const char *path = dew_option_value(arguments, "--output");
    if (!path)
        path = dew_arena_format(&arena, "%s/%s", directory, default_name);
    dew_Status status = path ? derive(directory, path, &arena, make) : dew_no_memory(1);
    if (status.code == DEW_OK)
        printf("%s\n", path);
    dew_arena_deinit(&arena);
    return dew_app_refuse(status);
}
