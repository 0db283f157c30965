// Damping and viscosity: [Zhang2011] eq. (3), with coefficients from the liquid.
//
// The mode n of a free drop decays at Lamb's rate (n - 1)(2n + 1) nu / R^2. Damping of the
// velocities by eta times their Laplacian gives (eta / 2) (n (n + 1) + 2) / R^2, so that eta = 1.25
// nu is Lamb's for n = 2, 37 % below for n = 3, and grows as n^2 like his. It is no resistance to a
// uniform motion.
//
// differs: the first term of eq. (3) would brake a falling drop in vacuum. Here it damps what has
// no meaning without an interior: vertices that slide along the surface, or along the contact line.
// Those of a drop at rest do not slide at all, those of a lively one are drawn towards their
// neighbours' mean.
#include "solvers/surface/drop_work.h"

#include <string.h>

#define COEFFICIENT 1.25  // eta over nu
#define SLIDING_TIMES                                                                              \
    10  // per period: how fast a lively drop's vertices fall in with their neighbours

double dew_drop_viscosity_N_s_m(const dew_DropWork *work)
{
    const dew_SurfaceSolverParams *params = work->params;
    return COEFFICIENT * params->mu_Pa_s / params->rho_kg_m3 * work->values.mass_kg_m2;
}

void dew_drop_add_viscosity(dew_DropWork *work)
{
    double eta = dew_drop_viscosity_N_s_m(work);
    for (int64_t k = 0; k < work->triangle_count; k++) {
        const uint32_t *v = work->triangle[k].v;
        for (int c = 0; c < 3; c++) {
            uint32_t i = v[c], j = v[(c + 1) % 3];
            double w = eta * work->cotangent[3 * k + c];
            dew_Vec3 f = dew_scale(w, dew_sub(work->v[j], work->v[i]));
            work->force[i] = dew_add(work->force[i], f);
            work->force[j] = dew_sub(work->force[j], f);
        }
    }
}

static dew_Vec3 neighbours_mean(const dew_DropWork *work, const dew_Vec3 *v, int64_t i)
{
    dew_Vec3 sum = {0, 0, 0};
    for (int32_t e = work->row[i]; e < work->row[i + 1]; e++)
        sum = dew_add(sum, v[work->col[e]]);
    return dew_scale(1.0 / (work->row[i + 1] - work->row[i]), sum);
}

void dew_drop_smooth_tangentially(dew_DropWork *work, double dt_s, bool is_at_rest)
{
    double share = is_at_rest ? 1 : 1 - exp(-dt_s * SLIDING_TIMES / dew_drop_period_s(work));
    dew_Vec3 *before = work->image, mean = work->values.velocity_m_s;
    memcpy(before, work->v, (size_t)work->n * sizeof *before);
    for (int64_t i = 0; i < work->n; i++) {
        if (work->label[i] & (DEW_LABEL_CONTACT_LINE | DEW_LABEL_NOZZLE))
            continue;
        dew_Vec3 normal = dew_normalize(work->gradient[i]);
        dew_Vec3 goal = is_at_rest ? mean : neighbours_mean(work, before, i);
        dew_Vec3 slide = dew_sub(goal, before[i]);
        slide = dew_add_scaled(slide, -dew_inner(slide, normal), normal);
        work->v[i] = dew_add_scaled(work->v[i], share, slide);
    }
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        if (!t->is_line || t->in_crease)
            continue;
        int32_t i = t->vertex;
        dew_Vec3 along = dew_cross(t->normal, t->outward);
        dew_Vec3 goal = is_at_rest ? mean : neighbours_mean(work, before, i);
        double slide = dew_inner(dew_sub(goal, before[i]), along);
        work->v[i] = dew_add_scaled(work->v[i], share * slide, along);
    }
}
