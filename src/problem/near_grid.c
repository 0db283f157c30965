// Disks that must not overlap. Cells are as wide as the widest disk, so that two disks that overlap
// are in the same cell or in neighbouring ones.
#include "problem/near_grid.h"

#include "base/hash.h"
#include "base/status.h"
#include "geom/rounding.h"

dew_Status dew_near_grid_init(dew_NearGrid *grid, dew_Arena *arena, int64_t capacity,
                              double max_radius_m)
{
    int64_t buckets = 16;
    while (buckets < 2 * capacity)
        buckets *= 2;
    *grid = (dew_NearGrid){
        .cell_m = 2 * max_radius_m,
        .bucket = dew_arena_array(arena, uint32_t, buckets),
        .next = dew_arena_array(arena, uint32_t, capacity),
        .center_m = dew_arena_array(arena, dew_Vec3, capacity),
        .radius_m = dew_arena_array(arena, double, capacity),
        .bucket_mask = (uint64_t)buckets - 1,
        .capacity = capacity,
    };
    if (!grid->bucket || !grid->next || !grid->center_m || !grid->radius_m)
        return dew_no_memory((size_t)buckets * sizeof(uint32_t) + (size_t)capacity * 36);
    return dew_ok();
}

// Cell numbers stay doubles: far from the origin they may exceed any integer.
static uint64_t bucket_of(const dew_NearGrid *grid, const double cell[3])
{
    return dew_hash(cell, 3 * sizeof(double), 0) & grid->bucket_mask;
}

static void cell_of(const dew_NearGrid *grid, dew_Vec3 p, double cell[3])
{
    // + 0: minus zero and zero are the same cell, and must have the same bytes.
    cell[0] = floor(p.x / grid->cell_m) + 0.0;
    cell[1] = floor(p.y / grid->cell_m) + 0.0;
    cell[2] = floor(p.z / grid->cell_m) + 0.0;
}

bool dew_near_grid_overlaps(const dew_NearGrid *grid, dew_Vec3 center_m, double radius_m)
{
    double middle[3];
    cell_of(grid, center_m, middle);
    for (int k = 0; k < 27; k++) {
        int i = k % 3 - 1, j = k / 3 % 3 - 1, l = k / 9 - 1;
        double cell[3] = {middle[0] + i + 0.0, middle[1] + j + 0.0, middle[2] + l + 0.0};
        for (uint32_t d = grid->bucket[bucket_of(grid, cell)]; d != 0; d = grid->next[d - 1]) {
            if (dew_distance(grid->center_m[d - 1], center_m) < grid->radius_m[d - 1] + radius_m)
                return true;
        }
    }
    return false;
}

void dew_near_grid_add(dew_NearGrid *grid, dew_Vec3 center_m, double radius_m)
{
    DEW_ASSERT(grid->count < grid->capacity && 2 * radius_m <= grid->cell_m * (1 + DEW_ROUNDING));
    double cell[3];
    cell_of(grid, center_m, cell);
    uint32_t *bucket = &grid->bucket[bucket_of(grid, cell)];
    grid->center_m[grid->count] = center_m;
    grid->radius_m[grid->count] = radius_m;
    grid->next[grid->count] = *bucket;
    *bucket = (uint32_t)++grid->count;
}
