/// Do two drops touch, and if not, how near are they?
#pragma once

#include "geom/remesh.h"
#include "geom/vec.h"

/// A triangle that may meet the other drop.
typedef struct dew_MergeNearItem {
    dew_Box box;
    uint32_t triangle;
} dew_MergeNearItem;

typedef struct dew_MergeNear {
    dew_Array items[2];  // of dew_MergeNearItem
} dew_MergeNear;

typedef struct dew_MergeNearPair {
    bool touch;        // a triangle of one meets a triangle of the other
    bool are_near;     // or the gap is at most what was asked for
    dew_Vec3 place_m;  // of the touch found first, or the middle of the gap
    int inner;         // does not touch, but lies inside the other: 0 or 1; else DEW_INVALID
} dew_MergeNearPair;

void dew_merge_near_init(dew_MergeNear *near, const dew_Allocator *allocator);
void dew_merge_near_deinit(dew_MergeNear *near);

dew_Box dew_drop_box(const dew_RemeshDrop *drop);
/// Is the point inside? By the winding number, over all triangles.
bool dew_drop_holds(const dew_RemeshDrop *drop, dew_Vec3 p);

/// Triangles that all lie on a solid do not touch one another: their drops touch when others do.
/// Gaps are measured from vertices to triangles. Fails for lack of memory only.
dew_Status dew_merge_find_near(dew_MergeNear *near, const dew_RemeshDrop *first,
                               const dew_RemeshDrop *second, double gap_m, dew_MergeNearPair *out);
