// Equations and projections given by whole cells are those given by phi and face apertures.
#include "base/random.h"
#include "base/testing.h"
#include "grid/poisson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AIR, LIQUID, CLOSED };

typedef struct Both {
    dew_Grid *grid;
    dew_Arena scratch;
    dew_BrickBits *liquid, *closed;
    double *phi, *open[3], *b, *p;
} Both;

static void make(Both *t, int dimensions, double missing)
{
    dew_GridDef def = dew_default_grid_def();
    def.dimensions = dimensions;
    def.cell_m = 1;
    for (int a = 0; a < 3; a++)
        def.cell_max[a] = a == 2 && dimensions == 2 ? 1 : 32;
    assert_int_equal(dew_grid_create(&def, &t->grid).code, DEW_OK);
    dew_Random random = dew_random(8, 0, 0);
    dew_grid_update_begin(t->grid);
    for (int32_t n = 0; n < (dimensions == 3 ? 64 : 16); n++)
        if (dew_random_unit(&random) >= missing)
            assert_int_equal(dew_grid_want(t->grid, (int32_t[3]){n % 4, n / 4 % 4, n / 16}).code,
                             DEW_OK);
    assert_int_equal(dew_grid_update_end(t->grid, NULL).code, DEW_OK);
    dew_arena_init(&t->scratch, NULL);
    int64_t count = dew_grid_value_count(t->grid);
    t->liquid = dew_arena_array(&t->scratch, dew_BrickBits, t->grid->brick_count);
    t->closed = dew_arena_array(&t->scratch, dew_BrickBits, t->grid->brick_count);
    double **fields[] = {&t->phi, &t->open[0], &t->open[1], &t->open[2], &t->b, &t->p};
    for (int i = 0; i < 6; i++)
        *fields[i] = dew_arena_array(&t->scratch, double, count);
}

// A cell's kind: a pool, with blocks of air and of stone in one part of it.
static int kind_of(const Both *t, int32_t b, int n, double surface)
{
    const int32_t *c = dew_grid_coord(t->grid, b);
    int x = 8 * c[0] + (n & 7), y = 8 * c[1] + (n >> 3 & 7), z = t->grid->depth * c[2] + (n >> 6);
    dew_Random random = dew_random(9, (uint64_t)(x / 4 + 100 * (y / 4)), (uint64_t)(z / 4));
    double u = x > 20 || y > 20 ? dew_random_unit(&random) : 1;
    return u < 0.1 ? CLOSED : y > surface || u < 0.2 ? AIR : LIQUID;
}

static void fill(Both *t, double surface)
{
    const dew_Grid *grid = t->grid;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            int kind = kind_of(t, b, n, surface);
            uint64_t bit = UINT64_C(1) << (n & 63);
            t->liquid[b].layer[n >> 6] |= kind == LIQUID ? bit : 0;
            t->closed[b].layer[n >> 6] |= kind == CLOSED ? bit : 0;
            t->phi[at] = kind == LIQUID ? -1 : 1;
            for (int a = 0; a < dew_grid_axes(grid); a++) {
                int64_t low = dew_grid_near(grid, b, (n & 7) - (a == 0), (n >> 3 & 7) - (a == 1),
                                            (n >> 6) - (a == 2));
                int there = low < 0 ? CLOSED
                                    : kind_of(t, (int32_t)(low / grid->brick_cells),
                                              (int)(low % grid->brick_cells), surface);
                t->open[a][at] = kind == CLOSED || there == CLOSED ? 0 : 1;
            }
            t->b[at] = sin((double)at);
        }
}

// Solves both and compares.
static void compare(int dimensions, double missing, double surface, bool has_pools)
{
    Both t;
    make(&t, dimensions, missing);
    fill(&t, surface);
    int64_t count = dew_grid_value_count(t.grid), pools[2], cells[2];
    double *first = dew_arena_array(&t.scratch, double, count);
    for (int k = 0; k < 2; k++) {
        dew_Poisson p;
        dew_SolveReport report;
        dew_PoissonDef def = dew_default_poisson_def();
        def.min_fraction = 1;
        def.solve.tolerance = 1e-10;
        def.liquid = k ? t.liquid : NULL;
        def.closed = k ? t.closed : NULL;
        def.phi = k ? NULL : t.phi;
        for (int a = 0; a < dimensions; a++)
            def.open[a] = k ? NULL : t.open[a];
        dew_poisson_init(&p, NULL);
        memset(t.p, 0, (size_t)count * sizeof *t.p);
        assert_int_equal(dew_poisson_assemble(&p, t.grid, &def).code, DEW_OK);
        assert_int_equal(dew_poisson_solve(&p, t.b, t.p, &t.scratch, &report).code, DEW_OK);
        pools[k] = p.pools.count;
        cells[k] = p.cell_count;
        if (k == 0)
            memcpy(first, t.p, (size_t)count * sizeof *t.p);
        dew_poisson_deinit(&p);
    }
    double most = 0, off = 0;
    for (int64_t n = 0; n < count; n++) {
        most = fmax(most, fabs(first[n]));
        off = fmax(off, fabs(first[n] - t.p[n]));
    }
    assert_int_equal(cells[0], cells[1]);
    assert_int_equal(pools[0], pools[1]);
    assert_true(has_pools == (pools[0] > 0));
    assert_true(most > 0.1 && off <= 0);  // bit-identical
    dew_arena_deinit(&t.scratch);
    dew_grid_destroy(t.grid);
}

