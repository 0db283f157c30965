// The longest step and what it is for: [Durikovic] eqs. (5) to (7) over all liquid cells.
//
// Eq. (7) wants nu >= dt u^2 / 2 + h^2 u' / 2, eq. (6) nu dt < h^2 / 6. Together they are a quadratic inequality in dt
// for each cell, dt^2 u^2 / 2 + dt h^2 u' / 2 < h^2 / 6, whose root is the cell's longest step.
// Eq. (5) bounds the step, in which markers move; eqs. (6) and (7) its explicit parts, of which it has one, or a few where
// that makes it longer (momentum.c).
// differs: |u|^2 stands for the largest component's square, for in several dimensions the components' effects add up.
#include "base/status.h"
#include "solvers/splash/state.h"

#define SAFETY 0.95  // of eq. (6)

enum { WIDTH = DEW_BRICK + 2 };

typedef struct Limit {
    double step_s, part_s;  // by eq. (5); by eqs. (6) and (7)
    double speed, full, liquid, deep;
    double velocity[3], speed2;  // sums over markers
} Limit;

typedef struct Work {
    const dew_SolverState *s;
    Limit *limits;  // per brick
} Work;

static void limit_cell(const dew_SplashLaws *laws, double h, const double lo[3], const double hi[3],
                       double markers, Limit *out)
{
    double speed2 = 0, slope = 0;
    for (int a = 0; a < 3; a++) {
        double u = 0.5 * (lo[a] + hi[a]);
        speed2 += u * u;
        out->velocity[a] += markers * u;
        slope = fmax(slope, (hi[a] - lo[a]) / h);
        out->speed = fmax(out->speed, fmax(fabs(lo[a]), fabs(hi[a])));
    }
    out->speed2 += markers * speed2;
    double speed = sqrt(speed2), q = 0.5 * h * h * slope, room = SAFETY * h * h / 6;
    if (speed > 0)
        out->step_s = fmin(out->step_s, laws->cfl * h / speed);
    if (!laws->is_plain && (q > 0 || speed > 0))
        out->part_s = fmin(out->part_s, 2 * room / (q + sqrt(q * q + 2 * speed2 * room)));
    if (laws->nu_m2_s > 0)
        out->part_s = fmin(out->part_s, room / laws->nu_m2_s);
}

static dew_Status limit_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_SolverState *s = w->s;
    const dew_Grid *grid = s->grid;
    const uint8_t *kind = dew_splash_kind(s), *count = dew_splash_count(s),
                  *deep = dew_splash_deep(s);
    double h = grid->cell_m;
    static const int strides[3] = {1, WIDTH, WIDTH * WIDTH};
    double u[3][DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        Limit limit = {.step_s = (double)INFINITY, .part_s = (double)INFINITY};
        bool has_liquid = false;
        for (int n = 0; n < grid->brick_cells; n++)
            has_liquid |= dew_splash_is_liquid(kind[b * grid->brick_cells + n]);
        for (int a = 0; has_liquid && a < dew_grid_axes(grid); a++)
            dew_tile_load_cross(grid, dew_grid_f64(grid, s->u[a]), (int32_t)b, 1, u[a]);
        for (int n = 0; has_liquid && n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            if (!dew_splash_is_liquid(kind[at]))
                continue;
            double lo[3] = {0}, hi[3] = {0};
            int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            for (int a = 0; a < dew_grid_axes(grid); a++) {
                lo[a] = u[a][t];
                hi[a] = u[a][t + strides[a]];
            }
            limit_cell(&s->laws, h, lo, hi, count[at], &limit);
            limit.liquid += 1;
            limit.deep += deep[at];
            limit.full += kind[at] == DEW_SPLASH_FULL;
        }
        w->limits[b] = limit;
    }
    return dew_ok();
}

dew_Status dew_splash_find_limits(dew_SolverState *state, dew_Arena *scratch)
{
    const dew_Grid *grid = state->grid;
    Work work = {state, dew_arena_array(scratch, Limit, grid->brick_count)};
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
        all.liquid += limit->liquid;
        all.deep += limit->deep;
        all.speed2 += limit->speed2;
        for (int a = 0; a < 3; a++)
            all.velocity[a] += limit->velocity[a];
    }
    dew_SplashNumbers *numbers = &state->numbers;
    double step = fmin(all.step_s, DEW_SPLASH_PARTS * all.part_s);
    numbers->max_step_s = fmin(step, DEW_SPLASH_NO_LIMIT);
    numbers->part_s = fmin(all.part_s, DEW_SPLASH_NO_LIMIT);
    numbers->bound = isinf(step) ? 0 : all.step_s <= step ? 1 : 2;
    numbers->max_speed_m_s = all.speed;
    numbers->full_cells = all.full;
    numbers->liquid_cells = all.liquid;
    numbers->deep_cells = all.deep;
    numbers->speed2_m2_s2 = all.speed2;
    for (int a = 0; a < 3; a++)
        numbers->velocity_m_s[a] = all.velocity[a];
    return dew_ok();
}

dew_Status dew_splash_settle(const dew_Problem *problem, dew_SolverState *state, double time_s,
                             bool is_reseeding, dew_Arena *scratch)
{
    double *u[3] = {NULL, NULL, NULL};
    dew_SplashClock *clock = state->tools->clock;
    DEW_TRY(dew_splash_find_kinds(problem, state, time_s, scratch));
    dew_splash_clock_end(clock, DEW_SPLASH_CELLS);
    if (is_reseeding) {
        DEW_TRY(dew_splash_reseed(state, scratch));
        dew_splash_clock_end(clock, DEW_SPLASH_SEED);
        DEW_TRY(dew_particles_sort(&state->markers, state->grid, scratch));
        dew_splash_clock_end(clock, DEW_SPLASH_SORT);
    }
    for (int a = 0; a < dew_grid_axes(state->grid); a++)
        u[a] = dew_grid_f64(state->grid, state->u[a]);
    DEW_TRY(dew_splash_set_boundary(problem, state, time_s, u));
    DEW_TRY(dew_splash_find_limits(state, scratch));
    bool is_counting = is_reseeding || state->laws.reseed_every == 0 || state->numbers.drops == 0;
    DEW_TRY(dew_splash_tally(state, is_counting, scratch));
    dew_splash_clock_end(clock, DEW_SPLASH_CELLS);
    return dew_ok();
}
