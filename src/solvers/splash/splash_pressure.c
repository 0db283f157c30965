// Pressure: [Durikovic] section 2.4.2. Full cells have one, surface cells that of the air, which is
// 0; faces of obstacles and of cells before inflows are closed.
//
// Volume control: a full cell whose markers crowd grows a little, one that has too few shrinks, so
// that markers stay as dense as the volume that they stand for. What reseeding owes, and what full
// cells together hold too little, is made good by all alike [Kim2007]. Numbers below are for
// steps in which the fastest liquid moves by half a cell, shorter steps do less. With a level set
// (splash_level_set.c) there is no need of it.
//
// Since volume is controlled, and not by velocities alone, pressure need not be better than what
// control can see: an error of VOLUME_SLACK / VOLUME_STEPS, 2e-4 of a cell's volume in a step. The
// solver may stop where the root mean square is a twentieth of that. (In the pool on 20^3 and 64^3
// cells it stops between 1e-6 and 6e-6, and the worst cell, wrong by 8 to 34 times as much, at
// 1.1e-4.) When the liquid is nearly at rest the relative tolerance is reached first.
#include "base/simd.h"
#include "base/status.h"
#include "solvers/splash/splash_state.h"

#include <string.h>

#define VOLUME_SLACK (DEW_SPLASH_ALLOWANCE / 10)  // relative error of the volume that is left alone
#define SWELL_SLACK                                                                                \
    (DEW_SPLASH_ALLOWANCE / 2)  // what full cells may have more than their markers, of all
#define VOLUME_STEPS 10         // in which an error is made good
#define VOLUME_LIMIT                                                                               \
    DEW_SPLASH_ALLOWANCE    // the most a cell may grow in a step for that, of its volume
#define DENSITY_SLACK 0.3   // relative error of a cell's markers that nobody cares for
#define DENSITY_RATE  0.1   // part of the rest that is made good in a step
#define DENSITY_LIMIT 0.05  // the most a cell may grow in a step for that
// Of the tolerance: what may be wrong of a cell's volume in a step, root mean square.
#define CELL_ERROR 0.1

typedef struct Work {
    dew_SplashFlow *flow;
    dew_BrickBits *closed;  // cells whose faces are
    double *b, *p;
    double rate_of[256];  // m/s, that full cells with so many markers are to grow by
} Work;

// Growth of a full cell that has so many markers.
static double local_growth(const dew_SplashParams *params, int count)
{
    if (params->reseed_every == 0)
        return 0;
    double error = count / (double)params->per_cell - 1;
    if (fabs(error) <= DENSITY_SLACK)
        return 0;
    error -= error > 0 ? DENSITY_SLACK : -DENSITY_SLACK;
    return fmax(-DENSITY_LIMIT, fmin(DENSITY_RATE * error, DENSITY_LIMIT));
}

// Where the cells beside a row of a brick are in the fields, on that side along y or z;
// DEW_INVALID: in no brick.
DEW_BODY int64_t row_beside(const dew_Grid *grid, const int32_t *near, int n, int side)
{
    int64_t at = dew_bits_index(grid, near, n, side);
    return at >= 0 ? at : DEW_INVALID;
}

// What flows out of the cells of a row that begins with cell n.
static void row_outflow(const dew_SplashFlow *flow, const int32_t *near, int n, double out[])
{
    const dew_Grid *grid = flow->state->grid;
    const double *u = flow->spare[0];
    int64_t first = (int64_t)near[13] * grid->brick_cells + n;
    int64_t right = row_beside(grid, near, n + DEW_BRICK - 1, 1);
    for (int i = 0; i < DEW_BRICK - 1; i++)
        out[i] = u[first + i + 1] - u[first + i];
    out[DEW_BRICK - 1] = (right >= 0 ? u[right] : 0) - u[first + DEW_BRICK - 1];
    for (int a = 1; a < dew_grid_axes(grid); a++) {
        static const double nothing[DEW_BRICK] = {0};
        int64_t up = row_beside(grid, near, n, 2 * a + 1);
        const double *here = flow->spare[a] + first,
                     *there = up < 0 ? nothing : flow->spare[a] + up;
        for (int i = 0; i < DEW_BRICK; i++)
            out[i] += there[i] - here[i];
    }
}

