// Poisson's equation on bricks: the matrix, the cycle, pools, methods, workers, memory.
#include "grid/poisson.h"

#include "grid/flow_testing.h"

static double two_drops(dew_Vec3 x)
{
    x.z = x.z < 0.02 ? 0.5 : x.z;  // disks in two dimensions
    double a = dew_distance(x, dew_vec(0.31, 0.4, 0.5)) - 0.23;
    double b = dew_distance(x, dew_vec(0.77, 0.61, 0.5)) - 0.17;
    return fmin(a, b);
}

static double everywhere(dew_Vec3 x)
{
    (void)x;
    return -1;
}

// A wall with a hole partly open, and cells cut by it.
static double partly_open(dew_Vec3 x)
{
    return fabs(x.x - 0.5) < 0.04 ? (fabs(x.y - 0.4) < 0.1 ? 0.3 : 0) : 1;
}

static double no_hole(dew_Vec3 x)
{
    return fabs(x.x - 0.5) < 1e-6 ? 0 : 1;
}

static double wave(dew_Vec3 x)
{
    return sin(9 * x.x) * cos(7 * x.y + 2 * x.z);
}

static void add_noise(const Flow *flow, int field)
{
    for (int64_t i = 0; i < dew_grid_value_count(flow->grid); i++)
        flow->f[field][i] += flow_noise(i);
}

