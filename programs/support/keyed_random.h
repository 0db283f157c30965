/// Random numbers for programs, keyed: a pure function of three integers, as the library has them.
#pragma once

#include <stdint.h>

/// A number in [0, 1) with 53 bits, by Philox4x32-10 [Salmon2011].
double dew_app_keyed_random(uint64_t seed, uint64_t id, uint64_t step);
