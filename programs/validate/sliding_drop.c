// The speed of a sliding drop against the law of the moving contact line, in the solvers that have
// an interface with a contact angle.
//
// Silicone oil on slopes of 10 to 25 degrees against the law linearised about the mean angle, on
// 30 degrees against the law around a round base, where the rear is close to its critical speed.
// Other liquids, sizes and angles are in the full case. Allowed 30 %: the base is not round,
// gravity flattens the drop, and ln(R / lambda) = 12 leaves out a constant of order one. The mesh
// is no part of the law: 5 to 16 edges per radius within 15 % of one another.
#include "validate/cases.h"
#include "validate/sliding.h"

#include <math.h>
#include <stdio.h>

// Law linearised, or around a round base: rows whose drops are fast.
static dew_Status compare(dew_CaseRun *c, const dew_SlidingDrop *d, bool is_round)
{
    double speed = 0, law = is_round ? dew_sliding_round_m_s(d) : dew_sliding_linear_m_s(d);
    char name[96];
    DEW_TRY(dew_sliding_speed(d, &speed));
    snprintf(name, sizeof name, "%s: %s %.3g/%.3g on %.3g deg (mm/s)", d->solver, d->name,
             d->advancing_deg, d->receding_deg, d->slope_deg);
    dew_case_near(c, name, 1e3 * speed, 1e3 * law, 0.30);
    return dew_ok();
}

static dew_Status compare_cells(dew_CaseRun *c, const char *solver)
{
    static const double cells[3] = {5, 9, 16};
    double least = (double)INFINITY, most = 0;
    char name[64];
    for (int k = 0; k < 3; k++) {
        dew_SlidingDrop d = dew_sliding_oil(solver, 20, cells[k]);
        double speed = 0;
        DEW_TRY(dew_sliding_speed(&d, &speed));
        least = fmin(least, speed);
        most = fmax(most, speed);
    }
    snprintf(name, sizeof name, "%s: 5 to 16 per radius, ratio of speeds", solver);
    dew_case_within(c, name, most / least, 1, 0.15);
    return dew_ok();
}

static const dew_SlidingDrop others[] = {
    {"glycerol", 1260, 1.41, 63e-3, 10, 63, 59, 20, "surface", 8, 24, 1.0 / 60, 1},
    {"ethanol", 789, 1.2e-3, 22.3e-3, 3, 32, 29, 20, "surface", 8, 24, 1.0 / 60, 2},
    {"90 deg", 1200, 50e-3, 63e-3, 10, 95, 85, 40, "surface", 8, 24, 1.0 / 60, 1.5},
    {"small", 1000, 5e-3, 40e-3, 2, 75, 70, 60, "surface", 8, 24, 1.0 / 60, 1.5},
};

static dew_Status run(dew_CaseRun *c)
{
    for (int degrees = 10; degrees <= 25; degrees += c->is_quick ? 15 : 5) {
        dew_SlidingDrop d = dew_sliding_oil("surface", degrees, 8);
        DEW_TRY(compare(c, &d, false));
    }
    dew_SlidingDrop steep = dew_sliding_oil("surface", 30, 8);
    DEW_TRY(compare(c, &steep, true));
    for (size_t k = 0; k < sizeof others / sizeof others[0] && !c->is_quick; k++)
        DEW_TRY(compare(c, &others[k], true));
    return c->is_quick ? dew_ok() : compare_cells(c, "surface");
}

const dew_Case dew_case_sliding_drop = {
    "sliding_drop", "speed of a sliding drop against the law of the moving line", true, run};
