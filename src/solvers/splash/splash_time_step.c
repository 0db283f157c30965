// The longest step and what it is for: [Durikovic] eqs. (5) to (7) over all liquid cells.
//
// Eq. (7) wants nu >= dt u^2 / 2 + h^2 u' / 2, eq. (6) nu dt < h^2 / 6. Together they are a
// quadratic inequality in dt for each cell, dt^2 u^2 / 2 + dt h^2 u' / 2 < h^2 / 6, whose root is
// the cell's longest step. Eq. (5) bounds the step, in which markers move; eqs. (6) and (7) its
// explicit parts, of which it has one, or a few where that makes it longer (splash_momentum.c).
// differs: |u|^2 stands for the largest component's square, for in several dimensions the
// components' effects add up.
#include "base/simd.h"
#include "base/status.h"
#include "solvers/splash/splash_state.h"

#include <string.h>

#define SAFETY 0.95  // of eq. (6)

enum { WIDTH = DEW_BRICK + 2 };
static const int stride_of[3] = {1, WIDTH, WIDTH *WIDTH};

typedef struct Limit {
    double step_s, part_s;  // by eq. (5); by eqs. (6) and (7)
    double speed;
    int64_t full, liquid, deep, full_markers;
    double velocity[3], speed2;  // sums over markers
} Limit;

typedef struct Work {
    const dew_SolverState *s;
    const dew_CellSets *sets;
    Limit *limits;  // per brick
} Work;

// What is largest in some cells, lane by lane. need: q + sqrt(q^2 + 2 u^2 limit_m2) with q = h^2 u'
// / 2, whose inverse the longest part is.
typedef struct Most {
    double speed2[DEW_BRICK], speed[DEW_BRICK], need[DEW_BRICK];
    double velocity[3][DEW_BRICK], weighted2[DEW_BRICK];
} Most;

// A row of cells; is_in: 1 for liquid ones, else 0.
DEW_BODY void look_at_row(double h, double limit_m2, double (*u)[DEW_TILE_SIZE(1)], int row,
                          const double *is_in, const double *markers, Most *most)
{
    for (int i = 0; i < DEW_BRICK; i++) {
        double speed2 = 0, slope = 0, fastest = 0;
        for (int a = 0; a < 3; a++) {
            double lo = is_in[i] > 0 ? u[a][row + i] : 0;
            double hi = is_in[i] > 0 ? u[a][row + i + stride_of[a]] : 0;
            double v = 0.5 * (lo + hi), rate = hi - lo, l = fabs(lo), r = fabs(hi);
            speed2 += v * v;
            slope = rate > slope ? rate : slope;
            l = r > l ? r : l;
            fastest = l > fastest ? l : fastest;
            most->velocity[a][i] += markers[i] * v;
        }
        double q = 0.5 * h * slope, need = q + sqrt(q * q + 2 * speed2 * limit_m2);
        most->weighted2[i] += markers[i] * speed2;
        most->speed2[i] = speed2 > most->speed2[i] ? speed2 : most->speed2[i];
        most->speed[i] = fastest > most->speed[i] ? fastest : most->speed[i];
        most->need[i] = need > most->need[i] ? need : most->need[i];
    }
}

// need: see Most. A step in full by eq. (5), the explicit part of one by eqs. (6) and (7).
static void set_steps(const dew_SplashParams *params, double h, double limit_m2, double speed2,
                      double need, Limit *out)
{
    if (speed2 > 0)
        out->step_s = params->cfl * h / sqrt(speed2);
    if (!params->is_plain && need > 0)
        out->part_s = 2 * limit_m2 / need;
    if (params->nu_m2_s > 0)
        out->part_s = fmin(out->part_s, limit_m2 / params->nu_m2_s);
}

