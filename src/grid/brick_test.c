// Sparse bricks: keys, coming and going, neighbours, packing, memory.
#include "grid/brick.h"

#include "base/random.h"
#include "base/testing.h"

static dew_GridDef cube_def(int32_t cells)
{
    dew_GridDef def = dew_default_grid_def();
    def.cell_m = 0.5;
    for (int a = 0; a < 3; a++)
        def.cell_max[a] = cells;
    return def;
}

static void morton_keys_go_both_ways(void **state)
{
    (void)state;
    dew_Random random = dew_random(1, 2, 3);
    uint64_t before = 0;
    for (int n = 0; n < 1000; n++) {
        int32_t c[3], back[3];
        for (int a = 0; a < 3; a++)
            c[a] = (int32_t)(dew_random_u32(&random) % (2u << 20)) - DEW_MORTON_BIAS;
        dew_morton_coord(dew_morton_key(c), back);
        assert_memory_equal(c, back, sizeof c);
    }
    for (int32_t x = -5; x < 5; x++) {  // along an axis the order is kept
        uint64_t key = dew_morton_key((int32_t[3]){x, 7, -3});
        assert_true(key > before);
        before = key;
    }
}

// Value that a cell has, whatever brick order there is.
static double mark(const dew_Grid *grid, int32_t b, int cell)
{
    const int32_t *c = dew_grid_coord(grid, b);
    return c[0] + 100.0 * c[1] + 1e4 * c[2] + 1e-3 * cell;
}

static void fill(dew_Grid *grid, int field)
{
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++)
            dew_grid_f64(grid, field)[(int64_t)b * grid->brick_cells + n] = mark(grid, b, n);
}

static void check_moved(const dew_Grid *grid, int field, double fresh)
{
    const uint8_t *is_fresh = grid->is_fresh.data;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            double want = is_fresh[b] ? fresh : mark(grid, b, n);
            assert_true(dew_grid_f64(grid, field)[(int64_t)b * grid->brick_cells + n] == want);
        }
}

static void want_ball(dew_Grid *grid, double x, double radius)
{
    dew_grid_update_begin(grid);
    for (int32_t k = -2; k < 12; k++)
        for (int32_t j = -2; j < 12; j++)
            for (int32_t i = -2; i < 12; i++)
                if (dew_length(dew_vec(i - x, j - 5, k - 5)) < radius)
                    assert_int_equal(dew_grid_want(grid, (int32_t[3]){i, j, k}).code, DEW_OK);
    bool has_changed;
    assert_int_equal(dew_grid_update_end(grid, &has_changed).code, DEW_OK);
}

static void values_move_with_their_bricks(void **state)
{
    (void)state;
    dew_GridDef def = cube_def(80);
    dew_Grid *grid;
    int a, b;
    double fresh = -7;
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(grid, "a", DEW_AT_CELL, 8, &fresh, &a).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(grid, "b", DEW_AT_CELL, 8, NULL, &b).code, DEW_OK);
    want_ball(grid, 3, 2.5);
    check_moved(grid, a, fresh);
    for (int step = 0; step < 12; step++) {
        fill(grid, a);
        fill(grid, b);
        want_ball(grid, 3 + 0.7 * step, 2.5 + step % 3);
        check_moved(grid, a, fresh);
        check_moved(grid, b, 0);
        assert_int_equal(dew_grid_audit(grid).code, DEW_OK);
    }
    dew_grid_destroy(grid);
}

