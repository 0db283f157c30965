// Flow in a box: the object of dew/grid.h, stepped with the grid's own parts.
//
// Half of what pressure and viscosity do in a step is done before the liquid moves and is carried
// along, half after. Done all at the end, as plain splitting does, it would damp vortices at a rate
// proportional to the step.
#include "base/cookie.h"
#include "base/status.h"
#include "geom/rounding.h"
#include "grid/field_view.h"
#include "grid/poisson.h"
#include "grid/velocity.h"
#include "grid/viscosity.h"

#include <math.h>
#include <string.h>

#define REST_M_S DEW_ROUNDING  // velocity that counts as rest for the pressure: rounding of 1 m/s

struct dew_Flow {
    dew_FlowDef def;
    dew_Tasks *tasks;
    dew_Grid *grid;
    dew_Poisson poisson;
    dew_Arena scratch;
    bool has_solid, has_surface;
    double time_s;
    int64_t iterations;
    // Fields of the grid. Bricks never change, so neither do their places.
    double *u[3];        // velocity
    double *to[3];       // velocity after advection; then what viscosity did in half a step
    double *carried[3];  // velocity that is advected
    double *p, *dp, *phi;
    double *solid, *open[3], *wall[3];  // only there when has_solid
    uint8_t *is_known[3];
};

dew_FlowDef dew_default_flow_def(void)
{
    dew_ViscosityDef water = dew_default_viscosity_def();
    return (dew_FlowDef){.box = {.dimensions = 3},
                         .density_kg_m3 = water.density_kg_m3,
                         .viscosity_Pa_s = water.viscosity_Pa_s,
                         .cookie = DEW_COOKIE};
}

dew_ProjectDef dew_default_project_def(void)
{
    dew_ProjectionDef def = dew_default_projection_def();
    return (dew_ProjectDef){.dt_s = 1,
                            .corrections = def.corrections,
                            .min_fraction = def.min_fraction,
                            .tolerance = def.solve.tolerance,
                            .cookie = DEW_COOKIE};
}

// ---- making ------------------------------------------------------------------------------------

static dew_Status add_field(const dew_Flow *f, const char *name, dew_Place place, size_t size,
                            void *out)
{
    int number;
    DEW_TRY(dew_grid_add_field(f->grid, name, place, size, NULL, &number));
    void *values = dew_grid_field(f->grid, number);
    memcpy(out, &values, sizeof values);
    return dew_ok();
}

static dew_Status add_faces(dew_Flow *f, const char *const names[3], double *out[3])
{
    for (int a = 0; a < dew_grid_axes(f->grid); a++)
        DEW_TRY(add_field(f, names[a], (dew_Place)(DEW_AT_FACE_X + a), sizeof(double), &out[a]));
    return dew_ok();
}

static dew_Status add_fields(dew_Flow *f)
{
    static const char *const u[3] = {"velocity_x", "velocity_y", "velocity_z"};
    static const char *const to[3] = {"to_x", "to_y", "to_z"};
    static const char *const carried[3] = {"carried_x", "carried_y", "carried_z"};
    static const char *const open[3] = {"open_x", "open_y", "open_z"};
    static const char *const wall[3] = {"wall_x", "wall_y", "wall_z"};
    static const char *const known[3] = {"is_known_x", "is_known_y", "is_known_z"};
    DEW_TRY(add_faces(f, u, f->u));
    DEW_TRY(add_faces(f, to, f->to));
    DEW_TRY(add_faces(f, carried, f->carried));
    for (int a = 0; a < 3; a++)
        DEW_TRY(add_field(f, known[a], (dew_Place)(DEW_AT_FACE_X + a), 1, &f->is_known[a]));
    DEW_TRY(add_field(f, "pressure", DEW_AT_CELL, sizeof(double), &f->p));
    DEW_TRY(add_field(f, "pressure_change", DEW_AT_CELL, sizeof(double), &f->dp));
    DEW_TRY(add_field(f, "phi", DEW_AT_CELL, sizeof(double), &f->phi));
    if (!f->has_solid)
        return dew_ok();
    DEW_TRY(add_faces(f, open, f->open));
    DEW_TRY(add_faces(f, wall, f->wall));
    return add_field(f, "solid", DEW_AT_CELL, sizeof(double), &f->solid);
}

