/// Which drops of one frame became which of the next.
#pragma once

#include "base/arena.h"
#include "surface/drops.h"

/// A vertex of a drop's outside, kept to recognise the drop in the next frame.
typedef struct dew_DropPoint {
    dew_Vec3 position_m;
    float velocity_m_s[3];
    float normal[3];
    int32_t drop;  // index of its drop
    int32_t padding;
} dew_DropPoint;

/// The drops of one frame with their points, those of one drop together, in the order of the drops.
typedef struct dew_DropFrame {
    const dew_DropRecord *drops;
    const dew_DropPoint *points;
    int64_t drop_count, point_count;
} dew_DropFrame;

/// All links, at most one for each pair, in no particular order, the same for the same frames.
/// Links and temporary memory come from scratch.
dew_Status dew_drops_match(const dew_DropFrame *before, const dew_DropFrame *after, double dt_s,
                           dew_Arena *scratch, dew_DropLink **links, int64_t *link_count);