static void bricks_stay_near_the_domain(void **state)
{
    (void)state;
    dew_GridDef def = cube_def(80);
    def.margin = 1;
    dew_Grid *grid;
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_OK);
    dew_grid_update_begin(grid);
    int32_t lo[3] = {-100, -100, -100}, hi[3] = {1000, 1000, 1000};
    assert_int_equal(dew_grid_want_box(grid, lo, hi).code, DEW_OK);
    assert_int_equal(dew_grid_update_end(grid, NULL).code, DEW_OK);
    assert_int_equal(grid->brick_count,
                     12 * 12 * 12);  // a margin of one cell needs a brick each side
    assert_true(dew_grid_find(grid, (int32_t[3]){-1, 10, 3}) >= 0);
    assert_int_equal(dew_grid_find(grid, (int32_t[3]){-2, 10, 3}), DEW_INVALID);
    int32_t inside[3] = {79, 0, 0}, outside[3] = {80, 0, 0};
    assert_true(dew_grid_is_inside(grid, inside));
    assert_false(dew_grid_is_inside(grid, outside));
    assert_true(dew_grid_cell(grid, outside) >= 0);  // the face of the last cell's upper side
    dew_grid_destroy(grid);
}

static void bad_domains_are_refused(void **state)
{
    (void)state;
    dew_Grid *grid;
    dew_GridDef def = cube_def(0);
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_BAD_INPUT);
    def = cube_def(1 << 24);
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_BAD_INPUT);
    def = cube_def(8);
    def.cell_m = 0;
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_BAD_INPUT);
    def = cube_def(8);
    def.dimensions = 2;
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_BAD_INPUT);
    assert_null(grid);
}

static void packing_goes_both_ways(void **state)
{
    (void)state;
    dew_GridDef def = cube_def(80);
    dew_Grid *grid;
    int a, flags;
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(grid, "a", DEW_AT_CELL, 8, NULL, &a).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(grid, "f", DEW_AT_CELL, 1, NULL, &flags).code, DEW_OK);
    want_ball(grid, 4, 2);
    fill(grid, a);
    ((uint8_t *)dew_grid_field(grid, flags))[512 * 3 + 77] = 9;
    uint64_t hash = dew_grid_hash(grid, a), flag_hash = dew_grid_hash(grid, flags);
    size_t size = dew_grid_packed_size(grid);
    assert_int_equal(size, 8 + 512 * 8 + 512);
    char *bytes = malloc(size * (size_t)grid->brick_count);
    int32_t count = grid->brick_count;
    for (int32_t b = 0; b < count; b++)
        dew_grid_pack(grid, b, bytes + size * (size_t)b);
    want_ball(grid, 40, 1);  // all go
    assert_true(dew_grid_unpack(grid, bytes).code != DEW_OK);
    want_ball(grid, 4, 2);
    assert_true(dew_grid_hash(grid, a) != hash);
    for (int32_t b = count - 1; b >= 0; b--)
        assert_int_equal(dew_grid_unpack(grid, bytes + size * (size_t)b).code, DEW_OK);
    assert_true(dew_grid_hash(grid, a) == hash);
    assert_true(dew_grid_hash(grid, flags) == flag_hash);
    free(bytes);
    dew_grid_destroy(grid);
}

static void ghosts_are_neighbours_but_not_ours(void **state)
{
    (void)state;
    dew_GridDef def = cube_def(80);
    dew_Grid *grid;
    int a;
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(grid, "a", DEW_AT_CELL, 8, NULL, &a).code, DEW_OK);
    want_ball(grid, 4, 2);
    fill(grid, a);
    uint64_t hash = dew_grid_hash(grid, a);
    int32_t coord[3] = {6, 5, 5};
    assert_int_equal(dew_grid_find(grid, coord), DEW_INVALID);
    uint64_t key = dew_morton_key(coord);
    assert_int_equal(dew_grid_set_ghosts(grid, &key, 1).code, DEW_OK);
    int32_t ghost = dew_grid_find(grid, coord);
    int32_t owner = dew_grid_find(grid, (int32_t[3]){5, 5, 5});
    assert_int_equal(ghost, grid->brick_count);
    assert_int_equal(dew_grid_neighbours(grid, owner)[14], ghost);
    dew_grid_f64(grid, a)[(int64_t)ghost * 512 + 8 * (3 + 8 * 2)] = 42;
    double tile[DEW_TILE_SIZE(1)];
    dew_tile_load(grid, dew_grid_f64(grid, a), owner, 1, tile);
    assert_true(tile[dew_tile_at(1, 8, 3, 2)] == 42);
    assert_true(dew_grid_hash(grid, a) == hash);
    assert_int_equal(dew_grid_value_count(grid), (int64_t)(grid->brick_count + 1) * 512);
    dew_grid_destroy(grid);
}

