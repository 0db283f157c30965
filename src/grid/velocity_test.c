// Sampling, ghosts in solids, advection.
#include "grid/sample.h"
#include "grid/velocity.h"

#include "grid/flow_testing.h"

static double linear_u(dew_Vec3 x)
{
    return 0.3 + x.x - 2 * x.y + 0.5 * x.z;
}
static double linear_v(dew_Vec3 x)
{
    return -1 + 0.25 * x.x + x.y - x.z;
}
static double linear_w(dew_Vec3 x)
{
    return 0.1 - x.x + 0.5 * x.y + 2 * x.z;
}

static void samples_are_exact_for_linear_fields(void **state)
{
    (void)state;
    Flow flow = flow_open(3, 24, 0, 1, NULL);
    flow_fill(&flow, FLOW_U, DEW_AT_FACE_X, linear_u);
    flow_fill(&flow, FLOW_V, DEW_AT_FACE_Y, linear_v);
    flow_fill(&flow, FLOW_W, DEW_AT_FACE_Z, linear_w);
    const double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], flow.f[FLOW_W]};
    for (int n = 0; n < 100; n++) {
        dew_Vec3 x = {0.5 + 0.4 * flow_noise(3 * n), 0.5 + 0.4 * flow_noise(3 * n + 1),
                      0.5 + 0.4 * flow_noise(3 * n + 2)};
        dew_Vec3 v = dew_velocity_at(flow.grid, u, n % flow.grid->brick_count, x);
        assert_true(fabs(v.x - linear_u(x)) < 1e-13 && fabs(v.y - linear_v(x)) < 1e-13 &&
                    fabs(v.z - linear_w(x)) < 1e-13);
    }
    flow_close(&flow);
}

static double spin_u(dew_Vec3 x)
{
    return -(x.y - 0.5);
}
static double spin_v(dew_Vec3 x)
{
    return x.x - 0.5;
}
static double blob(dew_Vec3 x)
{
    double r = dew_length(dew_vec(x.x - 0.65, x.y - 0.5, 0));
    return exp(-50 * r * r);
}

// Turns a blob once around and returns the largest error. Both components carry a blob.
static double turn(int cells, dew_Interpolation interpolation, int stages, int workers,
                   uint64_t *hash)
{
    Flow flow = flow_open(2, cells, 0, workers, NULL);
    flow_fill(&flow, FLOW_U, DEW_AT_FACE_X, spin_u);
    flow_fill(&flow, FLOW_V, DEW_AT_FACE_Y, spin_v);
    flow_fill(&flow, FLOW_X, DEW_AT_FACE_X, blob);
    flow_fill(&flow, FLOW_Y, DEW_AT_FACE_Y, blob);
    const double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], NULL};
    double *q[3] = {flow.f[FLOW_X], flow.f[FLOW_Y], NULL};
    double *to[3] = {flow.f[FLOW_B], flow.f[FLOW_Z], NULL};
    int steps = 2 * cells;
    dew_AdvectDef def = dew_default_advect_def();
    def.interpolation = interpolation;
    def.stages = stages;
    def.dt_s = 2 * DEW_PI / steps;
    for (int n = 0; n < steps; n++) {
        const double *const carried[3] = {q[0], q[1], NULL};
        assert_int_equal(dew_velocity_advect(flow.grid, u, carried, &def, to).code, DEW_OK);
        for (int a = 0; a < 2; a++) {
            double *swap = q[a];
            q[a] = to[a];
            to[a] = swap;
        }
    }
    double worst = 0;
    const dew_Grid *g = flow.grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < 64; i++) {
            dew_Vec3 x = dew_grid_position(g, b, i & 7, i >> 3, 0, DEW_AT_FACE_X);
            double error = fabs(q[0][64 * (int64_t)b + i] - blob(x));
            worst = error <= worst ? worst : error;
            assert_true(q[0][64 * (int64_t)b + i] > -1e-12 && q[0][64 * (int64_t)b + i] <= 1);
        }
    if (hash)
        for (int64_t i = 0; i < dew_grid_value_count(g); i++) {
            uint64_t bits;
            memcpy(&bits, &q[0][i], sizeof bits);
            *hash = *hash * 31 + bits;
        }
    flow_close(&flow);
    return worst;
}

