// Conjugate gradients and incomplete Cholesky on matrices with known answers.
#include "base/testing.h"
#include "num/cg.h"
#include "num/mic0.h"

#include <math.h>
#include <string.h>

enum { SIDE = 40, COUNT = SIDE * SIDE };

// Five-point Laplacian on a square with zero around it.
static dew_Status laplace(void *context, const double *x, double *y, double *products)
{
    (void)context;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            int c = i + SIDE * j;
            double sum = 4 * x[c];
            sum -= i > 0 ? x[c - 1] : 0;
            sum -= i < SIDE - 1 ? x[c + 1] : 0;
            sum -= j > 0 ? x[c - SIDE] : 0;
            sum -= j < SIDE - 1 ? x[c + SIDE] : 0;
            y[c] = sum;
        }
    dew_cg_block_products(NULL, x, y, COUNT, products);
    return dew_ok();
}

static dew_Status solve_mic0(void *context, const double *x, double *y, double *products)
{
    dew_mic0_solve(context, x, y);
    dew_cg_block_products(NULL, x, y, COUNT, products);
    return dew_ok();
}

static dew_Status build_mic0(dew_Mic0 *mic0, dew_Arena *arena, double tuning)
{
    DEW_TRY(dew_mic0_alloc(mic0, arena, COUNT, 2 * COUNT));
    int64_t e = 0;
    for (int c = 0; c < COUNT; c++) {
        mic0->begin[c] = e;
        mic0->diagonal[c] = 4;
        int near[2] = {c >= SIDE ? c - SIDE : -1, c % SIDE > 0 ? c - 1 : -1};
        for (int n = 0; n < 2; n++)
            if (near[n] >= 0) {
                mic0->column[e] = near[n];
                mic0->entry[e++] = -1;
            }
    }
    mic0->begin[COUNT] = e;
    return dew_mic0_factor(mic0, tuning, arena);
}

static double wanted(int c)
{
    return sin(0.37 * c) + 0.01 * c;
}

// Solves A x = A wanted and returns the iterations; the answer must be right.
static int iterations_of(dew_Tasks *tasks, dew_LinearFn *precondition, void *context, double *x)
{
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    double b[COUNT], exact[COUNT];
    for (int c = 0; c < COUNT; c++)
        exact[c] = wanted(c);
    double products[COUNT / DEW_CG_BLOCK + 1];
    laplace(NULL, exact, b, products);
    memset(x, 0, sizeof b);
    dew_SolveDef def = {.tolerance = 1e-10, .max_iterations = 500};
    dew_SolveReport report;
    dew_LinearSystem system = {COUNT, laplace, precondition, context};
    dew_Status status = dew_cg_solve(tasks, &arena, &system, &def, b, x, &report);
    assert_ok(status);
    assert_true(report.residual <= 1e-10);
    // |error| <= |residual| / smallest eigenvalue, 8 sin^2(pi / 2 (n + 1)); |b| is below 8 |exact|.
    double s = sin(DEW_PI / (2 * (SIDE + 1))), bound = 1e-10 * 8 / (8 * s * s), norm = 0, error = 0;
    for (int c = 0; c < COUNT; c++) {
        norm += exact[c] * exact[c];
        error += (x[c] - exact[c]) * (x[c] - exact[c]);
    }
    assert_true(sqrt(error) <= bound * sqrt(norm));
    dew_arena_deinit(&arena);
    return report.iterations;
}

static void solves_and_preconditioning_helps(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_Mic0 ic, mic;
    double x[COUNT];
    dew_arena_init(&arena, NULL);
    assert_ok(build_mic0(&ic, &arena, 0));
    assert_ok(build_mic0(&mic, &arena, 0.97));
    int plain = iterations_of(NULL, NULL, NULL, x);
    int with_ic = iterations_of(NULL, solve_mic0, &ic, x);
    int with_mic = iterations_of(NULL, solve_mic0, &mic, x);
    // IC(0) improves the condition by a factor, MIC(0) its order, h^-2 to h^-1 [Gustafsson1978].
    assert_true(with_ic < 0.5 * plain);
    assert_true(with_mic < 0.75 * with_ic);
    dew_arena_deinit(&arena);
}

