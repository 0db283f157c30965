// Equations given by whole cells are those given by phi and face apertures.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_do_as_phi_and_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