static dew_Status make_bricks(dew_Flow *f)
{
    int32_t low[3], high[3];
    for (int a = 0; a < 3; a++) {
        int32_t beyond = f->has_solid && a < dew_grid_axes(f->grid) ? DEW_BRICK : 0;
        low[a] = -beyond;
        high[a] = f->def.box.cells[a] + beyond;
    }
    bool has_changed;
    dew_grid_update_begin(f->grid);
    DEW_TRY(dew_grid_want_box(f->grid, low, high));
    return dew_grid_update_end(f->grid, &has_changed);
}

static double component(dew_Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Calls `set` for all values, with their positions.
typedef void SetFn(dew_Flow *f, const void *context, int64_t at, int axis, dew_Vec3 x);
static void for_cells(dew_Flow *f, SetFn *set, const void *context)
{
    const dew_Grid *g = f->grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int n = 0; n < g->brick_cells; n++)
            set(f, context, (int64_t)b * g->brick_cells + n, 0,
                dew_grid_position(g, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL));
}
static void for_faces(dew_Flow *f, SetFn *set, const void *context)
{
    const dew_Grid *g = f->grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int n = 0; n < g->brick_cells; n++)
            for (int a = 0; a < dew_grid_axes(g); a++)
                set(f, context, (int64_t)b * g->brick_cells + n, a,
                    dew_grid_position(g, b, n & 7, n >> 3 & 7, n >> 6,
                                      (dew_Place)(DEW_AT_FACE_X + a)));
}

static void set_solid(dew_Flow *f, const void *context, int64_t at, int axis, dew_Vec3 x)
{
    (void)context;
    (void)axis;
    f->solid[at] = f->def.solid.distance_m(f->def.solid.context, x);
}

static void set_wall(dew_Flow *f, const void *context, int64_t at, int axis, dew_Vec3 x)
{
    (void)context;
    double distance = f->def.solid.distance_m(f->def.solid.context, x);
    f->open[axis][at] = distance > DEW_TOUCH_ROUNDING * f->grid->cell_m ? 1 : 0;
    const dew_VelocityField *wall = &f->def.wall_velocity;
    if (wall->velocity_m_s)
        f->wall[axis][at] = component(wall->velocity_m_s(wall->context, x, 0), axis);
}

static dew_Status make(dew_Flow *f)
{
    DEW_TRY(dew_grid_create_box(&f->def.box, f->has_solid ? DEW_BRICK : 0, &f->grid, &f->tasks));
    DEW_TRY(make_bricks(f));
    DEW_TRY(add_fields(f));
    for (int64_t i = 0; i < dew_grid_value_count(f->grid); i++)
        f->phi[i] = -1;  // liquid everywhere
    if (f->has_solid) {
        for_cells(f, set_solid, NULL);
        for_faces(f, set_wall, NULL);
    }
    return dew_ok();
}

dew_Status dew_flow_create(const dew_FlowDef *def, dew_Flow **out)
{
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    *out = NULL;
    dew_Flow *f = dew_alloc(&def->box.allocator, 1, sizeof *f);
    if (!f)
        return dew_no_memory(sizeof *f);
    f->def = *def;
    f->has_solid = def->solid.distance_m != NULL;
    dew_poisson_init(&f->poisson, &def->box.allocator);
    dew_arena_init(&f->scratch, &def->box.allocator);
    dew_Status status = make(f);
    if (status.code == DEW_OK)
        *out = f;
    else
        dew_flow_destroy(f);
    return status;
}

