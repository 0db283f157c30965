/// The checkpoint file: the whole state of a run, to continue from, bit-identically.
///
/// One file of sections (world/sections.h): the world's, the tracker of drops, the lengths of the
/// tables. A new one is written beside, synced, and renamed over the old; the one before it stays
/// as checkpoint.old until the run is done, should the new one turn out damaged.
#pragma once

#include "run/directory.h"
#include "surface/drops.h"
#include "world/world_state.h"

/// What a run remembers beside the world.
typedef struct dew_RunRecord {
    int64_t frame_count;  // frames written
    int64_t stats_rows, drops_rows;
    uint64_t stats_hash, drops_hash;
} dew_RunRecord;

dew_Status dew_checkpoint_save(const dew_RunDirectory *directory, dew_World *world,
                               const dew_DropTracker *drops, const dew_RunRecord *record);

/// Removes checkpoint.old, if there is one: at the end of a run.
dew_Status dew_checkpoint_drop_old(const dew_RunDirectory *directory);

/// The bytes of a checkpoint, checked as sections. Deinit also after a failure.
typedef struct dew_Checkpoint {
    uint8_t *bytes;
    size_t size;
    dew_SectionReader reader;
    dew_RunRecord record;
    dew_Allocator allocator;
} dew_Checkpoint;

dew_Status dew_checkpoint_load(dew_Checkpoint *checkpoint, const char *path,
                               const dew_Allocator *allocator);
/// The same from bytes in memory, which stay the caller's.
dew_Status dew_checkpoint_parse(dew_Checkpoint *checkpoint, const uint8_t *bytes, size_t size);
/// Puts world and tracker into the saved state; on failure both are as before.
dew_Status dew_checkpoint_restore(const dew_Checkpoint *checkpoint, dew_World *world,
                                  dew_DropTracker *drops);
void dew_checkpoint_deinit(dew_Checkpoint *checkpoint);