static double dot(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

// Two vectors of the system, of noise where there are equations, and room for two more.
static double *noise_vectors(const dew_Poisson *p)
{
    int64_t n = p->value_count;
    double *v = calloc((size_t)(4 * n), sizeof(double));
    for (int64_t i = 0; i < 2 * n; i++)
        v[i] = flow_noise(i + 99);
    const dew_MgLevel *level = &p->mg.level[0];
    for (int64_t b = 0; b < p->brick_count; b++)
        for (int i = 0; i < level->brick_cells; i++) {
            int64_t at = b * level->brick_cells + dew_mg_place(level->depth, i);
            if (!(level->inverse[dew_mg_at(level, b, i)] > 0))
                v[at] = v[n + at] = 0;
        }
    return v;
}

static void check_symmetry(int dimensions, bool has_wall)
{
    Flow flow = flow_open(dimensions, 40, 0, 1, NULL);
    dew_Poisson p;
    dew_poisson_init(&p, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, two_drops);
    flow_fill(&flow, FLOW_X, DEW_AT_FACE_X, partly_open);
    dew_PoissonDef def = dew_default_poisson_def();
    def.phi = flow.f[FLOW_PHI];
    def.open[0] = has_wall ? flow.f[FLOW_X] : NULL;
    assert_int_equal(dew_poisson_assemble(&p, flow.grid, &def).code, DEW_OK);
    int64_t n = p.value_count;
    double *x = noise_vectors(&p), *y = x + n, *ax = y + n, *ay = ax + n;
    dew_poisson_apply(&p, x, ax);
    dew_poisson_apply(&p, y, ay);
    double size = sqrt(dot(ax, ax, n) * dot(y, y, n));
    assert_true(fabs(dot(y, ax, n) - dot(x, ay, n)) < 1e-12 * size);
    assert_true(dot(x, ax, n) > 0);
    // The cycle works in float: 24 bits, a few dozen operations deep.
    dew_multigrid_cycle(&p.mg, x, 1, ax, NULL);
    dew_multigrid_cycle(&p.mg, y, 1, ay, NULL);
    size = sqrt(dot(ax, ax, n) * dot(y, y, n));
    assert_true(fabs(dot(y, ax, n) - dot(x, ay, n)) < 1e-5 * size);
    assert_true(dot(x, ax, n) > 0);
    free(x);
    dew_poisson_deinit(&p);
    flow_close(&flow);
}

static void matrix_and_cycle_are_symmetric(void **state)
{
    (void)state;
    check_symmetry(3, false);
    check_symmetry(3, true);
    check_symmetry(2, true);
}

// One cycle must take most of the error away: that is what makes few iterations.
static void cycle_reduces_errors(void **state)
{
    (void)state;
    Flow flow = flow_open(3, 40, 0, 1, NULL);
    dew_Poisson p;
    dew_poisson_init(&p, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, two_drops);
    dew_PoissonDef def = dew_default_poisson_def();
    def.phi = flow.f[FLOW_PHI];
    assert_int_equal(dew_poisson_assemble(&p, flow.grid, &def).code, DEW_OK);
    int64_t n = p.value_count;
    double *x = noise_vectors(&p), *b = x + n, *z = b + n;
    for (int i = 0; i < 4; i++) {  // errors of a kind that the cycle cannot smooth at once
        dew_poisson_apply(&p, x, b);
        dew_multigrid_cycle(&p.mg, b, 1, z, NULL);
        double before = dot(x, b, n);
        for (int64_t j = 0; j < n; j++)
            x[j] -= z[j];
        dew_poisson_apply(&p, x, b);
        // In the energy norm a V(2,2) cycle with red-black sweeps leaves about a tenth
        // [Trottenberg2001]; at a curved free surface it may be some more.
        assert_true(sqrt(dot(x, b, n) / before) < 0.35);
    }
    free(x);
    dew_poisson_deinit(&p);
    flow_close(&flow);
}

static void kernels_are_bit_identical(void **state)
{
    (void)state;
    Flow flow = flow_open(3, 40, 0, 1, NULL);
    dew_Poisson p;
    dew_poisson_init(&p, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, two_drops);
    dew_PoissonDef def = dew_default_poisson_def();
    def.phi = flow.f[FLOW_PHI];
    assert_int_equal(dew_poisson_assemble(&p, flow.grid, &def).code, DEW_OK);
    int64_t n = p.value_count;
    double *x = noise_vectors(&p), *wide = x + n, *plain = wide + n;
    for (int what = 0; what < 2; what++) {
        p.mg.kernels = dew_mg_kernels(true);
        what == 0 ? dew_poisson_apply(&p, x, wide) : dew_multigrid_cycle(&p.mg, x, 1, wide, NULL);
        p.mg.kernels = dew_mg_kernels(false);
        what == 0 ? dew_poisson_apply(&p, x, plain) : dew_multigrid_cycle(&p.mg, x, 1, plain, NULL);
        assert_memory_equal(wide, plain, (size_t)n * sizeof(double));
    }
    free(x);
    dew_poisson_deinit(&p);
    flow_close(&flow);
}

static void all_methods_agree(void **state)
{
    (void)state;
    Flow flow = flow_open(3, 24, 0, 1, NULL);
    dew_Poisson p;
    dew_Arena scratch;
    dew_poisson_init(&p, NULL);
    dew_arena_init(&scratch, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, two_drops);
    flow_fill(&flow, FLOW_X, DEW_AT_FACE_X, partly_open);
    flow_fill(&flow, FLOW_B, DEW_AT_CELL, wave);
    add_noise(&flow, FLOW_B);
    dew_PoissonDef def = dew_default_poisson_def();
    def.phi = flow.f[FLOW_PHI];
    def.open[0] = flow.f[FLOW_X];
    def.p_surface = flow.f[FLOW_B];
    def.relaxation = 1.7;
    def.solve = (dew_SolveDef){.tolerance = 1e-11, .max_iterations = 2000};
    int64_t values = dew_grid_value_count(flow.grid);
    int iterations[4];
    for (int m = 0; m < 4; m++) {
        double *to = flow.f[m == 0 ? FLOW_P : FLOW_U];
        dew_SolveReport report;
        memset(to, 0, (size_t)values * sizeof(double));
        def.method = (dew_PoissonMethod)m;
        assert_int_equal(dew_poisson_assemble(&p, flow.grid, &def).code, DEW_OK);
        assert_int_equal(dew_poisson_solve(&p, flow.f[FLOW_B], to, &scratch, &report).code, DEW_OK);
        assert_true(report.residual <= 1e-11);
        iterations[m] = report.iterations;
        // |error| <= |inverse| |residual|; the drops are below 12 cells wide, so |inverse| < 12^2.
        for (int64_t i = 0; i < values && m > 0; i++)
            assert_true(fabs(flow.f[FLOW_P][i] - to[i]) < 1e-11 * 144 * sqrt((double)values));
    }
    assert_true(iterations[0] < iterations[1] && iterations[1] < iterations[2]);
    dew_arena_deinit(&scratch);
    dew_poisson_deinit(&p);
    flow_close(&flow);
}

// A box cut in two by a wall has two pools without free surface; each solves up to a constant.
static void closed_pools_are_found(void **state)
{
    (void)state;
    Flow flow = flow_open(3, 32, 0, 1, NULL);
    dew_Poisson p;
    dew_Arena scratch;
    dew_SolveReport report;
    dew_poisson_init(&p, NULL);
    dew_arena_init(&scratch, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, everywhere);
    flow_fill(&flow, FLOW_X, DEW_AT_FACE_X, no_hole);
    flow_fill(&flow, FLOW_B, DEW_AT_CELL, wave);
    dew_PoissonDef def = dew_default_poisson_def();
    def.phi = flow.f[FLOW_PHI];
    def.open[0] = flow.f[FLOW_X];
    def.solve.tolerance = 1e-9;
    assert_int_equal(dew_poisson_assemble(&p, flow.grid, &def).code, DEW_OK);
    assert_int_equal(p.pools.count, 2);
    assert_int_equal(dew_poisson_solve(&p, flow.f[FLOW_B], flow.f[FLOW_P], &scratch, &report).code,
                     DEW_OK);
    assert_true(report.iterations < 15);
    double mean[2] = {0};
    for (int64_t i = 0; i < p.value_count; i++)
        mean[p.pool_of[i]] += flow.f[FLOW_P][(int64_t)p.brick[i / 512] * 512 + i % 512];
    for (int i = 0; i < 2; i++)
        assert_true(fabs(mean[i]) < 1e-6);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, two_drops);
    def.open[0] = NULL;
    assert_int_equal(dew_poisson_assemble(&p, flow.grid, &def).code, DEW_OK);
    assert_int_equal(p.pools.count, 0);
    dew_arena_deinit(&scratch);
    dew_poisson_deinit(&p);
    flow_close(&flow);
}

