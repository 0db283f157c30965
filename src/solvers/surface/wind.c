// Wind: pressure of the air on the side that faces it.
//
// On a piece of surface with area vector a and unit normal n the air of relative velocity u presses
// with (1/2) rho C (u.n)^2 where u.n < 0, and not elsewhere. Over a sphere this sums to a drag coefficient
// of C / 2, so that C = 0.9 gives the 0.45 of spheres at the Reynolds numbers of rain (1,000 to 10,000).
// Without wind there is no air: a drop falls freely.
// Limits: no wake, no boundary layer of the solid, no shear.
#include "solvers/surface/drop_work.h"

#define AIR_DENSITY 1.2  // kg/m^3
#define COEFFICIENT 0.9

void dew_drop_add_wind(dew_DropWork *work)
{
    if (!(dew_length2(work->moment.wind_m_s) > 0))
        return;
    for (int64_t k = 0; k < work->triangle_count; k++) {
        if (work->is_wet[k])
            continue;
        const uint32_t *v = work->triangle[k].v;
        dew_Vec3 area = dew_scale(0.5, dew_cross(dew_sub(work->y[v[1]], work->y[v[0]]),
                                                 dew_sub(work->y[v[2]], work->y[v[0]])));
        dew_Vec3 mean = dew_add(work->v[v[0]], dew_add(work->v[v[1]], work->v[v[2]]));
        dew_Vec3 air = dew_add_scaled(work->moment.wind_m_s, -1.0 / 3, mean);
        double flux = dew_inner(air, area), size2 = dew_length2(area);
        if (!(flux < 0) || !(size2 > 0))
            continue;
        double pressure = 0.5 * AIR_DENSITY * COEFFICIENT * flux * flux / size2;
        for (int c = 0; c < 3; c++)
            work->force[v[c]] = dew_add_scaled(work->force[v[c]], -pressure / 3, area);
    }
}
