// Flows that begin as exact solutions do.
#include "validate/shallow_flow.h"

#include "base/status.h"
#include "world/world_state.h"

#define SAMPLES  5  // along an axis of a cell, for means
#define HALVINGS 60

static double mean_depth(const dew_ShallowGrid *g, const dew_ShallowExact *exact, int column,
                         int row, double t)
{
    double sum = 0;
    int rows = g->has_z ? SAMPLES : 1;
    for (int k = 0; k < rows; k++)
        for (int i = 0; i < SAMPLES; i++) {
            double x = dew_shallow_x(g, column) + ((i + 0.5) / SAMPLES - 0.5) * g->dx_m;
            double z = g->has_z ? dew_shallow_z(g, row) + ((k + 0.5) / SAMPLES - 0.5) * g->dz_m : 0;
            sum += exact->depth(x, z, t);
        }
    return sum / (SAMPLES * rows);
}

static void fill_cell(dew_SolverState *s, const dew_ShallowExact *exact, int i, int row)
{
    const dew_ShallowGrid *g = &s->grid;
    int64_t n = dew_shallow_at(g, i, row);
    double x = dew_shallow_x(g, i), z = g->has_z ? dew_shallow_z(g, row) : 0;
    s->ground[n] = exact->ground(x, z);
    s->depth[n] = mean_depth(g, exact, i, row, 0);
    double left = x - 0.5 * g->dx_m, back = z - 0.5 * g->dz_m;
    if (exact->u && i > 0 && exact->depth(left, z, 0) > 0)
        s->u[n] = exact->u(left, z, 0);
    if (exact->w && row > 0 && exact->depth(x, back, 0) > 0)
        s->w[n] = exact->w(x, back, 0);
}

static dew_Status begin_exactly(dew_World *world, const dew_ShallowExact *exact)
{
    dew_SolverState *s = world->state;
    for (int row = 0; row < s->grid.rows; row++)
        for (int i = 0; i < s->grid.columns; i++)
            fill_cell(s, exact, i, row);
    dew_shallow_mirror(s, s->ground);
    dew_shallow_mirror(s, s->depth);
    DEW_TRY(dew_shallow_find_sills(s));
    dew_shallow_line_from_depth(s, dew_shallow_whole(&s->grid));
    DEW_TRY(world->ops->restored(world->problem, s));
    dew_Moment moment = dew_world_moment(world);
    dew_world_measure(world, &moment);
    world->clock.entered_m3 = world->measure.volume_m3;
    return dew_ok();
}

dew_Status dew_shallow_flow_open(const dew_ShallowFlowDef *def, dew_Stage *stage)
{
    DEW_TRY(dew_stage_open(
        stage, "shallow.yaml",
        "dew: 1\n"
        "solver: shallow\n"
        "dimensions: %d\n"
        "duration: 1000 s\n"
        "domain: {min: [0, 0, 0], max: [%.17g, 1, %.17g], cell: %.17g, walls: {others: wall}}\n"
        "gravity: [0, %.17g, 0]\n"
        "liquid: {density: 1000, viscosity: 0, surface_tension: 0}\n"
        "materials: {wall: {angle: 60 deg}}\n"
        "drops: [{shape: box, min: [0, 0, 0], max: [1 mm, 1 mm, 1 mm]}]\n"
        "shallow: {model: %s}\n%s",
        def->dimensions, def->size_x_m, def->size_z_m, def->size_x_m / def->cells, -def->g_m_s2,
        def->model, def->more ? def->more : ""));
    dew_Status status = begin_exactly(stage->world, &def->exact);
    if (status.code != DEW_OK)
        dew_stage_close(stage);
    return status;
}

double dew_shallow_flow_error(const dew_Stage *stage, const dew_ShallowExact *exact)
{
    const dew_SolverState *s = stage->world->state;
    double wrong = 0, all = 0, t = dew_world_time_s(stage->world);
    for (int row = 0; row < s->grid.rows; row++) {
        for (int i = 0; i < s->grid.columns; i++) {
            double want = mean_depth(&s->grid, exact, i, row, t);
            wrong += fabs(s->depth[dew_shallow_at(&s->grid, i, row)] - want);
            all += want;
        }
    }
    return wrong / all;
}

// Where the exact depth ends between a wet place and a dry one.
static double exact_end(const dew_ShallowExact *exact, double wet, double dry, double z, double t)
{
    for (int k = 0; k < HALVINGS; k++) {
        double x = 0.5 * (wet + dry);
        if (exact->depth(x, z, t) > 0)
            wet = x;
        else
            dry = x;
    }
    return 0.5 * (wet + dry);
}

// Of one row: the first or last crossing of either.
static double row_error(const dew_SolverState *s, const dew_ShallowExact *exact, int row, double t,
                        bool is_last)
{
    const dew_ShallowGrid *g = &s->grid;
    double got = (double)NAN, want = (double)NAN, z = g->has_z ? dew_shallow_z(g, row) : 0;
    for (int i = 1; i < g->columns; i++) {
        int64_t n = dew_shallow_at(g, i, row);
        double x = dew_shallow_x(g, i), before = x - g->dx_m;
        bool is_in = s->phi[n] < 0, was_in = s->phi[n - 1] < 0;
        if (is_in != was_in && is_in != is_last && (is_last || isnan(got)))
            got = before + g->dx_m * s->phi[n - 1] / (s->phi[n - 1] - s->phi[n]);
        bool is_wet = exact->depth(x, z, t) > 0, was_wet = exact->depth(before, z, t) > 0;
        if (is_wet != was_wet && is_wet != is_last && (is_last || isnan(want)))
            want = exact_end(exact, is_wet ? x : before, is_wet ? before : x, z, t);
    }
    return isnan(got) && isnan(want) ? 0 : fabs(got - want) / g->dx_m;
}

double dew_shallow_flow_line_error(const dew_Stage *stage, const dew_ShallowExact *exact)
{
    const dew_SolverState *s = stage->world->state;
    double worst = 0, t = dew_world_time_s(stage->world);
    // In the plane only the rows through the middle: there the line crosses them steeply.
    int from = s->grid.has_z ? s->grid.rows * 3 / 8 : 0;
    int to = s->grid.has_z ? s->grid.rows * 5 / 8 : 1;
    for (int row = from; row < to; row++)
        for (int k = 0; k < 2; k++) {
            double error = row_error(s, exact, row, t, k == 1);
            worst = error <= worst ? worst : error;
        }
    return worst;
}
