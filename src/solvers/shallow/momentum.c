// Momentum, carried by the same fluxes that carry the volume [Stelling2003].
//
// The volume that belongs to a face of u is half of each column beside it; what enters it brings the velocity upwind,
// limited slopes make it second order. With D the new mean depth of both columns and q the mean of two fluxes,
//     u' = u - dt / D (sum over its sides of q (u_side - u)),
// which keeps the sum of D u exactly, so that bores have the right speed, and makes no new extremes, for what comes in
// is no more than what then is there. differs: the paper carries velocities along paths (semi_lagrangian.c).
#include "base/status.h"
#include "grid/wide.h"
#include "solvers/shallow/limiter.h"
#include "solvers/shallow/state.h"

typedef struct Work {
    const dew_SolverState *state;
    double dt;
    double centre;  // 1: of the middle of the step, 0: of its beginning
} Work;

// q (u_side - u) over the side towards +d of the face whose velocity is u[0]; way: cells passed in the step.
DEW_BODY double through_next(double q, const double *u, int64_t d, double way)
{
    double ahead = u[d] - u[0], rest = 0.5 * (1 - way);
    double own = rest * dew_limited(u[0] - u[-d], ahead);
    double next = ahead - rest * dew_limited(ahead, u[2 * d] - u[d]);
    return q * (q > 0 ? own : next);
}
// The same over the side towards -d.
DEW_BODY double through_last(double q, const double *u, int64_t d, double way)
{
    double behind = u[-d] - u[0], rest = 0.5 * (1 - way);
    double last = behind + rest * dew_limited(u[-d] - u[-2 * d], -behind);
    double own = -rest * dew_limited(-behind, u[d] - u[0]);
    return q * (q > 0 ? last : own);
}

// Faces of one kind in a row. a: steps per length along the velocity, with fluxes f; b: along the other axis with fluxes
// c, 0 in one dimension; da, db: from cell to cell along them.
DEW_BODY void carry_row(const double *restrict u, double *restrict to, const double *restrict f,
                        const double *restrict c, const double *restrict depth, double a, double b,
                        double centre, double dry, int count, int64_t da, int64_t db)
{
    for (int i = 0; i < count; i++) {
        double mean = 0.5 * (depth[i - da] + depth[i]), safe = mean > dry ? mean : 1;
        double per_depth = 1 / safe, way = centre * fabs(u[i]) * a, part = centre * per_depth * b;
        double next = 0.5 * (f[i] + f[i + da]), last = 0.5 * (f[i - da] + f[i]);
        double up = 0.5 * (c[i - da + db] + c[i + db]), down = 0.5 * (c[i - da] + c[i]);
        double up_way = fabs(up) * part, down_way = fabs(down) * part;
        up_way = up_way < 1 ? up_way : 1;
        down_way = down_way < 1 ? down_way : 1;
        double change =
            a * (through_next(next, u + i, da, way) - through_last(last, u + i, da, way)) +
            b * (through_next(up, u + i, db, up_way) - through_last(down, u + i, db, down_way));
        double carried = u[i] - change * per_depth;
        to[i] = mean > dry ? carried : 0;
    }
}

DEW_BODY dew_Status carry_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    const double x = w->dt / g->dx_m, z = g->has_z ? w->dt / g->dz_m : 0;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_ShallowRun *runs = dew_shallow_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int from = runs[r].begin, first = from > 0 ? from : 1;
            int64_t n = dew_shallow_at(g, first, row);
            carry_row(s->work.u + n, s->u + n, s->work.flux + n, s->work.cross + n, s->depth + n, x,
                      z, w->centre, s->laws.dry_m, runs[r].end - first, 1, g->stride);
            if (!g->has_z || row == 0)
                continue;
            n = dew_shallow_at(g, from, row);
            carry_row(s->work.w + n, s->w + n, s->work.cross + n, s->work.flux + n, s->depth + n, z,
                      x, w->centre, s->laws.dry_m, runs[r].end - from, g->stride, 1);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(carry)

dew_Status dew_shallow_carry_momentum(dew_ShallowFlow *flow)
{
    Work work = {flow->state, flow->dt_s, flow->is_centred ? 1 : 0};
    return dew_shallow_rows(flow->state, carry, &work);
}

// ---- the paper's way -----------------------------------------------------------------------------

// u - dt (u du/dx + w du/dz) by upwind differences [Wong2006, section 2.2], on faces of one kind in a row; w: mean of the four
// faces around. Momentum is not kept, and at a contact line the dry side's rest is taken for a velocity: it rings there.
static void difference_row(const dew_SolverState *s, const double *u, const double *w, double *to,
                           int count, int64_t n, int64_t da, int64_t db, double a, double b)
{
    const double *depth = s->depth + n;
    u += n, w += n, to += n;
    for (int i = 0; i < count; i++) {
        double across = 0.25 * (w[i] + w[i - da] + w[i + db] + w[i - da + db]);
        double change = a * u[i] * (u[i] > 0 ? u[i] - u[i - da] : u[i + da] - u[i]) +
                        b * across * (across > 0 ? u[i] - u[i - db] : u[i + db] - u[i]);
        bool is_wet = 0.5 * (depth[i] + depth[i - da]) > s->laws.dry_m;
        to[i] = is_wet ? u[i] - change : 0;
    }
}

static dew_Status difference_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    const double x = w->dt / g->dx_m, z = g->has_z ? w->dt / g->dz_m : 0;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_ShallowRun *runs = dew_shallow_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int from = runs[r].begin, first = from > 0 ? from : 1;
            difference_row(s, s->work.u, s->work.w, s->u, runs[r].end - first,
                           dew_shallow_at(g, first, row), 1, g->stride, x, z);
            if (g->has_z && row > 0)
                difference_row(s, s->work.w, s->work.u, s->w, runs[r].end - from,
                               dew_shallow_at(g, from, row), g->stride, 1, z, x);
        }
    }
    return dew_ok();
}

dew_Status dew_shallow_carry_differences(dew_ShallowFlow *flow)
{
    Work work = {flow->state, flow->dt_s, 0};
    return dew_shallow_rows(flow->state, difference_chunk, &work);
}
