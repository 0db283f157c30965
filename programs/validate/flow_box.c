// A box of liquid for checks: walls as distances, and the velocity of the lid.
#include "validate/flow_box.h"

#include <math.h>

static double distance(void *context, dew_Vec3 x)
{
    const dew_FlowBox *box = context;
    return fmin(fmin(x.x, box->length - x.x), fmin(x.y - box->low, box->high - x.y));
}

static dew_Vec3 wall_velocity(void *context, dew_Vec3 x, double time_s)
{
    (void)time_s;
    const dew_FlowBox *box = context;
    return (dew_Vec3){x.y > box->high ? box->lid_speed : 0, 0, 0};
}

dew_Status dew_flow_box_open(dew_FlowBox *box)
{
    box->h = 1.0 / box->cells;
    dew_FlowDef def = dew_default_flow_def();
    def.box.dimensions = 2;
    def.box.cell_m = box->h;
    def.box.cells[0] = (int32_t)lround(box->length * box->cells);
    def.box.cells[1] = box->cells;
    def.box.cells[2] = 1;
    def.solid = (dew_DistanceField){distance, box};
    def.wall_velocity = (dew_VelocityField){.velocity_m_s = wall_velocity, .context = box};
    def.slip_m = box->slip;
    def.density_kg_m3 = 1;
    def.viscosity_Pa_s = box->viscosity;
    DEW_TRY(dew_flow_create(&def, &box->flow));
    DEW_TRY(dew_flow_field(box->flow, "velocity_x", &box->u[0]));
    return dew_flow_field(box->flow, "velocity_y", &box->u[1]);
}

void dew_flow_box_close(dew_FlowBox *box)
{
    dew_flow_destroy(box->flow);
    box->flow = NULL;
}

double dew_flow_box_u(const dew_FlowBox *box, int a, int i, int j)
{
    int64_t at = dew_field_view_index(&box->u[a], i, j, 0);
    return at >= 0 ? dew_field_view_value(&box->u[a], at) : 0;
}

double dew_flow_box_energy(const dew_FlowBox *box)
{
    double sum = 0;
    int nx = (int)lround(box->length * box->cells), ny = box->cells;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            for (int a = 0; a < 2; a++) {
                double u = dew_flow_box_u(box, a, i, j);
                sum += u * u;
            }
    return 0.5 * sum / ((double)nx * ny);
}
