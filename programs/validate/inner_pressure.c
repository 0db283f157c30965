// Mean pressure inside. phi may have a grid of its own (splash), so it is looked up by position.
#include "validate/inner_pressure.h"

#include "dew/fields.h"

dew_Status dew_inner_pressure_Pa(dew_World *world, double *out)
{
    dew_FieldView phi, p;
    double sum = 0, count = 0;
    DEW_TRY(dew_world_field(world, "phi", &phi));
    DEW_TRY(dew_world_field(world, "pressure", &p));
    for (int64_t n = 0; n < p.value_count; n++) {
        int32_t c[3];
        dew_field_view_cell(&p, n, c);
        int64_t at = dew_field_view_at(&phi, dew_field_view_position_m(&p, c[0], c[1], c[2]));
        if (at >= 0 && dew_field_view_value(&phi, at) < -2 * p.bricks.cell_m) {
            sum += dew_field_view_value(&p, n);
            count++;
        }
    }
    *out = sum / count;
    return dew_ok();
}
