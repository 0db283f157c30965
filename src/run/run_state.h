/// Run from the inside, shared by its files.
#pragma once

#include "dew/run.h"
#include "run/checkpoint.h"
#include "run/directory.h"
#include "run/frame.h"
#include "run/run_json.h"
#include "run/solid_frames.h"
#include "run/table.h"
#include "world/renderer.h"

/// Stages of a run's CPU time.
enum {
    DEW_SPENT_ENCODING = DEW_FRAME_ENCODING,
    DEW_SPENT_WRITING = DEW_FRAME_WRITING,
    DEW_SPENT_STEPS = DEW_FRAME_STAGE_COUNT,
    DEW_SPENT_DROPS,
    DEW_SPENT_IMAGES,
    DEW_SPENT_TABLES,  // rows, checkpoints, run.json
    DEW_SPENT_STAGE_COUNT
};

struct dew_Run {
    dew_RunDef def;
    dew_RunDirectory directory;
    dew_World *world;
    dew_Surface *surface;
    dew_Mesh mesh;                        // the surface on its way to a file
    dew_FrameFile file;                   // and as its bytes
    dew_StageClock clock, surface_clock;  // of the run; of filling its surface
    dew_Renderer *renderer;               // NULL: no images are drawn (output.images)
    dew_Image *image;
    dew_Arena arena;         // of the names of files
    const char *scene_text;  // of scene.yaml; NULL: not made yet
    dew_SceneFiles looks;    // textures and light, when images are drawn; else none
    dew_SolidFrames solids;
    dew_DropTracker drops;
    dew_DropBirths births;  // kept when output.attributes has age
    dew_RunTable stats, drop_rows;
    double begin_s, end_s, rate_Hz;
    int64_t frames, frame_count;
    bool is_done;
    // Checkpoints.
    double checkpoint_s;       // simulated time of the last one; NaN: none
    int64_t checkpoint_step;   // its step; -1: none
    double checkpoint_wall_s;  // when it was written, or the run segment began
    double report_wall_s;      // when run.json was written
    // Times of earlier run segments, and the beginning of this one.
    double earlier_wall_s, earlier_cpu_s;
    double begin_wall_s, begin_cpu_s;
};

extern const char dew_stats_header[];
extern const char dew_drops_header[];

/// rows.c: a row for the present state; a row for each drop of the last frame.
dew_Status dew_run_add_stats(dew_Run *run, const dew_Stats *stats);
dew_Status dew_run_add_drops(dew_Run *run, int64_t frame, double time_s);

/// resume.c: finds the newest checkpoint that is whole and fits, and puts the run there. *found is
/// false when there is none at all. Writes nothing.
typedef struct dew_ResumePoint {
    bool found;
    dew_TableMark stats, drops;
} dew_ResumePoint;
dew_Status dew_run_restore(dew_Run *run, dew_ResumePoint *out);

/// output.c: what the run leaves in its directory. Notes the scene as it is before any event: a
/// restored world holds the values that events have set.
dew_Status dew_run_note_scene(dew_Run *run);
dew_Status dew_run_write_scene(dew_Run *run);
dew_Status dew_run_write_frame(dew_Run *run);
/// images.c: whether a run of the problem's scene can draw its images (output.images). Loads
/// textures and light that the scene names, and frees them.
dew_Status dew_run_check_images(const dew_Problem *problem, const dew_Log *log);
/// images.c: makes the renderer, when the scene wants images; draws the present frame.
dew_Status dew_run_begin_images(dew_Run *run);
dew_Status dew_run_write_image(dew_Run *run, int64_t frame);
dew_Status dew_run_write_checkpoint(dew_Run *run);
dew_Status dew_run_write_report(dew_Run *run, const char *status, const char *message);
