// Zalesak's notched disk and sphere, turned once around the middle of the domain [Zalesak1979].
//
// 100 cells along an edge; radius 15 cells, a notch 5 wide and 25 (disk) or 12.5 (sphere) deep
// [Enright2002]. The flow is a rotation, so nothing but the sharp edges should change.
#include "support/vec.h"
#include "validate/carried_shape.h"
#include "validate/cases.h"

#include <math.h>
#include <stdio.h>

typedef struct Notched {
    double middle_z, notch_top;
} Notched;

// Outside of the notch within the ball. Not the distance beyond the edges, but no steeper.
static double notched(void *context, dew_Vec3 p)
{
    const Notched *shape = context;
    double ball =
        dew_v3_length(dew_v3(p.x - 0.5, p.y - 0.75, shape->middle_z > 0 ? p.z - 0.5 : 0)) - 0.15;
    double x = fabs(p.x - 0.5) - 0.025, y = p.y - shape->notch_top;
    double notch = x < 0 && y < 0 ? fmax(x, y) : hypot(fmax(x, 0), fmax(y, 0));
    return fmax(ball, -notch);
}

static dew_Vec3 rotation(void *context, dew_Vec3 p, double time_s)
{
    (void)context;
    (void)time_s;
    return dew_v3(2 * DEW_PI * (0.5 - p.y), 2 * DEW_PI * (p.x - 0.5), 0);
}

static dew_Status carry(dew_CaseRun *c, int dimensions, int cells, dew_AdvectionScheme scheme,
                        int markers, double allowed)
{
    Notched shape = {dimensions == 3 ? 0.5 : 0, dimensions == 3 ? 0.725 : 0.85};
    // The farthest point of the shape moves by 2 pi 0.4 / steps: half a cell, or two.
    double cells_per_step = scheme == DEW_ADVECT_WENO ? 0.5 : 2;
    dew_CarryDef def = {.dimensions = dimensions,
                        .cells = cells,
                        .duration_s = 1,
                        .step_count = (int)ceil(2 * DEW_PI * 0.4 * cells / cells_per_step),
                        .scheme = scheme,
                        .markers_per_cell = markers,
                        .shape = {notched, &shape},
                        .velocity = {.velocity_m_s = rotation},
                        .step = dew_carry_steady};
    dew_Carried got;
    char name[64];
    DEW_TRY(dew_carry(&def, &got));
    const char *how = markers > 0 ? "markers" : scheme == DEW_ADVECT_WENO ? "WENO" : "traced";
    snprintf(name, sizeof name, "%d^%d, %s: change of volume", cells, dimensions, how);
    if (markers > 0)
        dew_case_within(c, name, got.volume_change, 0, allowed);
    else
        dew_case_note(c, name, got.volume_change, 0);
    snprintf(name, sizeof name, "%d^%d, %s: symmetric difference / volume", cells, dimensions, how);
    dew_case_note(c, name, got.symmetric_difference / got.volume, 0);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    DEW_TRY(carry(c, 2, 100, DEW_ADVECT_WENO, 16, 0.005));
    DEW_TRY(carry(c, 2, 100, DEW_ADVECT_WENO, 0, 0));
    if (c->is_quick)
        return dew_ok();
    DEW_TRY(carry(c, 3, 100, DEW_ADVECT_TRACE, 16, 0.005));
    DEW_TRY(carry(c, 3, 100, DEW_ADVECT_TRACE, 0, 0));
    return carry(c, 3, 100, DEW_ADVECT_WENO, 0, 0);
}

const dew_Case dew_case_zalesak = {"zalesak", "a notched disk and sphere turned once", true, run};
