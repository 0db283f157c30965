// The solver `volume` in two dimensions: a drop on a plate that is tilted until it slides.
//
// In two dimensions the balance of forces along the plate is exact whatever the shape: the drop
// holds up to
//     sin(alpha) = sigma (cos(receding) - cos(advancing)) / (rho g A),   A the area of its section.
// The tilt (of gravity) is raised slowly to 1.5 degrees below that, held, and the drop's way while
// it is held gives the creep; then it is raised to 1.5 degrees above, where it must slide. Angles
// along the line must stay within 3 degrees of [receding, advancing]. Ten times the viscosity of
// water: the ringing ends sooner. The allowances are the design's: 1.5 degrees, 0.5 h/s. Reported
// is the worst of three places of plate and drop between the cells, two of them with 16 cells in
// the radius of the free drop, one with 13; --quick runs one, with 8.
#include "validate/cases.h"
#include "validate/places.h"
#include "validate/slope.h"

#include <math.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81;
static const double receding_deg = 60, advancing_deg = 100, area_m2 = 8.2e-6;

static dew_Status open_drop(dew_Stage *stage, const dew_GridPlace *place, double h)
{
    // A circle cut by the plate at 80 degrees.
    double a = DEW_DEG(80), radius = sqrt(area_m2 / (a - sin(a) * cos(a)));
    dew_SceneDef def = dew_build_def("volume", 2, dew_v3(-6e-3, -(8 + place->y) * h, -1e-3),
                                     dew_v3(14e-3, 6e-3, 1e-3), h);
    def.liquid = dew_build_liquid(rho, 10e-3, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, dew_build_angles(DEW_DEG(receding_deg), DEW_DEG(advancing_deg)));
    dew_build_ball(&b, dew_v3(place->x * h, -radius * cos(a), 0), radius);
    return dew_stage_open(stage, &b);
}

static dew_Status tilt_it(dew_Slope *slope, double h, dew_SlopeSeen *got)
{
    double alpha = asin(sigma * (cos(DEW_DEG(receding_deg)) - cos(DEW_DEG(advancing_deg))) /
                        (rho * g * area_m2));
    double below = alpha - DEW_DEG(1.5), above = alpha + DEW_DEG(1.5), held, slid;
    const double hold_s = 0.1;
    DEW_TRY(dew_slope_turn(slope, 0, 0, 0.05));
    dew_slope_forget_angles(slope);
    DEW_TRY(dew_slope_turn(slope, 0, below, 0.3));
    DEW_TRY(dew_slope_hold(slope, below, 0.02, &held));
    DEW_TRY(dew_slope_hold(slope, below, hold_s, &held));
    DEW_TRY(dew_slope_turn(slope, below, above, 0.02));
    DEW_TRY(dew_slope_hold(slope, above, 0.1, &slid));
    *got = (dew_SlopeSeen){held / h / hold_s, slid / h, slope->low_deg, slope->high_deg};
    return dew_ok();
}

static dew_Status watch(const dew_GridPlace *place, dew_SlopeSeen *worst)
{
    double h = sqrt(area_m2 / DEW_PI) / place->cells;
    dew_Slope slope = {.parts = 200, .slow_m_s = (double)INFINITY};
    dew_SlopeSeen got = {0};
    DEW_TRY(open_drop(&slope.stage, place, h));
    dew_Status status = tilt_it(&slope, h, &got);
    dew_stage_close(&slope.stage);
    dew_slope_note_worst(worst, &got);
    return status;
}

static dew_Status run(dew_CaseRun *c)
{
    static const dew_GridPlace quick = {8, 0.05, 0, 0};
    static const dew_GridPlace all[3] = {{16, 0.13, 0, 0}, {16, 0.41, 0.31, 0}, {13, 0.8, 0.77, 0}};
    dew_SlopeSeen worst = dew_slope_unseen();
    for (int i = 0; i < (c->is_quick ? 1 : 3); i++)
        DEW_TRY(watch(c->is_quick ? &quick : &all[i], &worst));
    dew_case_within(c, "creep 1.5 deg below the tilt (h/s)", worst.creep, 0, 0.5);
    dew_case_at_least(c, "way in 0.1 s, 1.5 deg above (h)", worst.way, 0.25);
    dew_case_at_least(c, "least angle (deg)", worst.low_deg, receding_deg - 3);
    dew_case_at_least(c, "largest angle, negated (deg)", -worst.high_deg, -advancing_deg - 3);
    return dew_ok();
}

const dew_Case dew_case_volume_tilt = {
    "volume_tilt", "volume: a drop holds on a tilted plate, and slides, in 2-D", true, run};
