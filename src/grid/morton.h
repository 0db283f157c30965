/// Morton keys: the three coordinates of a brick, bit by bit in turn, as one 64-bit number.
///
/// Sorted by key, bricks that are near in space are near in memory, and the eight bricks below one
/// brick of the next coarser level are neighbours in the list: their keys agree but for the last
/// three bits. Coordinates may be negative: 2^20 is added to each, so they lie in [-2^20, 2^20).
#pragma once

#include "dew/base.h"

#define DEW_MORTON_BIAS (1 << 20)

// Bit n of x to bit 3 n.
static inline uint64_t dew_morton_spread(uint32_t x)
{
    uint64_t v = x & 0x1fffff;
    v = (v | v << 32) & 0x001f00000000ffff;
    v = (v | v << 16) & 0x001f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    return (v | v << 2) & 0x1249249249249249;
}

// Bit 3 n of v to bit n.
static inline uint32_t dew_morton_gather(uint64_t v)
{
    v &= 0x1249249249249249;
    v = (v | v >> 2) & 0x10c30c30c30c30c3;
    v = (v | v >> 4) & 0x100f00f00f00f00f;
    v = (v | v >> 8) & 0x001f0000ff0000ff;
    v = (v | v >> 16) & 0x001f00000000ffff;
    return (uint32_t)((v | v >> 32) & 0x1fffff);
}

static inline uint64_t dew_morton_key(const int32_t coord[3])
{
    return dew_morton_spread((uint32_t)(coord[0] + DEW_MORTON_BIAS)) |
           dew_morton_spread((uint32_t)(coord[1] + DEW_MORTON_BIAS)) << 1 |
           dew_morton_spread((uint32_t)(coord[2] + DEW_MORTON_BIAS)) << 2;
}

static inline void dew_morton_coord(uint64_t key, int32_t coord[3])
{
    for (int a = 0; a < 3; a++)
        coord[a] = (int32_t)dew_morton_gather(key >> a) - DEW_MORTON_BIAS;
}
