// Viscosity: what must not be damped, symmetry, workers, failure. Rates of decay are in validate.
#include "grid/viscosity.h"

#include "grid/flow_testing.h"

static double drop(dew_Vec3 x)
{
    return dew_distance(x, dew_vec(0.47, 0.52, 0.5)) - 0.31;
}
static double disk(dew_Vec3 x)
{
    return drop(dew_vec(x.x, x.y, 0.5));
}
static double plate(dew_Vec3 x)
{
    return x.y + 0.3 * x.x - 0.41;
}
static double rigid_u(dew_Vec3 x)
{
    return 0.2 - 3 * (x.y - 0.4) + 2 * x.z;
}
static double rigid_v(dew_Vec3 x)
{
    return -0.1 + 3 * (x.x - 0.3) - x.z;
}
static double rigid_w(dew_Vec3 x)
{
    return 0.5 - 2 * x.x + x.y;
}

// A rotating, moving drop has no strain, however viscous: not even at its surface.
static void rigid_motion_is_not_damped(void **state)
{
    (void)state;
    Flow flow = flow_open(3, 24, 0, 1, NULL);
    dew_Arena scratch;
    dew_arena_init(&scratch, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, drop);
    flow_fill(&flow, FLOW_U, DEW_AT_FACE_X, rigid_u);
    flow_fill(&flow, FLOW_V, DEW_AT_FACE_Y, rigid_v);
    flow_fill(&flow, FLOW_W, DEW_AT_FACE_Z, rigid_w);
    double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], flow.f[FLOW_W]};
    dew_ViscosityDef def = dew_default_viscosity_def();
    def.phi = flow.f[FLOW_PHI];
    def.viscosity_Pa_s = 1e3;
    def.dt_s = 0.1;
    dew_SolveReport report;
    assert_int_equal(dew_viscosity_run(flow.grid, &def, u, &scratch, &report).code, DEW_OK);
    for (int32_t b = 0; b < flow.grid->brick_count; b++)
        for (int i = 0; i < 512; i++) {
            int64_t at = 512 * (int64_t)b + i;
            dew_Vec3 x = dew_grid_position(flow.grid, b, i & 7, i >> 3 & 7, i >> 6, DEW_AT_FACE_X);
            assert_true(fabs(u[0][at] - rigid_u(x)) < 1e-9);
        }
    dew_arena_deinit(&scratch);
    flow_close(&flow);
}

static double inverse_of(const dew_ViscousForm *form, int64_t i)
{
    int64_t cells = form->grid->brick_cells;
    int32_t which = form->coefficients[i % form->values / cells];
    return which < 0 ? 1 / dew_viscous_plain_diagonal(form)
                     : (double)form->bricks[which].inverse[i / form->values][i % cells];
}

static void diagonal_is_that_of_unit_vectors(const dew_ViscousForm *form, double *x, double *ax)
{
    int64_t n = form->grid->dimensions * form->values;
    for (int64_t i = 17; i < n; i += n / 7) {
        memset(x, 0, (size_t)n * sizeof(double));
        x[i] = 1;
        dew_viscous_form_apply(form, x, ax, NULL);
        assert_true(fabs(ax[i] * inverse_of(form, i) - (ax[i] != 0)) < 1e-6);  // float
    }
}

static void form_is_symmetric_and_positive(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Flow flow = flow_open(dimensions, 24, 8, 1, NULL);
        dew_Arena arena;
        dew_arena_init(&arena, NULL);
        flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, dimensions == 3 ? drop : disk);
        flow_fill(&flow, FLOW_X, DEW_AT_CELL, plate);
        dew_ViscosityDef def = dew_default_viscosity_def();
        def.phi = flow.f[FLOW_PHI];
        def.solid = flow.f[FLOW_X];
        def.slip_m = 0.02;
        dew_ViscousForm form = {.grid = flow.grid, .def = &def, .stiffness = 3};
        assert_int_equal(dew_viscous_form_make(&form, &arena).code, DEW_OK);
        int64_t n = dimensions * form.values, cells = flow.grid->brick_cells;
        double *x = calloc((size_t)(4 * n), sizeof(double)), *y = x + n, *ax = y + n, *ay = ax + n;
        for (int64_t i = 0; i < n; i++) {
            int64_t at = form.brick[i % form.values / cells] * cells + i % cells;
            bool is_free = form.state[i / form.values][at] == DEW_FACE_FREE;
            x[i] = is_free ? flow_noise(i) : 0;
            y[i] = is_free ? flow_noise(i + n) : 0;
        }
        dew_viscous_form_apply(&form, x, ax, NULL);
        dew_viscous_form_apply(&form, y, ay, NULL);
        double xay = 0, yax = 0, xax = 0, size = 0;
        for (int64_t i = 0; i < n; i++) {
            xay += x[i] * ay[i];
            yax += y[i] * ax[i];
            xax += x[i] * ax[i];
            size += fabs(x[i] * ay[i]);
        }
        assert_true(size > 1 && fabs(xay - yax) < 1e-13 * size);
        assert_true(xax > 0);
        diagonal_is_that_of_unit_vectors(&form, x, ax);
        // No vector grows by more than the bound of the eigenvalues of D^-1 A, which is at most 4.
        assert_true(form.largest >= 1 && form.largest <= 4);
        free(x);
        dew_arena_deinit(&arena);
        flow_close(&flow);
    }
}

