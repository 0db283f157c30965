// Equal points by hashing: open addressing, linear probing, at most half full.
#include "io/weld.h"

#include "io/mesh_build.h"

#include <string.h>

void dew_weld_init(dew_Weld *weld, dew_Array *positions, const dew_Allocator *allocator)
{
    *weld = (dew_Weld){.positions = positions};
    if (allocator)
        weld->allocator = *allocator;
}

void dew_weld_deinit(dew_Weld *weld)
{
    if (weld->slots)
        dew_free(&weld->allocator, weld->slots, weld->slot_count * sizeof *weld->slots);
    weld->slots = NULL;
    weld->slot_count = 0;
}

// Adding zero turns -0 into +0, which compares equal and so must hash equal.
static uint64_t hash_point(dew_Vec3 p)
{
    double x[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0};
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        // Multiply and fold: low bits of the hash choose the slot, and floats differ in high bits.
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static void place(uint32_t *slots, uint64_t slot_count, dew_Vec3 point, uint32_t index)
{
    uint64_t slot = hash_point(point) & (slot_count - 1);
    while (slots[slot])
        slot = (slot + 1) & (slot_count - 1);
    slots[slot] = index + 1;
}

static bool grow(dew_Weld *weld)
{
    uint64_t slot_count = weld->slot_count ? 2 * weld->slot_count : 256;
    uint32_t *slots = dew_alloc(&weld->allocator, (int64_t)slot_count, sizeof *slots);
    if (!slots)
        return false;
    const dew_Vec3 *points = DEW_ITEMS(weld->positions, const dew_Vec3);
    for (int64_t i = 0; i < weld->positions->count; i++)
        place(slots, slot_count, points[i], (uint32_t)i);
    dew_weld_deinit(weld);
    weld->slots = slots;
    weld->slot_count = slot_count;
    return true;
}

bool dew_weld_point(dew_Weld *weld, dew_Vec3 point, uint32_t *index)
{
    dew_Array *positions = weld->positions;
    if ((uint64_t)positions->count * 2 >= weld->slot_count && !grow(weld))
        return false;
    uint64_t slot = hash_point(point) & (weld->slot_count - 1);
    for (; weld->slots[slot]; slot = (slot + 1) & (weld->slot_count - 1)) {
        *index = weld->slots[slot] - 1;
        dew_Vec3 other = DEW_ITEMS(positions, const dew_Vec3)[*index];
        if (other.x == point.x && other.y == point.y && other.z == point.z)
            return true;
    }
    if (positions->count >= UINT32_MAX - 1)
        return false;
    if (positions->count == positions->capacity && !dew_build_grow(positions))
        return false;
    *index = (uint32_t)positions->count;
    DEW_ITEMS(positions, dew_Vec3)[positions->count++] = point;
    weld->slots[slot] = *index + 1;
    return true;
}