static void blobs_turn(void **state)
{
    (void)state;
    double linear = turn(64, DEW_LINEAR, 2, 1, NULL);
    double coarse = turn(32, DEW_CUBIC, 3, 1, NULL), fine = turn(64, DEW_CUBIC, 3, 1, NULL);
    // Cubic interpolation leaves h^4 per step, h^3 per turn; its bound cuts the top, by h^2.
    assert_true(log2(coarse / fine) > 1.7);
    assert_true(fine < 0.1 * linear);
}

static void bit_identical_on_any_number_of_workers(void **state)
{
    (void)state;
    uint64_t hash[3] = {0};
    turn(24, DEW_CUBIC, 3, 1, &hash[0]);
    turn(24, DEW_CUBIC, 3, 2, &hash[1]);
    turn(24, DEW_CUBIC, 3, 7, &hash[2]);
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

// Eight points at once are the same as one by one but for rounding, and bit-identical on all
// machines.
static void rows_are_points(void **state)
{
    (void)state;
    static const double offset[3][3] = {{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Flow flow = flow_open(dimensions, 24, 0, 1, NULL);
        for (int64_t i = 0; i < dew_grid_value_count(flow.grid); i++)
            for (int a = 0; a < 3; a++)
                flow.f[FLOW_U + a][i] = flow_noise((int)(3 * i) + a);
        const double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], flow.f[FLOW_W]};
        dew_SampleTile *t = malloc(sizeof *t);
        dew_sample_tile_load(t, flow.grid, u, NULL, flow.grid->brick_count / 2, 2);
        const dew_TileShape shape = {2, dimensions == 2};
        const double *const tile[3] = {t->u[0], t->u[1], t->u[2]};
        dew_EightPoints p, wide, plain;
        for (int n = 0; n < 50; n++) {
            for (int i = 0; i < 24; i++)
                p.x[i / 8][i % 8] = 4 + 3.9 * flow_noise(24 * n + i);
            dew_row_kernels(true)->velocity(tile, n & 1, shape, &p, &wide);
            dew_row_kernels(false)->velocity(tile, n & 1, shape, &p, &plain);
            assert_memory_equal(&wide, &plain, sizeof wide.x[0] * (size_t)dimensions);
            for (int a = 0; a < dimensions; a++) {
                double cubic[2][8], linear[8];
                dew_row_kernels(true)->cubic(tile[a], offset[a], shape, &p, cubic[0]);
                dew_row_kernels(false)->cubic(tile[a], offset[a], shape, &p, cubic[1]);
                dew_row_kernels(true)->linear(tile[a], offset[a], shape, &p, linear);
                assert_memory_equal(cubic[0], cubic[1], sizeof cubic[0]);
                assert_memory_equal(n & 1 ? cubic[0] : linear, wide.x[a], sizeof linear);
                for (int l = 0; l < 8; l++) {
                    dew_Vec3 x = {p.x[0][l], p.x[1][l], p.x[2][l]};
                    assert_true(fabs(cubic[0][l] - dew_sample_cubic(t, a, x)) < 1e-14);
                    assert_true(fabs(linear[l] - dew_sample_linear(t, a, x)) < 1e-14);
                }
            }
        }
        free(t);
        flow_close(&flow);
    }
}

static double fast(dew_Vec3 x)
{
    (void)x;
    return 1;
}
static double ramp(dew_Vec3 x)
{
    return 3 * x.x;
}

