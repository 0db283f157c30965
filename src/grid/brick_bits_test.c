// Sets of cells as bits against a look-up cell by cell, with missing bricks.
#include "base/random.h"
#include "base/testing.h"
#include "base/union_find.h"
#include "grid/brick.h"

#include <stdlib.h>

// A random third of the bricks of a cube of 4^3 (or 4^2) is missing; a third of the cells has a
// byte that is not 0.
static dew_Grid *holed_grid(int dimensions, int *field)
{
    dew_GridDef def = dew_default_grid_def();
    def.dimensions = dimensions;
    def.cell_m = 1;
    for (int a = 0; a < 3; a++)
        def.cell_max[a] = a == 2 && dimensions == 2 ? 1 : 32;
    dew_Grid *grid;
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(grid, "a", DEW_AT_CELL, 1, NULL, field).code, DEW_OK);
    dew_Random random = dew_random(6, 0, 0);
    dew_grid_update_begin(grid);
    for (int32_t n = 0; n < (dimensions == 3 ? 64 : 16); n++)
        if (dew_random_unit(&random) < 0.67)
            assert_int_equal(dew_grid_want(grid, (int32_t[3]){n % 4, n / 4 % 4, n / 16}).code,
                             DEW_OK);
    assert_int_equal(dew_grid_update_end(grid, NULL).code, DEW_OK);
    uint8_t *a = dew_grid_field(grid, *field);
    for (int64_t n = 0; n < dew_grid_value_count(grid); n++) {
        double x = dew_random_unit(&random);
        a[n] = x < 0.33 ? (uint8_t)(1 + 750 * x) : 0;
    }
    return grid;
}

static dew_BrickBits *bits_of(const dew_Grid *grid, const uint8_t *a)
{
    dew_BrickBits *set = calloc((size_t)grid->brick_count, sizeof *set);
    assert_non_null(set);
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int k = 0; k < grid->depth; k++)
            set[b].layer[k] = dew_bits_used(a + (int64_t)b * grid->brick_cells + 64 * k);
    return set;
}

static void check_brick(const dew_Grid *grid, const uint8_t *a, const dew_BrickBits *set, int32_t b)
{
    const int32_t *near = dew_grid_neighbours(grid, b);
    for (int n = 0; n < grid->brick_cells; n++) {
        int c[3] = {n & 7, n >> 3 & 7, n >> 6};
        for (int side = 0; side < 2 * dew_grid_axes(grid); side++) {
            int d[3] = {0};
            d[side / 2] = side & 1 ? 1 : -1;
            int64_t at = dew_grid_near(grid, b, c[0] + d[0], c[1] + d[1], c[2] + d[2]);
            uint64_t beside = dew_bits_beside(set, near, grid->depth, side, c[2]);
            assert_int_equal(beside >> (n & 63) & 1, at >= 0 && a[at] > 0);
            if (at >= 0)
                assert_int_equal(dew_bits_index(grid, near, n, side), at);
        }
    }
}

static void neighbours_are_found(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        int field;
        dew_Grid *grid = holed_grid(dimensions, &field);
        const uint8_t *a = dew_grid_field(grid, field);
        dew_BrickBits *set = bits_of(grid, a);
        assert_true(grid->brick_count > 5);
        for (int32_t b = 0; b < grid->brick_count; b++)
            check_brick(grid, a, set, b);
        free(set);
        dew_grid_destroy(grid);
    }
}

static void bytes_become_bits_and_back(void **state)
{
    (void)state;
    uint8_t bytes[64];
    dew_Random random = dew_random(7, 0, 0);
    for (int round = 0; round < 100; round++) {
        for (int n = 0; n < 64; n++)
            bytes[n] = (uint8_t)(256 * dew_random_unit(&random)) & (n & 1 ? 0x81 : 0xff);
        uint64_t used = dew_bits_used(bytes), rest = used, found = 0;
        for (int n = 0; n < 64; n++) {
            assert_int_equal(used >> n & 1, bytes[n] > 0);
            for (int bit = 0; bit < 8; bit++)
                assert_int_equal(dew_bits_plane(bytes, bit) >> n & 1, bytes[n] >> bit & 1);
            uint64_t row = dew_bits_spread(used >> (n & ~7));
            assert_int_equal(row >> 8 * (n & 7) & 255, bytes[n] > 0);
        }
        while (rest)
            found |= UINT64_C(1) << dew_bits_take(&rest);
        assert_true(found == used);
    }
}

// Is a cell of the set within one cell, along all axes? *is_whole: all bricks are there.
static bool is_near(const dew_Grid *grid, const uint8_t *a, int32_t b, int n, bool *is_whole)
{
    bool has = false;
    *is_whole = true;
    for (int m = 0; m < 27; m++) {
        int64_t at = dew_grid_near(grid, b, (n & 7) + m % 3 - 1, (n >> 3 & 7) + m / 3 % 3 - 1,
                                   (n >> 6) + m / 9 - 1);
        has |= at >= 0 && a[at] > 0;
        *is_whole &= at >= 0;
    }
    return has;
}

