// One triangle: closest point, angles, overlap with a box.
//
// Closest point: the corners are taken relative to the asking point, so that a mesh far from the
// origin loses nothing. The point projects into the triangle when the three sub-triangles that it
// makes with the edges have the orientation of the whole; otherwise the closest point lies on an
// edge whose sub-triangle has not. Overlap with a box: separating axes [AkenineMoller2001].
#include "geom/triangle.h"

// Closest point of the edge from corner `i`, with A and B its ends as seen from the point.
static void closest_on_edge(dew_Vec3 A, dew_Vec3 B, int i, dew_TriangleClosest *best)
{
    dew_Vec3 edge = dew_sub(B, A);
    double length2 = dew_length2(edge), along = -dew_inner(A, edge);
    int next = i == 2 ? 0 : i + 1;
    dew_TriangleClosest found = {.feature = DEW_FEATURE_VERTEX, .corner = i, .offset = A};
    if (along >= length2 && length2 > 0) {
        found.corner = next;
        found.offset = B;
        found.weight[next] = 1;
    } else if (along > 0) {
        double t = along / length2;
        found.feature = DEW_FEATURE_EDGE;
        found.weight[i] = 1 - t;
        found.weight[next] = t;
        // From the nearer end: the shorter step has the smaller error.
        found.offset = t <= 0.5 ? dew_add_scaled(A, t, edge) : dew_add_scaled(B, t - 1, edge);
    } else {
        found.weight[i] = 1;
    }
    found.distance2 = dew_length2(found.offset);
    if (found.distance2 < best->distance2)
        *best = found;
}

dew_TriangleClosest dew_triangle_closest(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, dew_Vec3 p)
{
    dew_Vec3 A = dew_sub(a, p), B = dew_sub(b, p), C = dew_sub(c, p);
    dew_Vec3 ab = dew_sub(b, a), ac = dew_sub(c, a), n = dew_cross(ab, ac);
    double n2 = dew_length2(n);
    // Areas of the sub-triangles, times 2 |n|; all three zero (so all edges) when it is thin.
    double u = 0, v = 0, w = 0;
    if (n2 > DEW_THIN_SINE2 * dew_length2(ab) * dew_length2(ac)) {
        u = dew_inner(n, dew_cross(B, C));
        v = dew_inner(n, dew_cross(C, A));
        w = dew_inner(n, dew_cross(A, B));
        if (u > 0 && v > 0 && w > 0) {
            double height = dew_inner(n, A) / n2, total = u + v + w;
            return (dew_TriangleClosest){
                .distance2 = height * height * n2,
                .offset = dew_scale(height, n),
                .weight = {u / total, v / total, w / total},
                .feature = DEW_FEATURE_FACE,
            };
        }
    }
    dew_TriangleClosest best = {.distance2 = HUGE_VAL};
    if (w <= 0)
        closest_on_edge(A, B, 0, &best);
    if (u <= 0)
        closest_on_edge(B, C, 1, &best);
    if (v <= 0)
        closest_on_edge(C, A, 2, &best);
    return best;
}

double dew_triangle_angle(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c)
{
    dew_Vec3 ab = dew_sub(b, a), ac = dew_sub(c, a);
    // atan2 keeps its precision near 0 and pi, where acos of a scalar product does not.
    return atan2(dew_length(dew_cross(ab, ac)), dew_inner(ab, ac));
}

double dew_triangle_solid_angle(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, dew_Vec3 p)
{
    dew_Vec3 A = dew_sub(a, p), B = dew_sub(b, p), C = dew_sub(c, p);
    double la = dew_length(A), lb = dew_length(B), lc = dew_length(C);
    // tan(angle / 2), [VanOosterom1983] eq. (8).
    double numerator = dew_inner(A, dew_cross(B, C));
    double denominator =
        la * lb * lc + dew_inner(A, B) * lc + dew_inner(B, C) * la + dew_inner(C, A) * lb;
    return 2 * atan2(numerator, denominator);
}

// Are the three projections on an axis all beyond [-reach, reach]? `rounding` bounds their error.
static bool is_apart(double p0, double p1, double p2, double reach, double rounding)
{
    double low = fmin(p0, fmin(p1, p2)), high = fmax(p0, fmax(p1, p2));
    return low > reach + rounding || high < -reach - rounding;
}

static double reach_along(dew_Vec3 h, dew_Vec3 axis)
{
    return h.x * fabs(axis.x) + h.y * fabs(axis.y) + h.z * fabs(axis.z);
}

// Axes across a box edge and a triangle edge. v: corners seen from the middle of the box.
static bool is_apart_across_edges(const dew_Vec3 v[3], dew_Vec3 h, double size)
{
    for (int i = 0; i < 3; i++) {
        dew_Vec3 e = dew_sub(v[(i + 1) % 3], v[i]);
        const dew_Vec3 axes[3] = {{0, -e.z, e.y}, {e.z, 0, -e.x}, {-e.y, e.x, 0}};
        for (int k = 0; k < 3; k++) {
            dew_Vec3 g = axes[k];
            double rounding = 8 * DBL_EPSILON * size * (fabs(g.x) + fabs(g.y) + fabs(g.z));
            if (is_apart(dew_inner(g, v[0]), dew_inner(g, v[1]), dew_inner(g, v[2]),
                         reach_along(h, g), rounding))
                return true;
        }
    }
    return false;
}

bool dew_triangle_overlaps_box(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, dew_Box box)
{
    dew_Vec3 low = dew_vec_min(a, dew_vec_min(b, c)), high = dew_vec_max(a, dew_vec_max(b, c));
    if (low.x > box.max.x || low.y > box.max.y || low.z > box.max.z || high.x < box.min.x ||
        high.y < box.min.y || high.z < box.min.z)
        return false;
    if (dew_box_contains(box, a) || dew_box_contains(box, b) || dew_box_contains(box, c))
        return true;
    dew_Vec3 middle = dew_combine(0.5, box.min, 0.5, box.max);
    dew_Vec3 h = dew_combine(0.5, box.max, -0.5, box.min);
    if (!dew_vec_is_finite(middle) || !dew_vec_is_finite(h))
        return true;  // an unbounded box: its sides have been looked at
    dew_Vec3 v[3] = {dew_sub(a, middle), dew_sub(b, middle), dew_sub(c, middle)};
    double size =
        reach_along(dew_vec_max(dew_sub(high, middle), dew_sub(middle, low)), dew_vec(1, 1, 1));
    dew_Vec3 n = dew_triangle_normal(v[0], v[1], v[2]);
    double d = dew_inner(n, v[0]), rounding = 32 * DBL_EPSILON * size * size * size;
    return !is_apart(d, d, d, reach_along(h, n), rounding) && !is_apart_across_edges(v, h, size);
}
