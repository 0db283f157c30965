// A drop on a solid gains no more kinetic energy than its surface, gravity, the wind and moving
// solids can have given.
//
// The implicit step keeps the energy of motions that are small against the edges. A film that is
// torn across corners or between solids is not small: its forces, taken at one position of the
// mesh, may do more work than the surface has to give, and each step would add to it. What the
// surface did give is seen from the areas of two successive sub-steps, so the bound comes one
// sub-step late and is a generous one: in resolved motion it is never reached. A drop in the air is
// left alone: its momentum is exact.
#include "solvers/surface/drop_work.h"

#define GENEROUS 2.0  // times what area and height have given
// of the surface's energy, where the mesh is new and areas cannot be compared
#define UNSEEN 0.05
#define FLOOR  1e-2  // of sigma r^2
#define AIR    1.2   // kg/m^3

static double kinetic_J(const dew_DropWork *work, double share_of_change)
{
    dew_Vec3 mean = dew_add_scaled(dew_drop_mean_velocity(work, work->v), share_of_change,
                                   dew_drop_mean_velocity(work, work->change));
    double sum = work->params->rho_kg_m3 * work->volume_m3 * dew_length2(mean);
    for (int64_t i = 0; i < work->n; i++) {
        dew_Vec3 v = dew_add_scaled(work->v[i], share_of_change, work->change[i]);
        sum += work->mass[i] * dew_length2(dew_sub(v, mean));
    }
    return 0.5 * sum;
}

static double given_J(dew_DropWork *work, double dt_s)
{
    double sigma = work->params->sigma_N_m, mass = work->params->rho_kg_m3 * work->volume_m3;
    double wind = dew_length(work->instant.wind_m_s), solid2 = 0, r = dew_drop_radius_m(work);
    for (int64_t k = 0; k < work->touch_count; k++)
        solid2 = fmax(solid2, dew_length2(work->touches[k].velocity));
    double area = work->free_area_m2 + work->wet_area_m2;
    double g = dew_length(work->instant.gravity_m_s2);
    double fall = dt_s * (dew_length(dew_drop_mean_velocity(work, work->v)) + g * dt_s);
    double changed = UNSEEN * area;
    if (work->has_last_area) {
        fall = dew_length(dew_sub(work->center_m, work->last_center_m)) + g * dt_s * dt_s;
        changed = fabs(work->free_area_m2 - work->last_free_area_m2) +
                  fabs(work->wet_area_m2 - work->last_wet_area_m2);
    }
    return GENEROUS * (sigma * changed + mass * g * fall) + 2 * mass * solid2 +
           0.5 * AIR * wind * wind * wind * area * dt_s + FLOOR * sigma * r * r;
}

void dew_drop_bound_energy(dew_DropWork *work, double dt_s)
{
    if (work->touch_count > 0 && work->counts.inflow == DEW_INVALID) {
        double before = kinetic_J(work, 0), after = kinetic_J(work, 1);
        double most = before + given_J(work, dt_s);
        if (after > most) {
            double share = sqrt(most / after);
            for (int64_t i = 0; i < work->n; i++)
                work->change[i] = dew_combine(share, work->change[i], share - 1, work->v[i]);
        }
    }
    work->last_free_area_m2 = work->free_area_m2;
    work->last_wet_area_m2 = work->wet_area_m2;
    work->last_center_m = work->center_m;
    work->has_last_area = true;
}
