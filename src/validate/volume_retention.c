// The solver `volume` in three dimensions: a drop on a tilted plate with hysteresis.
//
// The retention law, rho V g sin(tilt) = sigma w (cos(receding) - cos(advancing)), is exact for slow steady sliding
// (retention.h); w is the width of the base across the slope, a disk measured before the plate is tilted. The drop
// must hold 15 % below and slide 15 % above. Angles must stay within 3 degrees of [receding, advancing] while it holds
// and as long as it slides slowly, mu U / sigma < 0.004: they are read off the lowest two and a half cells, within
// which viscosity then bends the surface by 3 (mu U / sigma) ln(2.5) / theta^2, 0.6 degrees at 60. Ten times the
// viscosity of water. R/h = 8: the figures are of balances of force, and a drop of 16 takes twenty times as long.
#include "validate/cases.h"
#include "validate/retention.h"
#include "validate/slope.h"

#include <math.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81, volume_m3 = 30e-9, mu = 10e-3;
static const double receding_deg = 60, advancing_deg = 90;

// Lets it slide until it is no longer slow, or for time_s.
static dew_Status slide_slowly(dew_Slope *slope, double tilt_rad, double time_s, double *slid_s,
                               double *slid_m)
{
    const int parts = 10;
    double part_m;
    dew_Stats stats = {0};
    *slid_s = *slid_m = 0;
    for (int i = 0; i < parts && mu * stats.velocity_m_s.x < 0.004 * sigma; i++) {
        DEW_TRY(dew_slope_hold(slope, tilt_rad, time_s / parts, &part_m));
        dew_world_stats(slope->stage.world, &stats);
        *slid_s += time_s / parts;
        *slid_m += part_m;
    }
    return dew_ok();
}

static dew_Status hold_and_slide(dew_CaseRun *c, dew_Slope *slope, double h)
{
    dew_View view;
    double held, slow_s, slow_m, fast_m = 0;
    DEW_TRY(dew_slope_turn(slope, 0, 0, 0.06));
    DEW_TRY(dew_stage_look(&slope->stage, &view));
    double force = dew_retention_N(sigma, 2 * view.base_radius_m, DEW_DEG(receding_deg),
                                   DEW_DEG(advancing_deg));
    double below = dew_retention_tilt_rad(0.85 * force, rho, volume_m3, g);
    double above = dew_retention_tilt_rad(1.15 * force, rho, volume_m3, g);
    dew_slope_forget_angles(slope);
    DEW_TRY(dew_slope_turn(slope, 0, below, 0.2));
    DEW_TRY(dew_slope_hold(slope, below, 0.05, &held));
    DEW_TRY(dew_slope_hold(slope, below, 0.1, &held));
    dew_case_within(c, "creep at 0.85 of the law's force (h/s)", held / h / 0.1, 0, 0.5);
    DEW_TRY(dew_slope_turn(slope, below, above, 0.03));
    DEW_TRY(slide_slowly(slope, above, 0.1, &slow_s, &slow_m));
    dew_case_at_least(c, "least angle (deg)", slope->low_deg, receding_deg - 3);
    dew_case_at_least(c, "largest angle, negated (deg)", -slope->high_deg, -advancing_deg - 3);
    if (slow_s < 0.0999)
        DEW_TRY(dew_slope_hold(slope, above, 0.1 - slow_s, &fast_m));
    dew_case_at_least(c, "way in 0.1 s at 1.15 of it (h)", (slow_m + fast_m) / h, 0.25);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    double h = cbrt(3 * volume_m3 / (4 * DEW_PI)) / 8;
    dew_Slope slope = {.parts = 40};
    DEW_TRY(dew_stage_open(
        &slope.stage, "volume_retention.yaml",
        "dew: 1\n"
        "solver: volume\n"
        "duration: 10 s\n"
        "domain: {min: [-4 mm, %.12g, -4 mm], max: [9 mm, 5 mm, 4 mm], cell: %.12g}\n"
        "gravity: [0, %g, 0]\n"
        "liquid: {density: %g, viscosity: %g, surface_tension: %g}\n"
        "materials: {plate: {advancing: %g deg, receding: %g deg}}\n"
        "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: plate}]\n"
        "drops: [{shape: cap, point: [0.02 mm, 0, 0.03 mm], normal: [0, 1, 0], volume: %.12g,"
        " angle: 75 deg}]\n",
        -8 * h, h, -g, rho, mu, sigma, advancing_deg, receding_deg, volume_m3));
    dew_Status status = hold_and_slide(c, &slope, h);
    dew_stage_close(&slope.stage);
    return status;
}

const dew_Case dew_case_volume_retention = {
    "volume_retention", "volume: a drop holds on a tilted plate, and slides, in 3-D", false, run};
