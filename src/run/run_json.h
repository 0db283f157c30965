/// run.json: what became of a run, for people and scripts, and which files it was made from. Never
/// needed to resume.
#pragma once

#include "run/directory.h"
#include "scene/files.h"

typedef struct dew_RunReport {
    const char *solver;
    int threads;
    const char *status;  // running, done, failed, interrupted
    double time_s;       // simulated so far
    int64_t steps, frames;
    int64_t retries;       // failed steps that were tried again
    double wall_s, cpu_s;  // of all run segments
    int64_t peak_bytes;    // of this one
    uint64_t scene_hash;
    uint64_t state_hash;  // of the last state; 0: not known yet
    const char *message;
    const dew_SceneFiles *files,
        *looks;  // that decide what is simulated; of images drawn meanwhile
} dew_RunReport;

dew_Status dew_run_json_save(const dew_RunDirectory *directory, const dew_RunReport *report,
                             const dew_Allocator *allocator);

/// What an earlier run segment wrote; zeroes where it did not, or cannot be read.
typedef struct dew_RunHistory {
    double wall_s;
    bool is_done;
    bool has_scene_hash;
    uint64_t scene_hash;
} dew_RunHistory;
dew_RunHistory dew_run_json_history(const dew_RunDirectory *directory,
                                    const dew_Allocator *allocator);

/// DEW_BAD_INPUT with the first of these files whose content is not what run.json says. Files that
/// it does not mention (by an earlier version of Dew) pass. Needs no lock.
dew_Status dew_run_json_check_files(const char *directory, const dew_SceneFiles *files,
                                    const dew_Allocator *allocator);
