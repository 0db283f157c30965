/// Drops: connected pieces of liquid whose ids persist from frame to frame, with parents after
/// merge and split.
///
/// A tracker compares the pieces of the Surface with those of the frame before. `drops`, `points`,
/// next_id and time_s are its state and are saved with a checkpoint. Ids are never used twice in a
/// run.
///
/// One drop that became one keeps its id. All that came of a merge or a split, or of both at once,
/// are new and name their parents. A bubble belongs to the drop it lies in.
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/tasks.h"
#include "dew/drops.h"
#include "surface/surface.h"

typedef struct dew_DropRecord {
    int64_t id;
    int32_t parent_count;                 // > 0 only in the frame of its birth by merge or split
    int32_t piece;                        // its outside in the Surface
    int64_t parents[DEW_MAX_DROP_LINKS];  // ids, ascending; the lowest when there are more
    double volume_m3, area_m2;            // bubbles taken off, and their area added
    dew_Vec3 center_m, velocity_m_s;      // of the volume
    double contact_area_m2;
    double contact_angle_rad;  // mean; NaN without contact line
    dew_Vec3 box_min_m, box_max_m;
} dew_DropRecord;

/// Liquid of drop `before` is in drop `after`.
typedef struct dew_DropLink {
    int32_t before, after;  // indices
} dew_DropLink;

typedef struct dew_DropTracker {
    dew_Array drops;   // dew_DropRecord of the last frame, by id
    dew_Array points;  // what is kept of the last surface to recognise pieces (private)
    int64_t next_id;
    double time_s;
    // Of the last update, not saved:
    dew_Array before;       // dew_DropRecord of the frame before, by id
    dew_Array links;        // dew_DropLink: indices into `before` and `drops`, ascending
    dew_Array piece_drops;  // int32_t per piece of the surface: index of its drop
    dew_Arena scratch;      // of dew_drops_update
    dew_Allocator allocator;
} dew_DropTracker;

void dew_drops_init(dew_DropTracker *tracker, const dew_Allocator *allocator);
void dew_drops_deinit(dew_DropTracker *tracker);
/// Takes the surface (finished) of a new frame: `drops` then lists its drops, sorted by id. A
/// failure leaves the tracker as it was.
dew_Status dew_drops_update(dew_DropTracker *tracker, const dew_Surface *surface, double time_s);
