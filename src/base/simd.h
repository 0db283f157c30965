/// Kernels compiled twice: for any x86-64, and for AVX2 where the machine has it.
///
/// Products and sums are never contracted, so both are bit-identical; only the time differs.
#pragma once

#include "dew/base.h"

#define DEW_BODY static inline __attribute__((always_inline))

#ifdef __x86_64__
#define DEW_WIDE __attribute__((target("avx2")))
static inline bool dew_is_wide(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
#define DEW_WIDE
static inline bool dew_is_wide(void)
{
    return false;
}
#endif

/// Defines NAME, a chunk of a parallel loop, from the inlined NAME_body with the same arguments.
#define DEW_WIDE_CHUNK(name)                                                                       \
    static dew_Status name##_plain(void *context, int64_t begin, int64_t end, int64_t chunk)       \
    {                                                                                              \
        (void)chunk;                                                                               \
        return name##_body(context, begin, end);                                                   \
    }                                                                                              \
    DEW_WIDE static dew_Status name##_wide(void *context, int64_t begin, int64_t end,              \
                                           int64_t chunk)                                          \
    {                                                                                              \
        (void)chunk;                                                                               \
        return name##_body(context, begin, end);                                                   \
    }                                                                                              \
    static dew_Status name(void *context, int64_t begin, int64_t end, int64_t chunk)               \
    {                                                                                              \
        return dew_is_wide() ? name##_wide(context, begin, end, chunk)                             \
                             : name##_plain(context, begin, end, chunk);                           \
    }
