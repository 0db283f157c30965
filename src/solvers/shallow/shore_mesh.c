// Mesh of the surface at steep ground: flanks of rocks, walls of pools.
//
// A cell there has one depth for ground that rises by a good part of its size. Over the cell centre
// the depth of liquid that covers only the lower part would stand as a tooth on the flank, and phi,
// a distance in the plane, does not see the ground between two centres. So the level beside steep
// ground is that of the liquid around it, over a cell, and it continues from the last covered
// centre to the ground between the two.
#include "solvers/shallow/shore_mesh.h"

static int64_t strides(const dew_ShallowGrid *g, int k)
{
    return k < 2 ? (k ? 1 : -1) : k == 2 ? -g->stride : g->stride;
}

// Offset to the lowest neighbour of the ground if its liquid is lower; 0: there is none.
static int64_t downhill_neighbour(const dew_SolverState *s, int64_t n)
{
    int64_t downhill = 0;
    for (int k = 0; k < (s->grid.has_z ? 4 : 2); k++) {
        int64_t m = n + strides(&s->grid, k);
        if (s->ground[m] < s->ground[n + downhill])
            downhill = m - n;
    }
    double here = s->ground[n] + s->depth[n],
           there = s->ground[n + downhill] + s->depth[n + downhill];
    return s->depth[n + downhill] > s->params.dry_m && there < here ? downhill : 0;
}

// Depth over the middle of a cell, as its lower neighbour sees it: below 0 where liquid covers the
// lower part only.
static double middle_depth(const dew_SolverState *s, int64_t n)
{
    double depth = s->depth[n], rise = s->rise[n];
    if (rise < dew_shallow_shared.steep_slope * s->grid.dx_m || depth >= 0.5 * rise)
        return depth;
    int64_t downhill = downhill_neighbour(s, n);
    double below = s->ground[n + downhill] + s->depth[n + downhill];
    if (downhill == 0 || s->ground[n] + depth - below <= dew_shallow_shared.level_ratio * rise)
        return depth;
    double beyond = below;
    if (s->depth[n + 2 * downhill] > s->params.dry_m)
        beyond = s->ground[n + 2 * downhill] + s->depth[n + 2 * downhill];
    double low = s->ground[n] + sqrt(2 * rise * depth) - 0.5 * rise;
    double goes_on = fmax(fmax(2 * below - beyond, low), below);
    return fmin(goes_on - s->ground[n], depth);
}

bool dew_shallow_is_by_steep(const dew_SolverState *s, int64_t n)
{
    for (int k = 0; k < (s->grid.has_z ? 4 : 2); k++) {
        double length = k < 2 ? s->grid.dx_m : s->grid.dz_m;
        if (fabs(s->ground[n + strides(&s->grid, k)] - s->ground[n]) >
            dew_shallow_shared.steep_slope * length)
            return true;
    }
    return false;
}

static bool is_reached(const dew_SolverState *s, int64_t n, double film_m)
{
    return middle_depth(s, n) > film_m && s->phi[n] < 0.5 * s->grid.dx_m;
}

// Does k belong to the liquid around n, not to what stands on a ledge above it or below one?
static bool is_around(const dew_SolverState *s, int64_t n, int64_t k, double film_m)
{
    bool is_wet = is_reached(s, n, film_m);
    double most = is_wet ? middle_depth(s, n) : dew_shallow_shared.steep_slope * s->grid.dx_m;
    return is_reached(s, k, film_m) && s->ground[k] < s->ground[n] + most &&
           s->ground[k] + middle_depth(s, k) > s->ground[n];
}

double dew_shallow_shore_depth(const dew_SolverState *s, int64_t n, double film_m)
{
    double sum = 0, weights = 0;
    for (int z = s->grid.has_z ? -1 : 0; z <= (s->grid.has_z ? 1 : 0); z++)
        for (int x = -1; x <= 1; x++) {
            int64_t k = n + x + z * s->grid.stride;
            double weight = (x ? 1 : 2) * (z ? 1 : 2);
            if (!is_around(s, n, k, film_m))
                continue;
            sum += weight * (s->ground[k] + middle_depth(s, k));
            weights += weight;
        }
    return weights < 0.25 * 16 ? 0 : sum / weights - s->ground[n];
}

static bool is_in_solid(const dew_Problem *problem, const dew_Instant *instant,
                        const dew_ShallowShore *shore, double t)
{
    dew_Vec3 p = dew_combine(1 - t, shore->from_m, t, shore->to_m);
    p.y = shore->level_m;
    return dew_problem_distance(problem, instant, p, dew_distance(shore->from_m, shore->to_m)) < 0;
}

double dew_shallow_shore(const dew_Problem *problem, const dew_Instant *instant,
                         const dew_ShallowShore *shore)
{
    double low = 0, high = 1;
    // Ground that a caller gave the columns, or the mirrored one at a side, is not that of the
    // solids: it rises evenly.
    if (is_in_solid(problem, instant, shore, 0) || !is_in_solid(problem, instant, shore, 1))
        return (shore->level_m - shore->from_m.y) / (shore->to_m.y - shore->from_m.y);
    for (int k = 0; k < dew_shallow_shared.shore_bisections; k++) {
        double t = 0.5 * (low + high);
        if (is_in_solid(problem, instant, shore, t))
            high = t;
        else
            low = t;
    }
    return high;
}
