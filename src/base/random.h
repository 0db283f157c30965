/// Random numbers keyed by (seed, id, step): the n-th number of a key is a pure function, so it is
/// the same on any number of workers and after a restore. Philox4x32-10 [Salmon2011]. A key has
/// 2^34 words of 32 bits, then it repeats.
#pragma once

#include "dew/base.h"

typedef struct dew_Random {
    uint64_t seed, id, step;
    uint32_t draw;     // counts blocks of four words
    uint32_t word[4];  // the current block
    int left;          // words of it not yet used
} dew_Random;

/// The four words of counter and key.
void dew_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

dew_Random dew_random(uint64_t seed, uint64_t id, uint64_t step);
uint32_t dew_random_u32(dew_Random *random);
uint64_t dew_random_u64(dew_Random *random);
double dew_random_unit(dew_Random *random);                         // [0, 1), 53 bits
double dew_random_range(dew_Random *random, double lo, double hi);  // [lo, hi)
double dew_random_normal(dew_Random *random);                       // mean 0, deviation 1
dew_Vec3 dew_random_direction(dew_Random *random);                  // uniform on the unit sphere