// Between a wall at rest and one that moves along at speed 1; each slips by its own length. The
// profile is the straight line that has the walls' speeds behind them by these lengths.
static const double lower_wall = 0.41, upper_wall = 0.51, lower_slip = 0.02, upper_slip = 0.05;

static double gap(dew_Vec3 x)
{
    return fmin(x.y - lower_wall, upper_wall - x.y);
}

static double slip_of_nearest(dew_Vec3 x)
{
    return x.y < 0.5 * (lower_wall + upper_wall) ? lower_slip : upper_slip;
}

static double speed_of_nearest(dew_Vec3 x)
{
    return x.y < 0.5 * (lower_wall + upper_wall) ? 0 : 1;
}

static double open_fraction(dew_Vec3 x)
{
    return gap(x) > 0 ? 1 : 0;
}

static void walls_slip_by_their_own_lengths(void **state)
{
    (void)state;
    Flow flow = flow_open(2, 96, 0, 1, NULL);
    dew_Arena scratch;
    dew_SolveReport report;
    dew_arena_init(&scratch, NULL);
    flow_fill(&flow, FLOW_X, DEW_AT_CELL, gap);
    flow_fill(&flow, FLOW_Y, DEW_AT_CELL, slip_of_nearest);
    flow_fill(&flow, FLOW_Z, DEW_AT_FACE_X, speed_of_nearest);
    flow_fill(&flow, FLOW_P, DEW_AT_FACE_X, open_fraction);
    flow_fill(&flow, FLOW_B, DEW_AT_FACE_Y, open_fraction);
    double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], NULL};
    dew_ViscosityDef def = dew_default_viscosity_def();
    def.open[0] = flow.f[FLOW_P];
    def.open[1] = flow.f[FLOW_B];
    def.solid = flow.f[FLOW_X];
    def.slip = flow.f[FLOW_Y];
    def.wall_u[0] = flow.f[FLOW_Z];
    def.density_kg_m3 = 1;
    def.viscosity_Pa_s = 1;
    def.dt_s = 1e3;
    def.solve.tolerance = 1e-10;
    assert_int_equal(dew_viscosity_run(flow.grid, &def, u, &scratch, &report).code, DEW_OK);
    double worst = 0;
    const dew_Grid *g = flow.grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++) {
            dew_Vec3 x = dew_grid_position(g, b, i & 7, i >> 3 & 7, i >> 6, DEW_AT_FACE_X);
            double line = (x.y - lower_wall + lower_slip) /
                          (upper_wall - lower_wall + lower_slip + upper_slip);
            if (gap(x) > 0 && fabs(x.x - 0.5) < 0.05)
                worst = fmax(worst, fabs(u[0][(int64_t)b * g->brick_cells + i] - line));
        }
    assert_true(worst < 1e-3);
    dew_arena_deinit(&scratch);
    flow_close(&flow);
}

// The same between surfaces at x = 0.2 and 0.8: how far the liquid beside the upper wall is behind
// it, in the middle and at the surface.
static double between_surfaces(dew_Vec3 x)
{
    return fabs(x.x - 0.5) - 0.3;
}

typedef struct Lag {
    double middle, surface;
} Lag;

static Lag lag_with(double line_slip_m)
{
    Flow flow = flow_open(2, 96, 0, 1, NULL);
    dew_Arena scratch;
    dew_SolveReport report;
    Lag lag = {0, 0};
    dew_arena_init(&scratch, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, between_surfaces);
    flow_fill(&flow, FLOW_X, DEW_AT_CELL, gap);
    flow_fill(&flow, FLOW_Z, DEW_AT_FACE_X, speed_of_nearest);
    double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], NULL};
    dew_ViscosityDef def = dew_default_viscosity_def();
    def.phi = flow.f[FLOW_PHI];
    def.solid = flow.f[FLOW_X];
    def.wall_u[0] = flow.f[FLOW_Z];
    def.line_slip_m = line_slip_m;
    def.density_kg_m3 = 1;
    def.viscosity_Pa_s = 1;
    def.dt_s = 1e3;
    def.solve.tolerance = 1e-10;
    assert_int_equal(dew_viscosity_run(flow.grid, &def, u, &scratch, &report).code, DEW_OK);
    const dew_Grid *g = flow.grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++) {
            dew_Vec3 x = dew_grid_position(g, b, i & 7, i >> 3 & 7, i >> 6, DEW_AT_FACE_X);
            double behind = 1 - u[0][(int64_t)b * g->brick_cells + i];
            if (!(gap(x) > 0) || upper_wall - x.y > g->cell_m)
                continue;
            if (fabs(x.x - 0.5) < 0.1)
                lag.middle = fmax(lag.middle, behind);
            if (fabs(x.x - 0.8) < 0.6 * g->cell_m)
                lag.surface = fmax(lag.surface, behind);
        }
    dew_arena_deinit(&scratch);
    flow_close(&flow);
    return lag;
}

