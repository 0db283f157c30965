// Marching cubes of samples in bricks, found by their coordinates through a hash table.
//
// Where a brick has an inside node at a lower border and no neighbour there, a brick without
// samples is added: cells at that border belong to it.
#include "base/status.h"
#include "surface/marching_set.h"

#define MAX_COORD (INT32_MAX / 16)  // of a brick: node numbers stay within 32 bits

typedef struct BrickSource {
    dew_NodeBricks bricks;
    double iso;              // as the samples' type can hold it
    dew_MarchingBrick *all;  // those with samples, then those added
    int64_t all_count;
    int32_t *table;  // open addressing: index into `all`, or DEW_INVALID
    uint64_t slot_mask;
} BrickSource;

static uint64_t hash_coord(const int32_t coord[3])
{
    uint64_t h = (uint32_t)coord[0] * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29) ^ (uint32_t)coord[1]) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 32) ^ (uint32_t)coord[2]) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

static const int32_t *coord_of(const BrickSource *source, int64_t index)
{
    bool has_samples = index < source->bricks.brick_count;
    return has_samples ? source->bricks.coords[index] : source->all[index].coord;
}

// The slot of the brick at coord, or the free one where it would go.
static uint64_t slot_of(const BrickSource *source, const int32_t coord[3])
{
    uint64_t slot = hash_coord(coord) & source->slot_mask;
    while (source->table[slot] != DEW_INVALID) {
        const int32_t *other = coord_of(source, source->table[slot]);
        if (other[0] == coord[0] && other[1] == coord[1] && other[2] == coord[2])
            break;
        slot = (slot + 1) & source->slot_mask;
    }
    return slot;
}

static int64_t first_value(const BrickSource *source, int64_t b)
{
    return DEW_NODE_BRICK * (source->bricks.slots ? source->bricks.slots[b] : b);
}

static bool bricks_value(const void *source, int64_t brick_index, dew_MarchingNode node,
                         double *value)
{
    const BrickSource *from = (const BrickSource *)source;
    const int32_t *given = coord_of(from, brick_index);
    int32_t coord[3];
    int64_t local = 0;
    for (int axis = 2; axis >= 0; axis--) {
        int64_t inner = node.at[axis] & 7;
        coord[axis] = (int32_t)((node.at[axis] - inner) / 8);
        local = 8 * local + inner;
    }
    if (coord[0] != given[0] || coord[1] != given[1] || coord[2] != given[2])
        brick_index = from->table[slot_of(from, coord)];
    if (brick_index == DEW_INVALID || brick_index >= from->bricks.brick_count)
        return false;
    int64_t index = first_value(from, brick_index) + local;
    *value =
        (from->bricks.f32 ? (double)from->bricks.f32[index] : from->bricks.f64[index]) - from->iso;
    return true;
}

static dew_Status pack_bricks(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    BrickSource *source = (BrickSource *)context;
    uint8_t flags[DEW_NODE_BRICK];
    for (int64_t b = begin; b < end; b++) {
        dew_MarchingBrick *brick = &source->all[b];
        int64_t first = first_value(source, b);
        if (source->bricks.f32)
            dew_marching_flags_f32(source->bricks.f32 + first, DEW_NODE_BRICK, (float)source->iso,
                                   flags);
        else
            dew_marching_flags_f64(source->bricks.f64 + first, DEW_NODE_BRICK, source->iso, flags);
        for (int row = 0; row < 64; row++)
            brick->inside[row >> 3] |= dew_marching_pack(flags + 8 * row) << (8 * (row & 7));
    }
    return dew_ok();
}

// Has the brick inside nodes among those whose lower neighbours along the axes of n (1 x + 2 y + 4
// z) lie in another brick?
static bool touches_lower(const dew_MarchingBrick *brick, int n)
{
    uint64_t mask = UINT64_MAX, any = 0;
    if (n & 1)
        mask &= 0x0101010101010101u;
    if (n & 2)
        mask &= 0xffu;
    for (int k = 0; k < (n & 4 ? 1 : 8); k++)
        any |= brick->inside[k];
    return (any & mask) != 0;
}

static void lower_coord(const int32_t coord[3], int n, int32_t out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = coord[axis] - (n >> axis & 1);
}

