// Pressure: [Durikovic] section 2.4.2 by the projection of the grid core (grid/projection.c) on
// cells as a whole. Full cells have a pressure, surface cells that of the air, which is 0; faces of
// obstacles and of cells before inflows are closed. With a level set the same projection uses
// its phi. What is here is what the projection is asked for: volume control, and how well.
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
#define MAX_SWEEPS 5000  // of SOR

typedef struct Work {
    dew_SplashFlow *flow;
    dew_BrickBits *closed;  // cells whose faces are
    double *outflow;        // of full cells, m/s: what they are to grow by
    double rate_of[256];    // the same, by how many markers they have
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

static dew_Status growth_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_CellSets *sets = &w->flow->sets;
    const dew_Grid *grid = w->flow->state->grid;
    const uint8_t *count = dew_splash_count(w->flow->state);
    for (int64_t b = begin; b < end; b++)
        for (int k = 0; k < grid->depth; k++) {
            int64_t first = b * grid->brick_cells + 64 * k;
            w->closed[b].layer[k] = sets->solid[b].layer[k] | sets->source[b].layer[k];
            for (int n = 0; n < 64 && sets->full[b].layer[k]; n++)
                w->outflow[first + n] = w->rate_of[count[first + n]];
        }
    return dew_ok();
}

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

static double correction_fraction(const dew_SplashFlow *flow)
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

// Cells as a whole, with volume control.
static dew_Status define_cells(Work *w, dew_ProjectionDef *def)
{
    dew_SplashFlow *flow = w->flow;
    const dew_SolverState *s = flow->state;
    int64_t count = dew_grid_value_count(s->grid);
    double growth = find_growth(s),
           rate = correction_fraction(flow) * s->grid->cell_m / flow->step->dt_s;
    w->outflow = dew_arena_raw_array(flow->scratch, double, count);
    w->closed =
        dew_arena_array(flow->scratch, dew_BrickBits, s->grid->brick_count + s->grid->ghost_count);
    if (!w->outflow || !w->closed)
        return dew_no_memory((size_t)count * sizeof(double));
    for (int n = 0; n < 256; n++)
        w->rate_of[n] = rate * (growth + local_growth(&s->params, n));
    def->liquid = flow->sets.full;
    def->closed = w->closed;
    def->outflow = w->outflow;
    def->solve.absolute =
        residual_of(flow, CELL_ERROR * s->params.tolerance * correction_fraction(flow));
    return dew_grid_for(s->grid, growth_chunk, w);
}

dew_Status dew_splash_project(dew_SplashFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_ArenaMark mark = dew_arena_mark(flow->scratch);
    Work work = {.flow = flow};
    dew_ProjectionDef def = dew_default_projection_def();
    dew_ProjectionReport report;
    DEW_TRY(dew_grid_for(s->grid, copy_chunk, flow));
    if (s->counts.full_cells == 0)
        return dew_ok();
    def.density_kg_m3 = s->params.rho_kg_m3;
    def.dt_s = flow->step->dt_s;
    def.method = s->params.is_sor ? DEW_POISSON_SOR : DEW_POISSON_MULTIGRID;
    def.relaxation = s->params.relaxation;
    def.solve.tolerance = s->params.tolerance;
    if (s->params.is_sor)
        def.solve.max_iterations = MAX_SWEEPS;
    DEW_TRY(s->level_set ? dew_splash_define_level_set(flow, &def) : define_cells(&work, &def));
    DEW_TRY(dew_projection_run(&s->workspace->poisson, s->grid, &def, flow->u,
                               dew_grid_f64(s->grid, s->p), NULL, flow->scratch, &report));
    flow->step->iterations += report.solve.iterations;
    dew_arena_rewind(flow->scratch, mark);
    return dew_ok();
}
