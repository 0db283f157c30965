// Wetting history as a hash table of cubes: open addressing, linear probing, doubled when half
// full.
#include "problem/wet_ground.h"

#include "base/status.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define FIRST_SIZE 1024
#define CELL_BITS  (CHAR_BIT * sizeof(uint64_t) / 4)  // the solid and three coordinates share a key

void dew_wet_ground_init(dew_WetGround *ground, const dew_Allocator *allocator, double cube_m)
{
    *ground = (dew_WetGround){.cube_m = cube_m};
    dew_array_init(&ground->keys, allocator, sizeof(uint64_t));
    dew_array_init(&ground->times, allocator, sizeof(double));
}

void dew_wet_ground_deinit(dew_WetGround *ground)
{
    dew_array_deinit(&ground->keys);
    dew_array_deinit(&ground->times);
}

/// Never 0. Cubes 2^16 apart share a key: farther than any drop gets in a scene of that edge
/// length.
static uint64_t key_of(const dew_WetGround *ground, int solid_id, dew_Vec3 rest_m)
{
    const double c[3] = {rest_m.x / ground->cube_m, rest_m.y / ground->cube_m,
                         rest_m.z / ground->cube_m};
    uint64_t key = (uint64_t)solid_id + 1;
    for (int k = 0; k < 3; k++)
        key = key << CELL_BITS | ((uint64_t)(int64_t)floor(c[k]) & ((1u << CELL_BITS) - 1));
    return key;
}

/// The key's place, or the empty one where it belongs.
static int64_t find(const dew_WetGround *ground, uint64_t key)
{
    const uint64_t *keys = DEW_ITEMS(&ground->keys, uint64_t);
    uint64_t mask = (uint64_t)ground->keys.count - 1;
    uint64_t i = (key * 0x9E3779B97F4A7C15u) >> 20 & mask;
    while (keys[i] != 0 && keys[i] != key)
        i = (i + 1) & mask;
    return (int64_t)i;
}

static dew_Status grow(dew_WetGround *ground, const dew_Allocator *allocator)
{
    dew_WetGround larger;
    dew_wet_ground_init(&larger, allocator, ground->cube_m);
    int64_t size = ground->keys.count > 0 ? 2 * ground->keys.count : FIRST_SIZE;
    dew_Status status = dew_array_resize(&larger.keys, size);
    if (status.code == DEW_OK)
        status = dew_array_resize(&larger.times, size);
    if (status.code != DEW_OK) {
        dew_wet_ground_deinit(&larger);
        return status;
    }
    for (int64_t i = 0; i < ground->keys.count; i++) {
        uint64_t key = DEW_ITEMS(&ground->keys, uint64_t)[i];
        if (key == 0)
            continue;
        int64_t to = find(&larger, key);
        DEW_ITEMS(&larger.keys, uint64_t)[to] = key;
        DEW_ITEMS(&larger.times, double)[to] = DEW_ITEMS(&ground->times, double)[i];
        larger.used++;
    }
    dew_wet_ground_deinit(ground);
    *ground = larger;
    return dew_ok();
}

dew_Status dew_wet_ground_put(dew_WetGround *ground, int solid_id, dew_Vec3 rest_m, double time_s)
{
    if (2 * (ground->used + 1) > ground->keys.count) {
        dew_Allocator allocator = ground->keys.allocator;
        DEW_TRY(grow(ground, &allocator));
    }
    uint64_t key = key_of(ground, solid_id, rest_m);
    int64_t i = find(ground, key);
    ground->used += DEW_ITEMS(&ground->keys, uint64_t)[i] == 0;
    DEW_ITEMS(&ground->keys, uint64_t)[i] = key;
    DEW_ITEMS(&ground->times, double)[i] = time_s;
    return dew_ok();
}

static double time_at(const dew_WetGround *ground, int solid_id, dew_Vec3 rest_m)
{
    int64_t i = find(ground, key_of(ground, solid_id, rest_m));
    return DEW_ITEMS(&ground->keys, uint64_t)[i] == 0 ? -HUGE_VAL
                                                      : DEW_ITEMS(&ground->times, double)[i];
}

double dew_wet_ground_time_s(const dew_WetGround *ground, const dew_Problem *problem,
                             const dew_Instant *instant, int solid_id, dew_Vec3 point_m)
{
    if (ground->keys.count == 0)
        return -HUGE_VAL;
    return time_at(ground, solid_id, dew_problem_to_rest(problem, instant, solid_id, point_m));
}

double dew_wet_ground_near_s(const dew_WetGround *ground, int solid_id, dew_Vec3 rest_m)
{
    double last_s = -HUGE_VAL, away = ground->cube_m / 4;
    // A surface that lies between two cubes is noted now in one of them, now in the other.
    for (int corner = 0; ground->keys.count > 0 && corner < 8; corner++) {
        dew_Vec3 at = {rest_m.x + (corner & 1 ? away : -away),
                       rest_m.y + (corner & 2 ? away : -away),
                       rest_m.z + (corner & 4 ? away : -away)};
        last_s = fmax(last_s, time_at(ground, solid_id, at));
    }
    return last_s;
}

dew_Status dew_wet_ground_restored(dew_WetGround *ground)
{
    int64_t count = ground->keys.count;
    if (count != ground->times.count || (count & (count - 1)) != 0)
        return dew_fail(DEW_CORRUPT, "the table of wetted places has an impossible size");
    ground->used = 0;
    for (int64_t i = 0; i < count; i++)
        ground->used += DEW_ITEMS(&ground->keys, uint64_t)[i] != 0;
    if (2 * ground->used > count)
        return dew_fail(DEW_CORRUPT, "the table of wetted places is too full");
    return dew_ok();
}
