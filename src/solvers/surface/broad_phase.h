/// Which drops may touch: pairs of boxes that overlap.
///
/// Boxes are put into columns and swept along them, so that the cost is about linear in boxes
/// and pairs for drops strewn over a wall as well as for drops in the air, of one size or of many.
/// The workspace is kept between calls: once warm, a call allocates nothing. One per thread.
///
/// Looks at boxes only: touching boxes count as overlapping; whether the drops touch is for merge.h
/// to say.
#pragma once

#include "base/array.h"
#include "geom/vec.h"

typedef struct dew_MergePair {
    uint32_t first, second;  // places in the list of boxes; first < second
} dew_MergePair;

typedef struct dew_MergeBroadPhase dew_MergeBroadPhase;

dew_Status dew_merge_broad_phase_create(const dew_Allocator *allocator, dew_MergeBroadPhase **out);
void dew_merge_broad_phase_destroy(dew_MergeBroadPhase *phase);

/// All pairs of boxes that come within margin_m of each other along every axis. Boxes that are
/// empty or have a bound that is no number overlap nothing. Fails for lack of memory only, or with
/// DEW_BAD_INPUT on more than 2^31 boxes.
dew_Status dew_merge_broad_phase_run(dew_MergeBroadPhase *phase, const dew_Box *boxes,
                                     int64_t count, double margin_m);

/// Of the last run, by first, then second; valid until the next one.
const dew_MergePair *dew_merge_broad_phase_pairs(const dew_MergeBroadPhase *phase);
int64_t dew_merge_broad_phase_pair_count(const dew_MergeBroadPhase *phase);
