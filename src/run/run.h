/// Run: one simulation and its directory.
///
/// A run steps a World from the scene's start to its end and keeps the directory of the manual
/// (docs/manual/run_directory.md): scene.yaml, run.json, stats.csv, drops.csv, frames/, checkpoint.
/// Every file appears under its final name only when it is whole; a frame that was written is never
/// touched again. The directory is locked while a run is alive. It prints nothing.
#pragma once

#include "dew/world.h"

#include <signal.h>

typedef struct dew_Run dew_Run;
typedef struct dew_Problem dew_Problem;

/// Would a run draw pictures, and can it (output.images)? Loads the textures and light that the scene
/// names, and drops them again. The problem is the scene's.
dew_Status dew_run_check_pictures(const dew_Problem *problem, const dew_Log *log);

/// Where the run is; told after every sub-step, and after frame 0.
typedef struct dew_RunProgress {
    const dew_Stats *stats;  // of the step just done; valid during the call
    int64_t frames;          // frames that are there: 0 .. frames - 1
    int64_t frame_count;     // that there will be at the end
    double time_s;
    double begin_s;  // where this run segment began: 0, or the checkpoint's time
    double end_s;
    bool is_frame;  // the step ended at a frame, which is now written
} dew_RunProgress;

typedef struct dew_RunDef {
    dew_Scene *scene;  // its duration is set to until_s when that is given; must outlive the run
    const char *directory;  // made when it is not there
    dew_WorldDef world;     // threads, log, allocator
    double until_s;         // simulated time to end at; NaN: the scene's duration
    bool resume;            // go on from the checkpoint, or from the start when there is none
    bool overwrite;         // remove what an earlier run made there, and nothing else
    const volatile sig_atomic_t *stop;  // looked at between sub-steps; not zero: stop. NULL: never
    void (*progress)(void *context, const dew_RunProgress *progress);  // NULL: nobody listens
    void *progress_context;
    uint32_t cookie;  // set by dew_default_run_def
} dew_RunDef;

dew_RunDef dew_default_run_def(void);

/// Checks everything, takes the lock, restores the checkpoint (resume) and writes scene.yaml, run.json
/// and frame 0. Until all is checked nothing is written: DEW_BAD_INPUT when the directory holds a run
/// (and neither resume nor overwrite is given) or one of another scene, DEW_BUSY when another run has
/// the lock, DEW_CORRUPT when no checkpoint there is whole, DEW_UNSUPPORTED when this build has not
/// got the solver. `*out` is NULL unless DEW_OK.
dew_Status dew_run_create(const dew_RunDef *def, dew_Run **out);

/// Runs to the end. DEW_OK: done. DEW_INTERRUPTED: stopped on request after writing a checkpoint. Else
/// the run failed: run.json says why, and the last good checkpoint stays.
dew_Status dew_run_execute(dew_Run *run);

/// To the next frame, or to the end when no frame comes before it; *is_done tells that it was reached.
/// dew_run_execute is a loop over this, and fails in the same way.
dew_Status dew_run_advance(dew_Run *run, bool *is_done);

/// Frees the memory and the lock. Before the end this leaves the directory as a crash would: whole
/// files, and the last checkpoint to resume from.
void dew_run_destroy(dew_Run *run);

dew_World *dew_run_world(dew_Run *run);
double dew_run_begin_s(const dew_Run *run);       // where this run segment began
double dew_run_end_s(const dew_Run *run);         // where it ends
int64_t dew_run_frames(const dew_Run *run);       // frames that are there
int64_t dew_run_frame_count(const dew_Run *run);  // that there will be
bool dew_run_is_done(const dew_Run *run);         // nothing is left to do (a finished run resumed)
/// Simulated time of the last checkpoint on disk; NaN: there is none yet.
double dew_run_checkpoint_s(const dew_Run *run);
