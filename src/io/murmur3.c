// MurmurHash3_x64_128 [Appleby2011] with seed 0: blocks of two words, the rest padded by zeros.
//
// c1, c2, the rotations and the two finalisation factors are the hash's own; another value would be
// another hash.
#include "io/murmur3.h"

#include "io/scalar.h"

static const uint64_t c1 = 0x87c37b91114253d5, c2 = 0x4cf5ad432745937f;

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t scramble_low(uint64_t k)
{
    return rotate(k * c1, 31) * c2;
}

static uint64_t scramble_high(uint64_t k)
{
    return rotate(k * c2, 33) * c1;
}

// Each bit of x changes each bit of the result with probability 1/2.
static uint64_t finalize(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
    return x ^ x >> 33;
}

void dew_murmur3(const void *data, size_t size, uint64_t digest[2])
{
    const uint8_t *at = (const uint8_t *)data;
    size_t rest = size % 16;
    uint64_t low = 0, high = 0;
    for (size_t block = 0; block < size / 16; block++, at += 16) {
        low = rotate(low ^ scramble_low(dew_bytes_get(at, 8, false)), 27) + high;
        low = low * 5 + 0x52dce729;
        high = rotate(high ^ scramble_high(dew_bytes_get(at + 8, 8, false)), 31) + low;
        high = high * 5 + 0x38495ab5;
    }
    if (rest > 8)
        high ^= scramble_high(dew_bytes_get(at + 8, rest - 8, false));
    if (rest > 0)
        low ^= scramble_low(dew_bytes_get(at, rest < 8 ? rest : 8, false));
    low ^= size;
    high ^= size;
    low += high;
    high += low;
    low = finalize(low);
    high = finalize(high);
    digest[0] = low + high;
    digest[1] = high + digest[0];
}
