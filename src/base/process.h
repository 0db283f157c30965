/// Another program as a function: bytes in, bytes out. Used for gnuplot and ffmpeg.
///
/// No shell is involved, so no quoting. A program that is not installed is DEW_UNSUPPORTED with its
/// name; one that fails is DEW_IO with the last line it wrote to its error output.
#pragma once

#include "base/array.h"

/// Runs argv[0] (looked up in PATH) with `input` on its standard input and appends what it writes to
/// standard output to `output`, an array of bytes.
dew_Status dew_process_run(const char *const *argv, const void *input, size_t input_size,
                           dew_Array *output);
