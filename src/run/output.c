// What a run leaves in its directory: scene, frames, checkpoint, report.
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/field_frame.h"
#include "run/frame.h"
#include "run/height_frame.h"
#include "run/particle_frame.h"
#include "run/run_state.h"
#include "scene/memory_mesh.h"
#include "world/frames.h"

#include <math.h>
#include <string.h>

static const dew_Allocator *allocator_of(const dew_Run *run)
{
    return &run->def.world.allocator;
}

/// The same text is not written again: a resumed run leaves the file alone.
static bool is_file(const char *path, const char *text, const dew_Allocator *allocator)
{
    uint8_t *data = NULL;
    size_t size = 0, length = strlen(text);
    if (dew_file_read(path, length, allocator, &data, &size).code != DEW_OK)
        return false;
    bool is_same = size == length && memcmp(data, text, size) == 0;
    dew_free(allocator, data, size + 1);
    return is_same;
}

dew_Status dew_run_note_scene(dew_Run *run)
{
    char *text;
    DEW_TRY(dew_scene_text(run->world->scene, run->directory.path, &text));
    run->scene_text = dew_arena_text(&run->arena, text, strlen(text));
    size_t size = strlen(text);
    dew_scene_text_free(run->world->scene, text);
    return run->scene_text ? dew_ok() : dew_no_memory(size);
}

dew_Status dew_run_write_scene(dew_Run *run)
{
    dew_FileWriter writer;
    dew_RunPath path = dew_run_path(&run->directory, "scene.yaml");
    DEW_TRY(dew_scene_save_meshes(run->world->scene, run->directory.path));
    if (!run->scene_text)
        DEW_TRY(dew_run_note_scene(run));
    if (is_file(path.text, run->scene_text, allocator_of(run)))
        return dew_ok();
    DEW_TRY(dew_file_begin(&writer, path.text, allocator_of(run)));
    dew_file_text(&writer, run->scene_text);
    return dew_file_commit(&writer);
}

/// Drops are found in the surface. Where no surface is written, one is built for them only when the
/// scene asks for them, or where it costs nothing: drops that are meshes already.
static bool wants_drops(const dew_Run *run)
{
    const dew_OutputDef *output = &dew_scene_def(run->world->scene)->output;
    bool is_free = run->renderer || run->world->ops->traits->edge_per_radius > 0;
    return output->drops == DEW_DROPS_CSV ||
           (output->drops == DEW_DROPS_AUTO && (output->surface != DEW_SURFACE_NONE || is_free));
}

dew_Status dew_run_write_frame(dew_Run *run)
{
    const dew_OutputDef *output = &dew_scene_def(run->world->scene)->output;
    double time_s = dew_world_time_s(run->world);
    int64_t frame = run->frames;
    bool has_drops = wants_drops(run);
    run->surface->is_unwritten = output->surface == DEW_SURFACE_NONE && !run->renderer;
    if (!run->surface->is_unwritten || has_drops)
        DEW_TRY(dew_world_surface(run->world, run->surface));
    dew_stage_begin(run->file.clock);
    if (has_drops)
        DEW_TRY(dew_drops_update(&run->drops, run->surface, time_s));
    dew_SurfaceValues values = {dew_surface_attributes(output, has_drops), &run->drops,
                                &run->births};
    if (values.attributes & DEW_ATTRIBUTE_AGE)
        DEW_TRY(dew_drop_births_update(&run->births, &run->drops, time_s));
    dew_stage_end(run->file.clock, DEW_SPENT_DROPS);
    DEW_TRY(dew_frame_save(&run->directory, output->surface, frame, time_s, run->surface, &values,
                           &run->mesh, &run->file));
    DEW_TRY(dew_field_frame_save(&run->directory, run->world, frame));
    DEW_TRY(dew_particle_frame_save(&run->directory, run->world, frame, &run->file));
    DEW_TRY(dew_height_frame_save(&run->directory, run->world, frame, &run->file));
    DEW_TRY(dew_solid_frames_update(&run->solids, run->world));
    DEW_TRY(dew_solid_frames_save(&run->solids, run->world, &run->directory, frame, &run->file));
    dew_stage_end(run->file.clock, DEW_SPENT_ENCODING);
    DEW_TRY(dew_run_write_image(run, frame));
    dew_stage_end(run->file.clock, DEW_SPENT_IMAGES);
    if (has_drops)
        DEW_TRY(dew_run_add_drops(run, frame, time_s));
    dew_stage_end(run->file.clock, DEW_SPENT_DROPS);
    run->frames = frame + 1;
    dew_RunSeries series = dew_run_series(output);
    dew_solid_frames_list(&run->solids, &series);
    DEW_TRY(dew_run_list_save(&run->directory, &series, run->frames, run->rate_Hz, run->end_s,
                              allocator_of(run)));
    DEW_TRY(dew_run_table_flush(&run->stats, false));
    DEW_TRY(dew_run_table_flush(&run->drop_rows, false));
    dew_stage_end(run->file.clock, DEW_SPENT_TABLES);
    return dew_ok();
}

dew_Status dew_run_write_checkpoint(dew_Run *run)
{
    if (run->checkpoint_step == dew_world_step_count(run->world))
        return dew_ok();  // it is this state already
    // The tables first: a checkpoint must find the rows it counts.
    DEW_TRY(dew_run_table_flush(&run->stats, true));
    DEW_TRY(dew_run_table_flush(&run->drop_rows, true));
    DEW_TRY(dew_solid_frames_flush(&run->solids, true));
    dew_RunRecord record = {run->frames, run->stats.row_count, run->drop_rows.row_count,
                            run->stats.hash, run->drop_rows.hash};
    DEW_TRY(dew_checkpoint_save(&run->directory, run->world, &run->drops, &record));
    run->checkpoint_s = dew_world_time_s(run->world);
    run->checkpoint_step = dew_world_step_count(run->world);
    run->checkpoint_wall_s = dew_wall_s();
    return dew_ok();
}

dew_Status dew_run_write_report(dew_Run *run, const char *status, const char *message)
{
    dew_RunReport report = {
        .solver = run->world->ops->traits->name,
        .threads = dew_tasks_worker_count(run->world->tasks),
        .status = status,
        .time_s = dew_world_time_s(run->world),
        .steps = dew_world_step_count(run->world),
        .frames = run->frames,
        .retries = dew_world_retry_count(run->world),
        .wall_s = run->earlier_wall_s + dew_wall_s() - run->begin_wall_s,
        .cpu_s = run->earlier_cpu_s + dew_cpu_s() - run->begin_cpu_s,
        .peak_bytes = dew_peak_bytes(),
        .scene_hash = run->world->scene_hash,
        .state_hash = strcmp(status, "running") == 0 ? 0 : dew_world_hash(run->world),
        .message = message,
        .files = dew_problem_files(run->world->problem),
        .looks = &run->looks,
    };
    run->report_wall_s = dew_wall_s();
    return dew_run_json_save(&run->directory, &report, allocator_of(run));
}