static double band_phi(const dew_Grid *grid, int32_t b, int i, int j, int k, double x)
{
    dew_Vec3 p = dew_grid_position(grid, b, i, j, k, DEW_AT_CELL);
    if (grid->dimensions == 2)
        p.z = 20;
    return dew_distance(p, dew_vec(x, 20, 20)) - 9;
}

static void fill_phi(dew_Grid *grid, int phi, double x)
{
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++)
            dew_grid_f64(grid, phi)[(int64_t)b * grid->brick_cells + n] =
                band_phi(grid, b, n % 8, n / 8 % 8, n / 64, x);
}

static void update_bricks(dew_Grid *grid, int phi, bool and_inside, dew_Arena *scratch)
{
    dew_arena_clear(scratch);
    dew_grid_update_begin(grid);
    dew_Status status = dew_grid_want_band(grid, dew_grid_f64(grid, phi), 3, and_inside, scratch);
    assert_int_equal(status.code, DEW_OK);
    assert_int_equal(dew_grid_update_end(grid, NULL).code, DEW_OK);
}

// A ball moves by less than a cell per step: every cell of the band is in a brick, hardly any
// others are, and after a while nothing is allocated.
static void band_is_updated(int dimensions, bool and_inside)
{
    dew_Torture torture = dew_torture(-1);
    dew_GridDef def = cube_def(80);
    def.allocator = dew_torture_allocator(&torture);
    def.dimensions = dimensions;
    if (dimensions == 2)
        def.cell_max[2] = 1;
    dew_Grid *grid;
    dew_Arena scratch;
    int phi;
    double fresh = 99;
    dew_arena_init(&scratch, &def.allocator);
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(grid, "phi", DEW_AT_CELL, 8, &fresh, &phi).code, DEW_OK);
    dew_grid_update_begin(grid);
    assert_int_equal(dew_grid_want_box(grid, (int32_t[3]){0}, (int32_t[3]){80, 80, 80}).code,
                     DEW_OK);
    assert_int_equal(dew_grid_update_end(grid, NULL).code, DEW_OK);
    int64_t calls = 0;
    for (int step = 0; step < 20; step++) {
        double x = 15 + 0.4 * step;
        calls = step == 3 ? torture.calls : calls;
        fill_phi(grid, phi, x);
        for (int round = 0; round < 2; round++) {
            update_bricks(grid, phi, and_inside, &scratch);
            fill_phi(grid, phi, x);
        }
        int64_t full = 0;
        for (int32_t c = 0; c < 80 * 80 * def.cell_max[2]; c++) {
            int32_t cell[3] = {c % 80, c / 80 % 80, c / 6400};
            dew_Vec3 p = dew_scale(0.5, dew_vec(cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5));
            double d = dew_distance(p, dew_vec(x, 20, dimensions == 2 ? p.z : 20)) - 9;
            bool is_near = and_inside ? d < 2.5 : fabs(d) < 2.5;
            full += is_near;
            if (is_near)
                assert_true(dew_grid_cell(grid, cell) >= 0);
        }
        assert_true(full > 0 && grid->brick_count * (int64_t)grid->brick_cells < 5 * full);
    }
#ifndef DEW_AUDIT_ON
    assert_int_equal(torture.calls, calls);
#endif
    dew_grid_destroy(grid);
    dew_arena_deinit(&scratch);
    assert_int_equal(torture.blocks, 0);
}

static void bricks_follow_a_band(void **state)
{
    (void)state;
    band_is_updated(3, false);
    band_is_updated(3, true);
    band_is_updated(2, false);
    band_is_updated(2, true);
}

