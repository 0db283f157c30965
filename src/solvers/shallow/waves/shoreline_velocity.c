// Velocity that advects the contact line: that of the liquid, extrapolated constant along normals.
//
// N . grad u = 0 in steady state [Wong2006, eqs. 3.10-3.12]; upwind from the cells nearer to the
// line, with N = grad phi,
//
//     u = (|N_x| / dx u_x + |N_z| / dz u_z) / (|N_x| / dx + |N_z| / dz).
//
// differs: layer by layer from the contact line outwards instead of sweep by sweep, so that the
// result does not depend on the order of cells.
#include "base/status.h"
#include "solvers/shallow/waves/waves.h"

#include <string.h>

// Mean of the faces on which the liquid moves; a face towards dry ground that holds it does not
// count.
static double cell_velocity(const double *u, const double *depth, int64_t d, double dry)
{
    bool has_low = depth[-d] > dry || u[0] != 0, has_high = depth[d] > dry || u[d] != 0;
    if (has_low && has_high)
        return 0.5 * (u[0] + u[d]);
    return has_low ? u[0] : u[d];
}

// The velocity of a front where there is one: mean of the faces that have it.
static double front_velocity(const double *front, const uint8_t *is_front, int64_t d,
                             double otherwise)
{
    if (is_front[0] && is_front[d])
        return 0.5 * (front[0] + front[d]);
    return is_front[0] ? front[0] : is_front[d] ? front[d] : otherwise;
}

static void find_known(const void *context, dew_WaveCell cell)
{
    const dew_SolverState *s = context;
    const dew_ShallowGrid *g = &s->grid;
    int64_t n = cell.n;
    double least = dew_wave_is_front(s, n) ? s->params.dry_m : dew_wave_dry_depth_m(s, n);
    bool is_known = s->phi[n] < 0 && s->depth[n] > least;
    s->work.is_known[n] = s->work.is_known_next[n] = is_known;
    s->work.shoreline_u[n] = s->work.shoreline_w[n] = 0;
    if (!is_known)
        return;
    s->work.shoreline_u[n] =
        front_velocity(s->work.front_u + n, s->work.is_front_u + n, 1,
                       cell_velocity(s->u + n, s->depth + n, 1, s->params.dry_m));
    if (g->has_z)
        s->work.shoreline_w[n] =
            front_velocity(s->work.front_w + n, s->work.is_front_w + n, g->stride,
                           cell_velocity(s->w + n, s->depth + n, g->stride, s->params.dry_m));
}

// The known neighbour along an axis that is nearest to the contact line; 0: there is none.
static int64_t nearer(const dew_SolverState *s, int64_t n, int64_t d)
{
    bool low = s->work.is_known[n - d] && s->phi[n - d] < s->phi[n];
    bool high = s->work.is_known[n + d] && s->phi[n + d] < s->phi[n];
    if (low && high)
        return s->phi[n - d] <= s->phi[n + d] ? n - d : n + d;
    return low ? n - d : high ? n + d : 0;
}

static void extend_cell(const dew_SolverState *s, int64_t n)
{
    const dew_ShallowGrid *g = &s->grid;
    int64_t x = nearer(s, n, 1), z = g->has_z ? nearer(s, n, g->stride) : 0;
    if (!x && !z)
        return;
    double a = x ? (s->phi[n] - s->phi[x]) / (g->dx_m * g->dx_m) : 0;
    double b = z ? (s->phi[n] - s->phi[z]) / (g->dz_m * g->dz_m) : 0;
    double sum = 1 / (a + b);
    s->work.shoreline_u[n] =
        sum * ((x ? a * s->work.shoreline_u[x] : 0) + (z ? b * s->work.shoreline_u[z] : 0));
    s->work.shoreline_w[n] =
        sum * ((x ? a * s->work.shoreline_w[x] : 0) + (z ? b * s->work.shoreline_w[z] : 0));
    s->work.is_known_next[n] = 1;
}

static void extend(const void *context, dew_WaveCell cell)
{
    const dew_SolverState *s = context;
    int64_t n = cell.n;
    if (!s->work.is_known[n])
        extend_cell(s, n);
}

static void note(const void *context, dew_WaveCell cell)
{
    const dew_SolverState *s = context;
    int64_t n = cell.n;
    s->work.is_known[n] = s->work.is_known_next[n];
}

dew_Status dew_wave_find_shoreline_velocity(dew_SolverState *state)
{
    DEW_TRY(dew_wave_for_band(state, find_known, state));
    for (int layer = 0; layer < DEW_SHALLOW_BAND; layer++) {
        DEW_TRY(dew_wave_for_band(state, extend, state));
        DEW_TRY(dew_wave_for_band(state, note, state));
    }
    dew_shallow_mirror(state, state->work.shoreline_u);
    dew_shallow_mirror(state, state->work.shoreline_w);
    return dew_ok();
}
