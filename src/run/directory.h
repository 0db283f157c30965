/// The run directory: its lock, and the names of all that a run makes in it.
///
/// The lock is the kernel's, on the directory itself: it goes with the process, leaves no file
/// behind, and cannot be stale.
#pragma once

#include "base/allocator.h"
#include "dew/run.h"

#include <limits.h>

typedef struct dew_RunDirectory {
    char path[PATH_MAX - 256];  // room for the names below it
    int lock_fd;                // -1: not there yet
    bool is_lockless;           // the file system knows no locks
} dew_RunDirectory;

typedef struct dew_RunPath {
    char text[PATH_MAX];
} dew_RunPath;

/// Locks the directory when it exists. DEW_BUSY: another run has it. Makes nothing.
dew_Status dew_run_directory_open(dew_RunDirectory *directory, const char *path);
/// Makes the directory, with `frames` in it, and locks it.
dew_Status dew_run_directory_make(dew_RunDirectory *directory, bool has_frames);
void dew_run_directory_close(dew_RunDirectory *directory);

/// "DIR/NAME"
dew_RunPath dew_run_path(const dew_RunDirectory *directory, const char *name);
/// "DIR/frames/KIND.0012.EXTENSION"
dew_RunPath dew_run_frame_path(const dew_RunDirectory *directory, const char *kind, int64_t frame,
                               const char *extension);
/// frames/solid.NAME.NNNN.EXTENSION; without the number for frame DEW_INVALID.
dew_RunPath dew_run_solid_path(const dew_RunDirectory *directory, const char *solid, int64_t frame,
                               const char *extension);

/// Is there anything that a run made? Checks as dew_run_directory_check does.
dew_Status dew_run_directory_has_run(const dew_RunDirectory *directory, bool *out);
/// Does the directory have a run's mark (run.json, a checkpoint)? A run makes run.json before all
/// else and removes it behind all else: files named like a run's own without one are somebody
/// else's.
bool dew_run_directory_is_runs(const dew_RunDirectory *directory);
/// Removes all that a run made, the checkpoint first, and nothing else.
dew_Status dew_run_directory_clear(const dew_RunDirectory *directory);
/// Removes files that a killed run was in the middle of writing.
dew_Status dew_run_directory_sweep(const dew_RunDirectory *directory);

/// Does a run make a file of that name in `folder` ("", "frames" or "images")? *is_part: half
/// written.
bool dew_run_makes(const char *folder, const char *name, bool *is_part);
