// Inflow through nozzles (free_surface/boundary/inflow_outflow.c): markers come in as the volume
// that flows.
//
// Places of markers over the disk follow a sequence of low discrepancy [Roberts2018], so that a jet
// is smooth.
#include "base/status.h"
#include "problem/nozzle.h"
#include "solvers/splash/splash_state.h"

#include <math.h>

// 1 / g, 1 / g^2 and 1 / g^3 of the root g of x^4 = x + 1.
static const double alpha[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};

static double part(double x)
{
    return x - floor(x);
}

// Where the marker of this id comes in: somewhere on the way that the liquid has made in the step.
static dew_Vec3 place_of(const dew_SolverState *s, const dew_LiquidNozzle *nozzle, uint64_t id,
                         double displacement_m)
{
    double a = part(0.5 + (double)id * alpha[0]), b = part(0.5 + (double)id * alpha[1]);
    double c = part(0.5 + (double)id * alpha[2]), r = nozzle->radius_m;
    dew_Vec3 n = nozzle->normal, x = dew_add_scaled(nozzle->center_m, c * displacement_m, n);
    if (s->grid->dimensions == 2)
        return dew_add_scaled(x, r * (2 * a - 1), dew_vec(-n.y, n.x, 0));
    dew_Vec3 e = dew_normalize(dew_cross(n, fabs(n.x) < 0.7 ? dew_vec(1, 0, 0) : dew_vec(0, 1, 0)));
    dew_Vec3 f = dew_cross(n, e);
    r *= sqrt(a);
    x = dew_add_scaled(x, r * cos(2 * DEW_PI * b), e);
    return dew_add_scaled(x, r * sin(2 * DEW_PI * b), f);
}

// Markers that come in, `count` less those whose place is in a solid or beyond a wall: that part of
// a disk brings nothing.
static dew_Status flow_in(dew_SolverState *s, const dew_LiquidNozzle *nozzle, int64_t *count,
                          double displacement_m, dew_Arena *scratch)
{
    dew_Vec3 *at_m = dew_arena_array(scratch, dew_Vec3, *count);
    uint64_t end_id = s->next_id + (uint64_t)*count;
    if (!at_m)
        return dew_no_memory((size_t)*count * sizeof *at_m);
    *count = 0;
    for (uint64_t id = s->next_id; id < end_id; id++) {
        dew_Vec3 x = place_of(s, nozzle, id, displacement_m);
        if (dew_splash_is_free(s, x))
            at_m[(*count)++] = x;
    }
    DEW_TRY(dew_splash_add_markers(s, at_m, *count));
    s->next_id = end_id;  // places of those left out are not asked again
    return dew_ok();
}

dew_Status dew_splash_inflow(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    double marker_m3 = state->params.marker_m3;
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++) {
        if (dew_nozzle_of(problem, i) != i)
            continue;
        dew_LiquidNozzle nozzle = dew_liquid_nozzle_at(problem, state->grid, i);
        double volume_m3 = dew_liquid_nozzle_volume_m3(problem, &nozzle, step->instant_old->time_s,
                                                       step->instant->time_s);
        double *waiting = &DEW_ITEMS(&state->waiting, double)[i];
        *waiting += volume_m3 / marker_m3;
        int64_t count = (int64_t)floor(*waiting);
        *waiting -= (double)count;
        DEW_TRY(flow_in(state, &nozzle, &count, volume_m3 / nozzle.area_m2, step->scratch));
        step->added_m3 += (double)count * marker_m3;
    }
    return dew_ok();
}
