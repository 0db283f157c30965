/// Bodies built from simple ones that melt into one another.
#pragma once

#include "geom/vec.h"

typedef enum dew_PartShape {
    DEW_PART_ELLIPSOID,  // about `a`, half axes `b`, turned about the z axis, then the x axis
    DEW_PART_CONE,       // hull of two balls: about `a` with radius, about `b` with end_radius
} dew_PartShape;

typedef struct dew_Part {
    dew_PartShape shape;
    dew_Vec3 a, b;
    double radius, end_radius;
    double turn_z, turn_x;  // radians
    double blend;           // width of the seam with what came before
    bool is_mirrored;       // once more at -z
    bool is_cut;            // taken away instead of added
} dew_Part;

/// Initialisers of parts: centre and half axes; centre and radius of both balls.
#define DEW_ELLIPSOID(x, y, z, rx, ry, rz)                                                         \
    .shape = DEW_PART_ELLIPSOID, .a = {x, y, z}, .b = {rx, ry, rz}
#define DEW_CONE(x, y, z, r, X, Y, Z, R)                                                           \
    .shape = DEW_PART_CONE, .a = {x, y, z}, .radius = (r), .b = {X, Y, Z}, .end_radius = (R)

/// Smaller of two, rounded where they differ by less than `width`: never more than either.
static inline double dew_smooth_min(double a, double b, double width)
{
    double overlap = fmax(width - fabs(a - b), 0) / width;
    return fmin(a, b) - 0.25 * overlap * overlap * width;
}

/// Distance to the parts, one after the other; changes by at most 1 per length, up to rounding.
double dew_parts_distance(const dew_Part *parts, int count, dew_Vec3 p);
