// Drops that slide so fast that they leave droplets behind, pearls, in `surface`.
//
// The faster a drop slides, the sharper is the corner at its rear, sin(phi) = Ca_c / Ca. Down to
// about phi = 30 degrees, where a thin tail comes out of it and breaks into pearls
// [Podgorski2001, LeGrand2005, Snoeijer2007]. The slope is raised by steps of 5 degrees until a
// drop leaves some; they are counted in the table of drops. Due: first pearls within 25 % of
// Ca = 2 Ca_c, where phi would be 30 degrees, all liquid kept. How sharp the corner then is in fact
// is measured as well, with the same tolerance.
#include "validate/cases.h"
#include "validate/sliding.h"
#include "validate/sliding_outline.h"

#include <math.h>
#include <stdio.h>

enum { LOOKS = 24 };

typedef struct Slide {
    int64_t pearls;
    double speed_m_s, sine, volume_m3;  // speed and sine as long as there are no pearls, then last
} Slide;

// The mean speed over the second half of the way, and the drops at its end.
static dew_Status slide(const dew_SlidingDrop *d, Slide *out)
{
    dew_Stage stage;
    DEW_TRY(dew_sliding_open(d, &stage));
    double end_s = dew_sliding_time_s(d);
    dew_Status status = dew_sliding_advance(d, &stage, 0.5 * end_s);
    *out = (Slide){0};
    for (int k = 0; k < LOOKS && status.code == DEW_OK; k++) {
        dew_Drop drop = {0};
        double sine = (double)NAN;
        status = dew_sliding_advance(d, &stage, 0.5 * end_s * (1 + (k + 1.0) / LOOKS));
        if (status.code == DEW_OK)
            status = dew_sliding_largest(&stage, &drop);
        if (status.code == DEW_OK)
            status = dew_sliding_sine(&stage, &drop, &sine);
        out->speed_m_s += drop.velocity_m_s.x / LOOKS;
        out->sine += sine / LOOKS;
    }
    const dew_Drop *drops = NULL;
    int64_t count = 0;
    if (status.code == DEW_OK)
        status = dew_world_drops(stage.world, &drops, &count);
    for (int64_t k = 0; k < count; k++)
        out->volume_m3 += drops[k].volume_m3;
    out->pearls = count - 1;
    dew_stage_close(&stage);
    return status;
}

static dew_Status first_pearls(dew_CaseRun *c, dew_SlidingDrop d, double last_deg)
{
    char name[96];
    Slide s = {0};
    for (; d.slope_deg <= last_deg; d.slope_deg += 5) {
        DEW_TRY(slide(&d, &s));
        if (s.pearls > 0)
            break;
    }
    double critical = dew_sliding_critical_m_s(&d), volume = 1e-9 * d.volume_mm3;
    snprintf(name, sizeof name, "%s: pearls, first on %g deg", d.name, d.slope_deg);
    dew_case_at_least(c, name, (double)s.pearls, 1);
    snprintf(name, sizeof name, "%s: Ca / Ca_c of the first pearls", d.name);
    dew_case_near(c, name, s.speed_m_s / critical, 2, 0.25);
    snprintf(name, sizeof name, "%s: phi of the corner then (deg)", d.name);
    dew_case_near(c, name, asin(s.sine) * 180 / DEW_PI, 30, 0.25);
    snprintf(name, sizeof name, "%s: volume of all drops", d.name);
    dew_case_within(c, name, s.volume_m3 / volume, 1, 1e-6);
    return dew_ok();
}

// From slopes on which there are none.
static const dew_SlidingDrop others[] = {
    {"ethanol", 789, 1.2e-3, 22.3e-3, 5, 40, 34, 45, "surface", 12, 24, 1.0 / 60, 10},
    {"glycol", 1110, 16e-3, 48e-3, 30, 60, 52, 30, "surface", 12, 24, 1.0 / 60, 8},
    {"oil of 104 mPa s", 964, 104e-3, 20.7e-3, 6, 51, 45, 40, "surface", 12, 24, 1.0 / 30, 10},
};

static dew_Status run(dew_CaseRun *c)
{
    dew_SlidingDrop oil = dew_sliding_oil("surface", 40, 12);
    oil.diameters = 6;
    DEW_TRY(first_pearls(c, oil, 60));
    for (size_t k = 0; k < sizeof others / sizeof others[0] && !c->is_quick; k++)
        DEW_TRY(first_pearls(c, others[k], 70));
    return dew_ok();
}

const dew_Case dew_case_pearls = {
    "pearls", "surface: droplets that a fast drop leaves behind, and at which speed", true, run};
