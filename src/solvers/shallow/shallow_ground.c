// The ground under the columns, from the upper side of the solids, and its steps.
//
// Between cells the ground varies linearly, unless the difference over a face is far larger than
// the slopes on both sides explain: there it makes a step, over which liquid flows as over a sill
// [Audusse2004].
#include "base/status.h"
#include "solvers/shallow/shallow_state.h"

static double minmod(double a, double b)
{
    return a * b <= 0 ? 0 : fabs(a) < fabs(b) ? a : b;
}

// Height of the step between b[-d] and b[0], or -HUGE_VAL where the ground is even.
static double sill_between(const double *b, int64_t d)
{
    double jump = b[0] - b[-d];
    double below = b[-d] + 0.5 * minmod(b[-d] - b[-2 * d], jump);
    double above = b[0] - 0.5 * minmod(b[d] - b[0], jump);
    return fabs(above - below) > dew_shallow_shared.sill_ratio * fabs(jump) ? fmax(b[0], b[-d])
                                                                            : -HUGE_VAL;
}

typedef struct Work {
    const dew_Problem *problem;
    dew_SolverState *state;
    const dew_Instant *instant;
} Work;

static double slip_at(const Work *w, double x, double y, double z)
{
    double reach = 1e-3 * w->state->grid.dx_m;
    dew_SolidPoint p = dew_problem_nearest(w->problem, w->instant, dew_vec(x, y, z), reach);
    return p.solid_id == DEW_INVALID
               ? 0
               : dew_problem_material(w->problem, w->instant, p.solid_id, p.point_m).slip_m;
}

static dew_Status ground_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_ShallowGrid *g = &w->state->grid;
    for (int row = (int)begin; row < (int)end; row++) {
        double z = dew_shallow_z(g, row);
        for (int i = 0; i < g->columns; i++) {
            double x = dew_shallow_x(g, i);
            int64_t n = dew_shallow_at(g, i, row);
            w->state->ground[n] = dew_problem_ground_m(w->problem, w->instant, x, z);
            w->state->slip[n] = slip_at(w, x, w->state->ground[n], z);
        }
    }
    return dew_ok();
}

static dew_Status sill_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SolverState *s = context;
    for (int row = (int)begin; row < (int)end; row++) {
        for (int i = 0; i < s->grid.columns; i++) {
            int64_t n = dew_shallow_at(&s->grid, i, row);
            s->sill_x[n] = sill_between(s->ground + n, 1);
            double x = minmod(s->ground[n] - s->ground[n - 1], s->ground[n + 1] - s->ground[n]);
            double z = s->grid.has_z ? minmod(s->ground[n] - s->ground[n - s->grid.stride],
                                              s->ground[n + s->grid.stride] - s->ground[n])
                                     : 0;
            s->rise[n] = sqrt(x * x + z * z);
            s->sill_z[n] = s->grid.has_z ? sill_between(s->ground + n, s->grid.stride) : -HUGE_VAL;
        }
    }
    return dew_ok();
}

dew_Status dew_shallow_find_sills(dew_SolverState *state)
{
    return dew_shallow_rows(state, sill_chunk, state);
}

dew_Status dew_shallow_make_ground(const dew_Problem *problem, dew_SolverState *state,
                                   const dew_Instant *instant)
{
    Work work = {problem, state, instant};
    DEW_TRY(dew_shallow_rows(state, ground_chunk, &work));
    dew_shallow_mirror(state, state->ground);
    dew_shallow_mirror(state, state->slip);
    return dew_shallow_find_sills(state);
}