// Ways of many cells leave the tile: the values are looked up, the result is as exact.
static void long_displacements_work_too(void **state)
{
    (void)state;
    Flow flow = flow_open(2, 48, 0, 1, NULL);
    flow_fill(&flow, FLOW_U, DEW_AT_FACE_X, fast);
    flow_fill(&flow, FLOW_X, DEW_AT_FACE_X, ramp);
    const double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], NULL};
    const double *const carried[3] = {flow.f[FLOW_X], flow.f[FLOW_V], NULL};
    double *const to[3] = {flow.f[FLOW_B], flow.f[FLOW_Z], NULL};
    dew_AdvectDef def = dew_default_advect_def();
    def.dt_s = 0.37;  // 18 cells
    assert_int_equal(dew_velocity_advect(flow.grid, u, carried, &def, to).code, DEW_OK);
    for (int32_t b = 0; b < flow.grid->brick_count; b++)
        for (int i = 0; i < 64; i++) {
            dew_Vec3 x = dew_grid_position(flow.grid, b, i & 7, i >> 3, 0, DEW_AT_FACE_X);
            if (x.x > 0.45)
                assert_true(fabs(to[0][64 * (int64_t)b + i] - 3 * (x.x - 0.37)) < 1e-12);
        }
    def.stages = 5;
    assert_int_equal(dew_velocity_advect(flow.grid, u, carried, &def, to).code, DEW_BAD_INPUT);
    flow_close(&flow);
}

// A wall at y = 0.2 below; a flow over it that slips by the length 0.1 and rises from it.
static double wall(dew_Vec3 x)
{
    return x.y - 0.2;
}
static double over_u(dew_Vec3 x)
{
    return x.y > 0.2 ? 2 * (x.y - 0.2 + 0.1) : 77;
}
static double over_v(dew_Vec3 x)
{
    return x.y > 0.2 ? -(x.y - 0.2) : 77;
}

static void ghosts_continue_the_flow(void **state)
{
    (void)state;
    Flow flow = flow_open(2, 40, 0, 1, NULL);
    dew_Arena scratch;
    dew_arena_init(&scratch, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, wall);
    flow_fill(&flow, FLOW_U, DEW_AT_FACE_X, over_u);
    flow_fill(&flow, FLOW_V, DEW_AT_FACE_Y, over_v);
    double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], NULL};
    dew_GhostDef def = {.solid = flow.f[FLOW_PHI], .slip_m = 0.1, .depth_m = 0.1};
    assert_int_equal(dew_velocity_fill_solids(flow.grid, u, &def, &scratch).code, DEW_OK);
    for (int32_t b = 0; b < flow.grid->brick_count; b++)
        for (int i = 0; i < 64; i++) {
            dew_Vec3 x = dew_grid_position(flow.grid, b, i & 7, i >> 3, 0, DEW_AT_FACE_X);
            dew_Vec3 y = dew_grid_position(flow.grid, b, i & 7, i >> 3, 0, DEW_AT_FACE_Y);
            if (x.y > 0.11)
                assert_true(fabs(u[0][64 * (int64_t)b + i] - 2 * (x.y - 0.1)) < 1e-12);
            if (y.y > 0.11 && y.y < 0.2 - 1e-9)
                assert_true(fabs(u[1][64 * (int64_t)b + i] + (y.y - 0.2)) < 1e-12);
        }
    dew_arena_deinit(&scratch);
    flow_close(&flow);
}

static void largest_is_reported(void **state)
{
    (void)state;
    Flow flow = flow_open(3, 16, 0, 1, NULL);
    flow.f[FLOW_U][77] = -3;
    flow.f[FLOW_W][1234] = 2;
    const double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], flow.f[FLOW_W]};
    dew_Vec3 largest = dew_velocity_max(flow.grid, u);
    assert_true(largest.x == 3 && largest.y == 0 && largest.z == 2);
    flow_close(&flow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_exact_for_linear_fields),
        cmocka_unit_test(blobs_turn),
        cmocka_unit_test(rows_are_points),
        cmocka_unit_test(bit_identical_on_any_number_of_workers),
        cmocka_unit_test(long_displacements_work_too),
        cmocka_unit_test(ghosts_continue_the_flow),
        cmocka_unit_test(largest_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
