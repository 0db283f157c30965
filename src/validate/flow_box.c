// A box of liquid for checks: walls as distances, open faces and wall velocities.
#include "validate/flow_box.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

static const char *const names[] = {"u",      "v",         "w",         "u to",     "v to",
                                    "w to",   "p",         "dp",        "phi",      "solid",
                                    "open x", "open y",    "open z",    "wall x",   "wall y",
                                    "wall z", "u carried", "v carried", "w carried"};
enum { FIELDS = sizeof names / sizeof names[0] };

static dew_Status make_grid(dew_FlowBox *box, dew_Tasks *tasks)
{
    dew_GridDef def = dew_default_grid_def();
    def.dimensions = 2;
    def.cell_m = box->h;
    def.cell_max[0] = (int32_t)lround(box->length * box->cells);
    def.cell_max[1] = box->cells;
    def.cell_max[2] = 1;
    def.margin = 8;
    def.tasks = tasks;
    DEW_TRY(dew_grid_create(&def, &box->grid));
    for (int i = 0; i < FIELDS; i++) {
        static const dew_Place places[3] = {DEW_AT_FACE_X, DEW_AT_FACE_Y, DEW_AT_FACE_Z};
        dew_Place place = i >= 6 && i < 10 ? DEW_AT_CELL : places[(i < 6 ? i : i - 10) % 3];
        DEW_TRY(
            dew_grid_add_field(box->grid, names[i], place, sizeof(double), NULL, &box->fields[i]));
    }
    int32_t low[3] = {-8, -8, 0}, high[3] = {def.cell_max[0] + 8, def.cell_max[1] + 8, 1};
    bool has_changed;
    dew_grid_update_begin(box->grid);
    DEW_TRY(dew_grid_want_box(box->grid, low, high));
    return dew_grid_update_end(box->grid, &has_changed);
}

static void find_fields(dew_FlowBox *box)
{
    double **at[FIELDS] = {&box->u[0],       &box->u[1],       &box->u[2],      &box->to[0],
                           &box->to[1],      &box->to[2],      &box->p,         &box->dp,
                           &box->phi,        &box->solid,      &box->open[0],   &box->open[1],
                           &box->open[2],    &box->wall[0],    &box->wall[1],   &box->wall[2],
                           &box->carried[0], &box->carried[1], &box->carried[2]};
    for (int i = 0; i < FIELDS; i++)
        *at[i] = dew_grid_f64(box->grid, box->fields[i]);
}

static double distance(const dew_FlowBox *box, dew_Vec3 x)
{
    return fmin(fmin(x.x, box->length - x.x), fmin(x.y - box->low, box->high - x.y));
}

static void set_walls(dew_FlowBox *box)
{
    const dew_Grid *g = box->grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++) {
            int64_t at = (int64_t)b * g->brick_cells + i;
            int c[3] = {i & 7, i >> 3, 0};
            box->phi[at] = -1;
            box->solid[at] = distance(box, dew_grid_position(g, b, c[0], c[1], 0, DEW_AT_CELL));
            for (int a = 0; a < 2; a++) {
                dew_Vec3 x = dew_grid_position(g, b, c[0], c[1], 0, (dew_Place)(DEW_AT_FACE_X + a));
                // A face on a wall, to rounding, is closed.
                box->open[a][at] = distance(box, x) > 1e-9 * box->h ? 1 : 0;
                box->wall[a][at] = a == 0 && x.y > box->high ? box->lid_speed : 0;
            }
        }
}

dew_Status dew_flow_box_open(dew_FlowBox *box, dew_Tasks *tasks)
{
    box->h = 1.0 / box->cells;
    box->grid = NULL;
    box->time = 0;
    box->iterations = 0;
    dew_poisson_init(&box->poisson, NULL);
    dew_arena_init(&box->scratch, NULL);
    dew_Status status = make_grid(box, tasks);
    if (status.code != DEW_OK) {
        dew_flow_box_close(box);
        return status;
    }
    find_fields(box);
    set_walls(box);
    return dew_ok();
}

void dew_flow_box_close(dew_FlowBox *box)
{
    dew_arena_deinit(&box->scratch);
    dew_poisson_deinit(&box->poisson);
    dew_grid_destroy(box->grid);
}

void dew_flow_box_start(dew_FlowBox *box, dew_FlowStart *velocity)
{
    const dew_Grid *g = box->grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++)
            for (int a = 0; a < 2; a++) {
                int64_t at = (int64_t)b * g->brick_cells + i;
                dew_Vec3 x =
                    dew_grid_position(g, b, i & 7, i >> 3, 0, (dew_Place)(DEW_AT_FACE_X + a));
                dew_Vec3 v = velocity(x.x, x.y);
                bool is_open = box->open[a][at] > 0;
                box->u[a][at] = is_open ? (a == 0 ? v.x : v.y) : box->wall[a][at];
            }
}

static dew_Status diffuse(dew_FlowBox *box, double dt)
{
    dew_ViscosityDef def = dew_default_viscosity_def();
    dew_SolveReport report;
    for (int a = 0; a < 2; a++) {
        def.open[a] = box->open[a];
        def.wall_u[a] = box->wall[a];
    }
    def.phi = box->has_surface ? box->phi : NULL;
    def.solid = box->solid;
    def.slip_m = box->slip;
    def.density_kg_m3 = 1;
    def.viscosity_Pa_s = box->viscosity;
    def.dt_s = dt;
    return dew_viscosity_run(box->grid, &def, box->u, &box->scratch, &report);
}

