/// Sets of cells as bits: cell (i, j, k) of a brick is bit i + 8 j of word k.
///
/// A step along an axis is a shift, so that what a cell's neighbours are is asked for 64 cells at once, and loops run over
/// the few cells that matter. In two dimensions only the first word is used.
#pragma once

#include "base/status.h"
#include "grid/brick.h"

#include <string.h>

typedef struct dew_BrickBits {
    uint64_t layer[DEW_BRICK];
} dew_BrickBits;

#define DEW_BITS_FIRST UINT64_C(0x0101010101010101)  // i = 0; of eight bytes the lowest bits

/// The lowest bits of eight bytes as one.
static inline uint64_t dew_bits_pack(uint64_t bytes)
{
    return (bytes * UINT64_C(0x0102040810204080)) >> 56;
}
/// Eight bits as bytes of 0 and 1.
static inline uint64_t dew_bits_spread(uint64_t bits)
{
    uint64_t apart = ((bits & 255) * DEW_BITS_FIRST) & UINT64_C(0x8040201008040201);
    return ((apart + 0x7f * DEW_BITS_FIRST) >> 7) & DEW_BITS_FIRST;
}
/// One bit of each of 64 bytes.
static inline uint64_t dew_bits_plane(const uint8_t *bytes, int bit)
{
    uint64_t bits = 0, eight;
    for (int j = 0; j < 8; j++) {
        memcpy(&eight, bytes + 8 * j, sizeof eight);
        bits |= dew_bits_pack((eight >> bit) & DEW_BITS_FIRST) << 8 * j;
    }
    return bits;
}
/// Which of 64 bytes are not 0.
static inline uint64_t dew_bits_used(const uint8_t *bytes)
{
    uint64_t bits = 0, eight;
    for (int j = 0; j < 8; j++) {
        memcpy(&eight, bytes + 8 * j, sizeof eight);
        uint64_t low = 0x7f * DEW_BITS_FIRST, top = ((eight & low) + low) | eight;
        bits |= dew_bits_pack((top >> 7) & DEW_BITS_FIRST) << 8 * j;
    }
    return bits;
}

/// The bricks on the six sides, in a table of neighbours.
static const int dew_bits_near[6] = {12, 14, 10, 16, 4, 22};

/// Of layer k of a brick: cells whose neighbour on that side (lower x, upper x, lower y, ...) is in the set. Nothing
/// is in missing bricks. near: the brick's neighbours.
static inline uint64_t dew_bits_beside(const dew_BrickBits *set, const int32_t *near, int depth,
                                       int side, int k)
{
    DEW_ASSERT(side >= 0 && side < 6);
    const uint64_t last = DEW_BITS_FIRST << 7, *own = set[near[13]].layer;
    int32_t n = near[dew_bits_near[side]];
    if (side == 4 && k > 0)
        return own[k - 1];
    if (side == 5 && k < depth - 1)
        return own[k + 1];
    uint64_t there = n < 0 ? 0 : set[n].layer[side == 4 ? depth - 1 : side == 5 ? 0 : k];
    switch (side) {
    case 0:
        return (own[k] << 1 & ~DEW_BITS_FIRST) | (there >> 7 & DEW_BITS_FIRST);
    case 1:
        return (own[k] >> 1 & ~last) | (there << 7 & last);
    case 2:
        return own[k] << 8 | there >> 56;
    case 3:
        return own[k] >> 8 | there << 56;
    default:
        return there;
    }
}

/// Takes the lowest cell out of a layer's set, which has one; its number in the layer.
static inline int dew_bits_take(uint64_t *layer)
{
    int n = __builtin_ctzll(*layer);
    *layer &= *layer - 1;
    return n;
}

/// Index in a field of the neighbour of cell n of a brick on that side, whose brick is there.
static inline int64_t dew_bits_index(const dew_Grid *grid, const int32_t *near, int n, int side)
{
    int shift = 3 * (side / 2), place = n >> shift & 7, stride = 1 << shift;
    int last = side / 2 == 2 ? grid->depth - 1 : DEW_BRICK - 1;
    bool is_up = side & 1;
    if (is_up ? place < last : place > 0)
        return (int64_t)near[13] * grid->brick_cells + n + (is_up ? stride : -stride);
    return (int64_t)near[dew_bits_near[side]] * grid->brick_cells + n +
           (is_up ? -last * stride : last * stride);
}

/// The box of a brick's cells in the set, [lo, hi]; false: there are none.
static inline bool dew_bits_box(const dew_BrickBits *set, int depth, int lo[3], int hi[3])
{
    uint64_t any = 0, row = 0;
    for (int k = 0; k < depth; k++) {
        if (!set->layer[k])
            continue;
        lo[2] = any ? lo[2] : k;
        hi[2] = k;
        any |= set->layer[k];
    }
    if (!any)
        return false;
    for (int j = 0; j < DEW_BRICK; j++)
        row |= any >> 8 * j & 255;
    lo[0] = __builtin_ctzll(row);
    hi[0] = 63 - __builtin_clzll(row);
    lo[1] = __builtin_ctzll(any) / DEW_BRICK;
    hi[1] = (63 - __builtin_clzll(any)) / DEW_BRICK;
    return true;
}

/// Lets a set grow by so many cells (shrink, where that is negative) along each axis in turn, and so by cubes. Nothing is in
/// missing bricks, nor does anything go through them. *spare is as large; the two may change places.
void dew_bits_grow(const dew_Grid *grid, int cells, dew_BrickBits **set, dew_BrickBits **spare);
