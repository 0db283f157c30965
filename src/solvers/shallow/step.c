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

#include <string.h>

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

double dew_shallow_step_at_speed(const dew_Problem *problem, const dew_SolverState *state,
                                 const dew_Moment *moment, double speed_m_s, const char **bound)
{
    (void)problem;
    const dew_ShallowGrid *grid = &state->grid;
    double deepest = 0;
    for (int row = 0; row < grid->rows; row++)
        for (int i = 0; i < grid->columns; i++)
            deepest = fmax(deepest, state->depth[dew_shallow_at(grid, i, row)]);
    if (state->film)
        return dew_film_step_at(state, moment, deepest, speed_m_s, bound);
    double x = 1 / grid->dx_m, z = grid->has_z ? 1 / grid->dz_m : 0;
    double g = fabs(dew_shallow_gravity(moment).g);
    double rate = speed_m_s * fmax(x, z) + sqrt(g * (x * x + z * z) * deepest);
    *bound = "cfl";
    return rate > 0 ? state->laws.cfl / rate : (double)INFINITY;
}

// ---- the stages --------------------------------------------------------------------------------

// Half of the pressure, the motion, the other half.
static dew_Status verlet(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_ShallowWork *work = &s->work;
    double half_s = 0.5 * flow->dt_s;
    dew_shallow_find_runs(s);
    dew_shallow_mirror(s, s->depth);
    memcpy(work->u, s->u, (size_t)s->grid.count * sizeof *s->u);
    memcpy(work->w, s->w, (size_t)s->grid.count * sizeof *s->w);
    DEW_TRY(dew_shallow_kick(flow, half_s, s->u, s->w, work->u, work->w));
    if (s->laws.has_tips)
        DEW_TRY(dew_shallow_find_tips(flow));
    dew_shallow_sides_velocity(flow, work->u, work->w);
    DEW_TRY(s->laws.model == DEW_SHALLOW_FINITE_DIFFERENCE ? dew_shallow_carry_depth(flow)
                                                           : dew_shallow_move_depth(flow));
    DEW_TRY(s->laws.is_semi_lagrangian ? dew_shallow_carry_velocity(flow)
                                       : dew_shallow_carry_momentum(flow));
    DEW_TRY(dew_shallow_kick(flow, half_s, work->u, work->w, s->u, s->w));
    return s->laws.has_tips ? dew_shallow_set_tips(flow) : dew_ok();
}

dew_Status dew_shallow_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    bool is_staged = state->laws.model == DEW_SHALLOW_FINITE_VOLUME;
    dew_ShallowFlow flow = {.problem = problem,
                            .state = state,
                            .step = step,
                            .gravity = dew_shallow_gravity(step->moment),
                            .dt_s = step->dt_s,
                            .is_centred = !is_staged,
                            .leaving_share = 1};
    if (state->laws.is_ground_moving && !state->film)
        DEW_TRY(dew_shallow_move_ground(&flow));
    DEW_TRY(dew_shallow_inflow(&flow));
    if (state->film) {
        DEW_TRY(dew_film_step(&flow));
        dew_shallow_sinks(&flow);
        return dew_ok();
    }
    DEW_TRY(is_staged ? dew_shallow_runge_kutta(&flow) : verlet(&flow));
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
