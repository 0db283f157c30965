// Tiles hold what a look-up cell by cell finds, with missing bricks or without.
#include "base/random.h"
#include "base/testing.h"
#include "grid/brick.h"

#include <stdlib.h>

// A random third of the bricks of a cube of 4^3 (or 4^2) is missing.
static dew_Grid *holed_grid(int dimensions, int *field)
{
    dew_GridDef def = dew_default_grid_def();
    def.dimensions = dimensions;
    def.cell_m = 1;
    for (int a = 0; a < 3; a++)
        def.cell_max[a] = 32;
    def.cell_max[2] = dimensions == 3 ? 32 : 1;
    dew_Grid *grid;
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(grid, "a", DEW_AT_CELL, 8, NULL, field).code, DEW_OK);
    dew_Random random = dew_random(5, 0, 0);
    dew_grid_update_begin(grid);
    for (int32_t n = 0; n < (dimensions == 3 ? 64 : 16); n++)
        if (dew_random_unit(&random) < 0.67)
            assert_int_equal(dew_grid_want(grid, (int32_t[3]){n % 4, n / 4 % 4, n / 16}).code,
                             DEW_OK);
    assert_int_equal(dew_grid_update_end(grid, NULL).code, DEW_OK);
    for (int64_t n = 0; n < dew_grid_value_count(grid); n++)
        dew_grid_f64(grid, *field)[n] = (double)n;
    return grid;
}

// Same as the tile: exact where there is a brick, else giving up one axis, two, all.
static double look_up(const dew_Grid *grid, const double *a, int32_t b, int i, int j, int k,
                      double missing)
{
    static const int drops[8] = {0, 1, 2, 4, 3, 5, 6, 7};
    int end_k = grid->depth - 1;
    for (int t = 0; t < 8; t++) {
        int drop = drops[t];
        int x = drop & 1 ? (i < 0 ? 0 : i > 7 ? 7 : i) : i;
        int y = drop & 2 ? (j < 0 ? 0 : j > 7 ? 7 : j) : j;
        int z = drop & 4 ? (k < 0 ? 0 : k > end_k ? end_k : k) : k;
        int64_t at = dew_grid_near(grid, b, x, y, z);
        if (at >= 0)
            return a[at];
        if (!isnan(missing))
            return missing;
    }
    return -1;
}

static void compare(const dew_Grid *grid, const double *a, int pad)
{
    static double tile[DEW_TILE_SIZE(4)], with[DEW_TILE_SIZE(4)], cross[DEW_TILE_SIZE(4)];
    static float f32[DEW_TILE_SIZE(4)], narrow[DEW_TILE_SIZE(4)];
    float *a32 = malloc((size_t)dew_grid_value_count(grid) * sizeof *a32);
    for (int64_t n = 0; n < dew_grid_value_count(grid); n++)
        a32[n] = (float)a[n];
    for (int32_t b = 0; b < grid->brick_count; b++) {
        dew_tile_load(grid, a, b, pad, tile);
        dew_tile_load_or(grid, a, b, pad, -3, with);
        dew_tile_load_cross(grid, a, b, pad, cross);
        dew_tile_load_f32(grid, a32, b, pad, f32);
        dew_tile_load_narrow(grid, a, b, pad, narrow);
        for (int k = -pad; k < grid->depth + pad; k++)
            for (int j = -pad; j < 8 + pad; j++)
                for (int i = -pad; i < 8 + pad; i++) {
                    int at = dew_tile_at(pad, i, j, k);
                    double near = look_up(grid, a, b, i, j, k, (double)NAN);
                    int beyond = (i < 0 || i > 7) + (j < 0 || j > 7) + (k < 0 || k >= grid->depth);
                    assert_true(tile[at] == near);
                    assert_true(with[at] == look_up(grid, a, b, i, j, k, -3));
                    assert_true(f32[at] == (float)near && narrow[at] == f32[at]);
                    if (beyond <= 1)
                        assert_true(cross[at] == near);
                }
    }
    free(a32);
}

static void tiles_are_as_looked_up(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        int field;
        dew_Grid *grid = holed_grid(dimensions, &field);
        for (int pad = 1; pad <= DEW_MAX_PAD; pad++)
            compare(grid, dew_grid_f64(grid, field), pad);
        dew_grid_destroy(grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_are_as_looked_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