static void bit_identical_on_any_number_of_workers(void **state)
{
    (void)state;
    static const int workers[] = {1, 2, 7};
    double *first = NULL;
    for (int w = 0; w < 3; w++) {
        Flow flow = flow_open(3, 40, 0, workers[w], NULL);
        dew_Poisson p;
        dew_Arena scratch;
        dew_SolveReport report;
        dew_poisson_init(&p, NULL);
        dew_arena_init(&scratch, NULL);
        flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, two_drops);
        flow_fill(&flow, FLOW_B, DEW_AT_CELL, wave);
        dew_PoissonDef def = dew_default_poisson_def();
        def.phi = flow.f[FLOW_PHI];
        assert_int_equal(dew_poisson_assemble(&p, flow.grid, &def).code, DEW_OK);
        assert_int_equal(
            dew_poisson_solve(&p, flow.f[FLOW_B], flow.f[FLOW_P], &scratch, &report).code, DEW_OK);
        size_t bytes = (size_t)dew_grid_value_count(flow.grid) * sizeof(double);
        if (!first) {
            first = malloc(bytes);
            memcpy(first, flow.f[FLOW_P], bytes);
        }
        assert_memory_equal(first, flow.f[FLOW_P], bytes);
        dew_arena_deinit(&scratch);
        dew_poisson_deinit(&p);
        flow_close(&flow);
    }
    free(first);
}

