/// Three-vectors, boxes, rotations: small, inline, by value.
#pragma once

#include "dew/base.h"
#include "geom/rounding.h"

#include <math.h>

/// Coordinates and lengths stay below this, in metres, so that their squares and cubes are finite.
#define DEW_MAX_LENGTH_M 1e100

/// Is x a length that shapes can have: finite and above zero?
static inline bool dew_is_length(double x_m)
{
    return x_m > 0 && x_m < DEW_MAX_LENGTH_M;
}

static inline dew_Vec3 dew_vec(double x, double y, double z)
{
    return (dew_Vec3){x, y, z};
}
static inline dew_Vec3 dew_add(dew_Vec3 a, dew_Vec3 b)
{
    return (dew_Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline dew_Vec3 dew_sub(dew_Vec3 a, dew_Vec3 b)
{
    return (dew_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline dew_Vec3 dew_scale(double s, dew_Vec3 a)
{
    return (dew_Vec3){s * a.x, s * a.y, s * a.z};
}
/// a + s b
static inline dew_Vec3 dew_add_scaled(dew_Vec3 a, double s, dew_Vec3 b)
{
    return (dew_Vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
/// s a + t b
static inline dew_Vec3 dew_combine(double s, dew_Vec3 a, double t, dew_Vec3 b)
{
    return (dew_Vec3){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
}
static inline double dew_inner(dew_Vec3 a, dew_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline dew_Vec3 dew_cross(dew_Vec3 a, dew_Vec3 b)
{
    return (dew_Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double dew_length2(dew_Vec3 a)
{
    return dew_inner(a, a);
}
static inline double dew_length(dew_Vec3 a)
{
    return sqrt(dew_inner(a, a));
}
static inline double dew_distance(dew_Vec3 a, dew_Vec3 b)
{
    return dew_length(dew_sub(a, b));
}
/// Unit vector; zero stays zero.
static inline dew_Vec3 dew_normalize(dew_Vec3 a)
{
    double length = dew_length(a);
    return length > 0 ? dew_scale(1 / length, a) : a;
}
static inline dew_Vec3 dew_vec_min(dew_Vec3 a, dew_Vec3 b)
{
    return (dew_Vec3){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}
static inline dew_Vec3 dew_vec_max(dew_Vec3 a, dew_Vec3 b)
{
    return (dew_Vec3){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
}
static inline bool dew_vec_is_finite(dew_Vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
/// Some unit vector at right angles to the unit vector n.
static inline dew_Vec3 dew_any_tangent(dew_Vec3 n)
{
    dew_Vec3 axis = fabs(n.x) < 0.6 ? dew_vec(1, 0, 0) : dew_vec(0, 1, 0);
    return dew_normalize(dew_cross(n, axis));
}

/// Axis-aligned box; empty when min > max.
typedef struct dew_Box {
    dew_Vec3 min, max;
} dew_Box;

static inline dew_Box dew_box_empty(void)
{
    const double inf = (double)INFINITY;
    return (dew_Box){{inf, inf, inf}, {-inf, -inf, -inf}};
}
static inline dew_Box dew_box_add(dew_Box box, dew_Vec3 p)
{
    return (dew_Box){dew_vec_min(box.min, p), dew_vec_max(box.max, p)};
}
static inline dew_Box dew_box_union(dew_Box a, dew_Box b)
{
    return (dew_Box){dew_vec_min(a.min, b.min), dew_vec_max(a.max, b.max)};
}
static inline bool dew_box_contains(dew_Box box, dew_Vec3 p)
{
    return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y &&
           p.z >= box.min.z && p.z <= box.max.z;
}

/// Rotation as unit quaternion (w, v).
typedef struct dew_Rotation {
    double w;
    dew_Vec3 v;
} dew_Rotation;

static inline dew_Rotation dew_rotation_identity(void)
{
    return (dew_Rotation){1, {0, 0, 0}};
}
/// By angle_rad about axis (any length; zero axis: identity), right-handed.
static inline dew_Rotation dew_rotation_about(dew_Vec3 axis, double angle_rad)
{
    double length = dew_length(axis);
    if (!(length > 0))
        return dew_rotation_identity();
    return (dew_Rotation){cos(angle_rad / 2), dew_scale(sin(angle_rad / 2) / length, axis)};
}
static inline dew_Rotation dew_rotation_inverse(dew_Rotation q)
{
    return (dew_Rotation){q.w, dew_scale(-1, q.v)};
}
/// First b, then a.
static inline dew_Rotation dew_rotation_times(dew_Rotation a, dew_Rotation b)
{
    dew_Vec3 v = dew_add(dew_combine(a.w, b.v, b.w, a.v), dew_cross(a.v, b.v));
    return (dew_Rotation){a.w * b.w - dew_inner(a.v, b.v), v};
}
static inline dew_Vec3 dew_rotate(dew_Rotation q, dew_Vec3 p)
{
    dew_Vec3 t = dew_scale(2, dew_cross(q.v, p));
    return dew_add(dew_add_scaled(p, q.w, t), dew_cross(q.v, t));
}
