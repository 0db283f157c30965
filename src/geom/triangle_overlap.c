// Do two triangles overlap? Exact, by the signs of determinants (geom/predicates.h).
//
// Two triangles share a point exactly when an edge of one meets the other. Corners that coincide
// are no overlap, they are how meshes hang together; so with one corner in common only the edges
// opposite to it are asked, and with two in common the triangles overlap only when one is folded
// onto the other.
#include "geom/predicates.h"
#include "geom/triangle.h"

#include <math.h>

static bool is_same(dew_Vec3 a, dew_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

typedef struct Point2 {
    double x, y;
} Point2;

// The plane's shadow on a coordinate plane: axis 0 drops x, 1 drops y, 2 drops z.
static Point2 shadow(dew_Vec3 p, int axis)
{
    return axis == 0 ? (Point2){p.y, p.z} : axis == 1 ? (Point2){p.z, p.x} : (Point2){p.x, p.y};
}

static int turn(Point2 a, Point2 b, Point2 c)
{
    return dew_orient2d(a.x, a.y, b.x, b.y, c.x, c.y);
}

// An axis along which the triangle's shadow keeps an area; -1: the triangle has none.
static int shadow_axis(const dew_Vec3 t[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (turn(shadow(t[0], axis), shadow(t[1], axis), shadow(t[2], axis)) != 0)
            return axis;
    }
    return -1;
}

static bool is_between(double a, double b, double x)
{
    return a <= b ? a <= x && x <= b : b <= x && x <= a;
}

// Do the closed segments pq and ab meet?
static bool segments_meet(Point2 p, Point2 q, Point2 a, Point2 b)
{
    int a_side = turn(p, q, a), b_side = turn(p, q, b);
    int p_side = turn(a, b, p), q_side = turn(a, b, q);
    if (a_side == 0 && b_side == 0 && p_side == 0 && q_side == 0)
        return (is_between(p.x, q.x, a.x) && is_between(p.y, q.y, a.y)) ||
               (is_between(p.x, q.x, b.x) && is_between(p.y, q.y, b.y)) ||
               (is_between(a.x, b.x, p.x) && is_between(a.y, b.y, p.y));
    return a_side * b_side <= 0 && p_side * q_side <= 0;
}

static bool triangle_holds(Point2 a, Point2 b, Point2 c, Point2 p)
{
    int u = turn(a, b, p), v = turn(b, c, p), w = turn(c, a, p);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

// Segment and triangle in one plane.
static bool flat_segment_meets(dew_Vec3 p, dew_Vec3 q, const dew_Vec3 t[3])
{
    int axis = shadow_axis(t);
    if (axis < 0)
        return false;
    Point2 P = shadow(p, axis), Q = shadow(q, axis);
    Point2 a = shadow(t[0], axis), b = shadow(t[1], axis), c = shadow(t[2], axis);
    return triangle_holds(a, b, c, P) || segments_meet(P, Q, a, b) || segments_meet(P, Q, b, c) ||
           segments_meet(P, Q, c, a);
}

// Does the closed segment pq meet the closed triangle t?
static bool segment_meets(dew_Vec3 p, dew_Vec3 q, const dew_Vec3 t[3])
{
    int p_side = dew_orient3d(t[0], t[1], t[2], p), q_side = dew_orient3d(t[0], t[1], t[2], q);
    if (p_side == 0 && q_side == 0)
        return flat_segment_meets(p, q, t);
    if (p_side * q_side > 0)
        return false;
    // The line crosses the plane in one point: inside when it passes all edges on one side.
    int u = dew_orient3d(p, q, t[0], t[1]), v = dew_orient3d(p, q, t[1], t[2]);
    if (u * v < 0)
        return false;
    int w = dew_orient3d(p, q, t[2], t[0]);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

// Two corners in common: folded onto each other when flat and with the third corners on one side.
static bool is_folded(const dew_Vec3 s[3], const dew_Vec3 t[3], int s_free, int t_free)
{
    if (dew_orient3d(s[0], s[1], s[2], t[t_free]) != 0)
        return false;
    int axis = shadow_axis(s);
    if (axis < 0)
        return false;
    Point2 a = shadow(s[(s_free + 1) % 3], axis), b = shadow(s[(s_free + 2) % 3], axis);
    return turn(a, b, shadow(s[s_free], axis)) == turn(a, b, shadow(t[t_free], axis));
}

// All corners of one strictly on one side of the other's plane: the common case, decided with few
// signs.
static bool is_beyond(const dew_Vec3 s[3], const dew_Vec3 t[3])
{
    int first = dew_orient3d(s[0], s[1], s[2], t[0]);
    return first != 0 && dew_orient3d(s[0], s[1], s[2], t[1]) == first &&
           dew_orient3d(s[0], s[1], s[2], t[2]) == first;
}

// The coordinate axis nearest to the normal: the shadow along it is the largest.
static int steepest_axis(const dew_Vec3 t[3])
{
    dew_Vec3 n = dew_triangle_normal(t[0], t[1], t[2]);
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

// Does an edge of s separate the shadows, but for corners in common? All of t's corners are
// strictly beyond the edge or are ends of it.
static bool edge_separates(const Point2 s[3], const Point2 t[3])
{
    for (int i = 0; i < 3; i++) {
        Point2 p = s[i], q = s[(i + 1) % 3];
        int inner = turn(p, q, s[(i + 2) % 3]);
        bool is_beyond = inner != 0;
        for (int j = 0; j < 3 && is_beyond; j++) {
            bool is_end = (t[j].x == p.x && t[j].y == p.y) || (t[j].x == q.x && t[j].y == q.y);
            is_beyond = is_end || turn(p, q, t[j]) == -inner;
        }
        if (is_beyond)
            return true;
    }
    return false;
}

// Shadows that have at most corners and edges in common: so have the triangles. Answers for nearly
// all neighbours in a smooth surface, and for flat parts of it without expansion arithmetic.
// Only where corners that coincide in the shadow are the same: `common` counts equal corners.
static bool is_apart_in_shadow(const dew_Vec3 s[3], const dew_Vec3 t[3], int common)
{
    int axis = steepest_axis(s), same = 0;
    Point2 a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = shadow(s[i], axis);
        b[i] = shadow(t[i], axis);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            same += a[i].x == b[j].x && a[i].y == b[j].y;
    }
    return same == common && (edge_separates(a, b) || edge_separates(b, a));
}

// A triangle with two corners in one place covers nothing.
static bool is_segment(const dew_Vec3 s[3])
{
    return is_same(s[0], s[1]) || is_same(s[1], s[2]) || is_same(s[2], s[0]);
}

bool dew_triangle_overlaps_triangle(const dew_Vec3 s[3], const dew_Vec3 t[3])
{
    if (is_segment(s) || is_segment(t))
        return false;
    int common = 0, s_common = 0, t_common = 0, s_sum = 0, t_sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (is_same(s[i], t[j])) {
                common++;
                s_common = i;
                t_common = j;
                s_sum += i;
                t_sum += j;
            }
        }
    }
    if (common >= 3 || is_apart_in_shadow(s, t, common))
        return false;
    if (common == 2)
        return is_folded(s, t, 3 - s_sum, 3 - t_sum);
    if (common == 1)
        return segment_meets(s[(s_common + 1) % 3], s[(s_common + 2) % 3], t) ||
               segment_meets(t[(t_common + 1) % 3], t[(t_common + 2) % 3], s);
    if (is_beyond(s, t) || is_beyond(t, s))
        return false;
    for (int i = 0; i < 3; i++) {
        if (segment_meets(s[i], s[(i + 1) % 3], t) || segment_meets(t[i], t[(i + 1) % 3], s))
            return true;
    }
    return false;
}
