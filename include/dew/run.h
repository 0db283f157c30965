/// Run: simulates a scene into a run directory, plans it, reads it back, makes plots and reports of
/// it, and exports it.
///
/// A run steps a World from the scene's start to its end and keeps the directory that
/// docs/manual/run_directory.md describes: scene.yaml, run.json, stats.csv, drops.csv, frames/,
/// images/, checkpoint. A file appears under its final name only when it is complete; a frame that
/// was written is never changed. The directory is locked while a run is alive. Readers need no
/// lock.
#pragma once

#include "dew/base.h"
#include "dew/mesh.h"
#include "dew/scene.h"
#include "dew/surface.h"
#include "dew/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- plan --------------------------------------------------------------------------------------

/// What a run of a scene will need, as `dew check` prints it. Counts are doubles because a scene
/// may ask for 10^18 cells; below 2^53 they are exact. Memory, steps and time are estimates.
typedef struct dew_Plan {
    const char *solver;   // as in scene files; static text, like the two below
    const char *purpose;  // of the solver, in one line
    const char *element;  // unit of the element counts: "cells", "triangles", "balls"
    bool is_in_build;     // false: this build can check the scene but not run it
    dew_Status missing;   // DEW_UNSUPPORTED: same, because of the key that its message names
    int dimensions;

    double cells[3];           // of the domain along x, y, z
    double domain_cells;       // their product
    double liquid_cells;       // filled by the liquid at the start
    double bricks;             // of 8^dimensions cells; 0 for a solver without cells
    double start_elements;     // the solver's own elements: cells, triangles, balls
    double supplied_elements;  // of what the sources bring, as if all of it stayed
    double elements;           // sum of both
    double stored_elements;    // those that take memory
    double shapes_m3;          // liquid at the start, volume of its shapes
    double liquid_m3;          // part of it that the solver takes (counted), else the same
    double supplied_m3;        // by sources until the end (rain: mean value)
    double birth_count;        // drops released by sources; each ends a step
    bool is_counted;           // elements and steps were counted in the solver's initial state

    double image_bytes;       // of textures, maps, heights and light, while they are read
    double memory_bytes;      // of state and images; when counted, of the run at its peak
    double available_bytes;   // that this process could allocate
    bool fits;                // memory_bytes <= available_bytes
    double fitting_elements;  // element count that would fit
    double fitting_cell_m;    // cell size that would fit, rounded up to two digits; NaN: none does

    double start_speed_m_s;   // largest of initial liquid, sources and solids
    double speed_m_s;         // largest expected: after falling through the domain, or wind
    double cfl_step_s;        // cell size over that speed; INFINITY: nothing moves
    double capillary_step_s;  // INFINITY: no surface tension
    double max_step_s;        // > 0: longest step of a solver whose drops have own sub-steps
    double step_s;            // the shortest, at most a frame
    const char *bound;        // what limits it: "cfl", "capillary", "viscosity", "frame"
    double rest_step_s;       // what the solver allows at rest (counted)

    double frame_s;      // between frames
    double frame_count;  // frame 0 included
    double step_count;   // estimate
    double cpu_s;        // estimate, on one core
} dew_Plan;

/// Checks the scene with all files that it names and fills the plan; simulates nothing. Warnings (a
/// run of hours, keys without effect) go to the log, which may be NULL. DEW_BAD_INPUT when the
/// scene is wrong or does not fit into memory.
dew_Status dew_plan(const dew_Scene *scene, const dew_Log *log, dew_Plan *out);
/// The plan as lines "name  value"; cut at `size` bytes. Returns the length without the terminating
/// zero.
size_t dew_plan_text(const dew_Plan *plan, char *out, size_t size);

// ---- simulate into a directory -----------------------------------------------------------------

/// A run: a world that is simulated into a directory.
typedef struct dew_Run dew_Run;

/// State of a run; reported after every sub-step, and after frame 0.
typedef struct dew_RunProgress {
    const dew_Stats *stats;  // of the step just done; valid during the call
    int64_t frames;          // frames written: 0 .. frames - 1
    int64_t frame_count;     // frames at the end of the run
    double time_s;
    double begin_s;  // start of this run segment: 0, or the time of the checkpoint
    double end_s;
    bool is_frame;  // the step ended at a frame, which has been written
} dew_RunProgress;

