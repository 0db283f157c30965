// Leaf and windscreen: bent sheets.
#include "surface/procedural_shapes.h"
#include "surface/sheet.h"

// ---- leaf: rib along z, from the stalk's end at -0.5 to the tip at 0.5 --------------------------

// Lengths in lengths of the leaf.
static const struct Leaf {
    double thickness, rib_width, rim_width;  // veins begin beside the rib; the rim turns up
} leaf = {0.008, 0.06, 0.06};

static double leaf_half_width(double v)
{
    double t = fmin(fmax(v + 0.5, 0), 1);                           // 0 at the stalk, 1 at the tip
    return 0.92 * pow(t, 0.7) * pow(1 - t, 0.95) * (1 - 0.25 * t);  // round behind, pointed ahead
}

// About how far a point is from the outline.
static double leaf_margin(double u, double v)
{
    double slope = dew_curve_slope(leaf_half_width, v);
    return (leaf_half_width(v) - fabs(u)) / sqrt(1 + slope * slope);
}

// Height: folded along the rib, bent down along it, and with a rim that turns up.
static dew_Vec3 leaf_point(double u, double v)
{
    double fold = 0.22 * (sqrt(u * u + 4e-4) - 0.02);  // both halves rise, round at the rib
    double arch = -0.22 * (v + 0.05) * (v + 0.05);
    double margin = leaf_margin(u, v);
    double ends = dew_smooth_step((v + 0.5) / 0.15) * dew_smooth_step((0.5 - v) / 0.2);
    double rim = 0.040 * ends * dew_smooth_step(1 - margin / leaf.rim_width);
    double veins = 0.004 * ends * sin(60 * (v - 0.8 * fabs(u))) * dew_smooth_step(margin / 0.1) *
                   dew_smooth_step(fabs(u) / leaf.rib_width);
    return dew_vec(-u, fold + arch + rim + veins, v);  // so that u x v points up
}

dew_Status dew_make_leaf(double edge, dew_Mesh *mesh)
{
    dew_Sheet sheet = {.begin = -0.5,
                       .end = 0.5,
                       .half_width = leaf_half_width,
                       .point = leaf_point,
                       .thickness = leaf.thickness};
    return dew_sheet_mesh(&sheet, edge, mesh);
}

// ---- windscreen: u across, v up the slope -------------------------------------------------------

static const struct Screen {
    double half_height, half_width, taper, corner_radius, thickness;
    double bow[2];  // curvature across and up the slope, halved
} screen = {0.28, 0.48, 0.06, 0.06, 0.006, {0.35, 0.12}};

static double screen_half_width(double v)
{
    double t = v / (2 * screen.half_height);  // -1/2 at the lower edge, 1/2 at the upper
    double taper = screen.half_width - screen.taper * t;
    double corner =
        fmax(fabs(v) - (screen.half_height - screen.corner_radius), 0) / screen.corner_radius;
    return taper - screen.corner_radius * (1 - sqrt(fmax(1 - corner * corner, 0)));
}

static dew_Vec3 screen_point(double u, double v)
{
    double bow = -screen.bow[0] * u * u - screen.bow[1] * v * v;  // bent back toward its sides
    double slope = DEW_DEG(30);
    return dew_vec(u, sin(slope) * v + cos(slope) * bow, -cos(slope) * v + sin(slope) * bow);
}

dew_Status dew_make_windscreen(double edge, dew_Mesh *mesh)
{
    dew_Sheet sheet = {.begin = -screen.half_height,
                       .end = screen.half_height,
                       .half_width = screen_half_width,
                       .point = screen_point,
                       .thickness = screen.thickness};
    return dew_sheet_mesh(&sheet, edge, mesh);
}