// Of the flow in the gap exp(-pi 0.2 / 0.1), a five-hundredth, comes from the surface to the
// middle.
static void walls_slip_beside_lines_only(void **state)
{
    (void)state;
    Lag without = lag_with(0), with = lag_with(1.0 / 96);
    assert_true(with.surface > 1.2 * without.surface);
    assert_true(fabs(with.middle - without.middle) < 0.002 * without.middle);
}

static void bit_identical_on_any_number_of_workers(void **state)
{
    (void)state;
    static const int workers[] = {1, 2, 7};
    double *first = NULL;
    for (int w = 0; w < 3; w++) {
        Flow flow = flow_open(3, 24, 0, workers[w], NULL);
        dew_Arena scratch;
        dew_SolveReport report;
        dew_arena_init(&scratch, NULL);
        flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, drop);
        double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], flow.f[FLOW_W]};
        int64_t values = dew_grid_value_count(flow.grid);
        for (int64_t i = 0; i < 3 * values; i++)
            u[i / values][i % values] = flow_noise(i);
        dew_ViscosityDef def = dew_default_viscosity_def();
        def.phi = flow.f[FLOW_PHI];
        def.dt_s = 1;
        assert_int_equal(dew_viscosity_run(flow.grid, &def, u, &scratch, &report).code, DEW_OK);
        if (!first) {
            first = malloc((size_t)values * sizeof(double));
            memcpy(first, u[1], (size_t)values * sizeof(double));
        }
        assert_memory_equal(first, u[1], (size_t)values * sizeof(double));
        dew_arena_deinit(&scratch);
        flow_close(&flow);
    }
    free(first);
}

static void failure_is_a_sentence(void **state)
{
    (void)state;
    Flow flow = flow_open(3, 16, 0, 1, NULL);
    dew_Arena scratch;
    dew_arena_init(&scratch, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, drop);
    double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], flow.f[FLOW_W]};
    for (int64_t i = 0; i < dew_grid_value_count(flow.grid); i++)
        u[0][i] = flow_noise(i);
    dew_ViscosityDef def = dew_default_viscosity_def();
    dew_SolveReport report;
    def.phi = flow.f[FLOW_PHI];
    def.viscosity_Pa_s = 1e3;
    def.dt_s = 1;
    def.solve.max_iterations = 3;
    dew_Status status = dew_viscosity_run(flow.grid, &def, u, &scratch, &report);
    assert_int_equal(status.code, DEW_DIVERGED);
    assert_non_null(strstr(status.message, "viscosity"));
    assert_true(u[0][5] == flow_noise(5));  // u stays as it was
    dew_arena_deinit(&scratch);
    flow_close(&flow);
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    Flow flow = flow_open(2, 16, 0, 1, NULL);
    flow_fill(&flow, FLOW_PHI, DEW_AT_CELL, disk);
    double *const u[3] = {flow.f[FLOW_U], flow.f[FLOW_V], NULL};
    dew_ViscosityDef def = dew_default_viscosity_def();
    def.phi = flow.f[FLOW_PHI];
    def.dt_s = 1;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Arena scratch;
        dew_SolveReport report;
        dew_arena_init(&scratch, &allocator);
        dew_Status status = dew_viscosity_run(flow.grid, &def, u, &scratch, &report);
        dew_arena_deinit(&scratch);
        assert_true(torture.blocks == 0 && !torture.was_lied_to);
        if (torture.calls <= n) {
            assert_int_equal(status.code, DEW_OK);
            break;
        }
        // An arena may also be refused when it tidies up at the end, which does no harm.
        assert_true(status.code == DEW_NO_MEMORY || status.code == DEW_OK);
    }
    flow_close(&flow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motion_is_not_damped),
        cmocka_unit_test(form_is_symmetric_and_positive),
        cmocka_unit_test(walls_slip_by_their_own_lengths),
        cmocka_unit_test(walls_slip_beside_lines_only),
        cmocka_unit_test(bit_identical_on_any_number_of_workers),
        cmocka_unit_test(failure_is_a_sentence),
        cmocka_unit_test(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
