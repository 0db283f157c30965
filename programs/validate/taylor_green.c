// The decaying vortex of Taylor and Green in a box with free-slip walls: u = sin(pi x) cos(pi y),
// v = -cos(pi x) sin(pi y), an exact solution that decays as exp(-2 nu pi^2 t), for the pressure
// balances its advection. What numerical viscosity adds shows as faster decay.
//
// The step shrinks with the cell. Viscosity is of first order in time, the rest of second order in
// time and space, so errors must fall faster than linearly; walls are where ghosts and slip are
// tested.
#include "support/vec.h"
#include "validate/cases.h"
#include "validate/flow_box.h"

#include <math.h>

static const double viscosity = 0.01, end = 1;

static dew_Vec3 vortex(void *context, dew_Vec3 p, double time_s)
{
    (void)context;
    (void)time_s;
    double x = DEW_PI * p.x, y = DEW_PI * p.y;
    return (dew_Vec3){sin(x) * cos(y), -cos(x) * sin(y), 0};
}

// Largest error of the velocity at the end, and the relative error of the energy lost.
static dew_Status decay(int cells, double *velocity, double *lost)
{
    dew_FlowBox box = {.cells = cells,
                       .length = 1,
                       .low = 0,
                       .high = 1,
                       .slip = HUGE_VAL,
                       .viscosity = viscosity,
                       .dt = 0.5 / cells};
    DEW_TRY(dew_flow_box_open(&box));
    dew_VelocityField start = {.velocity_m_s = vortex};
    dew_Status status = dew_flow_set_velocity(box.flow, &start);
    double begin = dew_flow_box_energy(&box), factor = exp(-2 * viscosity * DEW_PI * DEW_PI * end);
    while (status.code == DEW_OK && dew_flow_time_s(box.flow) < end - 0.5 * box.dt)
        status = dew_flow_step(box.flow, box.dt);
    *velocity = 0;
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++)
            for (int a = 0; a < 2; a++) {
                dew_Vec3 x = dew_field_view_position_m(&box.u[a], i, j, 0);
                dew_Vec3 v = dew_v3_scale(factor, vortex(NULL, x, 0));
                double error = fabs(dew_flow_box_u(&box, a, i, j) - (a == 0 ? v.x : v.y));
                *velocity = error <= *velocity ? *velocity : error;
            }
    *lost = (1 - dew_flow_box_energy(&box) / begin) / (1 - factor * factor) - 1;
    dew_flow_box_close(&box);
    return status;
}

static dew_Status run(dew_CaseRun *c)
{
    double velocity[3], lost[3];
    int levels = c->is_quick ? 2 : 3;
    for (int i = 0; i < levels; i++)
        DEW_TRY(decay(16 << i, &velocity[i], &lost[i]));
    int last = levels - 1;
    dew_case_at_least(c, "order of the velocity, finest two grids",
                      log2(velocity[last - 1] / velocity[last]), 1.5);
    dew_case_within(c, "largest velocity error, 32^2", velocity[1], 0, 0.001);
    dew_case_within(c, "energy lost beyond theory, 32^2", lost[1], 0, 0.005);
    if (!c->is_quick)
        dew_case_within(c, "energy lost beyond theory, 64^2", lost[2], 0, 0.0025);
    return dew_ok();
}

const dew_Case dew_case_taylor_green = {"taylor_green",
                                        "decay of the Taylor-Green vortex by viscosity", true, run};