void dew_flow_destroy(dew_Flow *f)
{
    if (!f)
        return;
    dew_arena_deinit(&f->scratch);
    dew_poisson_deinit(&f->poisson);
    dew_grid_destroy(f->grid);
    dew_tasks_destroy(f->tasks);
    dew_Allocator allocator = f->def.box.allocator;
    dew_free(&allocator, f, sizeof *f);
}

static void set_phi(dew_Flow *f, const void *context, int64_t at, int axis, dew_Vec3 x)
{
    (void)axis;
    const dew_DistanceField *shape = context;
    f->phi[at] = shape->distance_m(shape->context, x);
}

dew_Status dew_flow_set_liquid(dew_Flow *f, const dew_DistanceField *shape)
{
    if (!shape->distance_m)
        return dew_fail(DEW_BAD_INPUT, "the liquid needs a shape");
    f->has_surface = true;
    for_cells(f, set_phi, shape);
    return dew_ok();
}

static void set_velocity(dew_Flow *f, const void *context, int64_t at, int axis, dew_Vec3 x)
{
    const dew_VelocityField *velocity = context;
    bool is_open = !f->has_solid || f->open[axis][at] > 0;
    double u = component(velocity->velocity_m_s(velocity->context, x, f->time_s), axis);
    f->u[axis][at] = is_open ? u : f->wall[axis][at];
}

dew_Status dew_flow_set_velocity(dew_Flow *f, const dew_VelocityField *velocity)
{
    if (!velocity->velocity_m_s)
        return dew_fail(DEW_BAD_INPUT, "a velocity at points is needed");
    for_faces(f, set_velocity, velocity);
    return dew_ok();
}

// ---- stepping ----------------------------------------------------------------------------------

dew_Status dew_flow_diffuse(dew_Flow *f, double dt_s)
{
    dew_ViscosityDef def = dew_default_viscosity_def();
    dew_SolveReport report;
    for (int a = 0; a < dew_grid_axes(f->grid); a++) {
        def.open[a] = f->open[a];
        def.wall_u[a] = f->wall[a];
    }
    def.phi = f->has_surface ? f->phi : NULL;
    def.solid = f->solid;
    def.slip_m = f->def.slip_m;
    def.density_kg_m3 = f->def.density_kg_m3;
    def.viscosity_Pa_s = f->def.viscosity_Pa_s;
    def.dt_s = dt_s;
    return dew_viscosity_run(f->grid, &def, f->u, &f->scratch, &report);
}

// Takes half of a step's acceleration by the pressure so far from a velocity.
static void push(const dew_Flow *f, double dt_s, double *const u[3])
{
    const dew_Grid *g = f->grid;
    double factor = 0.5 * dt_s / (f->def.density_kg_m3 * g->cell_m);
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int n = 0; n < g->brick_cells; n++)
            for (int a = 0; a < dew_grid_axes(g); a++) {
                int64_t at = (int64_t)b * g->brick_cells + n;
                int64_t low = dew_grid_near(g, b, (n & 7) - (a == 0), (n >> 3 & 7) - (a == 1),
                                            (n >> 6) - (a == 2));
                if (low >= 0 && (!f->has_solid || f->open[a][at] > 0))
                    u[a][at] -= factor * (f->p[at] - f->p[low]);
            }
}

static dew_Status fill_solids(dew_Flow *f, double *const u[3])
{
    if (!f->has_solid)
        return dew_ok();
    dew_GhostDef ghost = {.solid = f->solid,
                          .wall_u = {f->wall[0], f->wall[1], f->wall[2]},
                          .slip_m = f->def.slip_m,
                          .depth_m = DEW_MAX_PAD * f->grid->cell_m};
    return dew_velocity_fill_solids(f->grid, u, &ghost, &f->scratch);
}

