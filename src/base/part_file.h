/// NAME.part: the file that a writer fills before it is renamed to NAME.
///
/// A part belongs to one writer, who holds a lock (flock) on it as long as that process lives. So a
/// part that a killed writer left is known by its missing lock, and a live one is never touched. No
/// symbolic link is followed. On file systems without locks every part counts as left behind.
#pragma once

#include "dew/base.h"

/// Makes part_path new and empty, open for reading and writing. `path` is the final name, for
/// messages. DEW_BUSY when another process is writing it.
dew_Status dew_part_create(const char *part_path, const char *path, int *fd);

/// Removes `name` in an open directory unless somebody writes it. True: it is gone.
bool dew_part_remove(int directory_fd, const char *name);

/// Removes PATH.part where a killed writer left it. What cannot be removed stays.
void dew_part_sweep(const char *path);

/// The same for all of a series: PREFIX, at least four digits, SUFFIX, ".part" in a folder.
void dew_part_sweep_series(const char *folder, const char *prefix, const char *suffix);
