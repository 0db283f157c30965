/// Four floats at once, for the four boxes of a tree node.
///
/// The vector types of gcc and clang do the arithmetic on any machine; only the smaller and the
/// larger of two need the machine's own instruction, because compilers make branches of
/// comparisons, which cannot be foreseen here.
#pragma once

#include <stdint.h>
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
/// The lanes that are zero or below, a bit each.
static inline unsigned dew_lanes_not_above_zero(dew_Lanes a)
{
#ifdef __SSE__
    return (unsigned)_mm_movemask_ps(_mm_cmple_ps((__m128)a, _mm_setzero_ps()));
#else
    return (a[0] <= 0) | (unsigned)(a[1] <= 0) << 1 | (unsigned)(a[2] <= 0) << 2 |
           (unsigned)(a[3] <= 0) << 3;
#endif
}

/// Four indices at once.
typedef uint32_t dew_IndexLanes __attribute__((vector_size(16)));

static inline dew_IndexLanes dew_index_lanes(uint32_t x)
{
    dew_IndexLanes lanes = {x, x, x, x};
    return lanes;
}
static inline dew_IndexLanes dew_index_lanes_load(const uint32_t x[4])
{
    dew_IndexLanes lanes;
    memcpy(&lanes, x, sizeof lanes);
    return lanes;
}
/// All bits of the lanes that are equal.
static inline dew_IndexLanes dew_index_lanes_equal(dew_IndexLanes a, dew_IndexLanes b)
{
    return (dew_IndexLanes)(a == b);
}
/// The lanes whose highest bit is set, a bit each.
static inline unsigned dew_index_lanes_set(dew_IndexLanes a)
{
#ifdef __SSE__
    return (unsigned)_mm_movemask_ps((__m128)a);
#else
    return a[0] >> 31 | a[1] >> 31 << 1 | a[2] >> 31 << 2 | a[3] >> 31 << 3;
#endif
}
