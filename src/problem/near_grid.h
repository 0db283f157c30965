/// Disks that must not overlap: a hash grid of the ones placed so far.
#pragma once

#include "base/arena.h"
#include "geom/vec.h"

typedef struct dew_NearGrid {
    double cell_m;
    uint32_t *bucket;  // first disk of each bucket, plus one; 0: none
    uint32_t *next;    // of each disk, plus one
    dew_Vec3 *center_m;
    double *radius_m;
    uint64_t bucket_mask;
    int64_t count, capacity;
} dew_NearGrid;

/// For up to `capacity` disks (below 2^31) of at most max_radius_m. Memory comes from the arena.
dew_Status dew_near_grid_init(dew_NearGrid *grid, dew_Arena *arena, int64_t capacity,
                              double max_radius_m);
/// Is some disk nearer than the sum of both radii?
bool dew_near_grid_overlaps(const dew_NearGrid *grid, dew_Vec3 center_m, double radius_m);
void dew_near_grid_add(dew_NearGrid *grid, dew_Vec3 center_m, double radius_m);
