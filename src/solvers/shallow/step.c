// The step, as a list of stages.
//
// Pressure acts for half of the step, the liquid moves for all of it, pressure acts for the other half: second order in
// time, and waves of any length neither grow nor fade while the fastest passes less than a cell (velocity Verlet).
// Moving is first the volume, by fluxes, then the momentum that those fluxes carry.
//
// Where surface tension is felt, film_step.c takes the place of all that.
#include "base/status.h"
#include "grid/wide.h"
#include "solvers/shallow/film.h"

// ---- the length of a step ----------------------------------------------------------------------

typedef struct Scan {
    const dew_SolverState *state;
    double g;
    double *fastest;  // per row
} Scan;

DEW_BODY dew_Status scan_body(void *context, int64_t begin, int64_t end)
{
    const Scan *c = context;
    const dew_SolverState *s = c->state;
    const dew_ShallowGrid *g = &s->grid;
    const double x = 1 / g->dx_m, z = g->has_z ? 1 / g->dz_m : 0;
    const double wave = fabs(c->g) * (x * x + z * z), dry = s->laws.dry_m;
    for (int row = (int)begin; row < (int)end; row++) {
        int64_t n = dew_shallow_at(g, 0, row);
        const double *u = s->u + n, *w = s->w + n, *depth = s->depth + n;
        double most = 0;
        for (int i = 0; i < g->columns; i++) {
            double p = fabs(u[i]), q = fabs(u[i + 1]), o = fabs(w[i]), t = fabs(w[i + g->stride]);
            double rate = (p > q ? p : q) * x + (o > t ? o : t) * z + sqrt(wave * depth[i]);
            rate = depth[i] > dry ? rate : 0;
            most = most > rate ? most : rate;
        }
        c->fastest[row] = most;
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(scan)

// Cells per second that the fastest signal passes.
static double find_fastest(const dew_SolverState *s, double g)
{
    Scan work = {s, g, s->work.row_sum};
    (void)dew_shallow_rows(s, scan, &work);  // cannot fail
    double most = 0;
    for (int row = 0; row < s->grid.rows; row++)
        most = fmax(most, work.fastest[row]);
    return most;
}

double dew_shallow_max_step(const dew_Problem *problem, const dew_SolverState *state,
                            const dew_Moment *moment, const char **bound)
{
    (void)problem;
    if (state->film)
        return dew_film_max_step(state, moment, bound);
    double g = dew_shallow_gravity(moment).g;
    double fastest = g == state->fastest_g ? state->fastest_Hz : find_fastest(state, g);
    *bound = "cfl";
    return fastest > 0 ? state->laws.cfl / fastest : (double)INFINITY;
}

// ---- the stages --------------------------------------------------------------------------------

dew_Status dew_shallow_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    dew_ShallowFlow flow = {problem, state, step, dew_shallow_gravity(step->moment), step->dt_s};
    dew_ShallowWork *work = &state->work;
    double half_s = 0.5 * step->dt_s;
    DEW_TRY(dew_shallow_inflow(&flow));
    if (state->film) {
        DEW_TRY(dew_film_step(&flow));
        dew_shallow_sinks(&flow);
        return dew_ok();
    }
    dew_shallow_find_runs(state);
    dew_shallow_mirror(state, state->depth);
    DEW_TRY(dew_shallow_kick(&flow, half_s, state->u, state->w, work->u, work->w));
    dew_shallow_sides_velocity(&flow, work->u, work->w);
    DEW_TRY(dew_shallow_move_depth(&flow));
    DEW_TRY(dew_shallow_carry_momentum(&flow));
    DEW_TRY(dew_shallow_kick(&flow, half_s, state->u, state->w, state->u, state->w));
    DEW_TRY(dew_shallow_friction(&flow));
    dew_shallow_sides_velocity(&flow, state->u, state->w);
    dew_shallow_sinks(&flow);
    if (state->laws.model == DEW_SHALLOW_LEVEL_SET)
        DEW_TRY(dew_shallow_move_line(&flow));
    else
        dew_shallow_line_from_depth(state, dew_shallow_whole(&state->grid));
    state->fastest_Hz = find_fastest(state, flow.gravity.g);
    state->fastest_g = flow.gravity.g;
    return dew_ok();
}
