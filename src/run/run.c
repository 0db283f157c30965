// Run: made, stepped, ended. What goes into the directory is in output.c, resuming in resume.c.
//
// Order in the directory, so that a kill at any instant leaves a state to continue from: a frame's
// file, then its rows, then (when due) the checkpoint that counts both. Rows and frames beyond the
// last checkpoint are made again by a resumed run: rows are cut off, frames are compared and left
// alone.
#include "base/clock.h"
#include "base/cookie.h"
#include "base/file.h"
#include "base/status.h"
#include "run/field_frame.h"
#include "run/frame.h"
#include "run/height_frame.h"
#include "run/run_state.h"
#include "world/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REPORT_INTERVAL 1.0  // seconds between updates of run.json while it runs

dew_RunDef dew_default_run_def(void)
{
    return (dew_RunDef){
        .world = dew_default_world_def(), .until_s = (double)NAN, .cookie = DEW_COOKIE};
}

// ---- checks before anything is written ---------------------------------------------------------

static dew_Status set_end(dew_Run *run)
{
    dew_Scene *scene = run->def.scene;
    if (!isnan(run->def.until_s)) {
        dew_Status status = dew_scene_set_duration(scene, run->def.until_s);
        if (status.code == DEW_BAD_INPUT)
            return dew_status_prefix(status, "--until %g s", run->def.until_s);
        DEW_TRY(status);
    }
    const dew_SceneDef *def = dew_scene_def(scene);
    char place[256];
    dew_scene_place(scene, "duration", place, sizeof place);
    run->end_s = def->duration_s;
    run->rate_Hz = def->frame_rate_Hz;
    if (!isfinite(run->end_s))
        return dew_fail(DEW_BAD_INPUT, "%sduration: a run must end (--until 10 s says when)",
                        place);
    double count = dew_frame_count(run->end_s, run->rate_Hz);
    if (!(count <= DEW_MAX_FRAMES))
        return dew_fail(DEW_BAD_INPUT, "%sduration: %.3g frames are too many (at most %.0f)", place,
                        count, DEW_MAX_FRAMES);
    run->frame_count = (int64_t)count;
    return dew_ok();
}

/// Refuses a directory that holds a run, unless it was said what to do with that.
static dew_Status check_directory(dew_Run *run)
{
    bool has_run;
    DEW_TRY(dew_run_directory_open(&run->directory, run->def.directory));
    DEW_TRY(dew_run_directory_has_run(&run->directory, &has_run));
    if (has_run && !dew_run_directory_is_runs(&run->directory))
        return dew_fail(DEW_BAD_INPUT,
                        "%.300s is no run's (no run.json), but has files named like a run's, such "
                        "as scene.yaml or stats.csv (choose another -o)",
                        run->directory.path);
    if (has_run && !run->def.resume && !run->def.overwrite)
        return dew_fail(DEW_BAD_INPUT,
                        "%.300s holds a run already (--resume continues, --overwrite starts anew)",
                        run->directory.path);
    return dew_ok();
}

// ---- begin -------------------------------------------------------------------------------------

/// Does the scene ask for files in frames/?
static bool has_frames(const dew_Run *run)
{
    const dew_OutputDef *output = &dew_scene_def(run->world->scene)->output;
    return dew_frame_extension(output->surface) != NULL || output->wetmap ||
           (run->world->ops->heights && dew_height_format(output) != DEW_HEIGHT_NONE) ||
           output->volume != DEW_VOLUME_NONE || output->particles != DEW_PARTICLES_NONE;
}

static dew_Status make_parts(dew_Run *run)
{
    DEW_TRY(set_end(run));
    DEW_TRY(check_directory(run));
    DEW_TRY(dew_world_create(run->def.scene, &run->def.world, &run->world));
    DEW_TRY(dew_field_frame_check(run->world));
    DEW_TRY(dew_solid_frames_begin(&run->solids, run->world, has_frames(run), &run->directory));
    if (dew_scene_def(run->def.scene)->output.images != DEW_IMAGES_NONE)
        DEW_TRY(dew_scene_hash_files(run->world->scene, true, &run->arena, &run->looks));
    DEW_TRY(dew_run_begin_images(run));
    return dew_surface_create(&run->def.world.allocator, &run->surface);
}

