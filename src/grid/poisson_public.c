// Poisson's equation in a box: the object of dew/grid.h.
#include "base/cookie.h"
#include "base/status.h"
#include "grid/field_view.h"
#include "grid/poisson.h"

#include <math.h>
#include <string.h>

#define REACH_CELLS 2.0  // beyond a liquid cell that the parabola through phi reads

enum { PHI, B, P, OPEN_X, OPEN_Y, OPEN_Z, FIELDS };

static const struct {
    const char *name, *unit;
    dew_Place place;
} fields[FIELDS] = {
    [PHI] = {"phi", "m", DEW_AT_CELL},
    [B] = {"b", "1", DEW_AT_CELL},
    [P] = {"p", "1", DEW_AT_CELL},
    [OPEN_X] = {"open_x", "1", DEW_AT_FACE_X},
    [OPEN_Y] = {"open_y", "1", DEW_AT_FACE_Y},
    [OPEN_Z] = {"open_z", "1", DEW_AT_FACE_Z},
};

struct dew_PoissonSolver {
    dew_PoissonSolverDef def;
    dew_Tasks *tasks;
    dew_Grid *grid;
    dew_Poisson poisson;
    dew_Arena scratch;
    bool is_assembled;
    // Values of the grid's fields; NULL: not there. Bricks never change, so neither do their
    // places.
    double *values[FIELDS];
};

dew_PoissonSolverDef dew_default_poisson_solver_def(void)
{
    dew_PoissonDef def = dew_default_poisson_def();
    return (dew_PoissonSolverDef){.box = {.dimensions = 3},
                                  .min_fraction = def.min_fraction,
                                  .method = def.method,
                                  .tolerance = def.solve.tolerance,
                                  .max_iterations = def.solve.max_iterations,
                                  .cookie = DEW_COOKIE};
}

// ---- making ------------------------------------------------------------------------------------

// phi at a point; a full box has none but liquid, a cell deep.
static double phi_at(const dew_PoissonSolver *s, dew_Vec3 x)
{
    const dew_DistanceField *liquid = &s->def.liquid;
    return liquid->distance_m ? liquid->distance_m(liquid->context, x) : -s->def.box.cell_m;
}

// Has the brick liquid, or cells within reach of it?
static bool is_wanted(const dew_PoissonSolver *s, const int32_t coord[3])
{
    double h = s->def.box.cell_m, half = 0.5 * DEW_BRICK, half_z = 0.5 * s->grid->depth;
    dew_Vec3 o = s->def.box.min_m;
    dew_Vec3 middle = {o.x + h * (DEW_BRICK * coord[0] + half),
                       o.y + h * (DEW_BRICK * coord[1] + half),
                       o.z + h * (s->grid->depth * coord[2] + half_z)};
    double radius = sqrt(half * half + half * half + half_z * half_z);
    return phi_at(s, middle) < (radius + REACH_CELLS) * h;
}

static dew_Status make_bricks(dew_PoissonSolver *s)
{
    const int32_t *cells = s->def.box.cells;
    bool has_changed;
    dew_grid_update_begin(s->grid);
    for (int32_t k = 0; k * s->grid->depth < cells[2]; k++)
        for (int32_t j = 0; j * DEW_BRICK < cells[1]; j++)
            for (int32_t i = 0; i * DEW_BRICK < cells[0]; i++) {
                const int32_t coord[3] = {i, j, k};
                if (is_wanted(s, coord))
                    DEW_TRY(dew_grid_want(s->grid, coord));
            }
    return dew_grid_update_end(s->grid, &has_changed);
}

static dew_Status add_field(dew_PoissonSolver *s, int field, double fresh)
{
    int number;
    DEW_TRY(dew_grid_add_field(s->grid, fields[field].name, fields[field].place, sizeof(double),
                               &fresh, &number));
    s->values[field] = dew_grid_f64(s->grid, number);
    return dew_ok();
}

static dew_Status make(dew_PoissonSolver *s)
{
    DEW_TRY(dew_grid_create_box(&s->def.box, 0, &s->grid, &s->tasks));
    DEW_TRY(make_bricks(s));
    for (int f = PHI; f <= P; f++)
        DEW_TRY(add_field(s, f, 0));
    const dew_Grid *g = s->grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int n = 0; n < g->brick_cells; n++)
            s->values[PHI][(int64_t)b * g->brick_cells + n] =
                phi_at(s, dew_grid_position(g, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL));
    return dew_ok();
}

dew_Status dew_poisson_solver_create(const dew_PoissonSolverDef *def, dew_PoissonSolver **out)
{
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    *out = NULL;
    dew_PoissonSolver *s = dew_alloc(&def->box.allocator, 1, sizeof *s);
    if (!s)
        return dew_no_memory(sizeof *s);
    s->def = *def;
    dew_poisson_init(&s->poisson, &def->box.allocator);
    dew_arena_init(&s->scratch, &def->box.allocator);
    dew_Status status = make(s);
    if (status.code == DEW_OK)
        *out = s;
    else
        dew_poisson_solver_destroy(s);
    return status;
}

