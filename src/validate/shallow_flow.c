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

// After depth or ground were changed by hand: what hangs on them, and the account.
static dew_Status settle(dew_World *world)
{
    dew_SolverState *s = world->state;
    dew_shallow_line_from_depth(s, dew_shallow_whole(&s->grid));
    DEW_TRY(world->ops->restored(world->problem, s));
    dew_Moment moment = dew_world_moment(world);
    dew_world_measure(world, &moment);
    world->clock.entered_m3 = world->measure.volume_m3;
    return dew_ok();
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
    return settle(world);
}

dew_Status dew_shallow_flow_set(dew_Stage *stage, dew_Status (*change)(dew_SolverState *))
{
    DEW_TRY(change(stage->world->state));
    return settle(stage->world);
}

const dew_SolverState *dew_shallow_flow_state(const dew_Stage *stage)
{
    return stage->world->state;
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
static dew_Vec3 exact_end(const dew_ShallowExact *exact, dew_Vec3 wet, dew_Vec3 dry, double t)
{
    for (int k = 0; k < HALVINGS; k++) {
        dew_Vec3 p = dew_combine(0.5, wet, 0.5, dry);
        if (exact->depth(p.x, p.z, t) > 0)
            wet = p;
        else
            dry = p;
    }
    return wet;
}

// |phi| at a place, by linear interpolation: its distance from the model's line, as far as the band goes.
static double distance_at(const dew_SolverState *s, dew_Vec3 p)
{
    const dew_ShallowGrid *g = &s->grid;
    double x = (p.x - g->min_x_m) / g->dx_m - 0.5,
           z = g->has_z ? (p.z - g->min_z_m) / g->dz_m - 0.5 : 0;
    int i = (int)fmin(fmax(x, 0), g->columns - 1), j = (int)fmin(fmax(z, 0), g->rows - 1);
    const double *phi = s->phi + dew_shallow_at(g, i, j);
    double low = (1 - x + i) * phi[0] + (x - i) * phi[1];
    double high = g->has_z ? (1 - x + i) * phi[g->stride] + (x - i) * phi[g->stride + 1] : low;
    return fabs((1 - z + j) * low + (z - j) * high);
}

// From a cell towards the next one along x or z: where the exact line passes between them, how far the model's is.
static double crossing_error(const dew_SolverState *s, const dew_ShallowExact *exact, dew_Vec3 p,
                             dew_Vec3 q, double t)
{
    bool is_wet = exact->depth(p.x, p.z, t) > 0, is_wet_next = exact->depth(q.x, q.z, t) > 0;
    if (is_wet == is_wet_next)
        return 0;
    return distance_at(s, exact_end(exact, is_wet ? p : q, is_wet ? q : p, t)) / s->grid.dx_m;
}

// Is the exact solution as wet at a cell and all around it, a cell away? Then the model must be.
static double cell_error(const dew_SolverState *s, const dew_ShallowExact *exact, int64_t n,
                         dew_Vec3 p, double t)
{
    bool is_wet = exact->depth(p.x, p.z, t) > 0;
    for (int k = 0; k < 8; k++) {
        double a = k * DEW_PI / 4, x = p.x + s->grid.dx_m * cos(a);
        double z = s->grid.has_z ? p.z + s->grid.dx_m * sin(a) : 0;
        if ((exact->depth(x, z, t) > 0) != is_wet)
            return 0;
    }
    return (s->phi[n] < 0) == is_wet ? 0 : s->laws.far_m / s->grid.dx_m;
}

double dew_shallow_flow_line_error(const dew_Stage *stage, const dew_ShallowExact *exact)
{
    const dew_SolverState *s = stage->world->state;
    const dew_ShallowGrid *g = &s->grid;
    double worst = 0, t = dew_world_time_s(stage->world);
    for (int row = 0; row < g->rows; row++) {
        for (int i = 0; i < g->columns; i++) {
            dew_Vec3 p = {dew_shallow_x(g, i), 0, g->has_z ? dew_shallow_z(g, row) : 0};
            if (i + 1 < g->columns)
                worst = fmax(worst, crossing_error(s, exact, p, dew_vec(p.x + g->dx_m, 0, p.z), t));
            if (row + 1 < g->rows)
                worst = fmax(worst, crossing_error(s, exact, p, dew_vec(p.x, 0, p.z + g->dz_m), t));
            worst = fmax(worst, cell_error(s, exact, dew_shallow_at(g, i, row), p, t));
        }
    }
    return worst;
}
