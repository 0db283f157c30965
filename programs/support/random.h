/// Random numbers for programs: a sequence that a seed determines. splitmix64.
#pragma once

#include "dew/base.h"

#include <math.h>

typedef struct dew_AppRandom {
    uint64_t state;  // the seed at first
} dew_AppRandom;

static inline uint64_t dew_app_random_u64(dew_AppRandom *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// [0, 1)
static inline double dew_app_random_unit(dew_AppRandom *random)
{
    return ldexp((double)(dew_app_random_u64(random) >> 11), -53);
}

/// Uniform on the unit sphere.
static inline dew_Vec3 dew_app_random_direction(dew_AppRandom *random)
{
    double z = 2 * dew_app_random_unit(random) - 1, a = 2 * DEW_PI * dew_app_random_unit(random);
    double r = sqrt(fmax(0, 1 - z * z));
    return (dew_Vec3){r * cos(a), r * sin(a), z};
}
