// Random numbers from a counter: Philox4x32-10 [Salmon2011], section 3.3 and table 2.
//
// The counter is (draw, low half of step, id); the key is the seed mixed with the high half of
// step. The mixing is one-to-one, so no two of the first 2^32 steps of a seed, and no two seeds at
// one step, share a stream. A stream has 2^34 words, then it repeats. Normal deviates and
// directions go through libm, so their last bits may differ from one libm to another.
#include "base/random.h"

#include <math.h>

void dew_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xd2511f53u * c0;
        uint64_t p1 = (uint64_t)0xcd9e8d57u * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

// The finalizer of SplitMix64 [Steele2014]: one-to-one on 64 bits, every input bit reaches all.
static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

dew_Random dew_random(uint64_t seed, uint64_t id, uint64_t step)
{
    return (dew_Random){.seed = seed, .id = id, .step = step};
}

uint32_t dew_random_u32(dew_Random *random)
{
    if (random->left == 0) {
        uint64_t mixed = mix(random->seed + (random->step >> 32) * UINT64_C(0x9e3779b97f4a7c15));
        uint32_t counter[4] = {random->draw, (uint32_t)random->step, (uint32_t)random->id,
                               (uint32_t)(random->id >> 32)};
        uint32_t key[2] = {(uint32_t)mixed, (uint32_t)(mixed >> 32)};
        dew_philox(counter, key, random->word);
        random->draw++;
        random->left = 4;
    }
    return random->word[4 - random->left--];
}

uint64_t dew_random_u64(dew_Random *random)
{
    uint64_t high = dew_random_u32(random);
    return high << 32 | dew_random_u32(random);
}

double dew_random_unit(dew_Random *random)
{
    return (double)(dew_random_u64(random) >> 11) * 0x1p-53;
}

double dew_random_range(dew_Random *random, double lo, double hi)
{
    double u = dew_random_unit(random);
    double x = lo * (1 - u) + hi * u;  // unlike lo + (hi - lo) u this cannot overflow
    if (x < lo)
        return lo;
    return x >= hi && hi > lo ? nextafter(hi, lo) : x;
}

double dew_random_normal(dew_Random *random)
{
    double u = 1 - dew_random_unit(random);  // (0, 1]: the logarithm is finite
    double v = dew_random_unit(random);
    return sqrt(-2 * log(u)) * cos(2 * DEW_PI * v);  // [BoxMuller1958]
}

dew_Vec3 dew_random_direction(dew_Random *random)
{
    // Archimedes: the height of a uniform point on the sphere is uniform.
    double z = 1 - 2 * dew_random_unit(random);
    double angle = 2 * DEW_PI * dew_random_unit(random);
    double r = sqrt((1 - z) * (1 + z));
    return (dew_Vec3){r * cos(angle), r * sin(angle), z};
}
