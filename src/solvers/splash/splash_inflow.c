// Inflow through disks: cells before a disk have its velocity, and markers come in as the volume
// that flows.
//
// Places of markers over the disk follow a sequence of low discrepancy [Roberts2018], so that a jet
// is smooth. In two dimensions a disk is a slit as wide as its diameter.
#include "base/status.h"
#include "problem/nozzle.h"
#include "problem/timing.h"
#include "solvers/splash/splash_state.h"

#include <math.h>

// 1 / g, 1 / g^2 and 1 / g^3 of the root g of x^4 = x + 1.
static const double alpha[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};

static double part(double x)
{
    return x - floor(x);
}

static dew_SplashNozzle nozzle_of(const dew_Problem *problem, const dew_SolverState *state,
                                  int64_t inflow)
{
    const dew_Inflow *disk = dew_problem_inflow(problem, inflow);
    double h = state->grid->cell_m;
    dew_SplashNozzle nozzle = {disk->center_m, disk->normal, disk->radius_m, 0, 0};
    if (state->grid->dimensions == 2) {
        nozzle.center_m.z = state->grid->origin_m.z + 0.5 * h;
        nozzle.normal.z = 0;
        nozzle.normal = dew_normalize(nozzle.normal);
    }
    dew_Vec3 n = nozzle.normal;
    nozzle.slab_m = 0.5 * h * (fabs(n.x) + fabs(n.y) + fabs(n.z)) * (1 + 1e-9);
    return nozzle;
}

bool dew_splash_nozzle_at(const dew_Problem *problem, const dew_SolverState *state, int64_t inflow,
                          double time_s, dew_SplashNozzle *out)
{
    if (dew_nozzle_of(problem, inflow) != inflow)
        return false;
    *out = nozzle_of(problem, state, inflow);
    for (int64_t i = inflow; i < dew_problem_inflow_count(problem); i++) {
        const dew_Inflow *disk = dew_problem_inflow(problem, i);
        if (dew_nozzle_of(problem, i) == inflow && dew_inflow_is_open(disk, time_s))
            out->speed_m_s += disk->speed_m_s;
    }
    return out->speed_m_s > 0;
}

bool dew_splash_is_before(const dew_SplashNozzle *nozzle, dew_Vec3 x)
{
    dew_Vec3 way = dew_sub(x, nozzle->center_m);
    double along = dew_inner(way, nozzle->normal);
    double aside = dew_length(dew_add_scaled(way, -along, nozzle->normal));
    // A disk narrower than a cell has the cells whose middle is nearest.
    return fabs(along) <= nozzle->slab_m && aside <= fmax(nozzle->radius_m, nozzle->slab_m);
}

void dew_splash_nozzle_cells(const dew_Problem *problem, const dew_SolverState *state,
                             int64_t inflow, int around, int32_t min[3], int32_t max[3])
{
    dew_SplashNozzle nozzle = nozzle_of(problem, state, inflow);
    const dew_Grid *grid = state->grid;
    double h = grid->cell_m, wide = fmax(nozzle.radius_m, nozzle.slab_m);
    dew_Vec3 c = dew_sub(nozzle.center_m, grid->origin_m), n = nozzle.normal;
    const double middle[3] = {c.x, c.y, c.z}, normal[3] = {n.x, n.y, n.z};
    for (int a = 0; a < 3; a++) {
        double aside = sqrt(fmax(0, 1 - normal[a] * normal[a]));
        double reach = wide * aside + nozzle.slab_m * fabs(normal[a]) +
                       (around + 0.5 + DEW_LIQUID_ON_WALL) * h;
        double lo = floor((middle[a] - reach) / h), hi = ceil((middle[a] + reach) / h);
        min[a] = (int32_t)fmax(lo, grid->cell_min[a] - grid->margin);
        max[a] = (int32_t)fmin(hi, grid->cell_max[a] + grid->margin);
    }
    if (grid->dimensions == 2) {
        min[2] = 0;
        max[2] = 1;
    }
}

double dew_splash_inflow_speed(const dew_Problem *problem, double time_s)
{
    double fastest = 0;
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++) {
        int64_t nozzle = dew_nozzle_of(problem, i);
        double sum = 0;
        for (int64_t k = 0; k < dew_problem_inflow_count(problem); k++) {
            const dew_Inflow *other = dew_problem_inflow(problem, k);
            if (dew_nozzle_of(problem, k) == nozzle && dew_inflow_is_open(other, time_s))
                sum += other->speed_m_s;
        }
        fastest = fmax(fastest, sum);
    }
    return fastest;
}

// Where the marker of this id comes in: somewhere on the way that the liquid has made in the step.
static dew_Vec3 place_of(const dew_SolverState *s, const dew_SplashNozzle *nozzle, uint64_t id,
                         double way_m)
{
    double a = part(0.5 + (double)id * alpha[0]), b = part(0.5 + (double)id * alpha[1]);
    double c = part(0.5 + (double)id * alpha[2]), r = nozzle->radius_m;
    dew_Vec3 n = nozzle->normal, x = dew_add_scaled(nozzle->center_m, c * way_m, n);
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
static dew_Status flow_in(dew_SolverState *s, const dew_SplashNozzle *nozzle, int64_t *count,
                          double way_m, dew_Arena *scratch)
{
    dew_Vec3 *at_m = dew_arena_array(scratch, dew_Vec3, *count);
    uint64_t end_id = s->next_id + (uint64_t)*count;
    if (!at_m)
        return dew_no_memory((size_t)*count * sizeof *at_m);
    *count = 0;
    for (uint64_t id = s->next_id; id < end_id; id++) {
        dew_Vec3 x = place_of(s, nozzle, id, way_m);
        if (dew_splash_is_free(s, x))
            at_m[(*count)++] = x;
    }
    DEW_TRY(dew_splash_add_markers(s, at_m, *count));
    s->next_id = end_id;  // places of those left out are not asked again
    return dew_ok();
}

dew_Status dew_splash_inflow(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    double h = state->grid->cell_m, marker_m3 = state->params.marker_m3;
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++) {
        if (dew_nozzle_of(problem, i) != i)
            continue;
        dew_SplashNozzle nozzle = nozzle_of(problem, state, i);
        double r = nozzle.radius_m, round_m2 = DEW_PI * r * r;
        double area_m2 = state->grid->dimensions == 2 ? 2 * r * h : round_m2;
        double volume_m3 =
            dew_nozzle_volume_m3(problem, i, step->instant_old->time_s, step->instant->time_s) *
            area_m2 / round_m2;
        double *waiting = &DEW_ITEMS(&state->waiting, double)[i];
        *waiting += volume_m3 / marker_m3;
        int64_t count = (int64_t)floor(*waiting);
        *waiting -= (double)count;
        DEW_TRY(flow_in(state, &nozzle, &count, volume_m3 / area_m2, step->scratch));
        step->added_m3 += (double)count * marker_m3;
    }
    return dew_ok();
}
