// Marching cubes of a dense block of samples.
//
// The lattice of bricks begins one node before the block and ends at least one behind it: nodes
// there have no sample and count as outside, which closes the surface at the border.
#include "base/status.h"
#include "base/tasks.h"
#include "surface/marching_set.h"

#include <string.h>

#define SEGMENT DEW_CHUNK_ITEMS  // nodes of a row that are compared at a time; a multiple of 8

typedef struct BlockSource {
    dew_NodeBlock block;  // strides filled in
    double iso;           // as the samples' type can hold it
    dew_MarchingSet *set;
    int64_t bricks[3];  // along each axis
} BlockSource;

static bool block_value(const void *source, int64_t brick_index, dew_MarchingNode node,
                        double *value)
{
    (void)brick_index;
    const BlockSource *from = (const BlockSource *)source;
    const dew_NodeBlock *block = &from->block;
    int64_t x = node.at[0] - 1, y = node.at[1] - 1, z = node.at[2] - 1;
    if (x < 0 || y < 0 || z < 0 || x >= block->nx || y >= block->ny || z >= block->nz)
        return false;
    int64_t index = x + y * block->stride_y + z * block->stride_z;
    *value = (block->f32 ? (double)block->f32[index] : block->f64[index]) - from->iso;
    return true;
}

static int64_t brick_at(const BlockSource *source, int64_t bx, int64_t by, int64_t bz)
{
    if (bx >= source->bricks[0] || by >= source->bricks[1] || bz >= source->bricks[2])
        return DEW_INVALID;
    return bx + source->bricks[0] * (by + source->bricks[1] * bz);
}

static void link_brick(BlockSource *source, int64_t bx, int64_t by, int64_t bz)
{
    dew_MarchingBrick *brick = &source->set->bricks[brick_at(source, bx, by, bz)];
    brick->coord[0] = (int32_t)bx;
    brick->coord[1] = (int32_t)by;
    brick->coord[2] = (int32_t)bz;
    for (int n = 0; n < 8; n++)
        brick->upper[n] = (int32_t)brick_at(source, bx + (n & 1), by + (n >> 1 & 1), bz + (n >> 2));
}

// Bits of one row of samples, into row j of slice k of the bricks at `bricks`.
static void pack_row(const BlockSource *source, int64_t y, int64_t z, dew_MarchingBrick *bricks,
                     int j, int k)
{
    const dew_NodeBlock *block = &source->block;
    int64_t row = y * block->stride_y + z * block->stride_z;
    uint8_t flags[SEGMENT];
    for (int64_t begin = 0; begin < 8 * source->bricks[0]; begin += SEGMENT) {
        int64_t length = 8 * source->bricks[0] - begin;
        length = length < SEGMENT ? length : SEGMENT;
        int64_t first = begin == 0 ? 0 : begin - 1;  // sample at lattice node begin, or the next
        int64_t last = begin + length - 1 < block->nx ? begin + length - 1 : block->nx;
        int64_t skip = first + 1 - begin;
        memset(flags, 0, (size_t)length);
        if (block->f32)
            dew_marching_flags_f32(block->f32 + row + first, last - first, (float)source->iso,
                                   flags + skip);
        else
            dew_marching_flags_f64(block->f64 + row + first, last - first, source->iso,
                                   flags + skip);
        for (int64_t x = 0; x < length; x += 8)
            bricks[(begin + x) / 8].inside[k] |= dew_marching_pack(flags + x) << (8 * j);
    }
}

// A chunk is a row of bricks along x.
static dew_Status pack_bricks(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    BlockSource *source = (BlockSource *)context;
    for (int64_t row = begin; row < end; row++) {
        int64_t by = row % source->bricks[1], bz = row / source->bricks[1];
        for (int64_t bx = 0; bx < source->bricks[0]; bx++)
            link_brick(source, bx, by, bz);
        dew_MarchingBrick *bricks = &source->set->bricks[brick_at(source, 0, by, bz)];
        for (int k = 0; k < 8; k++) {
            for (int j = 0; j < 8; j++) {
                int64_t y = 8 * by + j - 1, z = 8 * bz + k - 1;
                if (y >= 0 && z >= 0 && y < source->block.ny && z < source->block.nz)
                    pack_row(source, y, z, bricks, j, k);
            }
        }
    }
    return dew_ok();
}

static dew_Status run_block(BlockSource *source, const dew_MarchingDef *def, dew_Arena *scratch,
                            dew_MarchingOut out)
{
    const dew_NodeBlock *block = &source->block;
    int64_t nodes[3] = {block->nx, block->ny, block->nz};
    double brick_count = 1;
    for (int axis = 0; axis < 3; axis++) {
        source->bricks[axis] = (nodes[axis] + 2 + 7) / 8;
        brick_count *= (double)source->bricks[axis];
    }
    if (brick_count >= INT32_MAX)
        return dew_fail(DEW_UNSUPPORTED, "a block of %g samples is too large for one surface",
                        512 * brick_count);
    dew_Vec3 origin = dew_add_scaled(block->origin_m, -block->spacing_m, dew_vec(1, 1, 1));
    dew_MarchingSet set = {.brick_count = (int64_t)brick_count,
                           .origin_m = origin,
                           .spacing_m = block->spacing_m,
                           .value = block_value,
                           .source = source};
    set.bricks = dew_arena_array(scratch, dew_MarchingBrick, set.brick_count);
    if (!set.bricks)
        return dew_no_memory((size_t)set.brick_count * sizeof(dew_MarchingBrick));
    source->set = &set;
    DEW_TRY(dew_parallel_for(def->tasks, source->bricks[1] * source->bricks[2], 1, pack_bricks,
                             source));
    return dew_marching_set_run(&set, def, scratch, out);
}

dew_Status dew_marching_cubes_block(const dew_NodeBlock *block, const dew_MarchingDef *def,
                                    dew_MarchingOut out)
{
    DEW_ASSERT((block->f32 == NULL) != (block->f64 == NULL));
    DEW_ASSERT(block->nx >= 1 && block->ny >= 1 && block->nz >= 1 && block->spacing_m > 0);
    BlockSource source = {.block = *block, .iso = block->f32 ? (double)(float)def->iso : def->iso};
    if (block->stride_y == 0)
        source.block.stride_y = block->nx;
    if (block->stride_z == 0)
        source.block.stride_z = block->nx * block->ny;
    dew_MarchingScratch scratch;
    dew_marching_scratch_begin(&scratch, def, out);
    dew_Status status = run_block(&source, def, scratch.arena, out);
    dew_marching_scratch_end(&scratch);
    return status;
}
