// A bottle of glass as a body of revolution: up the outside, over the lip, down the inside.
//
// Outside and inside are one curve each of radius against height; the wall between them has the
// same thickness all over, measured along the normal.
#include "base/array.h"
#include "base/status.h"
#include "geom/shapes.h"
#include "surface/procedural_shapes.h"

static const double height = 1, body_radius = 0.16, neck_radius = 0.058, wall = 0.016;
static const double heel = 0.035;         // radius of the rounding between wall and floor
static const double shoulder_low = 0.52;  // where the body begins to narrow
static const double shoulder_high = 0.76;
static const double lip_low = 0.93;   // a ring around the mouth begins here
static const double lip_rise = 0.02;  // and has its full width so much higher: half of that
static const double punt = 0.03;      // how far the floor is pushed in

// Outside radius at a height above the heel.
static double outside(double y)
{
    double shoulder = dew_smooth_step((y - shoulder_low) / (shoulder_high - shoulder_low));
    double r = body_radius + (neck_radius - body_radius) * shoulder;
    return r + 0.5 * lip_rise * dew_smooth_step((y - lip_low) / lip_rise);
}

static double inside(double y)
{
    double step = 1e-4;
    double shoulder_y = fmin(y, lip_low - 0.5 * lip_rise);  // the ring is on the outside only
    double slope = (outside(shoulder_y + step) - outside(shoulder_y - step)) / (2 * step);
    return outside(shoulder_y) - wall * sqrt(1 + slope * slope);
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
    double r = t * (body_radius - heel);
    return (dew_ProfilePoint){r, punt * (1 - dew_smooth_step(t))};
}

static dew_ProfilePoint heel_outside(double t)
{
    double angle = 0.5 * DEW_PI * t;
    return (dew_ProfilePoint){body_radius - heel + heel * sin(angle), heel - heel * cos(angle)};
}

static dew_ProfilePoint wall_outside(double t)
{
    double lip_radius = 0.5 * (outside(height) - inside(height));
    double y = heel + t * (height - lip_radius - heel);
    return (dew_ProfilePoint){outside(y), y};
}

static dew_ProfilePoint lip(double t)
{
    double lip_radius = 0.5 * (outside(height) - inside(height)), angle = DEW_PI * t;
    return (dew_ProfilePoint){inside(height) + lip_radius * (1 + cos(angle)),
                              height - lip_radius + lip_radius * sin(angle)};
}

static dew_ProfilePoint wall_inside(double t)
{
    double lip_radius = 0.5 * (outside(height) - inside(height));
    double y = height - lip_radius - t * (height - lip_radius - heel);
    return (dew_ProfilePoint){inside(y), y};
}

static dew_ProfilePoint heel_inside(double t)
{
    double angle = 0.5 * DEW_PI * t, r = heel - wall;
    return (dew_ProfilePoint){body_radius - heel + r * cos(angle), heel - r * sin(angle)};
}

static dew_ProfilePoint floor_inside(double t)
{
    double r = (1 - t) * (body_radius - heel);
    return (dew_ProfilePoint){t == 1 ? 0 : r, wall + punt * (1 - dew_smooth_step(1 - t))};
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
