// Finite volumes for the depth [Wong2006, eq. 2.26]: what flows through the faces is taken from one
// column and given to the next, so that no liquid is lost.
//
// The flux is the velocity on the face times the depth upwind, continued to the face and to the
// middle of the step by limited slopes [VanLeer1979]: second order where depth and velocity are
// smooth. differs: the paper takes the upwind depth itself. Over a step of the ground no more flows
// than stands above it. A column that would give more than it has gives each face the same fraction
// of what it has [Bollermann2011], so that no depth becomes negative.
#include "base/simd.h"
#include "base/status.h"
#include "solvers/shallow/waves/slope_limiter.h"
#include "solvers/shallow/waves/waves.h"

typedef struct Work {
    const dew_SolverState *state;
    double dt;
    double centre;  // 1: of the middle of the step, 0: of its beginning
    bool is_gated;  // nothing passes the contact line,
    double slow;    // but what is slower, m/s: at rest what comes in by rounding must go out again
} Work;

// Depth of the column c on its face towards d, half a step on; carried by v > 0 from c outwards.
// Along the face's axis the cells before and after are d apart; `across` is what the other axis
// takes from c by then.
DEW_BODY double depth_at_face(const double *depth, int64_t d, double courant, double shrink)
{
    double slope = dew_limited_slope(depth[0] - depth[-d], depth[d] - depth[0]);
    double at_face = depth[0] + 0.5 * (1 - courant) * slope - shrink;
    at_face = at_face > 0 ? at_face : 0;
    return at_face < 2 * depth[0] ? at_face : 2 * depth[0];
}

// Along the faces of one kind in a row: d leads to the column before the face, e across; v is the
// velocity on the faces, o the other one. Sizes as 1 / m; `across` is 0 in one dimension.
typedef struct Faces {
    int64_t d, e;
    double along, across;
} Faces;

// What half a step takes from the depth of a column, apart from carrying it along d: D div U + o
// dD/de.
DEW_BODY double shrink_of(const double *depth, const double *v, const double *o, Faces f,
                          double half)
{
    double slope = dew_limited_slope(depth[0] - depth[-f.e], depth[f.e] - depth[0]);
    double div = (v[f.d] - v[0]) * f.along + (o[f.e] - o[0]) * f.across;
    return half * (depth[0] * div + 0.5 * (o[0] + o[f.e]) * slope * f.across);
}

// Fluxes through faces of a row.
DEW_BODY void flux_row(const double *restrict u, const double *restrict o, double *restrict flux,
                       const double *restrict sill, const double *restrict b,
                       const double *restrict depth, Faces f, double dt, double centre, int count)
{
    const int64_t d = f.d;
    double half = 0.5 * dt * centre, per_cell = dt * centre * f.along;
    for (int i = 0; i < count; i++) {
        double courant = fabs(u[i]) * per_cell;
        double from_l = depth_at_face(depth + i - d, d, courant,
                                      shrink_of(depth + i - d, u + i - d, o + i - d, f, half));
        double from_r =
            depth_at_face(depth + i, -d, courant, shrink_of(depth + i, u + i, o + i, f, half));
        double above_l = b[i - d] + depth[i - d] - sill[i], above_r = b[i] + depth[i] - sill[i];
        above_l = above_l > 0 ? above_l : 0;
        above_r = above_r > 0 ? above_r : 0;
        from_l = from_l < above_l ? from_l : above_l;
        from_r = from_r < above_r ? from_r : above_r;
        double to_r = u[i] * from_l, to_l = u[i] * from_r;
        flux[i] = u[i] > 0 ? to_r : to_l;
    }
}

// Nothing flows over the contact line onto dry ground: from a column inside it through a face
// outside of it [Wong2006, section 3.3]. differs: the paper closes all faces of a cell whose middle
// is outside; then no cell could fill before the contact line has passed its middle, nor empty once
// it has.
DEW_BODY void gate_row(const dew_SolverState *s, const double *u, double slow, double *flux,
                       int64_t n, int count, int64_t d)
{
    const double *phi = s->phi + n;
    const double near = dew_wave_params.face_gap * s->grid.dx_m;
    flux += n, u += n;
    for (int i = 0; i < count; i++) {
        double l = phi[i - d], r = phi[i], from = flux[i] > 0 ? l : r;
        double inside = from < 0 ? 0 : flux[i];
        inside = fabs(u[i]) > slow ? inside : flux[i];
        flux[i] = l + r > near ? inside : flux[i];
    }
}

