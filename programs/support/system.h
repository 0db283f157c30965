/// The machine as a program sees it: clocks, files by their names.
#pragma once

#include "dew/base.h"

double dew_app_wall_s(void);        // monotonic, from an arbitrary origin
double dew_app_cpu_s(void);         // CPU time of the process, all threads
double dew_app_thread_cpu_s(void);  // CPU time of the calling thread

bool dew_app_exists(const char *path);  // a file, a directory or anything else
bool dew_app_is_directory(const char *path);
/// A text file of at most max_bytes, with a zero at its end; free() it. DEW_BAD_INPUT: it is
/// larger, or holds a zero.
dew_Status dew_app_read_text(const char *path, size_t max_bytes, char **out);
dew_Status dew_app_make_directory(const char *path);  // fine when it exists

#define DEW_TEMPORARY_SIZE 256
/// A new directory in $TMPDIR or /tmp.
dew_Status dew_app_make_temporary(char path[DEW_TEMPORARY_SIZE]);
/// Removes a directory and what is in it as far as it can; links are removed, not followed.
void dew_app_remove_tree(const char *path);

int dew_app_terminal_width(void);  // columns of stderr; 80 when it is not a terminal
