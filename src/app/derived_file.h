/// A file made from a run directory (operand 0): to --output, or to a default name inside the directory.
#pragma once

#include "app/command.h"
#include "base/arena.h"
#include "base/array.h"

/// Appends the file's bytes to `out`; `path` is where they will go.
typedef dew_Status dew_DeriveFn(const char *directory, const char *path, dew_Arena *arena,
                                dew_Array *out);

/// Makes the file, writes it whole or not at all, prints its name. Returns the exit code.
int dew_app_derive(const dew_Arguments *arguments, const char *default_name, dew_DeriveFn *make);

/// The same from several run directories: all operands.
typedef dew_Status dew_DeriveManyFn(const dew_Arguments *arguments, dew_Arena *arena,
                                    dew_Array *out);
int dew_app_derive_many(const dew_Arguments *arguments, const char *default_name,
                        dew_DeriveManyFn *make);