void dew_poisson_solver_destroy(dew_PoissonSolver *s)
{
    if (!s)
        return;
    dew_arena_deinit(&s->scratch);
    dew_poisson_deinit(&s->poisson);
    dew_grid_destroy(s->grid);
    dew_tasks_destroy(s->tasks);
    dew_Allocator allocator = s->def.box.allocator;
    dew_free(&allocator, s, sizeof *s);
}

// ---- fields ------------------------------------------------------------------------------------

dew_Status dew_poisson_solver_field(const dew_PoissonSolver *s, const char *name,
                                    dew_FieldView *out)
{
    const char *names[FIELDS];
    int count = 0;
    for (int f = 0; f < FIELDS; f++) {
        if (!s->values[f])
            continue;
        names[count++] = fields[f].name;
        if (strcmp(name, fields[f].name) == 0) {
            *out = dew_grid_view(s->grid, fields[f].name, fields[f].unit, fields[f].place,
                                 DEW_FIELD_F64, s->values[f]);
            return dew_ok();
        }
    }
    return dew_no_such_field(name, names, count);
}

double *dew_poisson_solver_values(dew_PoissonSolver *s, const char *name)
{
    for (int f = 0; f < OPEN_X + dew_grid_axes(s->grid); f++) {
        if (strcmp(name, fields[f].name) != 0)
            continue;
        if (!s->values[f] && add_field(s, f, 1).code != DEW_OK)
            return NULL;
        return s->values[f];
    }
    return NULL;
}

// ---- solving -----------------------------------------------------------------------------------

dew_Status dew_poisson_solver_assemble(dew_PoissonSolver *s)
{
    dew_PoissonDef def = dew_default_poisson_def();
    def.phi = s->values[PHI];
    for (int a = 0; a < dew_grid_axes(s->grid); a++)
        def.open[a] = s->values[OPEN_X + a];
    def.min_fraction = s->def.min_fraction;
    def.method = s->def.method;
    def.solve.tolerance = s->def.tolerance;
    def.solve.max_iterations = s->def.max_iterations;
    s->is_assembled = false;
    DEW_TRY(dew_poisson_assemble(&s->poisson, s->grid, &def));
    s->is_assembled = true;
    return dew_ok();
}

static dew_Status check_assembled(const dew_PoissonSolver *s)
{
    return s->is_assembled ? dew_ok()
                           : dew_fail(DEW_BAD_INPUT, "the equations are to be assembled first");
}

dew_Status dew_poisson_solver_solve(dew_PoissonSolver *s, dew_PoissonReport *report)
{
    dew_SolveReport solved;
    DEW_TRY(check_assembled(s));
    dew_Status status =
        dew_poisson_solve(&s->poisson, s->values[B], s->values[P], &s->scratch, &solved);
    if (report)
        *report = (dew_PoissonReport){solved.iterations, solved.residual};
    return status;
}

dew_PoissonSize dew_poisson_solver_size(const dew_PoissonSolver *s)
{
    if (!s->is_assembled)
        return (dew_PoissonSize){0};
    return (dew_PoissonSize){s->poisson.cell_count, s->poisson.brick_count, s->poisson.value_count};
}

dew_Status dew_poisson_solver_gather(const dew_PoissonSolver *s, const double *values,
                                     double *vector)
{
    DEW_TRY(check_assembled(s));
    dew_poisson_gather(&s->poisson, values, vector);
    return dew_ok();
}

dew_Status dew_poisson_solver_scatter(const dew_PoissonSolver *s, const double *vector,
                                      double *values)
{
    DEW_TRY(check_assembled(s));
    dew_poisson_scatter(&s->poisson, vector, values);
    return dew_ok();
}

dew_Status dew_poisson_solver_apply(dew_PoissonSolver *s, const double *x, double *y)
{
    DEW_TRY(check_assembled(s));
    return dew_poisson_apply(&s->poisson, x, y);
}

// Largest magnitude. Vectors have whole rows of eight cells; the lanes let the compiler use wide
// registers.
static double largest_of(const double *x, int64_t count)
{
    double lane[DEW_BRICK] = {0}, largest = 0;
    for (int64_t n = 0; n < count; n += DEW_BRICK)
        for (int l = 0; l < DEW_BRICK; l++)
            lane[l] = fabs(x[n + l]) > lane[l] ? fabs(x[n + l]) : lane[l];
    for (int l = 0; l < DEW_BRICK; l++)
        largest = fmax(largest, lane[l]);
    return largest;
}

dew_Status dew_poisson_solver_cycle(dew_PoissonSolver *s, const double *r, double *z)
{
    DEW_TRY(check_assembled(s));
    double scale = dew_poisson_scale(largest_of(r, s->poisson.value_count));
    return dew_multigrid_cycle(&s->poisson.mg, r, scale, z, NULL);
}
