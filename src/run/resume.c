// Where a resumed run continues: the newest checkpoint that is whole, of this scene, and fits the
// tables.
//
// `checkpoint` first. When it is damaged or cannot be read, or the tables are not those it was made
// with, the one before it, `checkpoint.old`. A checkpoint of another scene is refused at once: no
// older one would be right.
#include "base/file.h"
#include "base/status.h"
#include "run/run_state.h"

#include <stdio.h>

static dew_Status other_scene(const dew_Run *run)
{
    const char *path = run->directory.path;
    return dew_fail(DEW_BAD_INPUT,
                    "%.200s was made from another scene or with other values (its own is "
                    "scene.yaml there; --overwrite starts anew)",
                    path);
}

static dew_Status try_checkpoint(dew_Run *run, const char *name, dew_ResumePoint *out)
{
    const dew_Allocator *allocator = &run->def.world.allocator;
    dew_Checkpoint checkpoint;
    dew_RunPath path = dew_run_path(&run->directory, name);
    dew_Status status = dew_checkpoint_load(&checkpoint, path.text, allocator);
    const dew_RunRecord *record = &checkpoint.record;
    if (status.code == DEW_OK && checkpoint.reader.scene_hash != run->world->scene_hash)
        status = other_scene(run);
    if (status.code == DEW_OK)
        status = dew_run_table_check(&run->stats, dew_stats_header, record->stats_rows,
                                     record->stats_hash, &out->stats);
    if (status.code == DEW_OK)
        status = dew_run_table_check(&run->drop_rows, dew_drops_header, record->drops_rows,
                                     record->drops_hash, &out->drops);
    if (status.code == DEW_OK)
        status = dew_checkpoint_restore(&checkpoint, run->world, &run->drops);
    if (status.code == DEW_OK) {
        run->frames = record->frame_count;
        out->found = true;
    }
    dew_checkpoint_deinit(&checkpoint);
    return status;
}

dew_Status dew_run_restore(dew_Run *run, dew_ResumePoint *out)
{
    static const char *const names[] = {"checkpoint", "checkpoint.old"};
    *out = (dew_ResumePoint){0};
    dew_Status first = dew_ok();
    for (int i = 0; i < 2 && !out->found; i++) {
        if (!dew_file_exists(dew_run_path(&run->directory, names[i]).text))
            continue;
        dew_Status status = try_checkpoint(run, names[i], out);
        bool is_unusable = status.code == DEW_CORRUPT || status.code == DEW_IO;
        if (status.code != DEW_OK && !is_unusable)
            return status;
        if (is_unusable && first.code == DEW_OK)
            first = status;
    }
    if (!out->found && first.code != DEW_OK)
        return dew_fail(first.code, "%.440s (--overwrite starts anew)", first.message);
    if (!out->found)
        return dew_ok();  // none there
    if (first.code != DEW_OK && run->def.world.log.write) {
        char words[DEW_MESSAGE_SIZE];
        snprintf(words, sizeof words, "%.420s; continuing from the previous checkpoint",
                 first.message);
        dew_log_line(&run->def.world.log, DEW_LOG_WARNING, words);
    }
    return dew_ok();
}
