/// Three floats by value: colours, and points and directions of what is only looked at.
#pragma once

#include "geom/vec.h"

/// The smaller and the larger, inline; not made for NaN.
static inline float dew_minf(float a, float b)
{
    return a < b ? a : b;
}
static inline float dew_maxf(float a, float b)
{
    return a > b ? a : b;
}

typedef struct dew_Float3 {
    float x, y, z;
} dew_Float3;

static inline dew_Float3 dew_f3(float x, float y, float z)
{
    return (dew_Float3){x, y, z};
}
static inline dew_Float3 dew_f3_all(float x)
{
    return (dew_Float3){x, x, x};
}
static inline dew_Float3 dew_f3_from(dew_Vec3 a)
{
    return (dew_Float3){(float)a.x, (float)a.y, (float)a.z};
}
static inline dew_Vec3 dew_f3_wide(dew_Float3 a)
{
    return (dew_Vec3){(double)a.x, (double)a.y, (double)a.z};
}
static inline dew_Float3 dew_f3_add(dew_Float3 a, dew_Float3 b)
{
    return (dew_Float3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline dew_Float3 dew_f3_sub(dew_Float3 a, dew_Float3 b)
{
    return (dew_Float3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline dew_Float3 dew_f3_mul(dew_Float3 a, dew_Float3 b)
{
    return (dew_Float3){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline dew_Float3 dew_f3_scale(float s, dew_Float3 a)
{
    return (dew_Float3){s * a.x, s * a.y, s * a.z};
}
/// a + s b
static inline dew_Float3 dew_f3_add_scaled(dew_Float3 a, float s, dew_Float3 b)
{
    return (dew_Float3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
/// (1 - t) a + t b
static inline dew_Float3 dew_f3_mix(dew_Float3 a, dew_Float3 b, float t)
{
    return (dew_Float3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}
static inline float dew_f3_inner(dew_Float3 a, dew_Float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline dew_Float3 dew_f3_cross(dew_Float3 a, dew_Float3 b)
{
    return (dew_Float3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline float dew_f3_length2(dew_Float3 a)
{
    return dew_f3_inner(a, a);
}
static inline dew_Float3 dew_f3_unit(dew_Float3 a)
{
    float length2 = dew_f3_inner(a, a);
    return length2 > 0 ? dew_f3_scale(1 / sqrtf(length2), a) : a;
}
static inline float dew_f3_max(dew_Float3 a)
{
    return dew_maxf(a.x, dew_maxf(a.y, a.z));
}
/// Luminance of linear sRGB.
static inline float dew_luminance(dew_Float3 a)
{
    return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z;
}

/// Two unit vectors that make a right-handed frame with the unit vector n [Duff2017].
static inline void dew_f3_frame(dew_Float3 n, dew_Float3 *t, dew_Float3 *b)
{
    float sign = copysignf(1.0f, n.z);
    float p = -1 / (sign + n.z), q = n.x * n.y * p;
    *t = dew_f3(1 + sign * n.x * n.x * p, sign * q, -sign * n.x);
    *b = dew_f3(q, sign + n.y * n.y * p, -n.y);
}
