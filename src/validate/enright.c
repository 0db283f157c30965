// Enright's deformation: a ball is drawn out into a thin sheet and back [LeVeque1996], [Enright2002].
//
// T = 3, reversed at the half; at 100^3 cells the sheet is thinner than a cell. [Enright2002] lose 2.6 % of
// the volume with 64 markers per cell; OpenVDB's WENO5 loses 25 % at 128^3.
#include "validate/carried_shape.h"
#include "validate/cases.h"

#include <math.h>
#include <stdio.h>

static double ball(void *context, dew_Vec3 p)
{
    (void)context;
    return dew_distance(p, dew_vec(0.35, 0.35, 0.35)) - 0.15;
}

static dew_Vec3 deformation(const void *context, dew_Vec3 p, double time_s)
{
    (void)context;
    (void)time_s;
    double sx = sin(DEW_PI * p.x), sy = sin(DEW_PI * p.y), sz = sin(DEW_PI * p.z);
    double tx = sin(2 * DEW_PI * p.x), ty = sin(2 * DEW_PI * p.y), tz = sin(2 * DEW_PI * p.z);
    return dew_vec(2 * sx * sx * ty * tz, -tx * sy * sy * tz, -tx * ty * sz * sz);
}

static dew_Status carry(dew_CaseRun *c, int cells, dew_CarryScheme scheme, int markers,
                        double allowed)
{
    // The fastest point of the domain moves by 2 T / steps, the surface by half of that.
    double cells_per_step = scheme == DEW_CARRY_WENO ? 1 : 4;
    dew_CarryDef def = {.dimensions = 3,
                        .cells = cells,
                        .duration_s = 3,
                        .step_count = (int)ceil(6 * cells / cells_per_step),
                        .scheme = scheme,
                        .markers_per_cell = markers,
                        .distance = ball,
                        .velocity = deformation,
                        .factor = dew_carry_reversed,
                        .tasks = c->tasks};
    dew_Carried got;
    char name[64];
    DEW_TRY(dew_carry(&def, &got));
    const char *how = markers > 0 ? "markers" : scheme == DEW_CARRY_WENO ? "WENO" : "traced";
    snprintf(name, sizeof name, "%d^3, %s: change of volume", cells, how);
    if (markers > 0) {
        dew_case_within(c, name, got.volume_change, 0, allowed);
        snprintf(name, sizeof name, "%d^3, %s: pieces at the end", cells, how);
        dew_case_within(c, name, (double)got.piece_count, 1, 0);
    } else {
        dew_case_note(c, name, got.volume_change, 0);
    }
    snprintf(name, sizeof name, "%d^3, %s: symmetric difference / volume", cells, how);
    dew_case_note(c, name, got.symmetric_difference / got.volume, 0);
    snprintf(name, sizeof name, "%d^3, %s: CPU seconds", cells, how);
    dew_case_note(c, name, got.cpu_s, 30);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    // At 48^3 the sheet is half a cell thick: a twentieth of the volume is allowed.
    if (c->is_quick)
        return carry(c, 48, DEW_CARRY_TRACE, 16, 0.05);
    DEW_TRY(carry(c, 100, DEW_CARRY_TRACE, 16, 0.01));
    DEW_TRY(carry(c, 100, DEW_CARRY_TRACE, 0, 0));
    return carry(c, 100, DEW_CARRY_WENO, 0, 0);
}

const dew_Case dew_case_enright = {"enright", "a ball drawn out into a sheet and back", true, run};
