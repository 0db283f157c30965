// Flows that begin as exact solutions do.
#include "validate/shallow_flow.h"

#include "support/vec.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLES  5  // along an axis of a cell, for means
#define HALVINGS 60

dew_ShallowColumns dew_shallow_columns(dew_World *world)
{
    dew_FieldView ground = {0}, depth = {0}, phi = {0};
    dew_world_field(world, "ground", &ground);
    dew_world_field(world, "depth", &depth);
    dew_world_field(world, "distance", &phi);
    return (dew_ShallowColumns){.grid = depth.columns,
                                .has_z = depth.columns.rows > 1,
                                .ground = ground.values,
                                .depth = depth.values,
                                .phi = phi.values,
                                .far_m = phi.missing};
}

static double mean_depth(const dew_ShallowColumns *c, const dew_ShallowExact *exact, int column,
                         int row, double t)
{
    double sum = 0;
    int rows = c->has_z ? SAMPLES : 1;
    for (int k = 0; k < rows; k++)
        for (int i = 0; i < SAMPLES; i++) {
            double x = dew_columns_x(c, column) + ((i + 0.5) / SAMPLES - 0.5) * c->grid.dx_m;
            double z =
                c->has_z ? dew_columns_z(c, row) + ((k + 0.5) / SAMPLES - 0.5) * c->grid.dz_m : 0;
            sum += exact->depth(x, z, t);
        }
    return sum / (SAMPLES * rows);
}

// The exact state at time 0: ground, depth, u and w, one after the other.
static void fill_exactly(const dew_ShallowColumns *c, const dew_ShallowExact *exact, double *out)
{
    int64_t count = (int64_t)c->grid.columns * c->grid.rows;
    for (int row = 0; row < c->grid.rows; row++)
        for (int i = 0; i < c->grid.columns; i++) {
            double *at = out + (int64_t)row * c->grid.columns + i;
            double x = dew_columns_x(c, i), z = dew_columns_z(c, row);
            double left = x - 0.5 * c->grid.dx_m, back = z - 0.5 * c->grid.dz_m;
            at[0] = exact->ground(x, z);
            at[count] = mean_depth(c, exact, i, row, 0);
            at[2 * count] = exact->u && exact->depth(left, z, 0) > 0 ? exact->u(left, z, 0) : 0;
            at[3 * count] = exact->w && exact->depth(x, back, 0) > 0 ? exact->w(x, back, 0) : 0;
        }
}

static dew_Status begin_exactly(dew_World *world, const dew_ShallowExact *exact)
{
    dew_ShallowColumns columns = dew_shallow_columns(world);
    int64_t count = (int64_t)columns.grid.columns * columns.grid.rows;
    double *values = malloc(4 * (size_t)count * sizeof *values);
    if (!values)
        return dew_fail(DEW_NO_MEMORY, "no memory for %lld columns", (long long)count);
    fill_exactly(&columns, exact, values);
    dew_ColumnsDef def = {.ground_m = values,
                          .depth_m = values + count,
                          .u_m_s = values + 2 * count,
                          .w_m_s = values + 3 * count,
                          .count = count};
    dew_Status status = dew_world_set_columns(world, &def);
    free(values);
    return status;
}

dew_Status dew_shallow_flow_open(const dew_ShallowFlowDef *def, dew_Stage *stage)
{
    dew_SceneDef scene =
        dew_build_def("shallow", def->dimensions, dew_v3(0, 0, 0),
                      dew_v3(def->size_x_m, 1, def->size_z_m), def->size_x_m / def->cells);
    scene.gravity_m_s2 = dew_v3(0, -def->g_m_s2, 0);
    scene.liquid = dew_build_liquid(1000, 0, 0);
    dew_build_walls(&scene, "wall");
    dew_SceneBuilder b = dew_build_begin(&scene);
    dew_build_material(&b, "wall", dew_build_angle(DEW_DEG(60)));
    dew_build_box(&b, dew_v3(0, 0, 0), dew_v3(1e-3, 1e-3, 1e-3));
    dew_build_choice(&b, "model", def->model);
    if (def->shore)
        dew_build_choice(&b, "shore", def->shore);
    if (def->advection)
        dew_build_choice(&b, "advection", def->advection);
    if (def->add)
        def->add(&b);
    DEW_TRY(dew_stage_open(stage, &b));
    dew_Status status = begin_exactly(stage->world, &def->exact);
    if (status.code != DEW_OK)
        dew_stage_close(stage);
    return status;
}