// What flows out of the full cells of layer k is to be what they grow by. Others have no pressure.
static void set_layer(const Work *w, int64_t b, int k)
{
    const dew_SplashFlow *flow = w->flow;
    const dew_Grid *grid = flow->state->grid;
    const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
    double scale = flow->state->params.rho_kg_m3 * grid->cell_m / flow->step->dt_s;
    for (int j = 0; j < DEW_BRICK; j++) {
        int n = 64 * k + DEW_BRICK * j;
        int64_t first = b * grid->brick_cells + n;
        const uint8_t *count = dew_splash_count(flow->state) + first;
        double out[DEW_BRICK];
        uint64_t full = flow->sets.full[b].layer[k] >> DEW_BRICK * j & 255;
        for (int i = 0; i < DEW_BRICK && full != 255; i++)
            w->p[first + i] = full >> i & 1 ? w->p[first + i] : 0;
        if (!full)
            continue;
        row_outflow(flow, near, n, out);
        for (int i = 0; i < DEW_BRICK; i++)
            w->b[first + i] = -scale * (out[i] - w->rate_of[count[i]]);
    }
}

static dew_Status equations_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_SplashSets *sets = &w->flow->sets;
    for (int64_t b = begin; b < end; b++)
        for (int k = 0; k < w->flow->state->grid->depth; k++) {
            w->closed[b].layer[k] = sets->solid[b].layer[k] | sets->source[b].layer[k];
            set_layer(w, b, k);
        }
    return dew_ok();
}

// Pressure below the cells of a row along an axis; 0 in missing bricks.
DEW_BODY void row_below(const Work *w, const int32_t *near, int n, int a, double out[DEW_BRICK])
{
    const dew_Grid *grid = w->flow->state->grid;
    int64_t below = row_beside(grid, near, n, 2 * a);
    for (int i = 0; i < DEW_BRICK; i++)
        out[i] = 0;
    if (a > 0 && below >= 0)
        memcpy(out, w->p + below, DEW_BRICK * sizeof *out);
    if (a > 0)
        return;
    out[0] = below >= 0 ? w->p[below] : 0;
    memcpy(out + 1, w->p + (int64_t)near[13] * grid->brick_cells + n,
           (DEW_BRICK - 1) * sizeof *out);
}

// From spare to u, less the gradient on faces of full cells that are not closed. Elsewhere there is
// no pressure.
DEW_BODY void gradient_layer(const Work *w, int64_t b, int a, int k)
{
    static const uint64_t bit_of[DEW_BRICK] = {1, 2, 4, 8, 16, 32, 64, 128};
    const dew_SplashFlow *flow = w->flow;
    const dew_Grid *grid = flow->state->grid;
    const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
    const double scale = flow->step->dt_s / (flow->state->params.rho_kg_m3 * grid->cell_m);
    uint64_t faces = (flow->sets.full[b].layer[k] |
                      dew_bits_beside(flow->sets.full, near, grid->depth, 2 * a, k)) &
                     ~w->closed[b].layer[k] &
                     ~dew_bits_beside(w->closed, near, grid->depth, 2 * a, k);
    for (int j = 0; j < DEW_BRICK; j++, faces >>= 8) {
        int n = 64 * k + DEW_BRICK * j;
        int64_t first = b * grid->brick_cells + n;
        const double *p = w->p + first, *from = flow->spare[a] + first;
        double *to = flow->u[a] + first, below[DEW_BRICK];
        if (!(faces & 255)) {
            memcpy(to, from, DEW_BRICK * sizeof *to);
            continue;
        }
        row_below(w, near, n, a, below);
        for (int i = 0; i < DEW_BRICK; i++)
            to[i] = from[i] - (faces & bit_of[i] ? scale * (p[i] - below[i]) : 0);
    }
}

DEW_BODY dew_Status gradient_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_Grid *grid = w->flow->state->grid;
    for (int64_t b = begin; b < end; b++)
        for (int a = 0; a < dew_grid_axes(grid); a++)
            for (int k = 0; k < grid->depth; k++)
                gradient_layer(w, b, a, k);
    return dew_ok();
}
DEW_WIDE_CHUNK(gradient_chunk)

// From spare to u, as it is.
static dew_Status copy_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SplashFlow *flow = context;
    const dew_Grid *grid = flow->state->grid;
    for (int a = 0; a < dew_grid_axes(grid); a++)
        memcpy(flow->u[a] + begin * grid->brick_cells, flow->spare[a] + begin * grid->brick_cells,
               (size_t)((end - begin) * grid->brick_cells) * sizeof(double));
    return dew_ok();
}

