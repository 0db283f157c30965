// The checkpoint file: written in two passes, so that the state is not copied; read whole and
// checked.
#include "run/checkpoint.h"

#include "base/file.h"
#include "base/status.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_CHECKPOINT_BYTES ((size_t)1 << 46)
// The record is saved as it lies: integers first, hashes behind them.
#define RECORD_INTEGERS ((int)(offsetof(dew_RunRecord, stats_hash) / sizeof(int64_t)))
#define RECORD_HASHES   ((int)(sizeof(dew_RunRecord) / sizeof(int64_t)) - RECORD_INTEGERS)

// ---- writing -----------------------------------------------------------------------------------

static void write_sections(dew_SectionWriter *writer, dew_World *world,
                           const dew_DropTracker *drops, const dew_RunRecord *record)
{
    dew_sections_add(writer, "run.integers", DEW_FIELD_I64, RECORD_INTEGERS, record, 1);
    dew_sections_add(writer, "run.hashes", DEW_FIELD_U64, RECORD_HASHES, &record->stats_hash, 1);
    dew_drops_write(drops, "drops", writer);
    dew_world_write(world, writer);
}

static void put_in_file(void *context, const void *data, size_t size)
{
    dew_file_write(context, data, size);
}

dew_Status dew_checkpoint_drop_old(const dew_RunDirectory *directory)
{
    dew_RunPath old = dew_run_path(directory, "checkpoint.old");
    if (unlink(old.text) != 0 && errno != ENOENT)
        return dew_fail(DEW_IO, "cannot remove %s: %s", old.text, strerror(errno));
    return dew_ok();
}

/// Keeps what is there under its second name. `checkpoint` itself is there at every instant.
static dew_Status keep_old(const dew_RunDirectory *directory)
{
    dew_RunPath path = dew_run_path(directory, "checkpoint");
    dew_RunPath old = dew_run_path(directory, "checkpoint.old");
    DEW_TRY(dew_checkpoint_drop_old(directory));
    // A file system without hard links: the rename alone must do.
    if (link(path.text, old.text) != 0 && errno != ENOENT && errno != EPERM && errno != ENOTSUP &&
        errno != EMLINK)
        return dew_fail(DEW_IO, "cannot keep %s: %s", old.text, strerror(errno));
    return dew_ok();
}

dew_Status dew_checkpoint_save(const dew_RunDirectory *directory, dew_World *world,
                               const dew_DropTracker *drops, const dew_RunRecord *record)
{
    dew_SectionWriter counter = dew_sections_counter();
    write_sections(&counter, world, drops, record);
    dew_FileWriter file;
    DEW_TRY(
        dew_file_begin(&file, dew_run_path(directory, "checkpoint").text, &world->def.allocator));
    dew_SectionWriter writer = dew_sections_begin(&counter, world->scene_hash,
                                                  world->ops->traits->name, put_in_file, &file);
    write_sections(&writer, world, drops, record);
    dew_Status status = keep_old(directory);
    if (status.code != DEW_OK) {
        dew_file_abandon(&file);
        return status;
    }
    return dew_file_commit(&file);
}

// ---- reading -----------------------------------------------------------------------------------

static dew_Status read_record(const dew_SectionReader *reader, dew_RunRecord *out)
{
    DEW_TRY(dew_sections_copy(reader, "run.integers", DEW_FIELD_I64, RECORD_INTEGERS, 1, out));
    DEW_TRY(
        dew_sections_copy(reader, "run.hashes", DEW_FIELD_U64, RECORD_HASHES, 1, &out->stats_hash));
    if (out->frame_count < 0 || out->stats_rows < 0 || out->drops_rows < 0)
        return dew_fail(DEW_CORRUPT, "the saved state has a negative count");
    return dew_ok();
}

dew_Status dew_checkpoint_parse(dew_Checkpoint *checkpoint, const uint8_t *bytes, size_t size)
{
    *checkpoint = (dew_Checkpoint){0};
    DEW_TRY(dew_sections_open(&checkpoint->reader, bytes, size));
    return read_record(&checkpoint->reader, &checkpoint->record);
}

dew_Status dew_checkpoint_load(dew_Checkpoint *checkpoint, const char *path,
                               const dew_Allocator *allocator)
{
    *checkpoint = (dew_Checkpoint){0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    DEW_TRY(dew_file_read(path, MAX_CHECKPOINT_BYTES, allocator, &bytes, &size));
    dew_Status status = dew_checkpoint_parse(checkpoint, bytes, size);
    checkpoint->bytes = bytes;
    checkpoint->size = size;
    checkpoint->allocator = *allocator;
    return status.code == DEW_OK ? status : dew_status_prefix(status, "%s", path);
}

void dew_checkpoint_deinit(dew_Checkpoint *checkpoint)
{
    if (checkpoint->bytes)
        dew_free(&checkpoint->allocator, checkpoint->bytes, checkpoint->size + 1);
    checkpoint->bytes = NULL;
}

dew_Status dew_checkpoint_restore(const dew_Checkpoint *checkpoint, dew_World *world,
                                  dew_DropTracker *drops)
{
    // Into a new tracker: the old one stays whole until all is well.
    dew_DropTracker read;
    dew_drops_init(&read, &drops->allocator);
    dew_Status status = dew_drops_read(&read, "drops", &checkpoint->reader);
    if (status.code == DEW_OK)
        status = dew_world_read(world, &checkpoint->reader);
    if (status.code != DEW_OK) {
        dew_drops_deinit(&read);
        return status;
    }
    dew_drops_deinit(drops);
    *drops = read;
    return dew_ok();
}
