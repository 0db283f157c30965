// Finite volumes for the depth [Wong2006, eq. 2.26]: what flows through the faces is taken from one column and given
// to the next, so that no liquid is lost.
//
// The flux is the velocity on the face times the depth upwind, continued to the face and to the middle of the step by
// limited slopes [VanLeer1979]: second order where depth and velocity are smooth. differs: the paper takes the upwind
// depth itself.
// Over a step of the ground no more flows than stands above it. A column that would give more than it has gives each
// face the same share of what it has [Bollermann2011], so that no depth becomes negative.
#include "base/status.h"
#include "grid/wide.h"
#include "solvers/shallow/limiter.h"
#include "solvers/shallow/state.h"

typedef struct Work {
    const dew_SolverState *state;
    double dt;
} Work;

// Depth of the column c on its face towards d, half a step on; carried by v > 0 from c outwards. Along the face's
// axis the cells before and after are d apart; `across` is what the other axis takes from c by then.
DEW_BODY double depth_at_face(const double *depth, int64_t d, double way, double shrink)
{
    double slope = dew_limited(depth[0] - depth[-d], depth[d] - depth[0]);
    double at_face = depth[0] + 0.5 * (1 - way) * slope - shrink;
    at_face = at_face > 0 ? at_face : 0;
    return at_face < 2 * depth[0] ? at_face : 2 * depth[0];
}

// What half a step takes from the depth of the column at n, apart from carrying it along x: D div U + w dD/dz.
DEW_BODY double shrink_of(const dew_SolverState *s, int64_t n, double dt, bool is_x)
{
    const dew_ShallowGrid *g = &s->grid;
    const double *u = s->work.u + n, *w = s->work.w + n, *depth = s->depth + n;
    int64_t z = g->stride;
    double div = (u[1] - u[0]) / g->dx_m, cross = 0;
    if (g->has_z) {
        div += (w[z] - w[0]) / g->dz_m;
        cross = is_x ? 0.5 * (w[0] + w[z]) *
                           dew_limited(depth[0] - depth[-z], depth[z] - depth[0]) / g->dz_m
                     : 0.5 * (u[0] + u[1]) *
                           dew_limited(depth[0] - depth[-1], depth[1] - depth[0]) / g->dx_m;
    }
    return 0.5 * dt * (depth[0] * div + cross);
}

// Fluxes through the faces of a row from n on; the columns on both sides are d apart.
DEW_BODY void flux_row(const Work *w, const double *u, double *flux, const double *sill,
                       double size, bool is_x, int64_t n, int count, int64_t d)
{
    const dew_SolverState *s = w->state;
    const double *depth = s->depth + n, *b = s->ground + n;
    const double per_cell = w->dt / size;
    u += n, flux += n, sill += n;
    for (int i = 0; i < count; i++) {
        double way = fabs(u[i]) * per_cell;
        double from_l = depth_at_face(depth + i - d, d, way, shrink_of(s, n + i - d, w->dt, is_x));
        double from_r = depth_at_face(depth + i, -d, way, shrink_of(s, n + i, w->dt, is_x));
        double above_l = b[i - d] + depth[i - d] - sill[i], above_r = b[i] + depth[i] - sill[i];
        above_l = above_l > 0 ? above_l : 0;
        above_r = above_r > 0 ? above_r : 0;
        from_l = from_l < above_l ? from_l : above_l;
        from_r = from_r < above_r ? from_r : above_r;
        flux[i] = u[i] * (u[i] > 0 ? from_l : from_r);
    }
}

DEW_BODY dew_Status flux_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_ShallowRun *runs = dew_shallow_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int from = runs[r].begin, first = from > 0 ? from : 1;
            flux_row(w, s->work.u, s->work.flux, s->sill_x, g->dx_m, true,
                     dew_shallow_at(g, first, row), runs[r].end - first, 1);
            if (g->has_z && row > 0)
                flux_row(w, s->work.w, s->work.cross, s->sill_z, g->dz_m, false,
                         dew_shallow_at(g, from, row), runs[r].end - from, g->stride);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(flux)

// ---- no more than there is ---------------------------------------------------------------------

DEW_BODY dew_Status share_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    const double x = w->dt / g->dx_m, z = g->has_z ? w->dt / g->dz_m : 0;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_ShallowRun *runs = dew_shallow_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int64_t n = dew_shallow_at(g, runs[r].begin, row);
            const double *f = s->work.flux + n, *c = s->work.cross + n, *depth = s->depth + n;
            double *share = s->work.share + n;
            for (int i = 0; i < runs[r].end - runs[r].begin; i++) {
                double left = f[i] < 0 ? -f[i] : 0, right = f[i + 1] > 0 ? f[i + 1] : 0;
                double back = c[i] < 0 ? -c[i] : 0;
                double front = c[i + g->stride] > 0 ? c[i + g->stride] : 0;
                double out = x * (left + right) + z * (back + front);
                share[i] = out > depth[i] ? depth[i] / out : 1;
            }
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(share)

// One row of fluxes, those through the domain's far sides included when the row or run ends there.
DEW_BODY void limit_row(double *flux, const double *share, int count, int64_t d)
{
    for (int i = 0; i < count; i++)
        flux[i] *= flux[i] > 0 ? share[i - d] : share[i];
}

DEW_BODY dew_Status limit_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_ShallowRun *runs = dew_shallow_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int64_t n = dew_shallow_at(g, runs[r].begin, row);
            int count = runs[r].end - runs[r].begin;
            limit_row(s->work.flux + n, s->work.share + n, count + (runs[r].end == g->columns), 1);
            if (!g->has_z)
                continue;
            limit_row(s->work.cross + n, s->work.share + n, count, g->stride);
            if (row == g->rows - 1)
                limit_row(s->work.cross + n + g->stride, s->work.share + n + g->stride, count,
                          g->stride);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(limit)

// ---- the new depth -----------------------------------------------------------------------------

DEW_BODY dew_Status fill_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    const double x = w->dt / g->dx_m, z = g->has_z ? w->dt / g->dz_m : 0;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_ShallowRun *runs = dew_shallow_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int64_t n = dew_shallow_at(g, runs[r].begin, row);
            const double *f = s->work.flux + n, *c = s->work.cross + n;
            double *depth = s->depth + n;
            for (int i = 0; i < runs[r].end - runs[r].begin; i++) {
                double left = depth[i] - x * (f[i + 1] - f[i]) - z * (c[i + g->stride] - c[i]);
                depth[i] = left > 0 ? left : 0;  // below 0 by rounding only
            }
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(fill)

dew_Status dew_shallow_move_depth(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    Work work = {s, flow->dt_s};
    DEW_TRY(dew_shallow_rows(s, flux, &work));
    dew_shallow_sides_flux(flow);
    DEW_TRY(dew_shallow_rows(s, share, &work));
    DEW_TRY(dew_shallow_rows(s, limit, &work));
    dew_shallow_sides_leave(flow);
    DEW_TRY(dew_shallow_rows(s, fill, &work));
    dew_shallow_mirror(s, s->depth);
    return dew_ok();
}
