/// A file made from run directories: written to --output, or under a default name in the first
/// directory.
#pragma once

#include "support/command.h"

/// Makes the file at `path` from the directories; dew_run_report is one.
typedef dew_Status dew_DeriveFn(const char *const *directories, int count, const char *path);

/// Makes the file from all operands and prints its name. Returns the exit code.
int dew_app_derive(const dew_Arguments *arguments, const char *default_name, dew_DeriveFn *make);
