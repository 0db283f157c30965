// The model finite-volume: third-order TVD Runge-Kutta [ShuOsher1988], as [Wong2006, section 2.2]
// has it.
//
//     U1 = E(U),  U2 = 3/4 U + 1/4 E(U1),  U3 = 1/3 U + 2/3 E(U2)
// for depth and momentum, where E is a step of explicit Euler: fluxes, pressure and momentum all of
// the same instant.
#include "base/status.h"
#include "solvers/shallow/waves/waves.h"

#include <string.h>

typedef struct Stages {
    dew_SolverState *state;
    double *depth, *u, *w;    // at the beginning of the step
    double *before;           // depth at the beginning of this stage
    double *kick_u, *kick_w;  // velocities with what pressure adds in this stage
    double old, now;          // weights
} Stages;

static dew_Status begin_stages(dew_ShallowFlow *flow, Stages *s)
{
    int64_t count = flow->state->grid.count;
    dew_Arena *scratch = flow->step->scratch;
    s->depth = dew_arena_array(scratch, double, count);
    s->u = dew_arena_array(scratch, double, count);
    s->w = dew_arena_array(scratch, double, count);
    s->before = dew_arena_array(scratch, double, count);
    s->kick_u = dew_arena_array(scratch, double, count);
    s->kick_w = dew_arena_array(scratch, double, count);
    if (!s->depth || !s->before || !s->u || !s->w || !s->kick_u || !s->kick_w)
        return dew_no_memory((size_t)count * sizeof(double));
    memcpy(s->depth, flow->state->depth, (size_t)count * sizeof(double));
    memcpy(s->u, flow->state->u, (size_t)count * sizeof(double));
    memcpy(s->w, flow->state->w, (size_t)count * sizeof(double));
    return dew_ok();
}

// Momentum over the new depth, or velocities as they are; d: to the other column of the face.
static double mixed(const Stages *s, int64_t n, int64_t d, double u_old, double u_now)
{
    const double *depth = s->state->depth;
    double old = s->old * (s->depth[n] + s->depth[n - d]);
    double all = s->old * (s->depth[n] + s->depth[n - d]) + s->now * (depth[n] + depth[n - d]);
    double weight = s->state->params.has_differences ? s->old : all > 0 ? old / all : 0;
    return weight * u_old + (1 - weight) * u_now;
}

// What pressure adds to the velocity on a face. It pushes what stood there as the stage began: as a
// velocity of what stands there now, that much more or less. Without this momentum is not kept, and
// bores are too slow however small the cells are. At shores a kick is what they allow, not a force;
// and where most has left a film must not move ballistically.
static double pushed(const Stages *s, int64_t n, int64_t d, double kick)
{
    const double *depth = s->state->depth, dry = s->state->params.dry_m;
    if (s->state->params.has_differences || !(fmin(s->before[n], s->before[n - d]) > dry) ||
        !(fmin(depth[n], depth[n - d]) > dry))
        return kick;
    double was = s->before[n] + s->before[n - d], is = depth[n] + depth[n - d];
    return kick * fmin(was / is, dew_wave_params.max_kick_ratio);
}

static dew_Status mix_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Stages *s = context;
    const dew_SolverState *state = s->state;
    const dew_ShallowGrid *g = &state->grid;
    for (int row = (int)begin; row < (int)end; row++)
        for (int i = 0; i < g->columns; i++) {
            int64_t n = dew_shallow_at(g, i, row);
            double u = pushed(s, n, 1, s->kick_u[n] - state->work.u[n]);
            state->u[n] = mixed(s, n, 1, s->u[n], state->u[n] + u);
            if (!g->has_z)
                continue;
            double w = pushed(s, n, g->stride, s->kick_w[n] - state->work.w[n]);
            state->w[n] = mixed(s, n, g->stride, s->w[n], state->w[n] + w);
        }
    return dew_ok();
}

static dew_Status mix_depth_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Stages *s = context;
    for (int row = (int)begin; row < (int)end; row++)
        for (int i = 0; i < s->state->grid.columns; i++) {
            int64_t n = dew_shallow_at(&s->state->grid, i, row);
            s->state->depth[n] = s->old * s->depth[n] + s->now * s->state->depth[n];
        }
    return dew_ok();
}

// One stage: Euler from the present state, mixed with the initial one. share: of the step's
// flux over the sides.
static dew_Status stage(dew_ShallowFlow *flow, Stages *s, double old, double weight)
{
    dew_SolverState *state = flow->state;
    size_t bytes = (size_t)state->grid.count * sizeof(double);
    s->old = old;
    s->now = 1 - old;
    flow->outflow_fraction = weight;
    dew_wave_find_runs(state);
    dew_shallow_mirror(state, state->depth);
    memcpy(s->before, state->depth, bytes);
    memcpy(s->kick_u, state->u, bytes);
    memcpy(s->kick_w, state->w, bytes);
    DEW_TRY(dew_wave_kick(flow, flow->dt_s, state->u, state->w, s->kick_u, s->kick_w));
    memcpy(state->work.u, state->u, bytes);
    memcpy(state->work.w, state->w, bytes);
    dew_wave_sides_velocity(flow, state->work.u, state->work.w);
    DEW_TRY(dew_wave_update_depth(flow));
    DEW_TRY(dew_wave_advect_momentum(flow));
    DEW_TRY(dew_shallow_rows(state, mix_chunk, s));
    DEW_TRY(dew_shallow_rows(state, mix_depth_chunk, s));
    dew_shallow_mirror(state, state->depth);
    return dew_ok();
}

dew_Status dew_wave_runge_kutta(dew_ShallowFlow *flow)
{
    Stages s = {.state = flow->state};
    DEW_TRY(begin_stages(flow, &s));
    DEW_TRY(stage(flow, &s, 0, 1.0 / 6));
    DEW_TRY(stage(flow, &s, 3.0 / 4, 1.0 / 6));
    return stage(flow, &s, 1.0 / 3, 2.0 / 3);
}