static dew_Status advect(dew_Flow *f, double dt_s)
{
    int axes = dew_grid_axes(f->grid);
    int64_t values = dew_grid_value_count(f->grid);
    for (int a = 0; a < axes; a++)  // `to` has what viscosity did in half a step
        for (int64_t i = 0; i < values; i++)
            f->carried[a][i] = f->u[a][i] + f->to[a][i];
    push(f, dt_s, f->carried);
    DEW_TRY(fill_solids(f, f->u));
    DEW_TRY(fill_solids(f, f->carried));
    dew_AdvectDef def = dew_default_advect_def();
    def.dt_s = dt_s;
    def.solid = f->solid;
    def.path_interpolation = DEW_CUBIC;
    const double *const from[3] = {f->u[0], f->u[1], f->u[2]};
    const double *const carried[3] = {f->carried[0], f->carried[1], f->carried[2]};
    DEW_TRY(dew_velocity_advect(f->grid, from, carried, &def, f->to));
    for (int a = 0; a < axes; a++)
        memcpy(f->u[a], f->to[a], (size_t)values * sizeof(double));
    push(f, dt_s, f->u);
    return dew_ok();
}

dew_Status dew_flow_advect(dew_Flow *f, double dt_s)
{
    DEW_TRY(fill_solids(f, f->u));
    dew_AdvectDef def = dew_default_advect_def();
    def.dt_s = dt_s;
    def.solid = f->solid;
    const double *const from[3] = {f->u[0], f->u[1], f->u[2]};
    DEW_TRY(dew_velocity_advect(f->grid, from, NULL, &def, f->carried));
    for (int a = 0; a < dew_grid_axes(f->grid); a++)
        memcpy(f->u[a], f->carried[a], (size_t)dew_grid_value_count(f->grid) * sizeof(double));
    return dew_ok();
}

// Half a step of viscosity, which is also remembered as the first half of the next.
static dew_Status diffuse_half(dew_Flow *f, double dt_s)
{
    int axes = dew_grid_axes(f->grid);
    int64_t values = dew_grid_value_count(f->grid);
    for (int a = 0; a < axes; a++)
        memcpy(f->to[a], f->u[a], (size_t)values * sizeof(double));
    DEW_TRY(dew_flow_diffuse(f, 0.5 * dt_s));
    for (int a = 0; a < axes; a++)
        for (int64_t i = 0; i < values; i++)
            f->to[a][i] = f->u[a][i] - f->to[a][i];
    return dew_ok();
}

// What viscosity is about to do at the start, without doing it.
static dew_Status foresee(dew_Flow *f, double dt_s)
{
    DEW_TRY(diffuse_half(f, dt_s));
    for (int a = 0; a < dew_grid_axes(f->grid); a++)
        for (int64_t i = 0; i < dew_grid_value_count(f->grid); i++)
            f->u[a][i] -= f->to[a][i];
    return dew_ok();
}

static dew_ProjectionDef projection_of(const dew_Flow *f, double dt_s)
{
    dew_ProjectionDef def = dew_default_projection_def();
    def.phi = f->phi;
    for (int a = 0; a < dew_grid_axes(f->grid); a++) {
        def.open[a] = f->open[a];
        def.wall_u[a] = f->wall[a];
    }
    def.density_kg_m3 = f->def.density_kg_m3;
    def.dt_s = dt_s;
    return def;
}

dew_Status dew_flow_step(dew_Flow *f, double dt_s)
{
    if (f->time_s == 0)
        DEW_TRY(foresee(f, dt_s));
    DEW_TRY(advect(f, dt_s));
    DEW_TRY(diffuse_half(f, dt_s));
    dew_ProjectionDef def = projection_of(f, dt_s);
    // A flow at rest has nothing to project, and rounding cannot be reduced by six digits.
    def.solve.absolute = REST_M_S / dt_s;
    dew_ProjectionReport report;
    int64_t values = dew_grid_value_count(f->grid);
    memset(f->dp, 0, (size_t)values * sizeof(double));
    DEW_TRY(dew_projection_run(&f->poisson, f->grid, &def, f->u, f->dp, f->is_known, &f->scratch,
                               &report));
    for (int64_t i = 0; i < values; i++)
        f->p[i] += f->dp[i];
    f->iterations += report.solve.iterations;
    f->time_s += dt_s;
    return dew_ok();
}