// 4096^3 cells with 4096 bricks strewn over them: the memory is that of 4096 bricks.
static void memory_follows_the_bricks(void **state)
{
    (void)state;
    dew_GridDef def = cube_def(4096);
    dew_Grid *grid;
    int a;
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(grid, "a", DEW_AT_CELL, 8, NULL, &a).code, DEW_OK);
    dew_grid_update_begin(grid);
    for (int32_t n = 0; n < 4096; n++) {
        int32_t coord[3] = {n * 7919 % 512, n * 104729 % 512, n / 8};
        assert_int_equal(dew_grid_want(grid, coord).code, DEW_OK);
    }
    assert_int_equal(dew_grid_update_end(grid, NULL).code, DEW_OK);
    assert_int_equal(grid->brick_count, 4096);
    // Arrays grow to twice what they hold at most; beside its values a brick has 27 neighbours, key
    // and coordinates, a few slots of tables: less than 256 bytes.
    assert_true(dew_grid_bytes(grid) < 2 * 4096 * (4096 + 256));
    dew_grid_destroy(grid);
}

static void keys_alone_restore_a_grid(void **state)
{
    (void)state;
    dew_GridDef def = cube_def(80);
    dew_Grid *grid, *other;
    int a;
    assert_int_equal(dew_grid_create(&def, &grid).code, DEW_OK);
    assert_int_equal(dew_grid_create(&def, &other).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(grid, "a", DEW_AT_CELL, 8, NULL, &a).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(other, "a", DEW_AT_CELL, 8, NULL, &a).code, DEW_OK);
    want_ball(grid, 4, 3);
    fill(grid, a);
    assert_int_equal(dew_array_copy(&other->keys, &grid->keys).code, DEW_OK);
    assert_int_equal(dew_grid_rebuild(other).code, DEW_OK);
    fill(other, a);
    assert_true(dew_grid_hash(grid, a) == dew_grid_hash(other, a));
    assert_memory_equal(grid->neighbours.data, other->neighbours.data,
                        (size_t)grid->brick_count * sizeof(int32_t[27]));
    DEW_ITEMS(&other->keys, uint64_t)[3] = 0;
    assert_int_equal(dew_grid_rebuild(other).code, DEW_CORRUPT);
    dew_grid_destroy(grid);
    dew_grid_destroy(other);
}

static dew_Status build_and_move(const dew_Allocator *allocator)
{
    dew_GridDef def = cube_def(80);
    def.allocator = *allocator;
    dew_Grid *grid;
    int a;
    DEW_TRY(dew_grid_create(&def, &grid));
    dew_Status status = dew_grid_add_field(grid, "a", DEW_AT_CELL, 8, NULL, &a);
    for (int step = 0; step < 3 && status.code == DEW_OK; step++) {
        dew_grid_update_begin(grid);
        int32_t lo[3] = {8 * step, 0, 0}, hi[3] = {16 * step + 30, 24, 16};
        status = dew_grid_want_box(grid, lo, hi);
        int32_t before = grid->brick_count;
        if (status.code == DEW_OK)
            status = dew_grid_update_end(grid, NULL);
        if (status.code != DEW_OK)
            assert_int_equal(grid->brick_count, before);
        assert_int_equal(dew_grid_audit(grid).code, DEW_OK);
    }
    dew_grid_destroy(grid);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Status status = build_and_move(&allocator);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (torture.calls <= n)
            break;
        assert_int_equal(status.code, DEW_NO_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(morton_keys_go_both_ways),
        cmocka_unit_test(values_move_with_their_bricks),
        cmocka_unit_test(bricks_stay_near_the_domain),
        cmocka_unit_test(bad_domains_are_refused),
        cmocka_unit_test(packing_goes_both_ways),
        cmocka_unit_test(ghosts_are_neighbours_but_not_ours),
        cmocka_unit_test(bricks_follow_a_band),
        cmocka_unit_test(memory_follows_the_bricks),
        cmocka_unit_test(keys_alone_restore_a_grid),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
