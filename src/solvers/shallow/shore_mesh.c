// Where the surface meets steep ground: the flanks of rocks, walls of pools.
//
// A cell there has one depth for ground that rises by a good part of its size. Taken over the middle, the depth of what
// covers the cell's lower part only stands as a tooth on the flank, a cell wide; and the contact line, a distance in the plane,
// knows nothing of the ground's shape between two middles. So the level by steep ground is that of the liquid around, over a
// cell, and from the last covered middle it goes on to the ground as it is between this one and the next.
#include "solvers/shallow/shore_mesh.h"

// Rise over distance. On ground less steep the contact line tells more than a level does.
#define STEEP    1.25
#define SMALL    0.02  // of the rise, as in pressure.c: such differences count as they are
#define LEAST    4     // of 16: weight of the cells around that have liquid, where there is some
#define HALVINGS 12

static int64_t strides(const dew_ShallowGrid *g, int k)
{
    return k < 2 ? (k ? 1 : -1) : k == 2 ? -g->stride : g->stride;
}

// The way down the ground, to liquid that is lower; 0: there is none.
static int64_t way_down(const dew_SolverState *s, int64_t n)
{
    int64_t way = 0;
    for (int k = 0; k < (s->grid.has_z ? 4 : 2); k++) {
        int64_t m = n + strides(&s->grid, k);
        if (s->ground[m] < s->ground[n + way])
            way = m - n;
    }
    double here = s->ground[n] + s->depth[n], there = s->ground[n + way] + s->depth[n + way];
    return s->depth[n + way] > s->laws.dry_m && there < here ? way : 0;
}

// Depth over the middle of a cell, as its lower neighbour sees it: below 0 where liquid covers the lower part only.
static double middle_depth(const dew_SolverState *s, int64_t n)
{
    double depth = s->depth[n], rise = s->rise[n];
    if (rise < STEEP * s->grid.dx_m || depth >= 0.5 * rise)
        return depth;
    int64_t way = way_down(s, n);
    double below = s->ground[n + way] + s->depth[n + way];
    if (way == 0 || s->ground[n] + depth - below <= SMALL * rise)
        return depth;
    double beyond = below;
    if (s->depth[n + 2 * way] > s->laws.dry_m)
        beyond = s->ground[n + 2 * way] + s->depth[n + 2 * way];
    double low = s->ground[n] + sqrt(2 * rise * depth) - 0.5 * rise;
    double goes_on = fmax(fmax(2 * below - beyond, low), below);
    return fmin(goes_on - s->ground[n], depth);
}

bool dew_shallow_is_by_steep(const dew_SolverState *s, int64_t n)
{
    for (int k = 0; k < (s->grid.has_z ? 4 : 2); k++) {
        double length = k < 2 ? s->grid.dx_m : s->grid.dz_m;
        if (fabs(s->ground[n + strides(&s->grid, k)] - s->ground[n]) > STEEP * length)
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
    double most = is_wet ? middle_depth(s, n) : STEEP * s->grid.dx_m;
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
    return weights < LEAST ? 0 : sum / weights - s->ground[n];
}

static bool is_in_solid(const dew_Problem *problem, const dew_Moment *moment,
                        const dew_ShallowShore *shore, double t)
{
    dew_Vec3 p = dew_combine(1 - t, shore->from_m, t, shore->to_m);
    p.y = shore->level_m;
    return dew_problem_distance(problem, moment, p, dew_distance(shore->from_m, shore->to_m)) < 0;
}

double dew_shallow_shore(const dew_Problem *problem, const dew_Moment *moment,
                         const dew_ShallowShore *shore)
{
    double low = 0, high = 1;
    // Ground that a caller gave the columns, or the mirrored one at a side, is not that of the solids: it rises evenly.
    if (is_in_solid(problem, moment, shore, 0) || !is_in_solid(problem, moment, shore, 1))
        return (shore->level_m - shore->from_m.y) / (shore->to_m.y - shore->from_m.y);
    for (int k = 0; k < HALVINGS; k++) {
        double t = 0.5 * (low + high);
        if (is_in_solid(problem, moment, shore, t))
            high = t;
        else
            low = t;
    }
    return high;
}
