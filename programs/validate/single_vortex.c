// The reversed single vortex: a disk is wound up into a thread and unwound again [RiderKothe1998].
//
// T = 8 with the flow's sign reversed smoothly at T/2, when the thread is about a cell thick on
// 64^2 cells. Rivals: a geometric volume-of-fluid code has 1.5e-2 and 3.5e-3 of symmetric
// difference on 64^2 and 128^2; WENO alone loses most of the disk.
#include "support/vec.h"
#include "validate/carried_shape.h"
#include "validate/cases.h"

#include <math.h>
#include <stdio.h>

static double disk(void *context, dew_Vec3 p)
{
    (void)context;
    return hypot(p.x - 0.5, p.y - 0.75) - 0.15;
}

// From the stream function sin^2(pi x) sin^2(pi y) / pi.
static dew_Vec3 vortex(void *context, dew_Vec3 p, double time_s)
{
    (void)context;
    (void)time_s;
    double sx = sin(DEW_PI * p.x), sy = sin(DEW_PI * p.y);
    double cx = cos(DEW_PI * p.x), cy = cos(DEW_PI * p.y);
    return dew_v3(-2 * sx * sx * sy * cy, 2 * sy * sy * sx * cx, 0);
}

static dew_Status carry(dew_CaseRun *c, int cells, int markers, double allowed)
{
    dew_CarryDef def = {.dimensions = 2,
                        .cells = cells,
                        .duration_s = 8,
                        .step_count = 8 * cells,  // a step of constant length, up to one cell
                        .scheme = markers > 0 ? DEW_ADVECT_TRACE : DEW_ADVECT_WENO,
                        .markers_per_cell = markers,
                        .shape = {.distance_m = disk},
                        .velocity = {.velocity_m_s = vortex},
                        .step = dew_carry_reversed};
    dew_Carried got;
    char name[64];
    DEW_TRY(dew_carry(&def, &got));
    snprintf(name, sizeof name, "%d^2, %s: symmetric difference", cells,
             markers > 0 ? "markers" : "WENO alone");
    if (markers == 0) {
        dew_case_note(c, name, got.symmetric_difference, allowed);
        return dew_ok();
    }
    dew_case_within(c, name, got.symmetric_difference, 0, allowed);
    snprintf(name, sizeof name, "%d^2, markers: change of area", cells);
    dew_case_note(c, name, got.volume_change, 0);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    DEW_TRY(carry(c, 64, 16, 1.5e-2));
    if (c->is_quick)
        return dew_ok();
    DEW_TRY(carry(c, 128, 16, 5e-3));
    DEW_TRY(carry(c, 64, 0, 1.5e-2));
    return carry(c, 128, 0, 5e-3);
}

const dew_Case dew_case_single_vortex = {
    "single_vortex", "a disk wound up by a vortex and unwound again", true, run};