/// The state that a run segment begins from, without writing.
static dew_Status find_beginning(dew_Run *run, dew_ResumePoint *point)
{
    const dew_Allocator *allocator = &run->def.world.allocator;
    *point = (dew_ResumePoint){0};
    dew_run_table_init(&run->stats, dew_run_path(&run->directory, "stats.csv"), true, allocator);
    dew_run_table_init(&run->drop_rows, dew_run_path(&run->directory, "drops.csv"), false,
                       allocator);
    if (!run->def.resume || run->directory.lock_fd < 0)
        return dew_ok();
    dew_RunHistory history = dew_run_json_history(&run->directory, allocator);
    const dew_SceneFiles *files = dew_problem_files(run->world->problem);
    DEW_TRY(dew_run_json_check_files(run->directory.path, files, allocator));
    DEW_TRY(dew_run_json_check_files(run->directory.path, &run->looks, allocator));
    DEW_TRY(dew_run_note_scene(run));
    DEW_TRY(dew_run_restore(run, point));
    if (!point->found && history.has_scene_hash && history.scene_hash != run->world->scene_hash)
        return dew_fail(DEW_BAD_INPUT,
                        "%.200s was made from another scene or with other values (--overwrite "
                        "starts anew)",
                        run->directory.path);
    if (!point->found)
        return dew_ok();
    DEW_TRY(dew_solid_frames_resume(&run->solids, &run->directory, run->frames));
    if (dew_scene_def(run->world->scene)->output.attributes & DEW_ATTRIBUTE_AGE)
        DEW_TRY(dew_drop_births_restore(&run->births, &run->drops, run->drop_rows.path.text));
    run->earlier_wall_s = history.wall_s;
    run->earlier_cpu_s = point->stats.last_clock;
    run->begin_s = run->checkpoint_s = dew_world_time_s(run->world);
    run->checkpoint_step = dew_world_step_count(run->world);
    // At the end, but run.json does not say so: killed in between, there is a little left to do.
    run->is_done = run->begin_s > run->end_s || (run->begin_s == run->end_s && history.is_done);
    return dew_ok();
}

static void get_stats(const dew_Run *run, dew_Stats *out)
{
    dew_world_stats(run->world, out);
    out->cpu_s += run->earlier_cpu_s;
}

static void report_progress(const dew_Run *run, const dew_Stats *stats, bool is_frame)
{
    if (!run->def.progress)
        return;
    dew_RunProgress progress = {.stats = stats,
                                .frames = run->frames,
                                .frame_count = run->frame_count,
                                .time_s = stats->time_s,
                                .begin_s = run->begin_s,
                                .end_s = run->end_s,
                                .is_frame = is_frame};
    run->def.progress(run->def.context, &progress);
}

static void warn_lockless(const dew_Run *run)
{
    const dew_Log *log = &run->def.world.log;
    if (run->directory.is_lockless)
        dew_log_line(
            log, DEW_LOG_WARNING,
            "the run directory's file system has no locks: see that no other run writes there");
}

static dew_Status begin_files(dew_Run *run, const dew_ResumePoint *point)
{
    DEW_TRY(dew_run_directory_make(&run->directory, has_frames(run)));
    if (run->renderer)
        DEW_TRY(dew_directory_make(dew_run_path(&run->directory, "images").text));
    warn_lockless(run);
    if (run->def.overwrite)
        DEW_TRY(dew_run_directory_clear(&run->directory));
    DEW_TRY(dew_run_directory_sweep(&run->directory));
    DEW_TRY(dew_run_write_report(run, "running", ""));  // first: it marks the directory as a run's
    DEW_TRY(dew_run_write_scene(run));
    DEW_TRY(dew_solid_frames_open(&run->solids));
    if (point->found) {
        DEW_TRY(dew_run_table_resume(&run->stats, &point->stats));
        return dew_run_table_resume(&run->drop_rows, &point->drops);
    }
    dew_Stats stats;
    DEW_TRY(dew_run_table_create(&run->stats, dew_stats_header));
    DEW_TRY(dew_run_table_create(&run->drop_rows, dew_drops_header));
    get_stats(run, &stats);
    DEW_TRY(dew_run_add_stats(run, &stats));
    DEW_TRY(dew_run_write_frame(run));
    report_progress(run, &stats, true);
    return dew_ok();
}

