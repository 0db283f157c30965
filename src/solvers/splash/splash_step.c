// The step, as a list of stages, in the order of [Durikovic] section 2.7.
#include "base/status.h"
#include "solvers/splash/state.h"

static dew_Status begin(dew_SplashFlow *flow)
{
    const dew_Grid *grid = flow->state->grid;
    int64_t count = dew_grid_value_count(grid);
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        flow->u[a] = dew_grid_f64(grid, flow->state->u[a]);
        flow->spare[a] = dew_arena_raw_array(flow->scratch, double, count);
        flow->other[a] = dew_arena_raw_array(flow->scratch, double, count);
        if (!flow->spare[a] || !flow->other[a])
            return dew_no_memory((size_t)count * sizeof(double));
    }
    return dew_splash_find_sets(flow->state, flow->scratch, &flow->sets);
}

static dew_Status flow_on(dew_SplashFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_SplashClock *clock = s->tools->clock;
    DEW_TRY(dew_splash_skin_pull(flow));
    dew_splash_clock_end(clock, DEW_SPLASH_SKIN);
    DEW_TRY(dew_splash_momentum(flow));
    dew_splash_clock_end(clock, DEW_SPLASH_MOMENTUM);
    DEW_TRY(dew_splash_project(flow));
    dew_splash_clock_end(clock, DEW_SPLASH_PRESSURE);
    DEW_TRY(dew_splash_set_boundary(flow->problem, s, &flow->sets, flow->step->moment_old->time_s,
                                    flow->u));
    DEW_TRY(dew_splash_extend(flow));
    dew_splash_clock_end(clock, DEW_SPLASH_EXTEND);
    DEW_TRY(dew_splash_skin_carry(flow));
    dew_splash_clock_end(clock, DEW_SPLASH_SKIN);
    DEW_TRY(dew_splash_move_markers(flow));
    if (!s->skin)
        return dew_ok();
    s->tools->marks.left_brick = NULL;
    return dew_splash_skin_hold(s);
}

dew_Status dew_splash_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    dew_SplashFlow flow = {
        .problem = problem, .state = state, .step = step, .scratch = step->scratch};
    dew_SplashClock *clock = state->tools->clock;
    dew_splash_clock_begin(clock);
    state->tools->marks = (dew_SplashMarks){.left_brick = NULL};
    DEW_TRY(begin(&flow));
    if (dew_splash_marker_count(state) > 0)
        DEW_TRY(flow_on(&flow));
    dew_splash_clock_end(clock, DEW_SPLASH_MARKERS);
    DEW_TRY(dew_splash_inflow(problem, state, step));
    dew_splash_clock_end(clock, DEW_SPLASH_SEED);
    int64_t alive = state->markers.count - flow.gone;
    DEW_TRY(dew_splash_follow(problem, state, step->moment, step->scratch));
    // Markers that came where no brick is are sorted out with the dead: reseeding gives them back.
    state->numbers.owed += (double)(alive - state->markers.count);
    dew_splash_clock_end(clock, DEW_SPLASH_SORT);
    int every = state->laws.reseed_every;
    bool is_due = every > 0 && step->index % every == 0;
    DEW_TRY(dew_splash_skin_settle(&flow));
    dew_splash_clock_end(clock, DEW_SPLASH_SKIN);
    return dew_splash_settle(problem, state, step->moment->time_s, is_due, step->scratch);
}
