/// Looks at the folder of an output file.
#include "dew/text.h"

#include "base/file.h"
#include "base/part_file.h"
#include "base/status.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

dew_Status dew_output_check(const char *path)
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    size_t name_length = strlen(slash ? slash + 1 : path) + strlen(".part");
    if (length >= sizeof folder || name_length > NAME_MAX)
        return dew_fail(DEW_BAD_INPUT, "cannot write %.100s...: its name is too long", path);
    if (slash) {
        memcpy(folder, path, length);
        memcpy(folder + length, length == 0 ? "/" : "", length == 0 ? 2 : 1);
    }
    if (access(folder, W_OK | X_OK) != 0)
        return dew_fail(DEW_BAD_INPUT, "cannot write to %s: %s", folder, strerror(errno));
    if (dew_directory_exists(path))
        return dew_fail(DEW_BAD_INPUT, "cannot write %s: it is a directory (a file is wanted)",
                        path);
    dew_part_sweep(path);
    return dew_ok();
}

void dew_output_sweep(const char *folder, const char *prefix, const char *suffix)
{
    dew_part_sweep_series(folder, prefix, suffix);
}