static double beyond(double error, double slack)
{
    return error > slack ? error - slack : error < -slack ? error + slack : 0;
}

// Growth of full cells in this step: what reseeding owes, and what they hold less than they are
// large. The latter would else be seen, as a pool whose water stands too high.
static double find_growth(const dew_SolverState *s)
{
    const dew_SplashCounts *counts = &s->counts;
    double h = s->grid->cell_m, marker_m3 = s->params.marker_m3;
    double full_m3 = (double)counts->full_cells * h * h * h;
    double owed = (double)counts->owed, wanted_m3 = (dew_splash_marker_count(s) + owed) * marker_m3;
    double error_m3 = beyond(owed * marker_m3, VOLUME_SLACK * wanted_m3);
    if (s->params.reseed_every > 0)
        error_m3 +=
            beyond((double)counts->full_markers * marker_m3 - full_m3, SWELL_SLACK * wanted_m3);
    if (!(full_m3 > 0))
        return 0;
    return fmax(-VOLUME_LIMIT, fmin(error_m3 / (VOLUME_STEPS * full_m3), VOLUME_LIMIT));
}

static double share_of(const dew_SplashFlow *flow)
{
    double h = flow->state->grid->cell_m, g = dew_length(flow->step->instant->gravity_m_s2);
    double speed = fmax(flow->state->numbers.max_speed_m_s, sqrt(g * h));
    return fmin(1, flow->step->dt_s * speed / (0.5 * h));
}

// Residual, as the solver has it, that changes the volume of full cells by that.
static double residual_of(const dew_SplashFlow *flow, double change)
{
    double speed = flow->state->grid->cell_m / flow->step->dt_s;
    double cells = (double)flow->state->counts.full_cells;
    return change * flow->state->params.rho_kg_m3 * speed * speed * sqrt(cells);
}

static dew_Status take_memory(Work *w)
{
    const dew_Grid *grid = w->flow->state->grid;
    int64_t count = dew_grid_value_count(grid);
    w->b = dew_arena_raw_array(w->flow->scratch, double, count);
    w->closed =
        dew_arena_array(w->flow->scratch, dew_BrickBits, grid->brick_count + grid->ghost_count);
    return w->b && w->closed ? dew_ok() : dew_no_memory((size_t)count * sizeof(double));
}

dew_Status dew_splash_project(dew_SplashFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_ArenaMark mark = dew_arena_mark(flow->scratch);
    Work work = {.flow = flow, .p = dew_grid_f64(s->grid, s->p)};
    double growth = find_growth(s), rate = share_of(flow) * s->grid->cell_m / flow->step->dt_s;
    if (s->level_set && s->counts.full_cells > 0)
        DEW_TRY(dew_splash_project_level_set(flow));
    if (s->level_set || s->counts.full_cells == 0)
        return dew_grid_for(s->grid, copy_chunk, flow);
    DEW_TRY(take_memory(&work));
    for (int n = 0; n < 256; n++)
        work.rate_of[n] = rate * (growth + local_growth(&s->params, n));
    DEW_TRY(dew_grid_for(s->grid, equations_chunk, &work));
    dew_PoissonDef def = dew_default_poisson_def();
    dew_SolveReport report;
    def.liquid = flow->sets.full;
    def.closed = work.closed;
    def.min_fraction = 1;  // the air begins in the middle of surface cells
    def.method = s->params.is_sor ? DEW_POISSON_SOR : DEW_POISSON_MULTIGRID;
    def.relaxation = s->params.relaxation;
    def.solve.tolerance = s->params.tolerance;
    def.solve.absolute = residual_of(flow, CELL_ERROR * s->params.tolerance * share_of(flow));
    if (s->params.is_sor)
        def.solve.max_iterations = 5000;
    DEW_TRY(dew_poisson_assemble(&s->workspace->poisson, s->grid, &def));
    DEW_TRY(dew_poisson_solve(&s->workspace->poisson, work.b, work.p, flow->scratch, &report));
    flow->step->iterations += report.iterations;
    DEW_TRY(dew_grid_for(s->grid, gradient_chunk, &work));
    dew_arena_rewind(flow->scratch, mark);
    return dew_ok();
}
