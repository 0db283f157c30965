/// Rays against solids.
#pragma once

#include "problem/problem.h"

/// Steps of sphere tracing after which a ray at a grazing angle ends.
#define DEW_RAY_MAX_STEPS 4096

/// Which sides of a solid a ray meets.
typedef enum dew_RaySides {
    DEW_RAY_ANY_SIDE,    // also from inside: a ray that begins in a solid meets it at once
    DEW_RAY_FRONT_SIDE,  // passes through walls that are seen from behind
} dew_RaySides;

/// The first solid that a ray meets within `reach_m` (may be infinite) of its origin, and the
/// distance along the ray. The direction has unit length. False: none. A ray at a grazing angle
/// along a solid may end without meeting it.
bool dew_problem_cast_ray(const dew_Problem *problem, const dew_Instant *instant, dew_Vec3 origin_m,
                          dew_Vec3 direction, double reach_m, dew_RaySides sides,
                          dew_SolidPoint *point, double *along_m);
