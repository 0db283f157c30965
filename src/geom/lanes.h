/// Four floats at once, for the four boxes of a tree node.
///
/// The vector types of gcc and clang do the arithmetic on any machine; only the smaller and the
/// larger of two need the machine's own instruction, because compilers make branches of
/// comparisons, which cannot be foreseen here.
#pragma once

#include <string.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

typedef float dew_Lanes __attribute__((vector_size(16)));

static inline dew_Lanes dew_lanes(float x)
{
    dew_Lanes lanes = {x, x, x, x};
    return lanes;
}
static inline dew_Lanes dew_lanes_load(const float x[4])
{
    dew_Lanes lanes;
    memcpy(&lanes, x, sizeof lanes);
    return lanes;
}
static inline void dew_lanes_store(dew_Lanes lanes, float x[4])
{
    memcpy(x, &lanes, sizeof lanes);
}
static inline dew_Lanes dew_lanes_min(dew_Lanes a, dew_Lanes b)
{
#ifdef __SSE__
    return (dew_Lanes)_mm_min_ps((__m128)a, (__m128)b);
#else
    dew_Lanes c = {a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1], a[2] < b[2] ? a[2] : b[2],
                   a[3] < b[3] ? a[3] : b[3]};
    return c;
#endif
}
static inline dew_Lanes dew_lanes_max(dew_Lanes a, dew_Lanes b)
{
#ifdef __SSE__
    return (dew_Lanes)_mm_max_ps((__m128)a, (__m128)b);
#else
    dew_Lanes c = {a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1], a[2] > b[2] ? a[2] : b[2],
                   a[3] > b[3] ? a[3] : b[3]};
    return c;
#endif
}
