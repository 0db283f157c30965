/// Content hash: XXH3, 64 bits (xxHash). For checksums and determinism, not against malice.
#pragma once

#include "dew/base.h"

uint64_t dew_hash(const void *data, size_t size, uint64_t seed);
