/// Vectors and rotations for programs: what callers of the library compute with its dew_Vec3.
///
/// Rotations are unit quaternions x, y, z, w, as in dew_Pose.
#pragma once

#include "dew/base.h"

#include <math.h>

typedef struct dew_Quaternion {
    double x, y, z, w;
} dew_Quaternion;

static inline dew_Vec3 dew_v3(double x, double y, double z)
{
    return (dew_Vec3){x, y, z};
}

static inline dew_Vec3 dew_v3_add(dew_Vec3 a, dew_Vec3 b)
{
    return dew_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline dew_Vec3 dew_v3_sub(dew_Vec3 a, dew_Vec3 b)
{
    return dew_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline dew_Vec3 dew_v3_scale(double s, dew_Vec3 a)
{
    return dew_v3(s * a.x, s * a.y, s * a.z);
}

/// a + s b
static inline dew_Vec3 dew_v3_add_scaled(dew_Vec3 a, double s, dew_Vec3 b)
{
    return dew_v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double dew_v3_inner(dew_Vec3 a, dew_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline dew_Vec3 dew_v3_cross(dew_Vec3 a, dew_Vec3 b)
{
    return dew_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double dew_v3_length(dew_Vec3 a)
{
    return sqrt(dew_v3_inner(a, a));
}

static inline double dew_v3_distance(dew_Vec3 a, dew_Vec3 b)
{
    return dew_v3_length(dew_v3_sub(a, b));
}

/// Of unit length; zero stays zero.
static inline dew_Vec3 dew_v3_unit(dew_Vec3 a)
{
    double length = dew_v3_length(a);
    return length > 0 ? dew_v3_scale(1 / length, a) : a;
}

static inline dew_Quaternion dew_quaternion_identity(void)
{
    return (dew_Quaternion){0, 0, 0, 1};
}

/// By angle_rad about a unit axis, right-handed.
static inline dew_Quaternion dew_quaternion_about(dew_Vec3 axis, double angle_rad)
{
    double s = sin(angle_rad / 2);
    return (dew_Quaternion){s * axis.x, s * axis.y, s * axis.z, cos(angle_rad / 2)};
}

/// First b, then a.
static inline dew_Quaternion dew_quaternion_times(dew_Quaternion a, dew_Quaternion b)
{
    dew_Vec3 u = {a.x, a.y, a.z}, v = {b.x, b.y, b.z};
    dew_Vec3 sum = dew_v3_add_scaled(dew_v3_add_scaled(dew_v3_cross(u, v), a.w, v), b.w, u);
    return (dew_Quaternion){sum.x, sum.y, sum.z, a.w * b.w - dew_v3_inner(u, v)};
}

static inline dew_Vec3 dew_v3_rotate(dew_Quaternion q, dew_Vec3 v)
{
    dew_Vec3 u = {q.x, q.y, q.z}, t = dew_v3_scale(2, dew_v3_cross(u, v));
    return dew_v3_add(dew_v3_add_scaled(v, q.w, t), dew_v3_cross(u, t));
}
