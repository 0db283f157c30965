// Loops of the implicit step: plain and wide code agree to the bit, with the formulas written out,
// and the cycle over levels is what conjugate gradients need it to be: linear, symmetric, positive,
// and good.
#include "base/arena.h"
#include "base/testing.h"
#include "solvers/surface/implicit_kernels.h"
#include "solvers/surface/multilevel_preconditioner.h"

#include <math.h>
#include <string.h>

enum { SIDE = 24, N = SIDE * SIDE, ENTRIES = 4 * N };

/// A sheet that closes on itself in both directions: each vertex has four neighbours.
typedef struct Sheet {
    int32_t row[N + 1], col[ENTRIES];
    double off[ENTRIES], pivot[N], inverse[N], mass[N], moment[9 * N + 1], coupling[9];
    dew_Double4 vectors[7][N];
    uint8_t is_held[N];
    dew_DropImplicitSystem s;
} Sheet;

static double noise(int64_t key)
{
    return 2 * fmod(fabs(sin(12.9898 * (double)key)) * 43758.5453, 1) - 1;
}

static void make_sheet(Sheet *sheet, double stiffness)
{
    memset(sheet, 0, sizeof *sheet);
    for (int i = 0; i < N; i++) {
        int x = i % SIDE, y = i / SIDE;
        const int next[4] = {(x + 1) % SIDE + y * SIDE, (x + SIDE - 1) % SIDE + y * SIDE,
                             x + (y + 1) % SIDE * SIDE, x + (y + SIDE - 1) % SIDE * SIDE};
        sheet->row[i + 1] = 4 * (i + 1);
        sheet->mass[i] = 1 + 0.3 * noise(i);
        sheet->pivot[i] = sheet->mass[i] + 4 * stiffness;
        sheet->inverse[i] = 1 / sheet->pivot[i];
        for (int k = 0; k < 4; k++) {
            sheet->col[4 * i + k] = next[k];
            sheet->off[4 * i + k] = -stiffness;
        }
        for (int k = 0; k < 9; k++)
            sheet->moment[9 * i + k] = noise(9 * i + k + 1000) / N;
        for (int v = 0; v < 7; v++)
            for (int c = 0; c < 3; c++)
                sheet->vectors[v][i][c] = noise(100000 + 3 * (7 * i + v) + c);
    }
    sheet->moment[9 * N] = 7;  // what lies beyond must not matter
    for (int k = 0; k < 9; k++)
        sheet->coupling[k] = k % 4 == 0 ? 40 : 3;
    double total_mass = 0;
    for (int i = 0; i < N; i++)
        total_mass += sheet->mass[i];
    sheet->s = (dew_DropImplicitSystem){.n = N,
                                        .row = sheet->row,
                                        .col = sheet->col,
                                        .off = sheet->off,
                                        .pivot = sheet->pivot,
                                        .inverse = sheet->inverse,
                                        .mass = sheet->mass,
                                        .moment = sheet->moment,
                                        .coupling = sheet->coupling,
                                        .total_mass = total_mass,
                                        .gradient = sheet->vectors[0],
                                        .volume_direction = sheet->vectors[1],
                                        .solution = sheet->vectors[2],
                                        .residual = sheet->vectors[3],
                                        .preconditioned = sheet->vectors[4],
                                        .direction = sheet->vectors[5],
                                        .image = sheet->vectors[6]};
}

/// A p, vertex by vertex from the definition: (1 - 1 Q)' M (1 - 1 Q) p + Q' Z Q p + K p.
static void apply_by_definition(const Sheet *sheet, double (*out)[3])
{
    const dew_Double4 *p = sheet->vectors[5];
    double u[3] = {0}, w[3] = {0}, sum[3] = {0};
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 9; k++)
            u[k / 3] += sheet->moment[9 * i + k] * p[i][k % 3];
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 3; c++)
            sum[c] += sheet->mass[i] * (p[i][c] - u[c]);
    for (int k = 0; k < 9; k++)
        w[k / 3] += sheet->coupling[k] * u[k % 3];
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 3; c++) {
            double a = sheet->mass[i] * (p[i][c] - u[c]);
            a += (sheet->pivot[i] - sheet->mass[i]) * p[i][c];
            for (int e = sheet->row[i]; e < sheet->row[i + 1]; e++)
                a += sheet->off[e] * p[sheet->col[e]][c];
            for (int k = 0; k < 3; k++)
                a += sheet->moment[9 * i + 3 * k + c] * (w[k] - sum[k]);
            out[i][c] = a;
        }
}

static Sheet plain, wide;