static void cells_do_as_phi_and_faces(void **state)
{
    (void)state;
    compare(3, 0, 24, false);
    compare(2, 0, 24, false);
    compare(3, 0.3, 28, true);
    compare(2, 0.3, 28, false);
    compare(3, 0, 40, false);
}

// ---- projection ---------------------------------------------------------------------------------

typedef struct Velocity {
    double *u[3];
} Velocity;

static Velocity some_velocity(Both *t)
{
    Velocity v = {{NULL, NULL, NULL}};
    int64_t count = dew_grid_value_count(t->grid);
    for (int a = 0; a < dew_grid_axes(t->grid); a++) {
        v.u[a] = dew_arena_array(&t->scratch, double, count);
        for (int64_t n = 0; n < count; n++)
            v.u[a][n] = cos((double)(3 * n + a));
    }
    return v;
}

// Projects; by: cells (1) or phi and faces, whose walls move as they do (0).
static dew_ProjectionReport project(Both *t, int by, const double *outflow, const Velocity *v)
{
    dew_Poisson poisson;
    dew_ProjectionReport report;
    dew_ProjectionDef def = dew_default_projection_def();
    Velocity walls = some_velocity(t);
    def.density_kg_m3 = 1000;
    def.dt_s = 1e-3;
    def.min_fraction = 1;
    def.solve.tolerance = 1e-10;
    def.is_checked = true;
    def.liquid = by ? t->liquid : NULL;
    def.closed = by ? t->closed : NULL;
    def.outflow = outflow;
    def.phi = by ? NULL : t->phi;
    for (int a = 0; a < dew_grid_axes(t->grid); a++) {
        def.open[a] = by ? NULL : t->open[a];
        def.wall_u[a] = by ? NULL : walls.u[a];
    }
    dew_poisson_init(&poisson, NULL);
    memset(t->p, 0, (size_t)dew_grid_value_count(t->grid) * sizeof *t->p);
    dew_Status status =
        dew_projection_run(&poisson, t->grid, &def, v->u, t->p, NULL, &t->scratch, &report);
    assert_int_equal(status.code, DEW_OK);
    dew_poisson_deinit(&poisson);
    return report;
}

// Velocities differ by the solvers' tolerance: 1e-10 of the norm of divergences of about 2 in 3e4
// cells, 4e-8.
static void compare_projections(int dimensions, double missing, double surface)
{
    Both t;
    make(&t, dimensions, missing);
    fill(&t, surface);
    Velocity by_phi = some_velocity(&t), by_cells = some_velocity(&t), before = some_velocity(&t);
    project(&t, 0, NULL, &by_phi);
    project(&t, 1, NULL, &by_cells);
    double off = 0, change = 0;
    for (int a = 0; a < dimensions; a++)
        for (int64_t n = 0; n < dew_grid_value_count(t.grid); n++) {
            off = fmax(off, fabs(by_phi.u[a][n] - by_cells.u[a][n]));
            change = fmax(change, fabs(by_phi.u[a][n] - before.u[a][n]));
        }
    assert_true(change > 0.1 && off < 1e-7);
    dew_arena_deinit(&t.scratch);
    dew_grid_destroy(t.grid);
}

static void projection_by_cells_is_that_by_phi(void **state)
{
    (void)state;
    compare_projections(3, 0, 24);
    compare_projections(2, 0, 24);
    compare_projections(3, 0.3, 24);
    compare_projections(2, 0.3, 28);
}

// What flows out of a liquid cell is its given growth, counted here face by face.
static void cells_grow_as_given(void **state)
{
    (void)state;
    Both t;
    make(&t, 3, 0);
    fill(&t, 24);
    const dew_Grid *grid = t.grid;
    Velocity v = some_velocity(&t);
    double off = 0;
    dew_ProjectionReport report = project(&t, 1, t.b, &v);
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            double sum = 0, faces = 0;
            for (int a = 0; a < 3; a++) {
                int64_t up = dew_grid_near(grid, b, (n & 7) + (a == 0), (n >> 3 & 7) + (a == 1),
                                           (n >> 6) + (a == 2));
                sum += (up < 0 ? 0 : v.u[a][up]) - v.u[a][at];
                faces += t.open[a][at] + (up < 0 ? 0 : t.open[a][up]);
            }
            if (t.phi[at] < 0 && faces > 0)
                off = fmax(off, fabs(sum - t.b[at]));
        }
    assert_true(off < 1e-7 && fabs(off - report.divergence) < 1e-12);
    dew_arena_deinit(&t.scratch);
    dew_grid_destroy(t.grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_do_as_phi_and_faces),
        cmocka_unit_test(projection_by_cells_is_that_by_phi),
        cmocka_unit_test(cells_grow_as_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
