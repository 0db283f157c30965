// Wind: pressure of the air (problem/wind.h) on the triangles that face it.
#include "problem/wind.h"

#include "solvers/surface/drop_work.h"

void dew_drop_add_wind(dew_DropWork *work)
{
    if (!(dew_length2(work->instant.wind_m_s) > 0))
        return;
    for (int64_t k = 0; k < work->triangle_count; k++) {
        if (work->is_wet[k])
            continue;
        const uint32_t *v = work->triangle[k].v;
        dew_Vec3 area = dew_scale(0.5, dew_cross(dew_sub(work->y[v[1]], work->y[v[0]]),
                                                 dew_sub(work->y[v[2]], work->y[v[0]])));
        dew_Vec3 mean = dew_add(work->v[v[0]], dew_add(work->v[v[1]], work->v[v[2]]));
        dew_Vec3 air = dew_add_scaled(work->instant.wind_m_s, -1.0 / 3, mean);
        double flux = dew_inner(air, area), size2 = dew_length2(area);
        if (!(flux < 0) || !(size2 > 0))
            continue;
        double pressure = dew_wind_pressure_Pa(flux / sqrt(size2));
        for (int c = 0; c < 3; c++)
            work->force[v[c]] = dew_add_scaled(work->force[v[c]], -pressure / 3, area);
    }
}