/// What to run, where, and from which state.
typedef struct dew_RunDef {
    dew_Scene *scene;       // must outlive the run; until_s, when given, becomes its duration
    const char *directory;  // created when it does not exist
    dew_WorldDef world;     // threads, log, allocator
    double until_s;         // simulated time of the end; NaN: the scene's duration
    bool resume;            // continue from the checkpoint, or from the start when there is none
    bool overwrite;         // remove the files of an earlier run there, and nothing else
    void (*progress)(void *context, const dew_RunProgress *progress);  // NULL: none
    bool (*cancel)(void *context);  // called between sub-steps; true ends the run. NULL: never
    void *context;                  // passed to both
    uint32_t cookie;                // set by dew_default_run_def
} dew_RunDef;

/// The duration of the scene, from the start; scene and directory are to be set.
dew_RunDef dew_default_run_def(void);

/// Checks everything, locks the directory, restores the checkpoint (resume) and writes scene.yaml,
/// run.json and frame 0. Nothing is written before all checks have passed: DEW_BAD_INPUT when the
/// directory holds a run (and neither resume nor overwrite is set) or one of another scene,
/// DEW_BUSY when another run holds the lock, DEW_CORRUPT when all checkpoints are damaged,
/// DEW_UNSUPPORTED when this build lacks the solver. *out is NULL unless DEW_OK.
dew_Status dew_run_create(const dew_RunDef *def, dew_Run **out);

/// Runs to the end. DEW_OK: done. DEW_INTERRUPTED: cancelled, after writing a checkpoint. Any other
/// code: the run failed; run.json has the message, and the last good checkpoint stays.
dew_Status dew_run_execute(dew_Run *run);

/// Runs to the next frame, or to the end when no frame precedes it; *is_done says whether the end
/// was reached. dew_run_execute is a loop over this function.
dew_Status dew_run_advance(dew_Run *run, bool *is_done);

/// Frees memory and lock. Before the end this leaves the directory as a crash would: complete
/// files, and the last checkpoint to resume from.
void dew_run_destroy(dew_Run *run);

dew_World *dew_run_world(dew_Run *run);           // owned by the run; do not step it
double dew_run_begin_s(const dew_Run *run);       // start of this run segment
double dew_run_end_s(const dew_Run *run);         // simulated time of the end
int64_t dew_run_frames(const dew_Run *run);       // frames written
int64_t dew_run_frame_count(const dew_Run *run);  // frames at the end of the run
bool dew_run_is_done(const dew_Run *run);         // true at once for a finished run that is resumed
/// Where the run can be resumed: simulated time of the last checkpoint on disk; NaN: there is none
/// yet.
double dew_run_checkpoint_s(const dew_Run *run);

/// Measures the CPU time of the run's stages from now on, from zero; or no more.
void dew_run_time_stages(dew_Run *run, bool is_on);
/// Fills at most max_count entries in a fixed order and returns how many stages there are: the
/// steps (the one with is_solver set), then what the run makes of them: surface, its crossings, its
/// measures, encoding and writing of frame files, images, drops, tables and checkpoints.
int dew_run_stages(const dew_Run *run, dew_StageTime *stages, int max_count);

// ---- read a directory --------------------------------------------------------------------------

/// A run directory that is read.
typedef struct dew_RunReader dew_RunReader;

/// Status of a run, as in run.json.
typedef enum dew_RunState {
    DEW_RUN_UNKNOWN,  // no run.json, or one without a status
    DEW_RUN_RUNNING,  // or killed
    DEW_RUN_DONE,
    DEW_RUN_FAILED,
    DEW_RUN_INTERRUPTED,
} dew_RunState;

/// The values of run.json; zeroes and empty text where it has none.
typedef struct dew_RunSummary {
    dew_RunState state;
    char version[32];  // of Dew
    char solver[32];
    int threads;
    int64_t steps, frames;
    int64_t retries;       // failed steps that were repeated with half the length
    double time_s;         // simulated
    double wall_s, cpu_s;  // of all run segments
    int64_t peak_bytes;    // of the last run segment
    uint64_t scene_hash, state_hash;
    char message[DEW_MESSAGE_SIZE];
} dew_RunSummary;

/// Tables of a run directory.
typedef enum dew_RunTableKind {
    DEW_RUN_STATS,  // stats.csv: a row per step
    DEW_RUN_DROPS,  // drops.csv: a row per drop and frame
    DEW_RUN_TABLE_COUNT
} dew_RunTableKind;

/// What to read.
typedef struct dew_RunReaderDef {
    const char *directory;
    const dew_Scene
        *scene;   // to read the directory by, which must outlive the reader; NULL: scene.yaml is
                  // loaded
    dew_Log log;  // warnings of the readers
    dew_Allocator allocator;
    uint32_t cookie;  // set by dew_default_run_reader_def
} dew_RunReaderDef;

/// No log; the directory is to be set.
dew_RunReaderDef dew_default_run_reader_def(void);

