// Random numbers from a counter: Philox4x32-10 [Salmon2011], section 3.3 and table 2.
#include "support/keyed_random.h"

// The finalizer of SplitMix64 [Steele2014], which makes a key of a seed.
static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

double dew_app_keyed_random(uint64_t seed, uint64_t id, uint64_t step)
{
    uint64_t mixed = mix(seed + (step >> 32) * UINT64_C(0x9e3779b97f4a7c15));
    uint32_t c[4] = {0, (uint32_t)step, (uint32_t)id, (uint32_t)(id >> 32)};
    uint32_t key[2] = {(uint32_t)mixed, (uint32_t)(mixed >> 32)};
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xd2511f53u * c[0], p1 = (uint64_t)0xcd9e8d57u * c[2];
        c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ key[0];
        c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ key[1];
        c[1] = (uint32_t)p1;
        c[3] = (uint32_t)p0;
        key[0] += 0x9e3779b9u;
        key[1] += 0xbb67ae85u;
    }
    return (double)(((uint64_t)c[0] << 32 | c[1]) >> 11) * 0x1p-53;
}
