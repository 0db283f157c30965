// A step of waves, as a list of stages, and its length.
//
// Velocity Verlet: pressure acts for half of the step, the liquid moves for all of it, pressure
// acts for the other half. Second order in time; no wave grows or decays while dt max(|u|/dx +
// |w|/dz + sqrt(g D (1/dx^2 + 1/dz^2))) < 1. The motion is first that of the volume, by fluxes,
// then that of the momentum which those fluxes carry.
#include "base/simd.h"
#include "base/status.h"
#include "solvers/shallow/waves/waves.h"

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
    double x = 1 / g->dx_m, z = g->has_z ? 1 / g->dz_m : 0;
    const double wave = fabs(c->g) * (x * x + z * z), dry = s->params.dry_m;
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

double dew_wave_max_step(const dew_SolverState *state, const dew_Instant *instant,
                         const char **bound)
{
    double g = dew_shallow_gravity(instant).g;
    double fastest = g == state->fastest_g ? state->fastest_Hz : find_fastest(state, g);
    *bound = "cfl";
    return fastest > 0 ? state->params.cfl / fastest : (double)INFINITY;
}

double dew_wave_step_at_speed(const dew_SolverState *state, const dew_Instant *instant,
                              double deepest_m, double speed_m_s, const char **bound)
{
    const dew_ShallowGrid *grid = &state->grid;
    double x = 1 / grid->dx_m, z = grid->has_z ? 1 / grid->dz_m : 0;
    double g = fabs(dew_shallow_gravity(instant).g);
    double rate = speed_m_s * fmax(x, z) + sqrt(g * (x * x + z * z) * deepest_m);
    *bound = "cfl";
    return rate > 0 ? state->params.cfl / rate : (double)INFINITY;
}

// ---- the stages --------------------------------------------------------------------------------

static dew_Status verlet(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_ShallowWork *work = &s->work;
    double half_s = 0.5 * flow->dt_s;
    dew_wave_find_runs(s);
    dew_shallow_mirror(s, s->depth);
    memcpy(work->u, s->u, (size_t)s->grid.count * sizeof *s->u);
    memcpy(work->w, s->w, (size_t)s->grid.count * sizeof *s->w);
    DEW_TRY(dew_wave_kick(flow, half_s, s->u, s->w, work->u, work->w));
    if (s->params.has_fronts)
        DEW_TRY(dew_wave_find_fronts(flow));
    dew_wave_sides_velocity(flow, work->u, work->w);
    DEW_TRY(s->params.model == DEW_SHALLOW_FINITE_DIFFERENCE ? dew_wave_advect_depth(flow)
                                                             : dew_wave_update_depth(flow));
    DEW_TRY(s->params.is_semi_lagrangian ? dew_wave_advect_velocity(flow)
                                         : dew_wave_advect_momentum(flow));
    DEW_TRY(dew_wave_kick(flow, half_s, work->u, work->w, s->u, s->w));
    return s->params.has_fronts ? dew_wave_set_front_velocity(flow) : dew_ok();
}

dew_Status dew_wave_step(dew_ShallowFlow *flow)
{
    dew_SolverState *state = flow->state;
    bool is_staged = state->params.model == DEW_SHALLOW_FINITE_VOLUME;
    flow->is_centred = !is_staged;
    if (state->params.is_ground_moving)
        DEW_TRY(dew_wave_move_ground(flow));
    DEW_TRY(dew_shallow_inflow(flow));
    DEW_TRY(is_staged ? dew_wave_runge_kutta(flow) : verlet(flow));
    DEW_TRY(dew_wave_apply_friction(flow));
    dew_wave_sides_velocity(flow, state->u, state->w);
    dew_shallow_sinks(flow);
    if (state->params.model == DEW_SHALLOW_LEVEL_SET)
        DEW_TRY(dew_wave_move_shoreline(flow));
    else
        dew_wave_shoreline_from_depth(state, dew_shallow_whole(&state->grid));
    state->fastest_Hz = find_fastest(state, flow->gravity.g);
    state->fastest_g = flow->gravity.g;
    return dew_ok();
}