double dew_shallow_flow_error(const dew_Stage *stage, const dew_ShallowExact *exact)
{
    const dew_ShallowColumns s = dew_shallow_columns(stage->world);
    double wrong = 0, all = 0, t = dew_world_time_s(stage->world);
    for (int row = 0; row < s.grid.rows; row++) {
        for (int i = 0; i < s.grid.columns; i++) {
            double want = mean_depth(&s, exact, i, row, t);
            wrong += fabs(s.depth[dew_columns_at(&s, i, row)] - want);
            all += want;
        }
    }
    return wrong / all;
}

// Where the exact depth ends between a wet place and a dry one.
static dew_Vec3 exact_end(const dew_ShallowExact *exact, dew_Vec3 wet, dew_Vec3 dry, double t)
{
    for (int k = 0; k < HALVINGS; k++) {
        dew_Vec3 p = dew_v3_scale(0.5, dew_v3_add(wet, dry));
        if (exact->depth(p.x, p.z, t) > 0)
            wet = p;
        else
            dry = p;
    }
    return wet;
}

// |phi| at a place, by linear interpolation: its distance from the model's line, as far as the band
// goes.
static double distance_at(const dew_ShallowColumns *s, dew_Vec3 p)
{
    const dew_Columns *g = &s->grid;
    double x = (p.x - g->min_x_m) / g->dx_m - 0.5,
           z = s->has_z ? (p.z - g->min_z_m) / g->dz_m - 0.5 : 0;
    int i = (int)fmin(fmax(x, 0), g->columns - 1), j = (int)fmin(fmax(z, 0), g->rows - 1);
    int64_t right = i + 1 < g->columns ? 1 : 0, front = j + 1 < g->rows ? g->row_stride : 0;
    const double *phi = s->phi + dew_columns_at(s, i, j);
    double low = (1 - x + i) * phi[0] + (x - i) * phi[right];
    double high = s->has_z ? (1 - x + i) * phi[front] + (x - i) * phi[front + right] : low;
    return fabs((1 - z + j) * low + (z - j) * high);
}

// From a cell towards the next one along x or z: where the exact line passes between them, how far
// the model's is.
static double crossing_error(const dew_ShallowColumns *s, const dew_ShallowExact *exact, dew_Vec3 p,
                             dew_Vec3 q, double t)
{
    bool is_wet = exact->depth(p.x, p.z, t) > 0, is_wet_next = exact->depth(q.x, q.z, t) > 0;
    if (is_wet == is_wet_next)
        return 0;
    return distance_at(s, exact_end(exact, is_wet ? p : q, is_wet ? q : p, t)) / s->grid.dx_m;
}

// Is the exact solution as wet at a cell and all around it, a cell away? Then the model must be.
static double cell_error(const dew_ShallowColumns *s, const dew_ShallowExact *exact, int64_t n,
                         dew_Vec3 p, double t)
{
    bool is_wet = exact->depth(p.x, p.z, t) > 0;
    for (int k = 0; k < 8; k++) {
        double a = k * DEW_PI / 4, x = p.x + s->grid.dx_m * cos(a);
        double z = s->has_z ? p.z + s->grid.dx_m * sin(a) : 0;
        if ((exact->depth(x, z, t) > 0) != is_wet)
            return 0;
    }
    return (s->phi[n] < 0) == is_wet ? 0 : s->far_m / s->grid.dx_m;
}

double dew_shallow_flow_line_error(const dew_Stage *stage, const dew_ShallowExact *exact)
{
    const dew_ShallowColumns s = dew_shallow_columns(stage->world);
    const dew_Columns *g = &s.grid;
    double worst = 0, t = dew_world_time_s(stage->world);
    for (int row = 0; row < g->rows; row++) {
        for (int i = 0; i < g->columns; i++) {
            dew_Vec3 p = {dew_columns_x(&s, i), 0, dew_columns_z(&s, row)};
            if (i + 1 < g->columns)
                worst = fmax(worst, crossing_error(&s, exact, p, dew_v3(p.x + g->dx_m, 0, p.z), t));
            if (row + 1 < g->rows)
                worst = fmax(worst, crossing_error(&s, exact, p, dew_v3(p.x, 0, p.z + g->dz_m), t));
            worst = fmax(worst, cell_error(&s, exact, dew_columns_at(&s, i, row), p, t));
        }
    }
    return worst;
}
