// The step, as a list of stages, in the order of [Durikovic] section 2.7.
#include "base/status.h"
#include "solvers/splash/splash_state.h"

const char *const dew_splash_stage_names[DEW_SPLASH_STAGE_COUNT + 1] = {
    [DEW_SPLASH_MOMENTUM] = "momentum and viscosity",
    [DEW_SPLASH_PRESSURE] = "pressure",
    [DEW_SPLASH_EXTRAPOLATE] = "open sides, extension",
    [DEW_SPLASH_MARKERS] = "markers move",
    [DEW_SPLASH_SORT] = "sorting, bricks",
    [DEW_SPLASH_SEED] = "inflow, reseeding",
    [DEW_SPLASH_CELLS] = "kinds of cells, limits, sums",
    [DEW_SPLASH_TENSION] = "tension",
};

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
    dew_StageClock *clock = flow->step->clock;
    DEW_TRY(dew_splash_surface_tension(flow));
    dew_stage_end(clock, DEW_SPLASH_TENSION);
    DEW_TRY(dew_splash_momentum(flow));
    dew_stage_end(clock, DEW_SPLASH_MOMENTUM);
    DEW_TRY(dew_splash_project(flow));
    dew_stage_end(clock, DEW_SPLASH_PRESSURE);
    DEW_TRY(dew_splash_set_boundary(flow->problem, s, &flow->sets, flow->step->instant_old->time_s,
                                    flow->u));
    DEW_TRY(dew_splash_extend(flow));
    dew_stage_end(clock, DEW_SPLASH_EXTRAPOLATE);
    DEW_TRY(dew_splash_advect_level_set(flow));
    dew_stage_end(clock, DEW_SPLASH_TENSION);
    DEW_TRY(dew_splash_move_markers(flow));
    if (!s->level_set)
        return dew_ok();
    s->workspace->marks.left_brick = NULL;
    return dew_splash_hold_markers(s);
}

static dew_Status take_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    dew_SplashFlow flow = {
        .problem = problem, .state = state, .step = step, .scratch = step->scratch};
    dew_StageClock *clock = step->clock;
    dew_stage_begin(clock);
    state->workspace->marks = (dew_SplashMarkerInfo){.left_brick = NULL};
    DEW_TRY(begin(&flow));
    if (dew_splash_marker_count(state) > 0)
        DEW_TRY(flow_on(&flow));
    dew_stage_end(clock, DEW_SPLASH_MARKERS);
    DEW_TRY(dew_splash_inflow(problem, state, step));
    dew_stage_end(clock, DEW_SPLASH_SEED);
    int64_t alive = state->markers.count - flow.gone;
    DEW_TRY(dew_splash_update_bricks(problem, state, step->instant, step->scratch));
    // Markers that came where no brick is are sorted out with the dead: reseeding gives them back.
    state->counts.owed += alive - state->markers.count;
    dew_stage_end(clock, DEW_SPLASH_SORT);
    int every = state->params.reseed_every;
    bool is_due = every > 0 && step->index % every == 0;
    DEW_TRY(dew_splash_update_level_set(&flow));
    dew_stage_end(clock, DEW_SPLASH_TENSION);
    return dew_splash_settle(problem, state, step->instant->time_s, is_due, step->scratch);
}

dew_Status dew_splash_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    state->workspace->clock = step->clock;
    dew_Status status = take_step(problem, state, step);
    state->workspace->clock = NULL;
    return status;
}