/// Says in run.json that the run failed, and adds to the status where it can continue. A diverged
/// run first saves its last good state; after other failures (a full disk, say) only what is there
/// already counts.
static dew_Status fail(dew_Run *run, dew_Status status)
{
    if (status.code == DEW_DIVERGED)
        (void)dew_run_write_checkpoint(run);
    (void)dew_run_write_report(run, "failed", status.message);
    if (isnan(run->checkpoint_s))
        return status;
    return dew_fail(status.code, "%.380s; the checkpoint at t = %g s stays (--resume)",
                    status.message, run->checkpoint_s);
}

dew_Status dew_run_create(const dew_RunDef *def, dew_Run **out)
{
    *out = NULL;
    if (def->cookie != DEW_COOKIE)
        return dew_fail(DEW_BAD_INPUT, "a dew_RunDef must come from dew_default_run_def");
    if (!def->scene || !def->directory)
        return dew_fail(DEW_BAD_INPUT, "a run needs a scene and a directory");
    if (def->resume && def->overwrite)
        return dew_fail(DEW_BAD_INPUT, "expected --resume or --overwrite, found both");
    const dew_Allocator *allocator = &def->world.allocator;
    dew_Run *run = dew_alloc(allocator, 1, sizeof *run);
    if (!run)
        return dew_no_memory(sizeof *run);
    run->def = *def;
    run->directory.lock_fd = run->stats.fd = run->drop_rows.fd = -1;
    run->checkpoint_s = (double)NAN;
    run->checkpoint_step = -1;
    run->begin_wall_s = run->checkpoint_wall_s = dew_wall_s();
    run->begin_cpu_s = dew_cpu_s();
    dew_arena_init(&run->arena, allocator);
    dew_mesh_init(&run->mesh, allocator);
    dew_frame_file_init(&run->file, allocator);
    dew_drops_init(&run->drops, allocator);
    dew_drop_births_init(&run->births, allocator);
    dew_solid_frames_init(&run->solids, allocator);
    dew_ResumePoint point;
    dew_Status status = make_parts(run);
    if (status.code == DEW_OK)
        status = find_beginning(run, &point);
    if (status.code == DEW_OK && !run->is_done) {
        status = begin_files(run, &point);
        if (status.code != DEW_OK && run->directory.lock_fd >= 0)
            status = fail(run, status);
    }
    if (status.code != DEW_OK) {
        dew_run_destroy(run);
        return status;
    }
    *out = run;
    return dew_ok();
}

void dew_run_destroy(dew_Run *run)
{
    if (!run)
        return;
    dew_run_table_deinit(&run->stats);
    dew_run_table_deinit(&run->drop_rows);
    dew_drops_deinit(&run->drops);
    dew_drop_births_deinit(&run->births);
    dew_mesh_deinit(&run->mesh);
    dew_frame_file_deinit(&run->file);
    dew_solid_frames_deinit(&run->solids);
    dew_surface_destroy(run->surface);
    dew_renderer_destroy(run->renderer);
    dew_image_destroy(run->image);
    dew_arena_deinit(&run->arena);
    dew_world_destroy(run->world);
    dew_run_directory_close(&run->directory);
    dew_Allocator allocator = run->def.world.allocator;
    dew_free(&allocator, run, sizeof *run);
}

// ---- resume ------------------------------------------------------------------------------------

static dew_Status interrupt(dew_Run *run)
{
    char words[64];
    snprintf(words, sizeof words, "stopped on request at t = %g s", dew_world_time_s(run->world));
    DEW_TRY(dew_run_write_checkpoint(run));
    DEW_TRY(dew_run_write_report(run, "interrupted", words));
    return dew_fail(DEW_INTERRUPTED, "%s", words);
}

/// By the wall clock, at any step; every 0 s means at every frame.
static dew_Status write_if_due(dew_Run *run, bool is_frame)
{
    double every_s = dew_scene_def(run->world->scene)->output.checkpoint_every_s;
    double now_s = dew_wall_s();
    bool is_due = every_s > 0 ? now_s - run->checkpoint_wall_s >= every_s : is_frame;
    if (is_due)
        DEW_TRY(dew_run_write_checkpoint(run));
    if (is_due || (is_frame && now_s - run->report_wall_s >= REPORT_INTERVAL))
        return dew_run_write_report(run, "running", "");
    return dew_ok();
}