// a level set is carried more quietly by short steps: they leave a drop at rest three quarters of
// the speed.
static double whole_step(const dew_SolverState *s, const Limit *limit)
{
    return fmin(limit->step_s, (s->level_set ? 1 : DEW_SPLASH_PARTS) * limit->part_s);
}

double dew_splash_step_at(const dew_SolverState *state, double speed_m_s, bool *is_cfl)
{
    double h = state->grid->cell_m, limit_m2 = SAFETY * h * h / 6, u2 = speed_m_s * speed_m_s;
    double q = 0.5 * h * speed_m_s;  // it stops within a cell
    Limit limit = {.step_s = (double)INFINITY, .part_s = (double)INFINITY};
    set_steps(&state->params, h, limit_m2, u2, q + sqrt(q * q + 2 * u2 * limit_m2), &limit);
    double step = whole_step(state, &limit);
    *is_cfl = limit.step_s <= step;
    return step;
}

static Limit limit_of(const dew_SplashParams *params, double h, double limit_m2, const Most *most)
{
    Limit out = {.step_s = (double)INFINITY, .part_s = (double)INFINITY};
    double speed2 = 0, need = 0;
    for (int i = 0; i < DEW_BRICK; i++) {
        speed2 = fmax(speed2, most->speed2[i]);
        need = fmax(need, most->need[i]);
        out.speed = fmax(out.speed, most->speed[i]);
        out.speed2 += most->weighted2[i];
        for (int a = 0; a < 3; a++)
            out.velocity[a] += most->velocity[a][i];
    }
    if (isnan(out.speed2))
        out.speed = (double)NAN;
    set_steps(params, h, limit_m2, speed2, need, &out);
    return out;
}

