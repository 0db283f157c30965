// Signed distance, closest point and outward normal of basic shapes.
//
// Bodies of revolution reduce to their outline in the half plane (r, y), where the closest point
// lies too. The ellipsoid's closest point is the root of a monotone function, found by Newton's
// method kept between bounds [Eberly2013].
#include "geom/distance.h"

#include "base/status.h"

// From the closest point on the outline and whether p is inside. `fallback` is the outline's normal
// there, for points so near to it that the difference is rounding.
static dew_Closest closest_from(dew_Vec3 p, dew_Vec3 point, bool is_inside, dew_Vec3 fallback)
{
    dew_Vec3 away = dew_sub(p, point);
    double distance = dew_length(away), sign = is_inside ? -1 : 1;
    bool is_clear = distance > DEW_DIRECTION_ROUNDING * (fabs(p.x) + fabs(p.y) + fabs(p.z));
    dew_Vec3 normal = is_clear ? dew_scale(sign / distance, away) : fallback;
    return (dew_Closest){sign * distance, point, normal};
}

dew_Closest dew_plane_distance(dew_Vec3 p)
{
    return (dew_Closest){p.y, {p.x, 0, p.z}, {0, 1, 0}};
}

dew_Closest dew_sphere_distance(dew_Vec3 p, double radius)
{
    double r = dew_length(p);
    dew_Vec3 normal = r > 0 ? dew_scale(1 / r, p) : dew_vec(0, 1, 0);
    return (dew_Closest){r - radius, dew_scale(radius, normal), normal};
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

// From inside a box: the face with the least depth.
static dew_Closest box_from_inside(dew_Vec3 p, dew_Vec3 half)
{
    double dx = half.x - fabs(p.x), dy = half.y - fabs(p.y), dz = half.z - fabs(p.z);
    if (dx <= dy && dx <= dz)
        return (dew_Closest){-dx, {copysign(half.x, p.x), p.y, p.z}, {copysign(1, p.x), 0, 0}};
    if (dy <= dz)
        return (dew_Closest){-dy, {p.x, copysign(half.y, p.y), p.z}, {0, copysign(1, p.y), 0}};
    return (dew_Closest){-dz, {p.x, p.y, copysign(half.z, p.z)}, {0, 0, copysign(1, p.z)}};
}

dew_Closest dew_box_distance(dew_Vec3 p, dew_Vec3 half)
{
    dew_Vec3 point = {clamp(p.x, -half.x, half.x), clamp(p.y, -half.y, half.y),
                      clamp(p.z, -half.z, half.z)};
    dew_Vec3 away = dew_sub(p, point);
    double distance = dew_length(away);
    if (!(distance > 0))
        return box_from_inside(p, half);
    return (dew_Closest){distance, point, dew_scale(1 / distance, away)};
}

// ---- bodies of revolution ----------------------------------------------------------------------

// A point of the half plane, and the direction from the axis that leads to it.
typedef struct Radial {
    double r, y;
    double cos_phi, sin_phi;
} Radial;

static Radial radial(dew_Vec3 p)
{
    double r = sqrt(p.x * p.x + p.z * p.z);
    if (r > 0)
        return (Radial){r, p.y, p.x / r, p.z / r};
    return (Radial){0, p.y, 1, 0};
}

static dew_Vec3 turn_back(Radial q, double r, double y)
{
    return dew_vec(r * q.cos_phi, y, r * q.sin_phi);
}

// The body whose outline is the rectangle [inner, outer] x [-half, half]. inner < 0: no hole, the
// outline continues behind the axis.
static dew_Closest ring_distance(dew_Vec3 p, double inner, double outer, double half_length)
{
    Radial q = radial(p);
    double low = inner < 0 ? -outer : inner;
    double middle = (low + outer) / 2, half = (outer - low) / 2;
    dew_Closest flat =
        dew_box_distance(dew_vec(q.r - middle, q.y, 0), dew_vec(half, half_length, HUGE_VAL));
    return (dew_Closest){flat.distance, turn_back(q, flat.point.x + middle, flat.point.y),
                         turn_back(q, flat.normal.x, flat.normal.y)};
}

dew_Closest dew_cylinder_distance(dew_Vec3 p, double radius, double half_length)
{
    return ring_distance(p, -1, radius, half_length);
}

dew_Closest dew_tube_distance(dew_Vec3 p, double inner_radius, double outer_radius,
                              double half_length)
{
    return ring_distance(p, inner_radius, outer_radius, half_length);
}

dew_Closest dew_cap_distance(dew_Vec3 p, double radius, double center_y)
{
    Radial q = radial(p);
    double base_radius = sqrt(fmax(0, (radius - center_y) * (radius + center_y)));
    double rise = q.y - center_y, from_center = sqrt(q.r * q.r + rise * rise);
    bool is_inside = q.y >= 0 && from_center <= radius;
    // The rim is always on offer; the base and the dome where the foot of p lies on them.
    double r = base_radius, y = 0, best = hypot(q.r - base_radius, q.y);
    dew_Vec3 normal = {0, -1, 0};
    if (q.r <= base_radius && fabs(q.y) <= best) {
        r = q.r;
        best = fabs(q.y);
    }
    double cos_rise = from_center > 0 ? rise / from_center : 1;
    double sin_rise = from_center > 0 ? q.r / from_center : 0;
    if (center_y + radius * cos_rise >= 0 && fabs(from_center - radius) <= best) {
        r = radius * sin_rise;
        y = center_y + radius * cos_rise;
        normal = turn_back(q, sin_rise, cos_rise);
    }
    return closest_from(p, turn_back(q, r, y), is_inside, normal);
}

// ---- ellipsoid ---------------------------------------------------------------------------------

// Root of F(s) = (r0 z0 / (s + q0))^2 + (r1 z1 / (s + q1))^2 + (z2 / s)^2 - 1, where z2 > 0 and r_i
// = q_i + 1 >= 1. F falls and is convex, so that Newton's method never overshoots from the left;
// where one term alone is 1 it starts with F at most 2, from which few steps are left. differs:
// [Eberly2013] looks for t = s - 1, which loses all digits near the centre.
static double ellipsoid_root(double q0, double q1, const double z[3])
{
    double n0 = (q0 + 1) * z[0], n1 = (q1 + 1) * z[1];
    double low = fmax(z[2], fmax(n0 - q0, n1 - q1));
    double high = sqrt(n0 * n0 + n1 * n1 + z[2] * z[2]);
    double s = low;
    for (int i = 0; i < 200; i++) {
        double a = n0 / (s + q0), b = n1 / (s + q1), c = z[2] / s;
        double f = a * a + b * b + c * c - 1;
        if (f > 0)
            low = s;
        else
            high = s;
        double slope = -2 * (a * a / (s + q0) + b * b / (s + q1) + c * c / s);
        double next = s - f / slope;
        if (next == s)
            break;
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        if (next == low || next == high)
            break;
        s = next;
    }
    return s;
}

// (e / f)^2 - 1 without cancellation.
static double square_ratio_less_one(double e, double f)
{
    return (e - f) / f * ((e + f) / f);
}

// Closest point of the ellipse e0 >= e1 to y >= 0, [Eberly2013] section 2.
static void closest_on_ellipse(double e0, double e1, double y0, double y1, double x[2])
{
    if (y1 > 0) {
        double q = square_ratio_less_one(e0, e1), z[3] = {y0 / e0, 0, y1 / e1};
        double s = ellipsoid_root(q, 0, z);
        x[0] = (q + 1) * y0 / (s + q);
        x[1] = y1 / s;
        return;
    }
    // On the long axis: off the axis when p is nearer to the middle than the centre of curvature.
    double numerator = e0 * y0, denominator = (e0 - e1) * (e0 + e1);
    if (numerator < denominator) {
        double s = numerator / denominator;
        x[0] = e0 * s;
        x[1] = e1 * sqrt(1 - s * s);
    } else {
        x[0] = e0;
        x[1] = 0;
    }
}

// Closest point of the ellipsoid e0 >= e1 >= e2 to y >= 0, [Eberly2013] section 3.
static void closest_on_ellipsoid(const double e[3], const double y[3], double x[3])
{
    if (y[2] > 0) {
        double q0 = square_ratio_less_one(e[0], e[2]), q1 = square_ratio_less_one(e[1], e[2]);
        double z[3] = {y[0] / e[0], y[1] / e[1], y[2] / e[2]};
        double s = ellipsoid_root(q0, q1, z);
        x[0] = (q0 + 1) * y[0] / (s + q0);
        x[1] = (q1 + 1) * y[1] / (s + q1);
        x[2] = y[2] / s;
        return;
    }
    double d0 = (e[0] - e[2]) * (e[0] + e[2]), d1 = (e[1] - e[2]) * (e[1] + e[2]);
    double n0 = e[0] * y[0], n1 = e[1] * y[1];
    if (n0 < d0 && n1 < d1) {
        double s0 = n0 / d0, s1 = n1 / d1, rest = 1 - s0 * s0 - s1 * s1;
        if (rest > 0) {
            x[0] = e[0] * s0;
            x[1] = e[1] * s1;
            x[2] = e[2] * sqrt(rest);
            return;
        }
    }
    x[2] = 0;
    closest_on_ellipse(e[0], e[1], y[0], y[1], x);
}

dew_Closest dew_ellipsoid_distance(dew_Vec3 p, dew_Vec3 radii)
{
    const double radius[3] = {radii.x, radii.y, radii.z}, coordinate[3] = {p.x, p.y, p.z};
    int order[3] = {0, 1, 2};  // axes, longest first
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2 - i; j++) {
            if (radius[order[j]] < radius[order[j + 1]]) {
                int swapped = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swapped;
            }
        }
    }
    double e[3], y[3], x[3], point[3];
    for (int i = 0; i < 3; i++) {
        e[i] = radius[order[i]];
        y[i] = fabs(coordinate[order[i]]);
    }
    closest_on_ellipsoid(e, y, x);
    for (int i = 0; i < 3; i++)
        point[order[i]] = copysign(x[i], coordinate[order[i]]);
    double u = p.x / radii.x, v = p.y / radii.y, w = p.z / radii.z;
    bool is_inside = u * u + v * v + w * w < 1;
    dew_Vec3 normal =
        dew_normalize(dew_vec(point[0] / (radii.x * radii.x), point[1] / (radii.y * radii.y),
                              point[2] / (radii.z * radii.z)));
    dew_Closest closest = closest_from(p, dew_vec(point[0], point[1], point[2]), is_inside, normal);
    closest.normal = normal;  // of the smooth surface: better than the difference of points
    return closest;
}
