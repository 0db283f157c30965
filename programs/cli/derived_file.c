// Makes one file from run directories.
#include "cli/derived_file.h"

#include "support/string_pool.h"

#include <stdio.h>

int dew_app_derive(const dew_Arguments *arguments, const char *default_name, dew_DeriveFn *make)
{
    dew_StringPool pool = {0};
    const char *path = dew_option_value(arguments, "--output");
    if (!path)
        path = dew_pool_format(&pool, "%s/%s", arguments->operands[0], default_name);
    dew_Status status =
        path ? make(arguments->operands, arguments->operand_count, path) : dew_pool_failure();
    if (status.code == DEW_OK)
        printf("%s\n", path);
    dew_pool_deinit(&pool);
    return dew_app_fail(status);
}
