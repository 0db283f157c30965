// A kitchen tap: foot, riser, gooseneck, spout with a hollow mouth, lever.
//
// Stands on y = 0, about 1 high, the spout toward +x. One body: all parts melt into one another.
#include "geom/distance.h"
#include "surface/blend.h"
#include "surface/implicit_mesh.h"
#include "surface/procedural_shapes.h"

// Lengths in heights of the tap.
static const struct Tap {
    double pipe_radius, bend_radius, bend_height;  // of the gooseneck's middle line
    double mouth_height;
    double seam[5];  // widths over which body, pipe, spout, lever and bore blend into the rest
} tap = {0.055, 0.22, 0.72, 0.50, {0.03, 0.025, 0.012, 0.03, 0.008}};

// Cylinder about a vertical axis at x, from y0 to y1, its rims rounded by r.
static double post(dew_Vec3 p, double x, double y0, double y1, double radius, double r)
{
    dew_Vec3 q = {p.x - x, p.y - 0.5 * (y0 + y1), p.z};
    return dew_cylinder_distance(q, radius - r, 0.5 * (y1 - y0) - r).distance - r;
}

// The pipe's middle line goes up at x = 0, over half a circle, and down at x = 2 bend_radius.
static double pipe(dew_Vec3 p)
{
    double x = p.x - tap.bend_radius, y = p.y - tap.bend_height, along = 0;
    double out = fabs(x) - tap.bend_radius;
    if (y > 0) {
        out = sqrt(x * x + y * y) - tap.bend_radius;
    } else {
        double low = x < 0 ? 0.10 : tap.mouth_height + tap.pipe_radius + 0.01;
        along = fmin(p.y - low, 0);
    }
    return sqrt(out * out + along * along + p.z * p.z) - tap.pipe_radius;
}

static double tap_value(const void *context, dew_Vec3 p)
{
    (void)context;
    static const dew_Part lever[] = {
        {DEW_CONE(0, 0.21, 0.05, 0.05, 0, 0.22, 0.13, 0.045)},
        {DEW_CONE(0, 0.225, 0.13, 0.028, -0.03, 0.42, 0.20, 0.020), .blend = 0.03},
    };
    double spout_x = 2 * tap.bend_radius;
    double d = post(p, 0, 0, 0.05, 0.13, 0.018);                               // foot
    d = dew_smooth_min(d, post(p, 0, 0.01, 0.33, 0.080, 0.018), tap.seam[0]);  // body
    d = dew_smooth_min(d, pipe(p), tap.seam[1]);
    d = dew_smooth_min(d, post(p, spout_x, tap.mouth_height, tap.mouth_height + 0.08, 0.066, 0.014),
                       tap.seam[2]);
    d = dew_smooth_min(d, dew_parts_distance(lever, 2, p), tap.seam[3]);
    double bore = post(p, spout_x, tap.mouth_height - 0.2, tap.mouth_height + 0.16, 0.034, 0.008);
    return -dew_smooth_min(-d, bore, tap.seam[4]);
}

dew_Status dew_make_tap(double edge, dew_Mesh *mesh)
{
    dew_Implicit body = {.value = tap_value,
                         .box = {{-0.19, -0.06, -0.19}, {0.57, 1.06, 0.29}},
                         .max_slope = 1,
                         .relax_count = 5};
    return dew_implicit_mesh(&body, edge, mesh);
}
