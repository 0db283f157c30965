/// Text for people: what a program on top of Dew prints in the same manner as the library's
/// messages.
#pragma once

#include "dew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Of names[0..count) the one nearest to `word` (edits, swaps, case and _- aside); NULL: none is
/// near enough to be offered.
const char *dew_nearest_name(const char *word, const char *const *names, int64_t count);

/// The text on one line, with everything replaced that a terminal would not show as it is: a space
/// for line ends and tabs, "<U+202E>" for invisible characters and those that change the order of
/// others, "?" for control bytes and for what is not UTF-8. Cut with "..." at `size` bytes. Returns
/// its length. Idempotent. Messages and log lines of the library have this form already.
size_t dew_utf8_show(const char *text, char *out, size_t size);

/// One word for a POSIX shell, in single quotes; in $'...' when it has characters that are not
/// shown. 4 strlen(text) + 4 bytes always suffice; returns the length, 0 when `size` bytes do not.
size_t dew_shell_word(const char *text, char *out, size_t size);

/// "3.2 s", "4 min 10 s", "2 h 05 min", "3 d 4 h"; "-" for NaN.
void dew_format_duration(double seconds, char *out, size_t size);
/// "1.5 kB", "23 MB", "1.2 GB"
void dew_format_bytes(double bytes, char *out, size_t size);

/// For a check before long work: DEW_BAD_INPUT when no file can be written at `path`, because its
/// folder does not exist or is not writable, or the path is that of a directory. Removes an
/// unfinished file that a killed program left there.
dew_Status dew_output_check(const char *path);
/// Removes the unfinished files of a series that a killed program left in a folder: `prefix`, at
/// least four digits, `suffix`. One that another program is writing stays.
void dew_output_sweep(const char *folder, const char *prefix, const char *suffix);

#ifdef __cplusplus
}
#endif
