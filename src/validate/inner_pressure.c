#include "validate/inner_pressure.h"

double dew_inner_pressure_Pa(const dew_Liquid *liquid)
{
    const double *phi = dew_liquid_phi(liquid), *p = dew_grid_f64(liquid->grid, liquid->p);
    double sum = 0, count = 0;
    for (int64_t n = 0; n < dew_liquid_count(liquid); n++)
        if (phi[n] < -2 * liquid->grid->cell_m) {
            sum += p[n];
            count++;
        }
    return sum / count;
}