/// Opens a run directory for reading, also while the run continues. DEW_BAD_INPUT when it has no
/// scene.yaml, or when a file in it is a symbolic link, a device or a pipe: a directory from
/// somewhere else must not lead out of itself.
dew_Status dew_run_reader_create(const dew_RunReaderDef *def, dew_RunReader **out);
void dew_run_reader_destroy(dew_RunReader *reader);
/// Reads run.json and the list of frames again; tables are read again when they are next asked for.
dew_Status dew_run_reader_refresh(dew_RunReader *reader);

const dew_Scene *
dew_run_reader_scene(const dew_RunReader *reader);  // of scene.yaml, or the caller's
/// The values of run.json, as of the last refresh.
const dew_RunSummary *dew_run_reader_summary(const dew_RunReader *reader);

/// Frames whose surface is there, by index in [0, frame_count); their numbers ascend but may have
/// gaps.
int64_t dew_run_reader_frame_count(const dew_RunReader *reader);
int64_t dew_run_reader_frame(const dew_RunReader *reader, int64_t index);
double dew_run_reader_time_s(const dew_RunReader *reader, int64_t frame);
/// The surface of frame number `frame`, with velocities and wet flags where its format has them.
dew_Status dew_run_reader_surface(dew_RunReader *reader, int64_t frame, dew_Surface *out);
/// A solid's mesh with the attribute `wetness` (output.wetmap); empty when the run has none for
/// that frame.
dew_Status dew_run_reader_wetness(dew_RunReader *reader, const char *solid, int64_t frame,
                                  dew_Mesh *out);

/// Columns of a table in their order; names and values are valid until dew_run_reader_refresh or
/// destroy. Cells that are empty or not a number are NaN. A row that a crash cut short is left out.
dew_Status dew_run_reader_columns(dew_RunReader *reader, dew_RunTableKind table,
                                  const char *const **names, int *count);
/// One column; DEW_BAD_INPUT when the table has none of that name.
dew_Status dew_run_reader_column(dew_RunReader *reader, dew_RunTableKind table, const char *name,
                                 const double **values, int64_t *count);

/// DEW_BAD_INPUT with the first file of the scene (mesh, map, texture) whose content is not what
/// run.json recorded.
dew_Status dew_run_reader_check_files(const dew_RunReader *reader);

/// DEW_BAD_INPUT when a file of the directory is a symbolic link, a device or a pipe; the first
/// check of dew_run_reader_create. A path that does not exist, or is a file, passes. Limit: the
/// check is done once; a process that can write there may change the directory afterwards.
dew_Status dew_run_directory_check(const char *directory);

// ---- plots and reports -------------------------------------------------------------------------

/// Draws the curves of stats.csv to a .svg or .png file, whole or not at all. Needs the program
/// gnuplot: DEW_UNSUPPORTED without it.
dew_Status dew_run_plot(const char *directory, const char *path);

/// Writes one self-contained HTML page: parameters, curves, images and timings of a run; of several
/// runs (count > 1) what differs, with their curves in the same panels. Without gnuplot the page
/// says so in place of the curves.
dew_Status dew_run_report(const char *const *directories, int count, const char *path);

// ---- export ------------------------------------------------------------------------------------

/// How a run becomes one file of a scene format.
typedef struct dew_RunExportDef {
    const char *directory;  // of the run, which is only read
    const char *path;       // the file; its ending is the format (docs/manual/export.md)
    int64_t first_frame;    // < 0: the first that is there
    int64_t last_frame;     // < 0: the last that is there
    bool is_z_up;           // z is up in the file instead of y
    double scale;           // units of the file per metre
    bool splits_drops;      // an object per drop id instead of one for all liquid
    /// Called before the first frame and after each one; false ends the export. NULL: none.
    bool (*progress)(void *context, int64_t frames_done, int64_t frame_count);
    void *context;
    dew_Log log;
    dew_Allocator allocator;
    uint32_t cookie;  // set by dew_default_run_export_def
} dew_RunExportDef;

/// All frames, y up, metres, one object for all liquid; directory and path are to be set.
dew_RunExportDef dew_default_run_export_def(void);

/// Writes the liquid's meshes with velocities and all other attributes of their files, the solids
/// with their motion and wetness, particles, materials, camera and lights to one file, whole or not
/// at all. One frame is in memory at a time. DEW_BAD_INPUT when the run wrote no surfaces, when a
/// frame of the range is missing, or when the ending is that of no format; DEW_UNSUPPORTED when
/// this build cannot write the format; DEW_INTERRUPTED when progress ended it.
dew_Status dew_run_export(const dew_RunExportDef *def);

#ifdef __cplusplus
}
#endif