DEW_BODY dew_Status flux_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    const int64_t z = g->stride;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int from = runs[r].begin, first = from > 0 ? from : 1;
            int64_t n = dew_shallow_at(g, first, row);
            const Faces x = {1, z, 1 / g->dx_m, g->has_z ? 1 / g->dz_m : 0};
            const Faces across = {z, 1, 1 / g->dz_m, 1 / g->dx_m};
            flux_row(s->work.u + n, s->work.w + n, s->work.flux + n, s->sill_x + n, s->ground + n,
                     s->depth + n, x, w->dt, w->centre, runs[r].end - first);
            if (w->is_gated)
                gate_row(s, s->work.u, w->slow, s->work.flux, dew_shallow_at(g, first, row),
                         runs[r].end - first, 1);
            if (!g->has_z || row == 0)
                continue;
            n = dew_shallow_at(g, from, row);
            flux_row(s->work.w + n, s->work.u + n, s->work.cross + n, s->sill_z + n, s->ground + n,
                     s->depth + n, across, w->dt, w->centre, runs[r].end - from);
            if (w->is_gated)
                gate_row(s, s->work.w, w->slow, s->work.cross, dew_shallow_at(g, from, row),
                         runs[r].end - from, g->stride);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(flux)

// ---- no more than there is ---------------------------------------------------------------------

DEW_BODY dew_Status fraction_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    const double x = w->dt / g->dx_m, z = g->has_z ? w->dt / g->dz_m : 0;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int64_t n = dew_shallow_at(g, runs[r].begin, row);
            const double *f = s->work.flux + n, *c = s->work.cross + n, *depth = s->depth + n;
            double *fraction = s->work.outflow_fraction + n;
            for (int i = 0; i < runs[r].end - runs[r].begin; i++) {
                double left = f[i] < 0 ? -f[i] : 0, right = f[i + 1] > 0 ? f[i + 1] : 0;
                double back = c[i] < 0 ? -c[i] : 0;
                double front = c[i + g->stride] > 0 ? c[i + g->stride] : 0;
                double out = x * (left + right) + z * (back + front);
                fraction[i] = out > depth[i] ? depth[i] / out : 1;
            }
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(fraction)

// One row of fluxes, those through the domain's far sides included when the row or run ends there.
DEW_BODY void limit_row(double *flux, const double *fraction, int count, int64_t d)
{
    for (int i = 0; i < count; i++) {
        double l = fraction[i - d], r = fraction[i];
        flux[i] *= flux[i] > 0 ? l : r;
    }
}

DEW_BODY dew_Status limit_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int64_t n = dew_shallow_at(g, runs[r].begin, row);
            int count = runs[r].end - runs[r].begin;
            limit_row(s->work.flux + n, s->work.outflow_fraction + n,
                      count + (runs[r].end == g->columns), 1);
            if (!g->has_z)
                continue;
            limit_row(s->work.cross + n, s->work.outflow_fraction + n, count, g->stride);
            if (row == g->rows - 1)
                limit_row(s->work.cross + n + g->stride, s->work.outflow_fraction + n + g->stride,
                          count, g->stride);
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
        const dew_WaveRun *runs = dew_wave_runs(s, row);
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

dew_Status dew_wave_update_depth(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    Work work = {s, flow->dt_s, flow->is_centred ? 1 : 0, s->params.model == DEW_SHALLOW_LEVEL_SET,
                 dew_wave_params.slow_ratio * sqrt(fabs(flow->gravity.g) * s->grid.dx_m)};
    DEW_TRY(dew_shallow_rows(s, flux, &work));
    dew_wave_sides_flux(flow);
    DEW_TRY(dew_shallow_rows(s, fraction, &work));
    DEW_TRY(dew_shallow_rows(s, limit, &work));
    flow->step->removed_m3 += dew_wave_sides_outflow_m3(flow);
    DEW_TRY(dew_shallow_rows(s, fill, &work));
    dew_shallow_mirror(s, s->depth);
    return dew_ok();
}
