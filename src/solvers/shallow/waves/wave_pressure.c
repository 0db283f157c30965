// Pressure on the columns: gravity, and `head`, other pressure over density.
//
// On a face between columns l and r, du/dt = -g (eta_r - eta_l) / dx [Wong2006, eqs. 2.16-2.17, h
// the height of the surface], plus gravity along the ground, minus the gradient of head. Exact for
// a lake at rest.
//
// At the shore the height of dry ground is no height of liquid. Balanced (default): ground that
// stands above the liquid of a column holds it as a wall does; liquid runs up only when it is fast
// enough for half of the distance to the next column, u^2 >= g (b_r - eta_l), slows on it, and
// never turns on dry ground. Over a step of the ground the surface below counts as no lower than
// the step [Audusse2004]. As in the paper: the gradient without these bounds, which makes its
// models oscillate.
#include "base/simd.h"
#include "base/status.h"
#include "solvers/shallow/waves/waves.h"

typedef struct Work {
    const dew_SolverState *state;
    const double *before_u, *before_w;
    double *to_u, *to_w;
    double dt, g, gx, gz;
    bool is_balanced, has_head;
} Work;

// Surface of the column c, as the flow from its lower neighbour l sees it, when c is higher. What
// covers the lower part of a cell only may stand as low as `low`, or as high as the mean depth over
// the middle, h; between both it extrapolates the surface on the other side of l; where that is
// dry, beyond = l.
DEW_BODY double seen_surface(double h, double low, double l, double beyond)
{
    double on = 2 * l - beyond;
    on = on > low ? on : low;
    on = on > l ? on : l;
    return on < h ? on : h;
}

// u after dt on the face between the columns at b[-d] and b[0]. k = g dt / dx, a = dt times all
// other acceleration. before: the velocities before the kick.
DEW_BODY double balanced(double u, const double *before, const double *b, const double *depth,
                         const double *low, const double *rise, double sill, int64_t d, double dry,
                         double g, double k, double a)
{
    double hl = b[-d] + depth[-d], hr = b[0] + depth[0];
    double hll = b[-2 * d] + depth[-2 * d], hrr = b[d] + depth[d];
    // Choices of numbers, not of ways through the code: they become vector code.
    double wet_l = depth[-d] > dry ? 1 : 0, wet_r = depth[0] > dry ? 1 : 0;
    double seen_r = seen_surface(hr, low[0], hl, depth[-2 * d] > dry ? hll : hl);
    double seen_l = seen_surface(hl, low[-d], hr, depth[d] > dry ? hrr : hr);
    // Small differences count as they are: a lake at rest must not find another balance.
    double small_r = dew_shallow_shared.level_ratio * rise[0],
           small_l = dew_shallow_shared.level_ratio * rise[-d];
    double er = hr - hl > small_r ? seen_r : hr, el = hl - hr > small_l ? seen_l : hl;
    er = wet_l > 0 ? er : hr;
    el = wet_r > 0 ? el : hl;
    er = er > sill ? er : sill;
    el = el > sill ? el : sill;
    // Rounding is no slope: it would add up to waves in some thousand steps.
    double gap = er - el, noise = dew_wave_params.height_rounding * (fabs(hl) + fabs(hr));
    gap = fabs(gap) > noise ? gap : 0;
    double free_u = u + a - k * gap;
    // Dry ground above the liquid is a wall where all of the cell is above it and the liquid is too
    // slow to climb there, or where it makes a step. Nothing moves towards it; what leaves it takes
    // the face along, so that velocities are smooth up to the contact line.
    double most_r = before[-d] < 0 ? 2 * before[-d] : 0, most_l = before[d] > 0 ? 2 * before[d] : 0;
    double back_r = free_u < 0 ? free_u : 0, back_l = free_u > 0 ? free_u : 0;
    double away_r = back_r > most_r ? back_r : most_r, away_l = back_l < most_l ? back_l : most_l;
    double climb_r = u > 0 ? u * u : 0, climb_l = u < 0 ? u * u : 0;
    double on_r = free_u > 0 ? free_u : away_r, on_l = free_u < 0 ? free_u : away_l;
    double rise_r = low[0] - hl > small_r ? low[0] - hl : small_r;
    double rise_l = low[-d] - hr > small_l ? low[-d] - hr : small_l;
    double at_r = 2 * g * rise_r >= climb_r ? away_r : on_r;
    double at_l = 2 * g * rise_l >= climb_l ? away_l : on_l;
    at_r = sill >= hl ? 0 : at_r;
    at_l = sill >= hr ? 0 : at_l;
    at_r = hr >= hl ? at_r : free_u;
    at_l = hl >= hr ? at_l : free_u;
    double out = wet_r > 0 ? free_u : at_r;
    out = wet_l > 0 ? out : at_l;
    return wet_l + wet_r > 0 ? out : 0;
}

