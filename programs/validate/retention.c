// The retention force of hysteresis.
#include "validate/retention.h"

#include <math.h>

double dew_retention_N(double sigma_N_m, double width_m, double receding_rad, double advancing_rad)
{
    return sigma_N_m * width_m * (cos(receding_rad) - cos(advancing_rad));
}

double dew_retention_tilt_rad(double force_N, double density_kg_m3, double volume_m3,
                              double gravity_m_s2)
{
    return asin(force_N / (density_kg_m3 * volume_m3 * gravity_m_s2));
}
