// Nozzles: the pin behind a disk.
//
// phi in the pin is that of a column, so that the surface of a jet goes on straight; a cell behind the disk the
// column narrows, for nothing of it shall be seen beside the pin.
#include "solvers/liquid/nozzle.h"

#include <math.h>

#define LENGTH   6.0  // of the pin, in cells
#define STRAIGHT 1.0  // cells behind the disk where the column begins to narrow
#define FILLED   3.0  // cells behind the disk where it ends
#define RIM      0.5  // cells that nothing is drawn in, from the pin's side inwards, and
#define BESIDE   1.5  // outwards

// How far in front of the disk, and how far from its axis.
typedef struct Place {
    double height, radius;
    dew_Vec3 away;  // from the axis, unit
} Place;

static Place place_of(const dew_LiquidNozzle *n, dew_Vec3 p)
{
    dew_Vec3 arm = dew_sub(p, n->center_m);
    if (n->is_flat)
        arm.z = 0;
    double height = dew_inner(arm, n->normal);
    arm = dew_add_scaled(arm, -height, n->normal);
    double radius = dew_length(arm);
    return (Place){height, radius,
                   radius > 0 ? dew_scale(1 / radius, arm) : dew_any_tangent(n->normal)};
}

dew_Closest dew_liquid_nozzle_nearest(const dew_LiquidNozzle *n, dew_Vec3 p)
{
    Place at = place_of(n, p);
    double half = 0.5 * LENGTH * n->cell_m;
    dew_Closest c =
        dew_cylinder_distance(dew_vec(at.radius, at.height + half, 0), n->radius_m, half);
    c.normal = dew_combine(c.normal.x, at.away, c.normal.y, n->normal);
    c.point = dew_add_scaled(p, -c.distance, c.normal);
    return c;
}

double dew_liquid_nozzle_phi(const dew_LiquidNozzle *n, dew_Vec3 p)
{
    Place at = place_of(n, p);
    double side = at.radius - n->radius_m, behind = -at.height, h = n->cell_m;
    double cone = (side + behind - STRAIGHT * h) * sqrt(0.5);
    return fmax(side, fmax(cone, behind - FILLED * h));
}

double dew_liquid_nozzle_hidden(const dew_LiquidNozzle *n, dew_Vec3 p)
{
    Place at = place_of(n, p);
    double side = at.radius - n->radius_m, behind = -at.height, h = n->cell_m;
    if (behind > LENGTH * h)
        return -HUGE_VAL;
    return fmin(behind, fmin(side + RIM * h, BESIDE * h - side));
}
