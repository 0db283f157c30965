/// Another program as a function: bytes in, bytes out. Used for gnuplot and ffmpeg.
///
/// No shell is involved, so no quoting. A program that is not installed is DEW_UNSUPPORTED with its
/// name; one that fails is DEW_IO with the last line it wrote to its error output.
#pragma once

#include "base/array.h"

/// Runs argv[0] (looked up in PATH) with `input` on its standard input and appends what it writes
/// to standard output to `output`, an array of bytes.
dew_Status dew_process_run(const char *const *argv, const void *input, size_t input_size,
                           dew_Array *output);

/// A program that is fed piece by piece, such as an encoder of films: what it writes to standard
/// output is dropped. For input that is too large to be held at once.
typedef struct dew_Process dew_Process;

dew_Status dew_process_begin(const char *const *argv, const dew_Allocator *allocator,
                             dew_Process **out);
/// Waits until the program has taken it all. When it no longer listens this fails with its last
/// words.
dew_Status dew_process_write(dew_Process *process, const void *data, size_t size);
/// Closes its input and waits for its end. Frees the process in any case.
dew_Status dew_process_end(dew_Process *process);
/// Ends the program at once, and frees the process. NULL: nothing.
void dew_process_kill(dew_Process *process);
