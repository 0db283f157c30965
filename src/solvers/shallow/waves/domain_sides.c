// Sides of the domain: closed sides are walls without friction, over open ones liquid falls.
//
// An open side is the edge of a table: liquid passes it with the wave speed sqrt(g D), or with its
// own if that is faster (the flow over an edge is critical). Nothing enters.
#include "solvers/shallow/waves/waves.h"

// Velocity over an edge towards positive values; v: the velocity one face inside.
static double falling(double v, double depth, double g, double dry)
{
    return depth > dry ? fmax(v, sqrt(fmax(g, 0) * depth)) : 0;
}

// Faces beyond a side at f[0], of the velocity across it: mirrored at a wall, continued over an
// edge. d leads outwards.
static void beyond(double *f, int64_t d, bool is_open)
{
    double sign = is_open ? 1 : -1;
    f[d] = is_open ? f[0] : sign * f[-d];
}

static void sides_of_x(const dew_ShallowFlow *flow, double *u, double *w, int row)
{
    const dew_SolverState *s = flow->state;
    const dew_ShallowGrid *g = &s->grid;
    const bool *open = s->params.is_open;
    int64_t l = dew_shallow_at(g, 0, row), r = dew_shallow_at(g, g->columns, row);
    u[l] = open[DEW_SIDE_LEFT] ? -falling(-u[l + 1], s->depth[l], flow->gravity.g, s->params.dry_m)
                               : 0;
    u[r] = open[DEW_SIDE_RIGHT]
               ? falling(u[r - 1], s->depth[r - 1], flow->gravity.g, s->params.dry_m)
               : 0;
    beyond(u + l, -1, open[DEW_SIDE_LEFT]);
    u[l - 2] = u[l - 1];
    beyond(u + r, 1, open[DEW_SIDE_RIGHT]);
    for (int k = 0; k < DEW_SHALLOW_GHOST; k++) {
        w[l - 1 - k] = w[l];
        w[r + k] = w[r - 1];
    }
}

static void sides_of_z(const dew_ShallowFlow *flow, double *u, double *w)
{
    const dew_SolverState *s = flow->state;
    const dew_ShallowGrid *g = &s->grid;
    const bool *open = s->params.is_open;
    int64_t z = g->stride;
    for (int i = -DEW_SHALLOW_GHOST; i < g->columns + DEW_SHALLOW_GHOST; i++) {
        int64_t l = dew_shallow_at(g, i, 0), r = dew_shallow_at(g, i, g->rows);
        w[l] = open[DEW_SIDE_BACK]
                   ? -falling(-w[l + z], s->depth[l], flow->gravity.g, s->params.dry_m)
                   : 0;
        w[r] = open[DEW_SIDE_FRONT]
                   ? falling(w[r - z], s->depth[r - z], flow->gravity.g, s->params.dry_m)
                   : 0;
        beyond(w + l, -z, open[DEW_SIDE_BACK]);
        w[l - 2 * z] = w[l - z];
        beyond(w + r, z, open[DEW_SIDE_FRONT]);
        for (int k = 0; k < DEW_SHALLOW_GHOST; k++) {
            u[l - z - k * z] = u[l];
            u[r + k * z] = u[r - z];
        }
    }
}

void dew_wave_sides_velocity(const dew_ShallowFlow *flow, double *u, double *w)
{
    for (int row = 0; row < flow->state->grid.rows; row++)
        sides_of_x(flow, u, w, row);
    if (flow->state->grid.has_z)
        sides_of_z(flow, u, w);
}

void dew_wave_sides_flux(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    const dew_ShallowGrid *g = &s->grid;
    for (int row = 0; row < g->rows; row++) {
        int64_t l = dew_shallow_at(g, 0, row), r = dew_shallow_at(g, g->columns, row);
        s->work.flux[l] = s->work.u[l] * s->depth[l];
        s->work.flux[r] = s->work.u[r] * s->depth[r - 1];
        s->work.outflow_fraction[l - 1] = s->work.outflow_fraction[r] = 1;
    }
    for (int i = 0; g->has_z && i < g->columns; i++) {
        int64_t l = dew_shallow_at(g, i, 0), r = dew_shallow_at(g, i, g->rows);
        s->work.cross[l] = s->work.w[l] * s->depth[l];
        s->work.cross[r] = s->work.w[r] * s->depth[r - g->stride];
        s->work.outflow_fraction[l - g->stride] = s->work.outflow_fraction[r] = 1;
    }
}

double dew_wave_sides_outflow_m3(const dew_ShallowFlow *flow)
{
    const dew_SolverState *s = flow->state;
    const dew_ShallowGrid *g = &s->grid;
    double x = 0, z = 0;
    for (int row = 0; row < g->rows; row++)
        x += s->work.flux[dew_shallow_at(g, g->columns, row)] -
             s->work.flux[dew_shallow_at(g, 0, row)];
    for (int i = 0; g->has_z && i < g->columns; i++)
        z += s->work.cross[dew_shallow_at(g, i, g->rows)] - s->work.cross[dew_shallow_at(g, i, 0)];
    return flow->outflow_fraction * flow->dt_s * (x * g->dz_m + z * g->dx_m);
}
