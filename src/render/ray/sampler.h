/// The random numbers of one path: a pure function of seed, frame, pixel and sample.
///
/// The first pairs are points of a (0, 2)-sequence, shuffled and scrambled anew for each pixel and
/// pair [Burley2020], so that the samples of a pixel fill lens, pixel and lights evenly; the others
/// come from base/random.h.
#pragma once

#include "base/random.h"

#define DEW_EVEN_PAIRS 10  // pairs from the sequence: about three bounces

typedef struct dew_Sampler {
    dew_Random random;
    uint32_t seed;   // of the pixel
    uint32_t index;  // of the sample
    uint32_t pair;
} dew_Sampler;

dew_Sampler dew_sampler(uint64_t seed, uint64_t frame, uint64_t pixel, uint32_t index);
/// Two numbers in [0, 1).
void dew_sampler_pair(dew_Sampler *sampler, float *u, float *v);
/// One number in [0, 1), from base/random.h.
static inline float dew_sampler_one(dew_Sampler *sampler)
{
    return (float)(dew_random_u32(&sampler->random) >> 8) * 0x1p-24f;
}
