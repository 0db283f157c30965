// Advection of momentum by the fluxes of the volume [Stelling2003].
//
// The control volume of a face of u is half of each column beside it. With D the new mean depth of
// both columns, q the mean of two fluxes, u_side the upwind velocity with limited slopes,
//
//     u' = u - dt / D (sum over the sides of q (u_side - u)).
//
// The sum of D u is conserved, so bores have the right speed; no new extremes, since inflow never
// exceeds the volume after it. differs: the paper advects velocities along paths
// (semi_lagrangian.c).
#include "base/simd.h"
#include "base/status.h"
#include "solvers/shallow/waves/slope_limiter.h"
#include "solvers/shallow/waves/waves.h"

typedef struct Work {
    const dew_SolverState *state;
    double dt;
    double centre;  // 1: of the middle of the step, 0: of its beginning
    bool has_differences;
} Work;

// q (u_side - u) over the side towards +d of the face whose velocity is u[0]; path: cells passed in
// the step.
DEW_BODY double through_next(double q, const double *u, int64_t d, double courant)
{
    double ahead = u[d] - u[0], rest = 0.5 * (1 - courant);
    double own = rest * dew_limited_slope(u[0] - u[-d], ahead);
    double next = ahead - rest * dew_limited_slope(ahead, u[2 * d] - u[d]);
    return q * (q > 0 ? own : next);
}
// The same over the side towards -d.
DEW_BODY double through_last(double q, const double *u, int64_t d, double courant)
{
    double behind = u[-d] - u[0], rest = 0.5 * (1 - courant);
    double last = behind + rest * dew_limited_slope(u[-d] - u[-2 * d], -behind);
    double own = -rest * dew_limited_slope(-behind, u[d] - u[0]);
    return q * (q > 0 ? last : own);
}

// Faces of one kind in a row. a: steps per length along the velocity, with fluxes f; b: along the
// other axis with fluxes c, 0 in one dimension; da, db: from cell to cell along them.
DEW_BODY void carry_row(const double *restrict u, double *restrict to, const double *restrict f,
                        const double *restrict c, const double *restrict depth, double a, double b,
                        double centre, double dry, int count, int64_t da, int64_t db)
{
    for (int i = 0; i < count; i++) {
        double mean = 0.5 * (depth[i - da] + depth[i]), safe = mean > dry ? mean : 1;
        double per_depth = 1 / safe, courant = centre * fabs(u[i]) * a,
               part = centre * per_depth * b;
        double next = 0.5 * (f[i] + f[i + da]), last = 0.5 * (f[i - da] + f[i]);
        double up = 0.5 * (c[i - da + db] + c[i + db]), down = 0.5 * (c[i - da] + c[i]);
        double up_courant = fabs(up) * part, down_courant = fabs(down) * part;
        up_courant = up_courant < 1 ? up_courant : 1;
        down_courant = down_courant < 1 ? down_courant : 1;
        double change =
            a * (through_next(next, u + i, da, courant) - through_last(last, u + i, da, courant)) +
            b * (through_next(up, u + i, db, up_courant) -
                 through_last(down, u + i, db, down_courant));
        double carried = u[i] - change * per_depth;
        to[i] = mean > dry ? carried : 0;
    }
}

// u - dt (u du/dx + w du/dz) by upwind differences [Wong2006, section 2.2], on faces of one kind in
// a row; w: mean of the four faces around. Momentum is not kept, and at a contact line the dry
// side's rest is taken for a velocity: it rings there.
static void difference_row(const dew_SolverState *s, const double *u, const double *w, double *to,
                           int count, int64_t n, int64_t da, int64_t db, double a, double b)
{
    const double *depth = s->depth + n;
    u += n, w += n, to += n;
    for (int i = 0; i < count; i++) {
        double across = 0.25 * (w[i] + w[i - da] + w[i + db] + w[i - da + db]);
        double change = a * u[i] * (u[i] > 0 ? u[i] - u[i - da] : u[i + da] - u[i]) +
                        b * across * (across > 0 ? u[i] - u[i - db] : u[i + db] - u[i]);
        bool is_wet = 0.5 * (depth[i] + depth[i - da]) > s->params.dry_m;
        to[i] = is_wet ? u[i] - change : 0;
    }
}

// Faces of one kind in a run, by either way: b is the other axis.
DEW_BODY void carry_faces(const Work *w, bool is_z, int64_t n, int count)
{
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    const double x = w->dt / g->dx_m, z = g->has_z ? w->dt / g->dz_m : 0, a = is_z ? z : x;
    const double b = is_z ? x : z, *u = is_z ? s->work.w : s->work.u;
    const double *other = is_z ? s->work.u : s->work.w, *f = is_z ? s->work.cross : s->work.flux;
    const double *c = is_z ? s->work.flux : s->work.cross;
    int64_t da = is_z ? g->stride : 1, db = is_z ? 1 : g->stride;
    double *to = is_z ? s->w : s->u;
    if (w->has_differences)
        difference_row(s, u, other, to, count, n, da, db, a, b);
    else
        carry_row(u + n, to + n, f + n, c + n, s->depth + n, a, b, w->centre, s->params.dry_m,
                  count, da, db);
}

DEW_BODY dew_Status carry_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int from = runs[r].begin, first = from > 0 ? from : 1;
            carry_faces(w, false, dew_shallow_at(g, first, row), runs[r].end - first);
            if (g->has_z && row > 0)
                carry_faces(w, true, dew_shallow_at(g, from, row), runs[r].end - from);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(carry)

dew_Status dew_wave_advect_momentum(dew_ShallowFlow *flow)
{
    const dew_ShallowParams *params = &flow->state->params;
    Work work = {flow->state, flow->dt_s, flow->is_centred ? 1 : 0, params->has_differences};
    return dew_shallow_rows(flow->state, carry, &work);
}
