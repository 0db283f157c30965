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

// u after dt on the face between cells l and r. k = g dt / dx, a = dt times all other acceleration.
DEW_BODY double balanced(double u, double bl, double dl, double br, double dr, double sill,
                         double dry, double g, double k, double a)
{
    double hl = bl + dl, hr = br + dr;
    double el = hl > sill ? hl : sill, er = hr > sill ? hr : sill;
    bool is_wet_l = dl > dry, is_wet_r = dr > dry;
    double free_u = u + a - k * (er - el);
    // Run-up to the right, to the left: never backwards, and only with speed enough.
    double up_r = u * u >= g * (er - hl) && free_u > 0 ? free_u : 0;
    double up_l = u * u >= g * (el - hr) && free_u < 0 ? free_u : 0;
    double out = free_u;
    out = !is_wet_r && er >= hl ? up_r : out;
    out = !is_wet_l && el >= hr ? up_l : out;
    return is_wet_l || is_wet_r ? out : 0;
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
    const double dry = s->laws.dry_m, g = w->g, k = g * w->dt / size, a = along * w->dt;
    const double p = w->has_head ? w->dt / size : 0;
    u += at, to += at, sill += at;
    if (w->is_balanced)
        for (int i = 0; i < count; i++)
            to[i] = balanced(u[i], b[i - d], depth[i - d], b[i], depth[i], sill[i], dry, g, k,
                             a - p * (head[i] - head[i - d]));
    else
        for (int i = 0; i < count; i++)
            to[i] = paper(u[i], b[i - d], depth[i - d], b[i], depth[i], dry, k,
                          a - p * (head[i] - head[i - d]));
}

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
    return dew_shallow_rows(s, kick, &work);
}
