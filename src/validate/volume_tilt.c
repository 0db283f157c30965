// The solver `volume` in two dimensions: a drop on a plate that is tilted until it slides.
//
// In two dimensions the balance of forces along the plate is exact whatever the shape: the drop holds up to
//     sin(alpha) = sigma (cos(receding) - cos(advancing)) / (rho g A),   A the area of its section.
// The tilt (of gravity) is raised slowly to 1.5 degrees below that, held, and the drop's way while it is held
// gives the creep; then it is raised to 1.5 degrees above, where it must slide. Angles along the line must stay
// within 3 degrees of [receding, advancing]. Ten times the viscosity of water: the ringing ends sooner. The
// allowances are the design's: 1.5 degrees, 0.5 h/s.
#include "validate/cases.h"
#include "validate/slope.h"

#include <math.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81;
static const double receding_deg = 60, advancing_deg = 100, area_m2 = 8.2e-6;

typedef struct Tilt {
    dew_Slope slope;
    double h;
} Tilt;

static dew_Status open_drop(Tilt *tilt, double cells)
{
    // A circle cut by the plate at 80 degrees.
    double a = DEW_DEG(80), radius = sqrt(area_m2 / (a - sin(a) * cos(a)));
    tilt->h = sqrt(area_m2 / DEW_PI) / cells;
    return dew_stage_open(
        &tilt->slope.stage, "volume_tilt.yaml",
        "dew: 1\n"
        "solver: volume\n"
        "dimensions: 2\n"
        "duration: 10 s\n"
        "domain: {min: [-6 mm, %.12g, -1 mm], max: [14 mm, 6 mm, 1 mm], cell: %.12g}\n"
        "gravity: [0, %g, 0]\n"
        "liquid: {density: %g, viscosity: 10 mPa s, surface_tension: %g}\n"
        "materials: {plate: {advancing: %g deg, receding: %g deg}}\n"
        "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: plate}]\n"
        "drops: [{shape: sphere, center: [0.013 mm, %.12g, 0], radius: %.12g}]\n",
        -8 * tilt->h, tilt->h, -g, rho, sigma, advancing_deg, receding_deg, -radius * cos(a),
        radius);
}

static dew_Status tilt_it(dew_CaseRun *c, Tilt *tilt)
{
    double alpha = asin(sigma * (cos(DEW_DEG(receding_deg)) - cos(DEW_DEG(advancing_deg))) /
                        (rho * g * area_m2));
    double below = alpha - DEW_DEG(1.5), above = alpha + DEW_DEG(1.5), held, slid;
    const double hold_s = 0.1;
    DEW_TRY(dew_slope_turn(&tilt->slope, 0, 0, 0.05));
    dew_slope_forget_angles(&tilt->slope);
    DEW_TRY(dew_slope_turn(&tilt->slope, 0, below, 0.3));
    DEW_TRY(dew_slope_hold(&tilt->slope, below, 0.02, &held));
    DEW_TRY(dew_slope_hold(&tilt->slope, below, hold_s, &held));
    dew_case_within(c, "creep 1.5 deg below the tilt (h/s)", held / tilt->h / hold_s, 0, 0.5);
    DEW_TRY(dew_slope_turn(&tilt->slope, below, above, 0.02));
    DEW_TRY(dew_slope_hold(&tilt->slope, above, 0.1, &slid));
    dew_case_at_least(c, "way in 0.1 s, 1.5 deg above (h)", slid / tilt->h, 0.25);
    dew_case_at_least(c, "least angle (deg)", tilt->slope.low_deg, receding_deg - 3);
    dew_case_at_least(c, "largest angle, negated (deg)", -tilt->slope.high_deg, -advancing_deg - 3);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    Tilt tilt = {.slope = {.parts = 200}};
    DEW_TRY(open_drop(&tilt, c->is_quick ? 8 : 16));
    dew_Status status = tilt_it(c, &tilt);
    dew_stage_close(&tilt.slope.stage);
    return status;
}

const dew_Case dew_case_volume_tilt = {
    "volume_tilt", "volume: a drop holds on a tilted plate, and slides, in 2-D", true, run};
