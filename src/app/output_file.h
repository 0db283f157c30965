/// Files that the user named to be written.
#pragma once

#include "dew/base.h"

/// Looks before the work, not behind it: DEW_BAD_INPUT where the folder is missing or closed to us, or the name
/// means a folder. Removes the part that a killed program left there.
dew_Status dew_output_check(const char *path);
