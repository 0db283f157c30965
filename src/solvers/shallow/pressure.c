// Pressure on the columns: gravity, and `head`, what else presses.
//
// On a face between the columns l and r, du/dt = -g (eta_r - eta_l) / dx [Wong2006, eqs. 2.16-2.17 with h the height of
// the surface], plus gravity along the ground, minus the gradient of head. It is exact for a lake at rest.
//
// At the shore the height of dry ground is no height of liquid. Balanced: ground that stands above the liquid of a
// column holds it, as a wall does; liquid runs up only when it is fast enough for half of the way to the next column,
// u^2 >= g (b_r - eta_l), slows on it, and never turns on dry ground. Over a step the surface below it counts as
// no lower than the step [Audusse2004]. The paper's way, which makes its models oscillate: the gradient as it is.
#include "base/status.h"
#include "grid/wide.h"
#include "solvers/shallow/state.h"

typedef struct Work {
    const dew_SolverState *state;
    const double *u, *w;
    double *to_u, *to_w;
    double dt, g, gx, gz;
    bool is_balanced, has_head;
} Work;

// Surface of the column c, as the flow from its lower neighbour l sees it, when c is higher. What covers the lower part
// of a cell only may stand as low as `low`, or as high as the mean depth over the middle, h; between both it goes on as the
// surface on the other side of l, where that is wet.
DEW_BODY double seen_surface(double h, double low, double l, double beyond, bool is_wet_beyond)
{
    double on = is_wet_beyond ? 2 * l - beyond : l;
    on = on > low ? on : low;
    return on < h ? on : h;
}

// u after dt on the face between the columns at b[-d] and b[0]. k = g dt / dx, a = dt times all other acceleration.
DEW_BODY double balanced(double u, const double *b, const double *depth, const double *low,
                         double sill, int64_t d, double dry, double k, double a)
{
    double hl = b[-d] + depth[-d], hr = b[0] + depth[0];
    double hll = b[-2 * d] + depth[-2 * d], hrr = b[d] + depth[d];
    double er = seen_surface(hr, low[0], hl, hll, depth[-2 * d] > dry);
    double el = seen_surface(hl, low[-d], hr, hrr, depth[d] > dry);
    bool is_wet_l = depth[-d] > dry, is_wet_r = depth[0] > dry;
    er = hr > hl && is_wet_l ? er : hr;
    el = hl > hr && is_wet_r ? el : hl;
    er = er > sill ? er : sill;
    el = el > sill ? el : sill;
    double free_u = u + a - k * (er - el);
    // Dry ground above the liquid that is steep or a step: a wall.
    bool is_wall_r = !is_wet_r && hr >= hl && (er >= hr || sill >= hl);
    bool is_wall_l = !is_wet_l && hl >= hr && (el >= hl || sill >= hr);
    return is_wall_r || is_wall_l || !(is_wet_l || is_wet_r) ? 0 : free_u;
}

DEW_BODY double paper(double u, double bl, double dl, double br, double dr, double dry, double k,
                      double a)
{
    return dl > dry || dr > dry ? u + a - k * (br + dr - bl - dl) : 0;
}

// Faces [begin, end) of a row; the other column of a face is d numbers before.
DEW_BODY void kick_row(const Work *w, const double *u, double *to, const double *sill, double size,
                       double along, int64_t at, int count, int64_t d)
{
    const dew_SolverState *s = w->state;
    const double *b = s->ground + at, *depth = s->depth + at, *head = s->work.head + at;
    const double *low = s->work.low + at;
    const double dry = s->laws.dry_m, k = w->g * w->dt / size, a = along * w->dt;
    const double p = w->has_head ? w->dt / size : 0;
    u += at, to += at, sill += at;
    if (w->is_balanced)
        for (int i = 0; i < count; i++)
            to[i] = balanced(u[i], b + i, depth + i, low + i, sill[i], d, dry, k,
                             a - p * (head[i] - head[i - d]));
    else
        for (int i = 0; i < count; i++)
            to[i] = paper(u[i], b[i - d], depth[i - d], b[i], depth[i], dry, k,
                          a - p * (head[i] - head[i - d]));
}

// The lowest that the surface of a column can be: level over the lower part of its cell. With S the ground's rise over
// the cell, D = y^2 / (2 S) while it is y < S deep.
DEW_BODY dew_Status low_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_ShallowRun *runs = dew_shallow_runs(s, row);
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
        const dew_ShallowRun *runs = dew_shallow_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int from = runs[r].begin, count = runs[r].end - from;
            int first = from > 0 ? from : 1;  // the side itself is open or closed, see sides.c
            kick_row(w, w->u, w->to_u, s->sill_x, g->dx_m, w->gx, dew_shallow_at(g, first, row),
                     runs[r].end - first, 1);
            if (g->has_z && row > 0)
                kick_row(w, w->w, w->to_w, s->sill_z, g->dz_m, w->gz, dew_shallow_at(g, from, row),
                         count, g->stride);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(kick)

dew_Status dew_shallow_kick(dew_ShallowFlow *flow, double dt_s, const double *u, const double *w,
                            double *to_u, double *to_w)
{
    const dew_SolverState *s = flow->state;
    Work work = {.state = s,
                 .u = u,
                 .w = w,
                 .to_u = to_u,
                 .to_w = to_w,
                 .dt = dt_s,
                 .g = flow->gravity.g,
                 .gx = flow->gravity.gx,
                 .gz = flow->gravity.gz,
                 .is_balanced = s->laws.is_balanced,
                 .has_head = s->work.has_head};
    if (work.is_balanced)
        DEW_TRY(dew_shallow_rows(s, low, &work));
    return dew_shallow_rows(s, kick, &work);
}
