/// MurmurHash3, the variant for 64-bit machines with 128 bits [Appleby2011]: Alembic keys each
/// array by it. Not against malice; hashes of our own are base/hash.h.
#pragma once

#include "dew/base.h"

void dew_murmur3(const void *data, size_t size, uint64_t digest[2]);
