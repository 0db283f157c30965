// The checkpoint file: written in two passes, so that the state is not copied; read whole and checked.
#include "run/checkpoint.h"

#include "base/file.h"
#include "base/status.h"
#include "surface/drop_match.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_CHECKPOINT_BYTES ((size_t)1 << 46)
#define RECORD_INTEGERS      3
#define RECORD_HASHES        2
#define DROP_BYTES           ((int)sizeof(dew_DropRecord))

// ---- writing -----------------------------------------------------------------------------------

static void write_sections(dew_SectionWriter *writer, dew_World *world,
                           const dew_DropTracker *drops, const dew_RunRecord *record)
{
    const int64_t integers[RECORD_INTEGERS] = {record->frame_count, record->stats_rows,
                                               record->drops_rows};
    const uint64_t hashes[RECORD_HASHES] = {record->stats_hash, record->drops_hash};
    dew_sections_add(writer, "run.integers", DEW_FIELD_I64, RECORD_INTEGERS, integers, 1);
    dew_sections_add(writer, "run.hashes", DEW_FIELD_U64, RECORD_HASHES, hashes, 1);
    dew_sections_add(writer, "drops.next_id", DEW_FIELD_I64, 1, &drops->next_id, 1);
    dew_sections_add(writer, "drops.time", DEW_FIELD_F64, 1, &drops->time_s, 1);
    dew_sections_add(writer, "drops.records", DEW_FIELD_U8, DROP_BYTES, drops->drops.data,
                     drops->drops.count);
    dew_sections_add(writer, "drops.points", DEW_FIELD_U8, (int)drops->points.element_size,
                     drops->points.data, drops->points.count);
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

/// Keeps what is there under its second name. `checkpoint` itself is there at every moment.
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
    int64_t integers[RECORD_INTEGERS];
    uint64_t hashes[RECORD_HASHES];
    DEW_TRY(dew_sections_copy(reader, "run.integers", DEW_FIELD_I64, RECORD_INTEGERS, 1, integers));
    DEW_TRY(dew_sections_copy(reader, "run.hashes", DEW_FIELD_U64, RECORD_HASHES, 1, hashes));
    *out = (dew_RunRecord){integers[0], integers[1], integers[2], hashes[0], hashes[1]};
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

static dew_Status check_drops(const dew_DropTracker *drops)
{
    if (drops->next_id < 0)
        return dew_fail(DEW_CORRUPT, "the saved state has a negative drop id");
    for (int64_t i = 0; i < drops->drops.count; i++) {
        const dew_DropRecord *drop = &DEW_ITEMS(&drops->drops, dew_DropRecord)[i];
        if (drop->id < 0 || drop->id >= drops->next_id || drop->parent_count < 0 ||
            drop->parent_count > DEW_DROP_PARENTS || drop->piece < 0)
            return dew_fail(DEW_CORRUPT, "drop %lld of the saved state is impossible",
                            (long long)i);
    }
    int32_t before = 0;  // the points of one drop lie together, in the order of the drops
    for (int64_t i = 0; i < drops->points.count; i++) {
        int32_t drop = DEW_ITEMS(&drops->points, dew_DropPoint)[i].drop;
        if (drop < before || drop >= drops->drops.count)
            return dew_fail(DEW_CORRUPT, "a point of the saved drops belongs to none of them");
        before = drop;
    }
    return dew_ok();
}

static dew_Status read_array(const dew_SectionReader *reader, const char *name, dew_Array *array)
{
    dew_Section section;
    DEW_TRY(dew_sections_get(reader, name, DEW_FIELD_U8, (int)array->element_size, -1, &section));
    return dew_array_append(array, section.data, section.count);
}

static dew_Status read_drops(const dew_SectionReader *reader, dew_DropTracker *out)
{
    DEW_TRY(dew_sections_copy(reader, "drops.next_id", DEW_FIELD_I64, 1, 1, &out->next_id));
    DEW_TRY(dew_sections_copy(reader, "drops.time", DEW_FIELD_F64, 1, 1, &out->time_s));
    DEW_TRY(read_array(reader, "drops.records", &out->drops));
    DEW_TRY(read_array(reader, "drops.points", &out->points));
    return check_drops(out);
}

dew_Status dew_checkpoint_restore(const dew_Checkpoint *checkpoint, dew_World *world,
                                  dew_DropTracker *drops)
{
    // Into a new tracker: the old one stays whole until all is well.
    dew_DropTracker read;
    dew_drops_init(&read, &drops->allocator);
    dew_Status status = read_drops(&checkpoint->reader, &read);
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