/// Steps to the target, a row each. The last step's stats are left for the caller.
static dew_Status step_to(dew_Run *run, double target_s, dew_Stats *stats)
{
    get_stats(run, stats);
    while (dew_world_time_s(run->world) < target_s) {
        if (run->def.cancel && run->def.cancel(run->def.context))
            return interrupt(run);
        dew_stage_begin(run->file.clock);
        DEW_TRY(dew_world_substep_to(run->world, target_s));
        dew_stage_end(run->file.clock, DEW_SPENT_STEPS);
        get_stats(run, stats);
        DEW_TRY(dew_run_add_stats(run, stats));
        if (stats->time_s < target_s)
            DEW_TRY(write_if_due(run, false));
        dew_stage_end(run->file.clock, DEW_SPENT_TABLES);
        if (stats->time_s < target_s)
            report_progress(run, stats, false);
    }
    return dew_ok();
}

static dew_Status finish(dew_Run *run)
{
    char words[96];
    DEW_TRY(dew_run_write_checkpoint(run));
    // The last checkpoint is synced: the one before it may go. Once run.json says done nothing is
    // left to do, so that comes last.
    DEW_TRY(dew_checkpoint_drop_old(&run->directory));
    snprintf(words, sizeof words, "finished at t = %g s", run->end_s);
    DEW_TRY(dew_run_write_report(run, "done", words));
    run->is_done = true;
    return dew_ok();
}

static dew_Status advance(dew_Run *run)
{
    dew_Stats stats;
    bool has_frame = run->frames < run->frame_count;
    double target_s =
        has_frame ? dew_frame_time_s(run->frames, run->end_s, run->rate_Hz) : run->end_s;
    DEW_TRY(step_to(run, target_s, &stats));
    if (has_frame)
        DEW_TRY(dew_run_write_frame(run));
    dew_stage_begin(run->file.clock);
    DEW_TRY(write_if_due(run, has_frame));
    dew_stage_end(run->file.clock, DEW_SPENT_TABLES);
    report_progress(run, &stats, has_frame);
    bool is_end = run->frames >= run->frame_count && stats.time_s >= run->end_s;
    return is_end ? finish(run) : dew_ok();
}

dew_Status dew_run_advance(dew_Run *run, bool *is_done)
{
    dew_Status status = run->is_done ? dew_ok() : advance(run);
    *is_done = run->is_done;
    if (status.code != DEW_OK && status.code != DEW_INTERRUPTED)
        return fail(run, status);
    return status;
}

dew_Status dew_run_execute(dew_Run *run)
{
    for (bool is_done = run->is_done; !is_done;)
        DEW_TRY(dew_run_advance(run, &is_done));
    return dew_ok();
}

// ---- questions ---------------------------------------------------------------------------------

dew_World *dew_run_world(dew_Run *run)
{
    return run->world;
}

double dew_run_begin_s(const dew_Run *run)
{
    return run->begin_s;
}

double dew_run_end_s(const dew_Run *run)
{
    return run->end_s;
}

int64_t dew_run_frames(const dew_Run *run)
{
    return run->frames;
}

int64_t dew_run_frame_count(const dew_Run *run)
{
    return run->frame_count;
}

bool dew_run_is_done(const dew_Run *run)
{
    return run->is_done;
}

double dew_run_checkpoint_s(const dew_Run *run)
{
    return run->checkpoint_s;
}

void dew_run_time_stages(dew_Run *run, bool is_on)
{
    run->clock = run->surface_clock = (dew_StageClock){.now_s = dew_cpu_s};
    run->file.clock = is_on ? &run->clock : NULL;
    run->surface->clock = is_on ? &run->surface_clock : NULL;
}

int dew_run_stages(const dew_Run *run, dew_StageTime *stages, int max_count)
{
    const double *own = run->clock.seconds, *surface = run->surface_clock.seconds;
    const dew_StageTime all[] = {
        {"steps", own[DEW_SPENT_STEPS], true},
        {"surface", surface[DEW_SURFACE_MESH], false},
        {"crossings", surface[DEW_SURFACE_CROSSINGS], false},
        {"normals and measures", surface[DEW_SURFACE_MEASURES], false},
        {"encoding", own[DEW_SPENT_ENCODING], false},
        {"writing", own[DEW_SPENT_WRITING], false},
        {"images", own[DEW_SPENT_IMAGES], false},
        {"drops", own[DEW_SPENT_DROPS], false},
        {"tables and checkpoints", own[DEW_SPENT_TABLES], false},
    };
    int count = sizeof all / sizeof all[0];
    for (int s = 0; s < count && s < max_count; s++)
        stages[s] = all[s];
    return count;
}
