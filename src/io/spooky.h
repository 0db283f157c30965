/// SpookyHash V2, 128 bits [Jenkins2012]: Alembic sums up properties and objects by it. Not against
/// malice; hashes of our own are base/hash.h.
#pragma once

#include "dew/base.h"

/// Hash of a whole message, seeds 0.
void dew_spooky(const void *data, size_t size, uint64_t digest[2]);

/// Mixes `more` into `digest`: the last stage of the hash of a short message.
void dew_spooky_combine(uint64_t digest[2], const uint64_t more[2]);
