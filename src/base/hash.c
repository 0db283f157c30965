// Content hash by the headers of xxHash, compiled in: no library to link.
#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t dew_hash(const void *data, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(data, size, seed);
}