static void failure_is_a_sentence(void **state)
{
    (void)state;
    Flow flow = flow_open(3, 24, 0, 1, NULL);
    dew_Poisson p;
    dew_Arena scratch;
    dew_SolveReport report;
    dew_poisson_init(&p, NULL);
    dew_arena_init(&scratch, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, two_drops);
    flow_fill(&flow, FLOW_B, DEW_AT_CELL, wave);
    dew_PoissonDef def = dew_default_poisson_def();
    def.phi = flow.f[FLOW_PHI];
    def.solve.max_iterations = 2;
    for (int m = 0; m < 4; m++) {
        def.method = (dew_PoissonMethod)m;
        memset(flow.f[FLOW_P], 0, (size_t)dew_grid_value_count(flow.grid) * sizeof(double));
        assert_int_equal(dew_poisson_assemble(&p, flow.grid, &def).code, DEW_OK);
        dew_Status status =
            dew_poisson_solve(&p, flow.f[FLOW_B], flow.f[FLOW_P], &scratch, &report);
        assert_int_equal(status.code, DEW_DIVERGED);
        assert_non_null(strstr(status.message, "pressure"));
        assert_non_null(strstr(status.message, "after 2"));
        assert_true(flow.f[FLOW_P][0] == 0);  // p stays as it was
    }
    dew_arena_deinit(&scratch);
    dew_poisson_deinit(&p);
    flow_close(&flow);
}

// Assembles and solves three times with an allocator that counts; returns the allocations of the
// last.
static long long solve_three_times(const dew_Allocator *allocator, dew_Torture *torture,
                                   dew_Status *status)
{
    Flow flow = flow_open(3, 16, 0, 1, NULL);
    dew_Poisson p;
    dew_Arena scratch;
    dew_SolveReport report;
    long long last = 0;
    dew_poisson_init(&p, allocator);
    dew_arena_init(&scratch, allocator);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, everywhere);
    flow_fill(&flow, FLOW_B, DEW_AT_CELL, wave);
    dew_PoissonDef def = dew_default_poisson_def();
    def.phi = flow.f[FLOW_PHI];
    def.method = DEW_POISSON_MULTIGRID;
    *status = dew_ok();
    for (int i = 0; i < 3 && status->code == DEW_OK; i++) {
        long long before = torture->calls;
        *status = dew_poisson_assemble(&p, flow.grid, &def);
        if (status->code == DEW_OK)
            *status = dew_poisson_solve(&p, flow.f[FLOW_B], flow.f[FLOW_P], &scratch, &report);
        last = torture->calls - before;
        dew_arena_clear(&scratch);
    }
    dew_arena_deinit(&scratch);
    dew_poisson_deinit(&p);
    flow_close(&flow);
    return last;
}

static void memory_is_kept_and_lack_of_it_survived(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Status status;
        long long last = solve_three_times(&allocator, &torture, &status);
        assert_true(torture.blocks == 0 && !torture.was_lied_to);
        if (torture.calls <= n) {
            assert_int_equal(status.code, DEW_OK);
            assert_int_equal(last, 0);
            break;
        }
        assert_int_equal(status.code, DEW_NO_MEMORY);
    }
}

static void theta_finds_the_surface(void **state)
{
    (void)state;
    // Straight, and a circle of radius 8 cells seen along a chord: phi = sqrt(x^2 + 16) - 8.
    assert_true(fabs(dew_poisson_theta(-1.3, -0.3, 0.7, 1.7) - 0.3) < 1e-14);
    double x = sqrt(48.0), phi[4];
    for (int i = 0; i < 4; i++)
        phi[i] = sqrt((5 + i) * (5 + i) + 16.0) - 8;  // cells at 5, 6, 7, 8; the surface at 6.93
    double theta = dew_poisson_theta(phi[0], phi[1], phi[2], phi[3]);
    double linear = phi[1] / (phi[1] - phi[2]);
    assert_true(fabs(theta - (x - 6)) < 0.25 * fabs(linear - (x - 6)));
    assert_true(dew_poisson_theta(-5, 0, 1, 2) >= 0 && dew_poisson_theta(5, -1, 1e-3, -4) <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theta_finds_the_surface),
        cmocka_unit_test(matrix_and_cycle_are_symmetric),
        cmocka_unit_test(cycle_reduces_errors),
        cmocka_unit_test(kernels_are_bit_identical),
        cmocka_unit_test(all_methods_agree),
        cmocka_unit_test(closed_pools_are_found),
        cmocka_unit_test(bit_identical_on_any_number_of_workers),
        cmocka_unit_test(failure_is_a_sentence),
        cmocka_unit_test(memory_is_kept_and_lack_of_it_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