dew_Status dew_flow_project(dew_Flow *f, const dew_ProjectDef *def, dew_ProjectReport *report)
{
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    dew_ProjectionDef projection = projection_of(f, def->dt_s);
    dew_ProjectionReport result;
    projection.corrections = def->corrections;
    projection.min_fraction = def->min_fraction;
    projection.solve.tolerance = def->tolerance;
    projection.is_checked = def->is_checked;
    memset(f->p, 0, (size_t)dew_grid_value_count(f->grid) * sizeof(double));
    DEW_TRY(dew_projection_run(&f->poisson, f->grid, &projection, f->u, f->p, f->is_known,
                               &f->scratch, &result));
    if (report)
        *report = (dew_ProjectReport){.iterations = result.solve.iterations,
                                      .divergence_m_s = result.divergence,
                                      .liquid_cells = result.liquid_cells};
    return dew_ok();
}

double dew_flow_time_s(const dew_Flow *f)
{
    return f->time_s;
}

int64_t dew_flow_iterations(const dew_Flow *f)
{
    return f->iterations;
}

// ---- fields ------------------------------------------------------------------------------------

typedef struct Named {
    const char *name, *unit;
    dew_Place place;
    dew_FieldType type;
    void *values;
    bool is_writable;
} Named;

enum { U, V, W, PRESSURE, PHI, SOLID, IS_LIQUID, IS_KNOWN_U, IS_KNOWN_V, IS_KNOWN_W, FIELDS };

// All fields by name; values NULL: not there.
static void list_fields(const dew_Flow *f, Named out[FIELDS])
{
    const Named list[FIELDS] = {
        [U] = {"velocity_x", "m/s", DEW_AT_FACE_X, DEW_FIELD_F64, f->u[0], true},
        [V] = {"velocity_y", "m/s", DEW_AT_FACE_Y, DEW_FIELD_F64, f->u[1], true},
        [W] = {"velocity_z", "m/s", DEW_AT_FACE_Z, DEW_FIELD_F64, f->u[2], true},
        [PRESSURE] = {"pressure", "Pa", DEW_AT_CELL, DEW_FIELD_F64, f->p, true},
        [PHI] = {"phi", "m", DEW_AT_CELL, DEW_FIELD_F64, f->phi, true},
        [SOLID] = {"solid", "m", DEW_AT_CELL, DEW_FIELD_F64, f->solid, false},
        [IS_LIQUID] = {"is_liquid", "1", DEW_AT_CELL, DEW_FIELD_U8, f->poisson.is_liquid, false},
        [IS_KNOWN_U] = {"is_known_x", "1", DEW_AT_FACE_X, DEW_FIELD_U8, f->is_known[0], false},
        [IS_KNOWN_V] = {"is_known_y", "1", DEW_AT_FACE_Y, DEW_FIELD_U8, f->is_known[1], false},
        [IS_KNOWN_W] = {"is_known_z", "1", DEW_AT_FACE_Z, DEW_FIELD_U8, f->is_known[2], false},
    };
    memcpy(out, list, sizeof list);
}

dew_Status dew_flow_field(const dew_Flow *f, const char *name, dew_FieldView *out)
{
    Named list[FIELDS];
    const char *names[FIELDS];
    int count = 0;
    list_fields(f, list);
    for (int i = 0; i < FIELDS; i++) {
        if (!list[i].values)
            continue;
        names[count++] = list[i].name;
        if (strcmp(name, list[i].name) == 0) {
            *out = dew_grid_view(f->grid, list[i].name, list[i].unit, list[i].place, list[i].type,
                                 list[i].values);
            return dew_ok();
        }
    }
    return dew_no_such_field(name, names, count);
}

double *dew_flow_values(dew_Flow *f, const char *name)
{
    Named list[FIELDS];
    list_fields(f, list);
    for (int i = 0; i < FIELDS; i++)
        if (list[i].is_writable && strcmp(name, list[i].name) == 0)
            return list[i].values;
    return NULL;
}