static void factor_of_a_tridiagonal_matrix_is_exact(void **state)
{
    (void)state;
    enum { N = 50 };
    dew_Arena arena;
    dew_Mic0 mic0;
    double x[N], b[N];
    dew_arena_init(&arena, NULL);
    assert_ok(dew_mic0_alloc(&mic0, &arena, N, N));
    for (int i = 0; i < N; i++) {
        mic0.begin[i + 1] = i;  // row i + 1 begins with the entry of row i + 1, the i-th
        mic0.diagonal[i] = 2.5;
        if (i > 0) {
            mic0.column[i - 1] = i - 1;
            mic0.entry[i - 1] = -1;
        }
        x[i] = cos(i);
    }
    for (int i = 0; i < N; i++)
        b[i] = 2.5 * x[i] - (i > 0 ? x[i - 1] : 0) - (i < N - 1 ? x[i + 1] : 0);
    assert_ok(dew_mic0_factor(&mic0, 1, &arena));
    dew_mic0_solve(&mic0, b, b);
    for (int i = 0; i < N; i++)
        assert_true(fabs(b[i] - x[i]) < 1e-13);
    dew_arena_deinit(&arena);
}

static void bit_identical_on_any_number_of_workers(void **state)
{
    (void)state;
    double first[COUNT], x[COUNT];
    static const int workers[] = {1, 2, 7};
    for (int i = 0; i < 3; i++) {
        dew_Tasks *tasks;
        dew_TasksDef def = dew_default_tasks_def();
        def.worker_count = workers[i];
        def.reverse_chunks = i == 1;
        assert_ok(dew_tasks_create(&def, &tasks));
        iterations_of(tasks, NULL, NULL, i == 0 ? first : x);
        if (i > 0)
            assert_memory_equal(first, x, sizeof x);
        dew_tasks_destroy(tasks);
    }
}

static dew_Status minus(void *context, const double *x, double *y, double *products)
{
    (void)context;
    for (int c = 0; c < COUNT; c++)
        y[c] = -x[c];
    dew_cg_block_products(NULL, x, y, COUNT, products);
    return dew_ok();
}

static void failure_is_a_sentence(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    double b[COUNT], x[COUNT] = {0};
    for (int c = 0; c < COUNT; c++)
        b[c] = wanted(c);
    dew_SolveDef def = {.tolerance = 1e-10, .max_iterations = 5};
    dew_SolveReport report;
    dew_LinearSystem system = {COUNT, laplace, NULL, NULL};
    dew_Status status = dew_cg_solve(NULL, &arena, &system, &def, b, x, &report);
    assert_int_equal(status.code, DEW_DIVERGED);
    assert_non_null(strstr(status.message, "after 5 iterations"));
    assert_int_equal(report.iterations, 5);
    assert_true(report.residual > 1e-10);
    system.apply = minus;  // not positive definite
    memset(x, 0, sizeof x);
    assert_int_equal(dew_cg_solve(NULL, &arena, &system, &def, b, x, &report).code, DEW_DIVERGED);
    b[7] = (double)NAN;
    system.apply = laplace;
    status = dew_cg_solve(NULL, &arena, &system, &def, b, x, &report);
    assert_int_equal(status.code, DEW_DIVERGED);
    assert_non_null(strstr(status.message, "not finite"));
    dew_arena_deinit(&arena);
}

static void zero_in_zero_out(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    double b[COUNT] = {0}, x[COUNT];
    for (int c = 0; c < COUNT; c++)
        x[c] = wanted(c);
    dew_SolveDef def = dew_default_solve_def();
    dew_SolveReport report;
    dew_LinearSystem system = {COUNT, laplace, NULL, NULL};
    assert_ok(dew_cg_solve(NULL, &arena, &system, &def, b, x, &report));
    assert_int_equal(report.iterations, 0);
    for (int c = 0; c < COUNT; c++)
        assert_true(x[c] == 0);
    dew_arena_deinit(&arena);
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    double b[COUNT] = {1}, x[COUNT] = {0};
    dew_SolveDef def = dew_default_solve_def();
    dew_SolveReport report;
    dew_LinearSystem system = {COUNT, laplace, NULL, NULL};
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Arena arena;
        dew_arena_init(&arena, &allocator);
        dew_Status status = dew_cg_solve(NULL, &arena, &system, &def, b, x, &report);
        dew_arena_deinit(&arena);
        assert_true(torture.blocks == 0 && !torture.was_lied_to);
        if (torture.calls <= n) {
            assert_ok(status);
            break;
        }
        // An arena that is refused a large block tries a smaller one.
        assert_true(status.code == DEW_NO_MEMORY || status.code == DEW_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_and_preconditioning_helps),
        cmocka_unit_test(factor_of_a_tridiagonal_matrix_is_exact),
        cmocka_unit_test(bit_identical_on_any_number_of_workers),
        cmocka_unit_test(failure_is_a_sentence),
        cmocka_unit_test(zero_in_zero_out),
        cmocka_unit_test(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
