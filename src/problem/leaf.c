// A leaf: a folded plate, the cross-section of [Wang2005]'s leaf given a thickness.
//
// The cross-section is a hexagon in the plane (u, v) = (z, y); the leaf is its extrusion along x.
// The distance of an extrusion follows exactly from that of its section (d2) and that to its ends
// (dx): inside both the larger of the two, outside both their hypotenuse, else the positive one.
#include "problem/leaf.h"

#include "base/status.h"

dew_Leaf dew_leaf(double length_m, double width_m, double fold_rad, double thickness_m)
{
    double slope = (DEW_PI - fold_rad) / 2, c = cos(slope), s = sin(slope);
    double half = width_m / 2, t = thickness_m;
    double tip_u = half * c, tip_v = half * s;            // upper right
    double low_u = tip_u + t * s, low_v = tip_v - t * c;  // lower right
    return (dew_Leaf){
        .half_length_m = length_m / 2,
        .corner_m =
            {{-low_u, low_v}, {0, -t / c}, {low_u, low_v}, {tip_u, tip_v}, {0, 0}, {-tip_u, tip_v}},
    };
}

// The section seen from one point of its plane.
typedef struct Section {
    double distance;   // signed
    double point[2];   // closest
    double normal[2];  // unit gradient of the distance
} Section;

// Closest point of edge ab to p, as the fraction from a to b.
static double edge_fraction(const double a[2], const double b[2], const double p[2])
{
    double e[2] = {b[0] - a[0], b[1] - a[1]};
    double f = ((p[0] - a[0]) * e[0] + (p[1] - a[1]) * e[1]) / (e[0] * e[0] + e[1] * e[1]);
    return f < 0 ? 0 : f > 1 ? 1 : f;
}

// Does the ray from p towards +u cross edge ab? Half open in v, so that corners count once.
static bool ray_crosses(const double a[2], const double b[2], const double p[2])
{
    if ((a[1] <= p[1]) == (b[1] <= p[1]))
        return false;
    double u = a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
    return u > p[0];
}

static Section section_distance(const dew_Leaf *leaf, const double p[2])
{
    Section out = {HUGE_VAL, {0, 0}, {0, 1}};
    bool is_inside = false;
    double outward[2] = {0, 1};
    for (int i = 0; i < DEW_LEAF_CORNERS; i++) {
        const double *a = leaf->corner_m[i], *b = leaf->corner_m[(i + 1) % DEW_LEAF_CORNERS];
        is_inside ^= ray_crosses(a, b, p);
        double f = edge_fraction(a, b, p);
        double q[2] = {a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1])};
        double d = hypot(p[0] - q[0], p[1] - q[1]);
        if (d < out.distance) {
            double length = hypot(b[0] - a[0], b[1] - a[1]);
            out = (Section){d, {q[0], q[1]}, {0, 0}};
            outward[0] = (b[1] - a[1]) / length, outward[1] = -(b[0] - a[0]) / length;
        }
    }
    double sign = is_inside ? -1 : 1;
    // On the outline the direction to the closest point is rounding; the edge's own normal is not.
    bool is_clear = out.distance > 1e-10 * (fabs(p[0]) + fabs(p[1]));
    for (int k = 0; k < 2; k++)
        out.normal[k] = is_clear ? sign * (p[k] - out.point[k]) / out.distance : outward[k];
    out.distance *= sign;
    return out;
}

dew_Closest dew_leaf_distance(const dew_Leaf *leaf, dew_Vec3 p)
{
    Section s = section_distance(leaf, (double[]){p.z, p.y});
    double dx = fabs(p.x) - leaf->half_length_m;
    double end_x = copysign(leaf->half_length_m, p.x);
    if (dx > 0 && s.distance > 0) {  // beyond an end and beside the section: the rim of the end
        double d = hypot(dx, s.distance);
        dew_Vec3 normal = {copysign(dx, p.x), s.distance * s.normal[1], s.distance * s.normal[0]};
        return (dew_Closest){d, {end_x, s.point[1], s.point[0]}, dew_scale(1 / d, normal)};
    }
    if (s.distance > dx)
        return (dew_Closest){
            s.distance, {p.x, s.point[1], s.point[0]}, {0, s.normal[1], s.normal[0]}};
    return (dew_Closest){dx, {end_x, p.y, p.z}, {copysign(1, p.x), 0, 0}};
}

dew_Box dew_leaf_box(const dew_Leaf *leaf)
{
    dew_Box box = dew_box_empty();
    for (int i = 0; i < DEW_LEAF_CORNERS; i++) {
        const double *c = leaf->corner_m[i];
        box = dew_box_add(box, dew_vec(-leaf->half_length_m, c[1], c[0]));
        box = dew_box_add(box, dew_vec(leaf->half_length_m, c[1], c[0]));
    }
    return box;
}

dew_Status dew_leaf_mesh(const dew_Leaf *leaf, dew_Mesh *out)
{
    dew_mesh_clear(out);
    enum { N = DEW_LEAF_CORNERS };
    for (uint32_t i = 0; i < 2 * N; i++) {  // corners at -x, then at +x
        const double *c = leaf->corner_m[i % N];
        double x = i < N ? -leaf->half_length_m : leaf->half_length_m;
        DEW_TRY(dew_mesh_add_vertex(out, dew_vec(x, c[1], c[0])));
    }
    for (uint32_t i = 0; i < N; i++) {
        uint32_t j = (i + 1) % N;
        DEW_TRY(dew_mesh_add_triangle(out, i, N + i, N + j));
        DEW_TRY(dew_mesh_add_triangle(out, i, N + j, j));
    }
    // The ends: the left plate 0 1 4 5 and the right plate 1 2 3 4. (u, v) turns the other way
    // about x.
    static const uint32_t end[4][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}};
    for (int k = 0; k < 4; k++) {
        const uint32_t *e = end[k];
        DEW_TRY(dew_mesh_add_triangle(out, e[0], e[1], e[2]));
        DEW_TRY(dew_mesh_add_triangle(out, N + e[0], N + e[2], N + e[1]));
    }
    return dew_ok();
}
