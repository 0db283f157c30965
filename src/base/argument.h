/// Arguments for other programs, made so that none is taken for something else.
///
/// Programs are started without a shell; what remains is their own reading of arguments: a name
/// that begins with '-' as an option, `tcp:...` as an address, '%' as a pattern. And commands that
/// are printed for a user to run are read by a shell.
#pragma once

#include "base/arena.h"

/// A file for ffmpeg: "file:PATH", whose rest is read as a name and as nothing else. NULL: no
/// memory.
char *dew_argument_ffmpeg_file(dew_Arena *arena, const char *path);
/// The same for its numbered images: FOLDER as it is, then `pattern` ("/%04d.png").
char *dew_argument_ffmpeg_series(dew_Arena *arena, const char *folder, const char *pattern);
/// One word for a POSIX shell: in single quotes; with characters that are not seen in $'...', so
/// that it stays one line.
char *dew_argument_shell_word(dew_Arena *arena, const char *text);