dew_Status dew_flow_box_diffuse(dew_FlowBox *box)
{
    return diffuse(box, box->dt);
}

// Takes half of a step's push by the pressure so far from a velocity.
static void push(const dew_FlowBox *box, double *const u[3])
{
    const dew_Grid *g = box->grid;
    double factor = 0.5 * box->dt / box->h;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++)
            for (int a = 0; a < 2; a++) {
                int64_t at = (int64_t)b * g->brick_cells + i;
                int64_t low = dew_grid_near(g, b, (i & 7) - (a == 0), (i >> 3) - (a == 1), 0);
                if (low >= 0 && box->open[a][at] > 0)
                    u[a][at] -= factor * (box->p[at] - box->p[low]);
            }
}

static dew_Status advect(dew_FlowBox *box)
{
    size_t bytes = (size_t)dew_grid_value_count(box->grid) * sizeof(double);
    dew_GhostDef ghost = {.solid = box->solid,
                          .wall_u = {box->wall[0], box->wall[1]},
                          .slip_m = box->slip,
                          .depth_m = 4 * box->h};
    for (int a = 0; a < 2; a++)  // `to` has what viscosity did in half a step
        for (int64_t i = 0; i < dew_grid_value_count(box->grid); i++)
            box->carried[a][i] = box->u[a][i] + box->to[a][i];
    push(box, box->carried);
    DEW_TRY(dew_velocity_fill_solids(box->grid, box->u, &ghost, &box->scratch));
    DEW_TRY(dew_velocity_fill_solids(box->grid, box->carried, &ghost, &box->scratch));
    dew_AdvectDef def = dew_default_advect_def();
    def.dt_s = box->dt;
    def.solid = box->solid;
    def.ways = DEW_CUBIC;
    const double *const from[3] = {box->u[0], box->u[1], NULL};
    const double *const carried[3] = {box->carried[0], box->carried[1], NULL};
    DEW_TRY(dew_velocity_advect(box->grid, from, carried, &def, box->to));
    for (int a = 0; a < 2; a++)
        memcpy(box->u[a], box->to[a], bytes);
    push(box, box->u);
    return dew_ok();
}

// Half a step of viscosity, which is also remembered as the first half of the next.
static dew_Status diffuse_half(dew_FlowBox *box)
{
    int64_t values = dew_grid_value_count(box->grid);
    for (int a = 0; a < 2; a++)
        memcpy(box->to[a], box->u[a], (size_t)values * sizeof(double));
    DEW_TRY(diffuse(box, 0.5 * box->dt));
    for (int a = 0; a < 2; a++)
        for (int64_t i = 0; i < values; i++)
            box->to[a][i] = box->u[a][i] - box->to[a][i];
    return dew_ok();
}

// What viscosity is about to do at the start, without doing it.
static dew_Status foresee(dew_FlowBox *box)
{
    DEW_TRY(diffuse_half(box));
    for (int a = 0; a < 2; a++)
        for (int64_t i = 0; i < dew_grid_value_count(box->grid); i++)
            box->u[a][i] -= box->to[a][i];
    return dew_ok();
}

dew_Status dew_flow_box_step(dew_FlowBox *box)
{
    if (box->time == 0)
        DEW_TRY(foresee(box));
    DEW_TRY(advect(box));
    DEW_TRY(diffuse_half(box));
    dew_ProjectionDef def = dew_default_projection_def();
    def.phi = box->phi;
    for (int a = 0; a < 2; a++) {
        def.open[a] = box->open[a];
        def.wall_u[a] = box->wall[a];
    }
    def.density_kg_m3 = 1;
    def.dt_s = box->dt;
    // A flow at rest has nothing to project, and rounding cannot be reduced by six digits.
    def.solve.absolute = 1e-12 * box->h / box->dt * box->cells;
    dew_ProjectionReport report;
    int64_t values = dew_grid_value_count(box->grid);
    memset(box->dp, 0, (size_t)values * sizeof(double));
    DEW_TRY(dew_projection_run(&box->poisson, box->grid, &def, box->u, box->dp, NULL, &box->scratch,
                               &report));
    for (int64_t i = 0; i < values; i++)
        box->p[i] += box->dp[i];
    box->iterations += report.solve.iterations;
    box->time += box->dt;
    return dew_ok();
}

double dew_flow_box_u(const dew_FlowBox *box, int a, int i, int j)
{
    const int32_t cell[3] = {i, j, 0};
    int64_t at = dew_grid_cell(box->grid, cell);
    return at >= 0 ? box->u[a][at] : 0;
}

double dew_flow_box_energy(const dew_FlowBox *box)
{
    double sum = 0;
    int nx = (int)lround(box->length * box->cells), ny = box->cells;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            for (int a = 0; a < 2; a++) {
                double u = dew_flow_box_u(box, a, i, j);
                sum += u * u;
            }
    return 0.5 * sum / ((double)nx * ny);
}
