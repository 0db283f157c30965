// Even points for the first decisions of a path.
//
// Scrambling by a hash that lets each bit depend on the bits above it only (of the reversed
// number): a nested uniform scramble, after [Burley2020].
#include "render/ray/sampler.h"

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static uint32_t reverse(uint32_t x)
{
    x = __builtin_bswap32(x);
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}

static uint32_t scramble(uint32_t x, uint32_t seed)
{
    x = reverse(x);
    x ^= x * 0x3d20adeau;
    x += seed;
    x *= (seed >> 16) | 1;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return reverse(x);
}

// The second coordinate of the sequence; the first is the reversed index.
static uint32_t second(uint32_t index)
{
    uint32_t x = 0;
    for (uint32_t v = 1u << 31; index; index >>= 1, v ^= v >> 1)
        if (index & 1)
            x ^= v;
    return x;
}

dew_Sampler dew_sampler(uint64_t seed, uint64_t frame, uint64_t pixel, uint32_t index)
{
    dew_Sampler sampler = {.index = index};
    // The key of a path: its pixel and sample; the frame joins the seed.
    uint64_t key = seed + frame * 0x9e3779b97f4a7c15u;
    sampler.random = dew_random(key, pixel, index);
    sampler.seed = mix((uint32_t)pixel ^ mix((uint32_t)(pixel >> 32) ^ (uint32_t)key) ^
                       (uint32_t)(key >> 32) * 0x9e3779b1u);
    return sampler;
}

void dew_sampler_pair(dew_Sampler *sampler, float *u, float *v)
{
    uint32_t pair = sampler->pair++;
    if (pair >= DEW_EVEN_PAIRS) {
        *u = dew_sampler_one(sampler);
        *v = dew_sampler_one(sampler);
        return;
    }
    uint32_t seed = mix(sampler->seed + pair * 0x9e3779b9u);
    uint32_t index = scramble(sampler->index, seed);
    *u = (float)(scramble(reverse(index), mix(seed ^ 0x68bc21ebu)) >> 8) * 0x1p-24f;
    *v = (float)(scramble(second(index), mix(seed ^ 0x02e5be93u)) >> 8) * 0x1p-24f;
}