DEW_BODY dew_Status limit_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->s;
    const dew_Grid *grid = s->grid;
    double h = grid->cell_m, limit_m2 = SAFETY * h * h / 6;
    double u[3][DEW_TILE_SIZE(1)];
    if (dew_grid_axes(grid) == 2)
        memset(u[2], 0, sizeof u[2]);
    for (int64_t b = begin; b < end; b++) {
        const uint64_t *liquid = w->sets->liquid[b].layer, *full = w->sets->full[b].layer;
        const uint8_t *count = dew_splash_count(s) + b * grid->brick_cells;
        int cells = 0, full_cells = 0, deep_cells = 0, full_markers = 0;
        Most most = {.speed = {0}};
        for (int k = 0; k < grid->depth; k++) {
            cells += __builtin_popcountll(liquid[k]);
            full_cells += __builtin_popcountll(full[k]);
            deep_cells += __builtin_popcountll(
                liquid[k] & dew_bits_used(dew_splash_deep(s) + b * grid->brick_cells + 64 * k));
            for (uint64_t rest = full[k]; rest;)
                full_markers += count[64 * k + dew_bits_take(&rest)];
        }
        w->limits[b] = (Limit){.step_s = (double)INFINITY, .part_s = (double)INFINITY};
        if (cells == 0)
            continue;
        for (int a = 0; a < dew_grid_axes(grid); a++)
            dew_tile_load_cross(grid, dew_grid_f64(grid, s->u[a]), (int32_t)b, 1, u[a]);
        for (int n = 0; n < grid->brick_cells; n += DEW_BRICK) {
            double is_in[DEW_BRICK], markers[DEW_BRICK];
            uint64_t row = dew_bits_spread(liquid[n >> 6] >> (n & 63));
            if (!row)
                continue;
            for (int i = 0; i < DEW_BRICK; i++) {
                is_in[i] = (double)(int)(row >> 8 * i & 1);
                markers[i] = is_in[i] * count[n + i];
            }
            look_at_row(h, limit_m2, u, dew_tile_at(1, 0, n >> 3 & 7, n >> 6), is_in, markers,
                        &most);
        }
        w->limits[b] = limit_of(&s->params, h, limit_m2, &most);
        w->limits[b].liquid = cells;
        w->limits[b].full = full_cells;
        w->limits[b].deep = deep_cells;
        w->limits[b].full_markers = full_markers;
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(limit_chunk)

dew_Status dew_splash_find_limits(dew_SolverState *state, const dew_CellSets *sets,
                                  dew_Arena *scratch)
{
    const dew_Grid *grid = state->grid;
    Work work = {state, sets, dew_arena_array(scratch, Limit, grid->brick_count)};
    Limit all = {.step_s = (double)INFINITY, .part_s = (double)INFINITY};
    if (!work.limits)
        return dew_no_memory((size_t)grid->brick_count * sizeof(Limit));
    DEW_TRY(dew_grid_for(grid, limit_chunk, &work));
    for (int32_t b = 0; b < grid->brick_count; b++) {
        const Limit *limit = &work.limits[b];
        all.step_s = fmin(all.step_s, limit->step_s);
        all.part_s = fmin(all.part_s, limit->part_s);
        all.speed = limit->speed <= all.speed ? all.speed : limit->speed;  // NaN comes through
        all.full += limit->full;
        all.full_markers += limit->full_markers;
        all.liquid += limit->liquid;
        all.deep += limit->deep;
        all.speed2 += limit->speed2;
        for (int a = 0; a < 3; a++)
            all.velocity[a] += limit->velocity[a];
    }
    dew_SplashNumbers *numbers = &state->numbers;
    dew_SplashCounts *counts = &state->counts;
    double step = whole_step(state, &all);
    numbers->max_step_s = fmin(step, DEW_LIQUID_NEVER_S);
    numbers->part_s = fmin(all.part_s, DEW_LIQUID_NEVER_S);
    numbers->max_speed_m_s = all.speed;
    numbers->speed2_m2_s2 = all.speed2;
    for (int a = 0; a < 3; a++)
        numbers->velocity_m_s[a] = all.velocity[a];
    counts->bound = isinf(step) ? 0 : all.step_s <= step ? 1 : 2;
    counts->full_cells = all.full;
    counts->full_markers = all.full_markers;
    counts->liquid_cells = all.liquid;
    counts->deep_cells = all.deep;
    return dew_ok();
}

dew_Status dew_splash_settle(const dew_Problem *problem, dew_SolverState *state, double time_s,
                             bool is_reseeding, dew_Arena *scratch)
{
    double *u[3] = {NULL, NULL, NULL};
    const double *wall_u[3];
    dew_StageClock *clock = state->workspace->clock;
    dew_CellSets sets;
    dew_CellsDef def = {.problem = problem,
                        .grid = state->grid,
                        .kind = dew_splash_kind(state),
                        .count = dew_splash_count(state),
                        .phi = state->level_set ? dew_splash_level_set_phi : NULL,
                        .context = state};
    DEW_TRY(dew_cells_find_kinds(&def, time_s, scratch, &sets));
    dew_stage_end(clock, DEW_SPLASH_CELLS);
    if (is_reseeding) {
        DEW_TRY(dew_splash_reseed(state, &sets, scratch));
        dew_stage_end(clock, DEW_SPLASH_SEED);
        DEW_TRY(dew_splash_regroup(state, scratch));
        dew_stage_end(clock, DEW_SPLASH_SORT);
    }
    for (int a = 0; a < dew_grid_axes(state->grid); a++)
        u[a] = dew_grid_f64(state->grid, state->u[a]);
    dew_splash_wall_velocity(state, wall_u);
    DEW_TRY(dew_cells_set_boundary(problem, state->grid, &sets, wall_u, time_s, u));
    DEW_TRY(dew_splash_find_limits(state, &sets, scratch));
    bool is_counting = is_reseeding || state->params.reseed_every == 0 || state->counts.drops == 0;
    DEW_TRY(dew_splash_tally(state, &sets, is_counting, scratch));
    dew_stage_end(clock, DEW_SPLASH_CELLS);
    return dew_ok();
}
