/// Between the samples and marching cubes: any field as bricks of 8 x 8 x 8 nodes with a bit each.
///
/// marching_block.c and marching_bricks.c make a dew_MarchingSet from samples; marching_cubes.c
/// turns it into triangles. Private to these three.
#pragma once

#include "surface/marching_cubes.h"

/// A node by its place in the lattice; brick n holds nodes 8 n to 8 n + 7 along each axis.
typedef struct dew_MarchingNode {
    int64_t at[3];
} dew_MarchingNode;

/// The value of a node less iso; false: there is no sample. The node is mostly in the given brick.
typedef bool dew_MarchingValueFn(const void *source, int64_t brick_index, dew_MarchingNode node,
                                 double *value);

/// Bit i + 8 j of inside[k] belongs to node (i, j, k) of the brick.
typedef struct dew_MarchingBrick {
    uint64_t inside[8];
    int32_t coord[3];  // in bricks
    int32_t upper[8];  // the brick at coord + (n & 1, n >> 1 & 1, n >> 2); DEW_INVALID: none
} dew_MarchingBrick;

/// A cell and an edge belong to the brick of their lowest node. Every brick that has an inside node
/// at one of its lower borders has its neighbours there (with no inside node, if there are no
/// samples), so that each cell and edge with an inside node belongs to a brick of the set.
typedef struct dew_MarchingSet {
    dew_MarchingBrick *bricks;
    int64_t brick_count;
    dew_Vec3 origin_m;  // of node (0, 0, 0)
    double spacing_m;
    dew_MarchingValueFn *value;
    const void *source;
} dew_MarchingSet;

dew_Status dew_marching_set_run(const dew_MarchingSet *set, const dew_MarchingDef *def,
                                dew_Arena *scratch, dew_MarchingOut out);

/// The caller's arena, or one of its own with the allocator of the arrays to fill.
typedef struct dew_MarchingScratch {
    dew_Arena own;
    dew_Arena *arena;
    dew_ArenaMark mark;
} dew_MarchingScratch;

static inline void dew_marching_scratch_begin(dew_MarchingScratch *scratch,
                                              const dew_MarchingDef *def, dew_MarchingOut out)
{
    dew_arena_init(&scratch->own, &out.positions->allocator);
    scratch->arena = def->scratch ? def->scratch : &scratch->own;
    scratch->mark = dew_arena_mark(scratch->arena);
}
static inline void dew_marching_scratch_end(dew_MarchingScratch *scratch)
{
    dew_arena_rewind(scratch->arena, scratch->mark);
    dew_arena_deinit(&scratch->own);
}

/// flags[i] = is values[i] below iso? Compilers turn these loops into vector instructions.
static inline void dew_marching_flags_f32(const float *values, int64_t count, float iso,
                                          uint8_t *flags)
{
    for (int64_t i = 0; i < count; i++)
        flags[i] = values[i] < iso;
}
static inline void dew_marching_flags_f64(const double *values, int64_t count, double iso,
                                          uint8_t *flags)
{
    for (int64_t i = 0; i < count; i++)
        flags[i] = values[i] < iso;
}
/// Eight flags as bits of a byte, the first lowest: the product lines flag i up at bit 56 + i.
static inline uint64_t dew_marching_pack(const uint8_t flags[8])
{
    uint64_t bytes = 0;
    for (int i = 0; i < 8; i++)
        bytes |= (uint64_t)flags[i] << (8 * i);
    return (bytes * 0x0102040810204080u) >> 56;
}
