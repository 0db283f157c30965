/// Half precision (IEEE 754 binary16): 11 bits of mantissa, from 2^-24 to 65504.
#pragma once

#include <stdint.h>
#include <string.h>

/// The smallest difference of two numbers next to zero: 2^-24.
#define DEW_HALF_STEP 0x1p-24

/// The nearest half; of two, the even one. Beyond 65504: infinity.
static inline uint16_t dew_half_of(float x)
{
    uint32_t bits, half, rest, middle;
    memcpy(&bits, &x, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000u;
    bits &= 0x7fffffffu;
    if (bits > 0x7f800000u)
        return (uint16_t)(sign | 0x7e00u);  // NaN
    if (bits >= 0x477ff000u)
        return (uint16_t)(sign | 0x7c00u);
    if (bits < 0x33000000u)
        return (uint16_t)sign;  // below 2^-25
    if (bits < 0x38800000u) {   // below 2^-14: a multiple of 2^-24
        uint32_t shift = 126 - (bits >> 23), mantissa = (bits & 0x7fffffu) | 0x800000u;
        half = mantissa >> shift;
        middle = 1u << (shift - 1);
        rest = mantissa & ((1u << shift) - 1);
    } else {
        half = (bits - 0x38000000u) >> 13;
        middle = 0x1000u;
        rest = bits & 0x1fffu;
    }
    half += rest > middle || (rest == middle && (half & 1));
    return (uint16_t)(sign | half);
}