// Dry ground that pushes has no liquid to give: it pushes no faster than a fall from there.
DEW_BODY double paper(double u, double bl, double dl, double br, double dr, double dry, double g,
                      double k, double a)
{
    double gap = br + dr - bl - dl, most = sqrt(2 * g * fabs(gap));
    double low = u < -most ? u : -most, high = u > most ? u : most;
    double free_u = u + a - k * gap;
    double from_r = free_u > low ? free_u : low, from_l = free_u < high ? free_u : high;
    double from_dry = gap > 0 ? from_r : from_l;
    double pushes = gap > 0 ? dr : dl;
    double out = pushes > dry ? free_u : from_dry;
    return dl > dry || dr > dry ? out : 0;
}

// Faces of a row, of either kind; the other column of a face is d numbers before.
typedef struct Row {
    const double *restrict before, *restrict b, *restrict depth, *restrict head, *restrict low,
                                                                                     *restrict rise;
    const double *restrict sill;
    double *restrict to;
    double g, k, a, p,
        dry;  // gravity, g dt / dx, dt times gravity along the ground, dt / dx of head
    int64_t d;
    int count;
} Row;

DEW_BODY void kick_balanced(Row r)
{
    for (int i = 0; i < r.count; i++)
        r.to[i] =
            balanced(r.to[i], r.before + i, r.b + i, r.depth + i, r.low + i, r.rise + i, r.sill[i],
                     r.d, r.dry, r.g, r.k, r.a - r.p * (r.head[i] - r.head[i - r.d]));
}
DEW_BODY void kick_paper(Row r)
{
    for (int i = 0; i < r.count; i++)
        r.to[i] = paper(r.to[i], r.b[i - r.d], r.depth[i - r.d], r.b[i], r.depth[i], r.dry, r.g,
                        r.k, r.a - r.p * (r.head[i] - r.head[i - r.d]));
}

DEW_BODY void kick_row(const Work *w, const double *before, double *to, const double *sill,
                       double size, double along, int64_t n, int count, int64_t d)
{
    const dew_SolverState *s = w->state;
    Row row = {.before = before + n,
               .b = s->ground + n,
               .depth = s->depth + n,
               .head = s->work.head + n,
               .low = s->work.low + n,
               .rise = s->rise + n,
               .sill = sill + n,
               .to = to + n,
               .g = w->g,
               .k = w->g * w->dt / size,
               .a = along * w->dt,
               .p = w->has_head ? w->dt / size : 0,
               .dry = s->params.dry_m,
               .d = d,
               .count = count};
    if (w->is_balanced)
        kick_balanced(row);
    else
        kick_paper(row);
}

// The lowest that the surface of a column can be: level over the lower part of its cell. With S the
// ground's rise over the cell, D = y^2 / (2 S) while it is y < S deep.
DEW_BODY dew_Status low_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int64_t n = dew_shallow_at(&s->grid, runs[r].begin, row);
            const double *b = s->ground + n, *depth = s->depth + n, *rise = s->rise + n;
            double *low = s->work.low + n;
            for (int i = 0; i < runs[r].end - runs[r].begin; i++) {
                double part = sqrt(2 * rise[i] * depth[i]) - 0.5 * rise[i];
                low[i] = b[i] + (depth[i] < 0.5 * rise[i] ? part : depth[i]);
            }
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(low)

DEW_BODY dew_Status kick_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int from = runs[r].begin, count = runs[r].end - from;
            int first =
                from > 0 ? from : 1;  // the side itself is open or closed, see domain_sides.c
            kick_row(w, w->before_u, w->to_u, s->sill_x, g->dx_m, w->gx,
                     dew_shallow_at(g, first, row), runs[r].end - first, 1);
            if (g->has_z && row > 0)
                kick_row(w, w->before_w, w->to_w, s->sill_z, g->dz_m, w->gz,
                         dew_shallow_at(g, from, row), count, g->stride);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(kick)

dew_Status dew_wave_kick(dew_ShallowFlow *flow, double dt_s, const double *before_u,
                         const double *before_w, double *u, double *w)
{
    const dew_SolverState *s = flow->state;
    Work work = {.state = s,
                 .before_u = before_u,
                 .before_w = before_w,
                 .to_u = u,
                 .to_w = w,
                 .dt = dt_s,
                 .g = flow->gravity.g,
                 .gx = flow->gravity.gx,
                 .gz = flow->gravity.gz,
                 .is_balanced = s->params.is_balanced,
                 .has_head = s->work.has_head};
    if (work.is_balanced)
        DEW_TRY(dew_shallow_rows(s, low, &work));
    return dew_shallow_rows(s, kick, &work);
}