// Never more than half full: at most seven bricks are added for each one given.
static dew_Status make_table(BrickSource *source, dew_Arena *scratch)
{
    const dew_NodeBricks *bricks = &source->bricks;
    int64_t slot_count = 16;
    while (slot_count < 16 * bricks->brick_count)
        slot_count *= 2;
    source->table = dew_arena_array(scratch, int32_t, slot_count);
    if (!source->table)
        return dew_no_memory((size_t)slot_count * sizeof(int32_t));
    source->slot_mask = (uint64_t)slot_count - 1;
    for (int64_t slot = 0; slot < slot_count; slot++)
        source->table[slot] = DEW_INVALID;
    for (int64_t b = 0; b < bricks->brick_count; b++) {
        const int32_t *coord = bricks->coords[b];
        for (int axis = 0; axis < 3; axis++) {
            if (coord[axis] < -MAX_COORD || coord[axis] > MAX_COORD)
                return dew_fail(DEW_BAD_INPUT, "brick %lld is at %d, out of [-%d, %d]",
                                (long long)b, coord[axis], MAX_COORD, MAX_COORD);
        }
        uint64_t slot = slot_of(source, coord);
        if (source->table[slot] != DEW_INVALID)
            return dew_fail(DEW_BAD_INPUT, "bricks %lld and %lld are both at (%d, %d, %d)",
                            (long long)source->table[slot], (long long)b, coord[0], coord[1],
                            coord[2]);
        source->table[slot] = (int32_t)b;
    }
    return dew_ok();
}

// Room for the bricks given and for every lower neighbour that none of them is.
static dew_Status make_bricks(BrickSource *source, dew_Arena *scratch)
{
    int64_t capacity = source->bricks.brick_count;
    for (int64_t b = 0; b < source->bricks.brick_count; b++) {
        for (int n = 1; n < 8; n++) {
            int32_t coord[3];
            lower_coord(source->bricks.coords[b], n, coord);
            capacity += source->table[slot_of(source, coord)] == DEW_INVALID;
        }
    }
    source->all = dew_arena_array(scratch, dew_MarchingBrick, capacity);
    if (!source->all)
        return dew_no_memory((size_t)capacity * sizeof(dew_MarchingBrick));
    for (int64_t b = 0; b < source->bricks.brick_count; b++)
        lower_coord(source->bricks.coords[b], 0, source->all[b].coord);
    source->all_count = source->bricks.brick_count;
    return dew_ok();
}

static void add_missing(BrickSource *source)
{
    for (int64_t b = 0; b < source->bricks.brick_count; b++) {
        const dew_MarchingBrick *brick = &source->all[b];
        for (int n = 1; n < 8; n++) {
            if (!touches_lower(brick, n))
                continue;
            int32_t coord[3];
            lower_coord(brick->coord, n, coord);
            uint64_t slot = slot_of(source, coord);
            if (source->table[slot] != DEW_INVALID)
                continue;
            lower_coord(coord, 0, source->all[source->all_count].coord);
            source->table[slot] = (int32_t)source->all_count++;
        }
    }
}

static dew_Status link_bricks(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    BrickSource *source = (BrickSource *)context;
    for (int64_t b = begin; b < end; b++) {
        dew_MarchingBrick *brick = &source->all[b];
        for (int n = 0; n < 8; n++) {
            int32_t coord[3] = {brick->coord[0] + (n & 1), brick->coord[1] + (n >> 1 & 1),
                                brick->coord[2] + (n >> 2)};
            brick->upper[n] = source->table[slot_of(source, coord)];
        }
    }
    return dew_ok();
}

static dew_Status run_bricks(BrickSource *source, const dew_MarchingDef *def, dew_Arena *scratch,
                             dew_MarchingOut out)
{
    if (source->bricks.brick_count >= INT32_MAX / 8)
        return dew_fail(DEW_UNSUPPORTED, "%lld bricks are too many for one surface",
                        (long long)source->bricks.brick_count);
    DEW_TRY(make_table(source, scratch));
    DEW_TRY(make_bricks(source, scratch));
    DEW_TRY(dew_parallel_for(def->tasks, source->bricks.brick_count, 64, pack_bricks, source));
    add_missing(source);
    DEW_TRY(dew_parallel_for(def->tasks, source->all_count, 256, link_bricks, source));
    dew_MarchingSet set = {.bricks = source->all,
                           .brick_count = source->all_count,
                           .origin_m = source->bricks.origin_m,
                           .spacing_m = source->bricks.spacing_m,
                           .value = bricks_value,
                           .source = source};
    return dew_marching_set_run(&set, def, scratch, out);
}

dew_Status dew_marching_cubes_bricks(const dew_NodeBricks *bricks, const dew_MarchingDef *def,
                                     dew_MarchingOut out)
{
    DEW_ASSERT((bricks->f32 == NULL) != (bricks->f64 == NULL) && bricks->spacing_m > 0);
    BrickSource source = {.bricks = *bricks,
                          .iso = bricks->f32 ? (double)(float)def->iso : def->iso};
    dew_MarchingScratch scratch;
    dew_marching_scratch_begin(&scratch, def, out);
    dew_Status status = run_bricks(&source, def, scratch.arena, out);
    dew_marching_scratch_end(&scratch);
    return status;
}