static void sets_grow_and_shrink(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        int field;
        dew_Grid *grid = holed_grid(dimensions, &field);
        uint8_t *a = dew_grid_field(grid, field);
        int64_t inner = 0;
        for (int64_t n = 0; n < dew_grid_value_count(grid); n++)
            a[n] = n % 13 == 0;
        dew_BrickBits *set = bits_of(grid, a), *spare = bits_of(grid, a);
        dew_bits_grow(grid, 1, &set, &spare);
        for (int32_t b = 0; b < grid->brick_count; b++)
            for (int n = 0; n < grid->brick_cells; n++) {
                bool is_whole, is_in = is_near(grid, a, b, n, &is_whole);
                uint64_t got = set[b].layer[n >> 6] >> (n & 63) & 1;
                assert_true(is_whole ? got == is_in : (!got || is_in));
            }
        // A whole brick amid others shrinks to its middle and what is around.
        for (int32_t b = 0; b < grid->brick_count; b++)
            for (int k = 0; k < grid->depth; k++)
                set[b].layer[k] = ~UINT64_C(0);
        dew_bits_grow(grid, -2, &set, &spare);
        for (int32_t b = 0; b < grid->brick_count; b++)
            for (int n = 0; n < grid->brick_cells; n++) {
                bool is_in = true;
                for (int m = 0; m < 125; m++)
                    is_in &=
                        dew_grid_near(grid, b, (n & 7) + m % 5 - 2, (n >> 3 & 7) + m / 5 % 5 - 2,
                                      (n >> 6) + m / 25 - 2) >= 0;
                assert_int_equal(set[b].layer[n >> 6] >> (n & 63) & 1, is_in);
                inner += is_in;
            }
        assert_true(inner > 0);
        free(set);
        free(spare);
        dew_grid_destroy(grid);
    }
}

static void boxes_hold_all(void **state)
{
    (void)state;
    dew_Random random = dew_random(8, 0, 0);
    for (int round = 0; round < 200; round++) {
        dew_BrickBits set = {{0}};
        int lo[3], hi[3], least[3] = {8, 8, 8}, most[3] = {-1, -1, -1};
        for (int n = 0; n < round % 6; n++) {
            int c[3];
            for (int a = 0; a < 3; a++) {
                c[a] = (int)(8 * dew_random_unit(&random));
                least[a] = c[a] < least[a] ? c[a] : least[a];
                most[a] = c[a] > most[a] ? c[a] : most[a];
            }
            set.layer[c[2]] |= UINT64_C(1) << (c[0] + 8 * c[1]);
        }
        assert_int_equal(dew_bits_box(&set, 8, lo, hi), round % 6 > 0);
        for (int a = 0; a < 3 && round % 6 > 0; a++) {
            assert_int_equal(lo[a], least[a]);
            assert_int_equal(hi[a], most[a]);
        }
    }
}

// Gives all cells connected to `from`, through faces, its number as their root.
static void flood(const dew_Grid *grid, const uint8_t *a, int64_t from, int64_t *root,
                  int64_t *stack)
{
    int64_t depth = 0;
    root[from] = from;
    stack[depth++] = from;
    while (depth > 0) {
        int64_t at = stack[--depth];
        int32_t b = (int32_t)(at / grid->brick_cells);
        int n = (int)(at % grid->brick_cells);
        for (int side = 0; side < 2 * dew_grid_axes(grid); side++) {
            int c[3] = {n & 7, n >> 3 & 7, n >> 6};
            c[side / 2] += side & 1 ? 1 : -1;
            int64_t to = dew_grid_near(grid, b, c[0], c[1], c[2]);
            if (to < 0 || !a[to] || root[to] >= 0)
                continue;
            root[to] = from;
            stack[depth++] = to;
        }
    }
}

// Components of the grid's random cells; with is_dense of all the others, which hang together.
static void check_components(int dimensions, bool is_dense)
{
    int field;
    dew_Grid *grid = holed_grid(dimensions, &field);
    uint8_t *a = dew_grid_field(grid, field);
    int64_t count = dew_grid_value_count(grid), found, expected = 0;
    for (int64_t n = 0; n < count && is_dense; n++)
        a[n] = !a[n];
    dew_BrickBits *set = bits_of(grid, a);
    int64_t *root = malloc((size_t)count * sizeof *root), *stack = malloc((size_t)count * 8);
    int32_t *parent = malloc((size_t)count * sizeof *parent);
    dew_Arena scratch;
    dew_arena_init(&scratch, NULL);
    assert_true(root && stack && parent);
    for (int64_t n = 0; n < count; n++)
        root[n] = DEW_INVALID;
    for (int64_t n = 0; n < count; n++)
        if (a[n] && root[n] < 0) {
            flood(grid, a, n, root, stack);
            expected++;
        }
    assert_int_equal(dew_bits_components(grid, set, parent, &scratch, &found).code, DEW_OK);
    assert_int_equal(found, expected);
    for (int32_t n = 0; n < count; n++)
        assert_int_equal(parent[n] < 0 ? DEW_INVALID : dew_cell_root(parent, n), root[n]);
    dew_arena_deinit(&scratch);
    free(parent);
    free(stack);
    free(root);
    free(set);
    dew_grid_destroy(grid);
}

static void components_are_found_with_their_first_cells(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        check_components(dimensions, false);
        check_components(dimensions, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_found),
        cmocka_unit_test(bytes_become_bits_and_back),
        cmocka_unit_test(boxes_hold_all),
        cmocka_unit_test(sets_grow_and_shrink),
        cmocka_unit_test(components_are_found_with_their_first_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
