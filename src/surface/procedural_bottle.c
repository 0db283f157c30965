// A bottle of glass as a body of revolution: up the outside, over the lip, down the inside.
//
// Outside and inside are one curve each of radius against height; the wall between them has the
// same thickness all over, measured along the normal.
#include "base/array.h"
#include "base/status.h"
#include "geom/shapes.h"
#include "surface/procedural_shapes.h"

// Lengths in heights of the bottle.
static const struct Bottle {
    double height, body_radius, neck_radius, wall;
    double heel, punt;   // radius of the rounding between wall and floor; rise of the floor
    double shoulder[2];  // heights between which the body narrows
    double lip[2];       // and the ring around the mouth gets its width
} bottle = {1, 0.16, 0.058, 0.016, 0.035, 0.03, {0.52, 0.76}, {0.93, 0.95}};

// Outside radius at a height above the heel.
static double outside(double y)
{
    double shoulder =
        dew_smooth_step((y - bottle.shoulder[0]) / (bottle.shoulder[1] - bottle.shoulder[0]));
    double r = bottle.body_radius + (bottle.neck_radius - bottle.body_radius) * shoulder;
    double rise = bottle.lip[1] - bottle.lip[0];  // the ring is half as wide
    return r + 0.5 * rise * dew_smooth_step((y - bottle.lip[0]) / rise);
}

static double inside(double y)
{
    double shoulder_y = fmin(y, bottle.shoulder[1]);  // the ring is on the outside only
    double slope = dew_curve_slope(outside, shoulder_y);
    return outside(shoulder_y) - bottle.wall * sqrt(1 + slope * slope);
}

// Points of the outline: each curve from where the last one ended, in steps no longer than an edge.
typedef struct Outline {
    dew_Array points;  // dew_ProfilePoint
    double edge;
} Outline;

typedef dew_ProfilePoint CurveFn(double t);

static dew_Status add_curve(Outline *outline, CurveFn *curve)
{
    double length = 0;
    dew_ProfilePoint last = curve(0);
    for (int i = 1; i <= 64; i++) {
        dew_ProfilePoint p = curve(i / 64.0);
        length += hypot(p.radius_m - last.radius_m, p.y_m - last.y_m);
        last = p;
    }
    int64_t count = (int64_t)fmax(ceil(length / outline->edge), 2);
    for (int64_t i = outline->points.count == 0 ? 0 : 1; i <= count; i++) {
        dew_ProfilePoint p = curve((double)i / (double)count);
        DEW_TRY(dew_array_push(&outline->points, &p));
    }
    return dew_ok();
}

static dew_ProfilePoint floor_below(double t)
{
    double r = t * (bottle.body_radius - bottle.heel);
    return (dew_ProfilePoint){r, bottle.punt * (1 - dew_smooth_step(t))};
}

static dew_ProfilePoint heel_outside(double t)
{
    double angle = 0.5 * DEW_PI * t;
    return (dew_ProfilePoint){bottle.body_radius - bottle.heel + bottle.heel * sin(angle),
                              bottle.heel - bottle.heel * cos(angle)};
}

static dew_ProfilePoint wall_outside(double t)
{
    double lip_radius = 0.5 * (outside(bottle.height) - inside(bottle.height));
    double y = bottle.heel + t * (bottle.height - lip_radius - bottle.heel);
    return (dew_ProfilePoint){outside(y), y};
}

static dew_ProfilePoint lip(double t)
{
    double lip_radius = 0.5 * (outside(bottle.height) - inside(bottle.height)), angle = DEW_PI * t;
    return (dew_ProfilePoint){inside(bottle.height) + lip_radius * (1 + cos(angle)),
                              bottle.height - lip_radius + lip_radius * sin(angle)};
}

static dew_ProfilePoint wall_inside(double t)
{
    double lip_radius = 0.5 * (outside(bottle.height) - inside(bottle.height));
    double y = bottle.height - lip_radius - t * (bottle.height - lip_radius - bottle.heel);
    return (dew_ProfilePoint){inside(y), y};
}

static dew_ProfilePoint heel_inside(double t)
{
    double angle = 0.5 * DEW_PI * t, r = bottle.heel - bottle.wall;
    return (dew_ProfilePoint){bottle.body_radius - bottle.heel + r * cos(angle),
                              bottle.heel - r * sin(angle)};
}

static dew_ProfilePoint floor_inside(double t)
{
    double r = (1 - t) * (bottle.body_radius - bottle.heel);
    return (dew_ProfilePoint){t == 1 ? 0 : r,
                              bottle.wall + bottle.punt * (1 - dew_smooth_step(1 - t))};
}

dew_Status dew_make_bottle(double edge, dew_Mesh *mesh)
{
    CurveFn *const curves[] = {floor_below, heel_outside, wall_outside, lip,
                               wall_inside, heel_inside,  floor_inside};
    Outline outline = {.edge = edge};
    dew_array_init(&outline.points, &mesh->allocator, sizeof(dew_ProfilePoint));
    dew_Status status = dew_ok();
    for (int i = 0; status.code == DEW_OK && i < 7; i++)
        status = add_curve(&outline, curves[i]);
    if (status.code == DEW_OK)
        status = dew_shape_revolve(DEW_ITEMS(&outline.points, dew_ProfilePoint),
                                   outline.points.count, edge, mesh);
    dew_array_deinit(&outline.points);
    return status;
}
