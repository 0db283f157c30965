/// Gives equal points one index, in the order they first come.
#pragma once

#include "geom/mesh.h"

/// Points are equal when their coordinates are, bit for bit but for the sign of zero.
typedef struct dew_Weld {
    dew_Array *positions;  // of dew_Vec3: the distinct points; not owned
    uint32_t *slots;       // index + 1 of a point, 0: free
    uint64_t slot_count;   // a power of two
    dew_Allocator allocator;
} dew_Weld;

void dew_weld_init(dew_Weld *weld, dew_Array *positions, const dew_Allocator *allocator);
void dew_weld_deinit(dew_Weld *weld);

/// The index of the point, added when it is new. False when there is no memory, or no index left.
bool dew_weld_point(dew_Weld *weld, dew_Vec3 point, uint32_t *index);
