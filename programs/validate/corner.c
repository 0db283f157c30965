// The rear of a drop that slides faster than its receding line can follow, in `surface`: a corner.
//
// Its two sides recede along their normals with the critical speed at most, so that half of the
// opening angle phi has sin(phi) = Ca_c / Ca [Podgorski2001, LeGrand2005]. They recede a little
// slower than that, since the liquid between them needs an angle at its sides to flow at all
// [Snoeijer2007]: with the 21 degrees that they have, a tenth. Mean of several instants; allowed
// 15 % of sin(phi).
#include "validate/cases.h"
#include "validate/sliding.h"
#include "validate/sliding_outline.h"

#include <math.h>
#include <stdio.h>

enum { LOOKS = 8 };

static dew_Status corner(dew_CaseRun *c, dew_SlidingDrop d)
{
    dew_Stage stage;
    d.diameters = 5;
    DEW_TRY(dew_sliding_open(&d, &stage));
    double end_s = dew_sliding_time_s(&d), speed = 0, sine = 0;
    dew_Status status = dew_sliding_advance(&d, &stage, 0.6 * end_s);
    for (int k = 0; k < LOOKS && status.code == DEW_OK; k++) {
        dew_Drop drop = {0};
        double now = (double)NAN;
        status = dew_sliding_advance(&d, &stage, end_s * (0.6 + 0.4 * (k + 1) / LOOKS));
        if (status.code == DEW_OK)
            status = dew_sliding_largest(&stage, &drop);
        if (status.code == DEW_OK)
            status = dew_sliding_sine(&stage, &drop, &now);
        sine += now / LOOKS;
        speed += drop.velocity_m_s.x / LOOKS;
    }
    dew_stage_close(&stage);
    DEW_TRY(status);
    char name[64];
    snprintf(name, sizeof name, "%s on %g deg, Ca / Ca_c = %.2f: sin(phi)", d.name, d.slope_deg,
             speed / dew_sliding_critical_m_s(&d));
    dew_case_near(c, name, sine, dew_sliding_critical_m_s(&d) / speed, 0.15);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    dew_SlidingDrop ethanol = {"ethanol", 789,       1.2e-3, 22.3e-3, 5,        40, 34,
                               45,        "surface", 12,     24,      1.0 / 60, 5};
    DEW_TRY(corner(c, dew_sliding_oil("surface", 40, 12)));
    if (c->is_quick)
        return dew_ok();
    DEW_TRY(corner(c, dew_sliding_oil("surface", 45, 12)));
    return corner(c, ethanol);
}

const dew_Case dew_case_corner = {"corner", "surface: opening angle of a sliding drop's rear", true,
                                  run};
