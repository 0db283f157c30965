// Numbers of binary files. Loads go byte by byte, so neither alignment nor the host's order
// matters.
#include "io/scalar.h"

#include "io/slice.h"

size_t dew_scalar_size(dew_ScalarType type)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return sizes[type];
}

static float get_float(const uint8_t *at, bool is_big_endian)
{
    uint32_t bits =
        (uint32_t)(is_big_endian ? dew_bytes_get(at, 4, true) : dew_bytes_get(at, 4, false));
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double get_double(const uint8_t *at, bool is_big_endian)
{
    uint64_t bits = is_big_endian ? dew_bytes_get(at, 8, true) : dew_bytes_get(at, 8, false);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double dew_scalar_number(const uint8_t *at, dew_ScalarType type, bool is_big_endian)
{
    if (type == DEW_FLOAT32)
        return (double)get_float(at, is_big_endian);
    if (type == DEW_FLOAT64)
        return get_double(at, is_big_endian);
    if (type == DEW_UINT64)
        return (double)dew_bytes_get(at, 8, is_big_endian);
    int64_t x = 0;
    dew_scalar_integer(at, type, is_big_endian, &x);
    return (double)x;
}

bool dew_scalar_integer(const uint8_t *at, dew_ScalarType type, bool is_big_endian, int64_t *out)
{
    bool big = is_big_endian;
    switch (type) {
    case DEW_INT8:
        *out = (int8_t)at[0];
        return true;
    case DEW_UINT8:
        *out = at[0];
        return true;
    case DEW_INT16:
        *out = (int16_t)dew_bytes_get(at, 2, big);
        return true;
    case DEW_UINT16:
        *out = (int64_t)dew_bytes_get(at, 2, big);
        return true;
    case DEW_INT32:
        *out = (int32_t)(big ? dew_bytes_get(at, 4, true) : dew_bytes_get(at, 4, false));
        return true;
    case DEW_UINT32:
        *out = (int64_t)(big ? dew_bytes_get(at, 4, true) : dew_bytes_get(at, 4, false));
        return true;
    case DEW_INT64:
        *out = (int64_t)dew_bytes_get(at, 8, big);
        return true;
    case DEW_UINT64: {
        uint64_t x = dew_bytes_get(at, 8, big);
        *out = (int64_t)x;
        return x <= INT64_MAX;
    }
    case DEW_FLOAT32:
    case DEW_FLOAT64:
        break;
    }
    double x = type == DEW_FLOAT32 ? (double)get_float(at, big) : get_double(at, big);
    return dew_double_integer(x, out);
}