static void applies_the_matrix(void **state)
{
    (void)state;
    static double expected[N][3];
    static dew_Double4 before[N];
    dew_DropImplicitImage image;
    make_sheet(&plain, 5);
    memcpy(before, plain.vectors[3], sizeof before);
    apply_by_definition(&plain, expected);
    dew_drop_implicit_apply(&plain.s, &image);
    dew_drop_implicit_descend(&plain.s, &image, 1);
    double curvature = 0;
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 3; c++) {
            curvature += expected[i][c] * plain.vectors[5][i][c];
            // Sums of some N terms of size ten: rounding below 1e-12.
            assert_true(fabs(before[i][c] - plain.vectors[3][i][c] - expected[i][c]) < 1e-11);
        }
    assert_true(fabs(image.curvature / curvature - 1) < 1e-12);
    for (int i = 0; i < N; i++)
        assert_true(plain.vectors[3][i][3] == 0);
}

static void is_the_same_plain_and_wide(void **state)
{
    (void)state;
    if (!dew_drop_implicit_has_wide())
        skip();
    Sheet *const both[2] = {&plain, &wide};
    dew_DropImplicitImage image[2];
    double flow[2], product[2];
    memset(image, 0, sizeof image);
    for (int k = 0; k < 2; k++) {
        make_sheet(both[k], 5);
        both[k]->s.is_wide = k == 1;
        dew_drop_implicit_apply(&both[k]->s, &image[k]);
        dew_drop_implicit_descend(&both[k]->s, &image[k], 0.37);
        dew_drop_implicit_scale(&both[k]->s);
        flow[k] = dew_drop_implicit_flow(&both[k]->s);
        product[k] = dew_drop_implicit_project(&both[k]->s, -0.21);
        dew_drop_implicit_turn(&both[k]->s, 0.43);
    }
    assert_memory_equal(&image[0], &image[1], sizeof image[0]);
    assert_memory_equal(plain.vectors, wide.vectors, sizeof plain.vectors);
    assert_true(flow[0] == flow[1] && product[0] == product[1]);
}

static double product(const dew_Float4 *a, const dew_Float4 *b)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 3; c++)
            sum += (double)a[i][c] * (double)b[i][c];
    return sum;
}

static void levels_are_symmetric_and_positive(void **state)
{
    (void)state;
    static dew_Float4 right[2][N], answer[2][N];
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    make_sheet(&plain, 1e4);
    for (int i = 0; i < SIDE; i++)
        plain.is_held[i] = 1;
    static dew_DropMultilevel m;
    assert_int_equal(dew_drop_multilevel_make(&m, &arena, &plain.s, plain.is_held).code, DEW_OK);
    assert_true(m.count >= 3);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < N; i++)
            right[k][i] = __builtin_convertvector(plain.vectors[k][i], dew_Float4);
        memcpy(m.levels[0].right, right[k], sizeof right[k]);
        dew_drop_multilevel_apply(&m);
        memcpy(answer[k], m.levels[0].solution, sizeof answer[k]);
        for (int i = 0; i < SIDE; i++)
            assert_true(answer[k][i][0] == 0 && answer[k][i][2] == 0);
    }
    double ab = product(right[0], answer[1]), ba = product(right[1], answer[0]);
    double aa = product(right[0], answer[0]), bb = product(right[1], answer[1]);
    assert_true(aa > 0 && bb > 0);
    assert_true(fabs(ab - ba) < 1e-5 * sqrt(aa * bb));  // single precision
    dew_arena_deinit(&arena);
}

/// Richardson's iteration with the cycle: how much the error shrinks tells how good it is.
static void levels_come_close_to_the_inverse(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    make_sheet(&plain, 1e4);
    static dew_DropMultilevel m;
    assert_int_equal(dew_drop_multilevel_make(&m, &arena, &plain.s, plain.is_held).code, DEW_OK);
    // Of A x = b with b = A 1 = m the answer is 1; Jacobi would need thousands of steps.
    static double x[N], r[N];
    memset(x, 0, sizeof x);
    for (int k = 0; k < 60; k++) {
        for (int i = 0; i < N; i++) {
            r[i] = plain.mass[i] - plain.pivot[i] * x[i];
            for (int e = plain.row[i]; e < plain.row[i + 1]; e++)
                r[i] -= plain.off[e] * x[plain.col[e]];
            m.levels[0].right[i] = (dew_Float4){(float)r[i], 0, 0, 0};
        }
        dew_drop_multilevel_apply(&m);
        for (int i = 0; i < N; i++)
            x[i] += 0.5 * (double)m.levels[0].solution[i][0];  // coarse corrections may overshoot
    }
    for (int i = 0; i < N; i++)
        assert_true(fabs(x[i] - 1) < 0.01);
    dew_arena_deinit(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applies_the_matrix),
        cmocka_unit_test(is_the_same_plain_and_wide),
        cmocka_unit_test(levels_are_symmetric_and_positive),
        cmocka_unit_test(levels_come_close_to_the_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
