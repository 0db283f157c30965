// Distance to a body made of ellipsoids and cones that melt into one another.
//
// Each part has its exact distance; a seam is the smooth minimum of two distances (a parabola where
// they differ by less than its width), which never changes faster than they do.
#include "surface/blend.h"

#include "geom/distance.h"

static double ellipsoid_distance(const dew_Part *part, dew_Vec3 p)
{
    dew_Vec3 q = dew_sub(p, part->a);
    if (part->turn_x != 0)
        q = dew_rotate(dew_rotation_about(dew_vec(1, 0, 0), -part->turn_x), q);
    if (part->turn_z != 0)
        q = dew_rotate(dew_rotation_about(dew_vec(0, 0, 1), -part->turn_z), q);
    return dew_ellipsoid_distance(q, part->b).distance;
}

// Hull of two balls. In the plane through the axis: x along it from a, y away from it. The hull's
// side touches both balls where their normals have slope sin = (radius - end_radius) / length.
static double cone_distance(const dew_Part *part, dew_Vec3 p)
{
    dew_Vec3 axis = dew_sub(part->b, part->a), q = dew_sub(p, part->a);
    double length = dew_length(axis);
    double x = dew_inner(q, axis) / length;
    double y = sqrt(fmax(dew_length2(q) - x * x, 0));
    double s = (part->radius - part->end_radius) / length, c = sqrt(1 - s * s);
    double along = c * x - s * y;  // on the side, from the first circle of touch
    if (along < 0)
        return sqrt(x * x + y * y) - part->radius;
    if (along > c * length)
        return dew_distance(p, part->b) - part->end_radius;
    return c * y + s * x - part->radius;
}

static double part_distance(const dew_Part *part, dew_Vec3 p)
{
    return part->shape == DEW_PART_CONE ? cone_distance(part, p) : ellipsoid_distance(part, p);
}

// A lower bound that costs little: the ball around the part.
static double part_bound(const dew_Part *part, dew_Vec3 p)
{
    if (part->shape == DEW_PART_ELLIPSOID)
        return dew_distance(p, part->a) - fmax(part->b.x, fmax(part->b.y, part->b.z));
    dew_Vec3 middle = dew_combine(0.5, part->a, 0.5, part->b);
    double reach = 0.5 * dew_distance(part->a, part->b) + fmax(part->radius, part->end_radius);
    return dew_distance(p, middle) - reach;
}

static double melt(const dew_Part *part, double distance, dew_Vec3 p)
{
    if (part->is_cut) {
        if (part_bound(part, p) > part->blend - distance)
            return distance;
        return -dew_smooth_min(-distance, part_distance(part, p), part->blend);
    }
    if (part_bound(part, p) > distance + part->blend)
        return distance;
    return dew_smooth_min(distance, part_distance(part, p), part->blend);
}

double dew_parts_distance(const dew_Part *parts, int count, dew_Vec3 p)
{
    double distance = part_distance(&parts[0], p);
    for (int i = 1; i < count; i++) {
        distance = melt(&parts[i], distance, p);
        if (parts[i].is_mirrored)
            distance = melt(&parts[i], distance, dew_vec(p.x, p.y, -p.z));
    }
    return distance;
}
