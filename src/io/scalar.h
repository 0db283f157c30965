/// Numbers as binary files store them: ten types, either byte order, any alignment.
#pragma once

#include "dew/base.h"

#include <string.h>

typedef enum dew_ScalarType {
    DEW_INT8,
    DEW_UINT8,
    DEW_INT16,
    DEW_UINT16,
    DEW_INT32,
    DEW_UINT32,
    DEW_INT64,
    DEW_UINT64,
    DEW_FLOAT32,
    DEW_FLOAT64,
} dew_ScalarType;

size_t dew_scalar_size(dew_ScalarType type);

/// The value at `at`; integers beyond 2^53 are rounded.
double dew_scalar_number(const uint8_t *at, dew_ScalarType type, bool is_big_endian);
/// The value as an integer; false when it is none, or does not fit.
bool dew_scalar_integer(const uint8_t *at, dew_ScalarType type, bool is_big_endian, int64_t *out);

/// Unsigned integers of `size` bytes. Compilers turn the constant cases into one load.
static inline uint64_t dew_bytes_get(const uint8_t *at, size_t size, bool is_big_endian)
{
    uint64_t x = 0;
    for (size_t i = 0; i < size; i++)
        x = x << 8 | at[is_big_endian ? i : size - 1 - i];
    return x;
}

static inline void dew_bytes_put32(uint8_t *at, uint32_t x)  // little endian
{
    for (size_t i = 0; i < 4; i++)
        at[i] = (uint8_t)(x >> 8 * i);
}

static inline void dew_bytes_put64(uint8_t *at, uint64_t x)  // little endian
{
    for (size_t i = 0; i < 8; i++)
        at[i] = (uint8_t)(x >> 8 * i);
}

static inline void dew_bytes_put_float(uint8_t *at, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    dew_bytes_put32(at, bits);
}

static inline void dew_bytes_put_double(uint8_t *at, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    dew_bytes_put64(at, bits);
}
