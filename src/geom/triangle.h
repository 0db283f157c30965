/// One triangle: closest point, solid angle, overlap with a box and with another triangle.
#pragma once

#include "geom/vec.h"

/// The part of a triangle that a point on it lies in the inside of.
typedef enum dew_Feature {
    DEW_FEATURE_FACE,
    DEW_FEATURE_EDGE,    // from corner i to corner i + 1 (mod 3)
    DEW_FEATURE_VERTEX,  // corner i
} dew_Feature;

typedef struct dew_TriangleClosest {
    double distance2;  // squared
    dew_Vec3 offset;   // from the asking point to the closest point
    double weight[3];  // barycentric
    dew_Feature feature;
    int corner;  // i of the feature; 0 for a face
} dew_TriangleClosest;

/// Squared sine of the angle at a corner below which rounding could turn the normal by more than
/// the triangle is thick: with a sine s its direction errs by 2^-52 / s, its thickness is s.
#define DEW_THIN_SINE2 DBL_EPSILON

/// The point of triangle abc closest to p. Works on the corners as seen from p, so that the error
/// of the distance is a few units in the last place of the distance to the corners, wherever the
/// origin lies. Triangles thinner than 1.5e-8 of their length count as their three edges.
dew_TriangleClosest dew_triangle_closest(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, dew_Vec3 p);

/// Twice the area times the unit normal.
static inline dew_Vec3 dew_triangle_normal(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c)
{
    return dew_cross(dew_sub(b, a), dew_sub(c, a));
}

/// Interior angle at corner a, in [0, pi]; 0 where b or c coincides with a.
double dew_triangle_angle(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c);

/// Solid angle of abc seen from p, in (-2 pi, 2 pi]: positive when p is behind it (the inside of a
/// closed mesh), so that the sum over a closed mesh is 4 pi times the winding number.
/// [VanOosterom1983]
double dew_triangle_solid_angle(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, dew_Vec3 p);

/// Do the triangle and the box share a point? May say yes when they miss by a rounding error.
bool dew_triangle_overlaps_box(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, dew_Box box);

/// Do two triangles share a point beyond corners and edges that both name? Corners are the same
/// when their coordinates are. Exact (geom/predicates.h). Touching counts, identical triangles do
/// not, and a triangle with two corners in one place overlaps nothing.
bool dew_triangle_overlaps_triangle(const dew_Vec3 s[3], const dew_Vec3 t[3]);
