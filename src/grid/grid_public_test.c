// The objects of dew/grid.h: a level set in a flow, a flow in a box, Poisson's equation, and lack
// of memory in all of them.
#include "base/testing.h"
#include "dew/grid.h"
#include "geom/vec.h"

static double ball(void *context, dew_Vec3 p)
{
    const double *z = context;
    return dew_length(dew_vec(p.x - 0.5, p.y - 0.5, z ? p.z - *z : 0)) - 0.25;
}

static dew_Vec3 turn(void *context, dew_Vec3 p, double time_s)
{
    (void)context;
    (void)time_s;
    return dew_vec(0.5 - p.y, p.x - 0.5, 0);
}

static dew_LevelSetDef level_set_def(int cells)
{
    dew_LevelSetDef def = dew_default_level_set_def();
    def.box = (dew_BoxDef){.dimensions = 2, .cells = {cells, cells, 1}, .cell_m = 1.0 / cells};
    def.markers_per_cell = 8;
    return def;
}

static void a_disk_turns_in_place(void **state)
{
    (void)state;
    dew_LevelSetDef def = level_set_def(32);
    dew_DistanceField shape = {ball, NULL};
    dew_VelocityField velocity = {.velocity_m_s = turn};
    dew_LevelSet *disk;
    dew_LevelSetMeasure measure;
    dew_FieldView phi, curvature;
    const dew_LevelSetDrop *drops;
    double difference;
    int64_t count;
    assert_ok(dew_level_set_create(&def, &shape, &disk));
    assert_ok(dew_level_set_field(disk, "phi", &phi));
    assert_within(phi.missing, 5.0 / 32, 1e-15);
    for (int n = 0; n < 25; n++)
        assert_ok(dew_level_set_advect(disk, &velocity, 0.02 * n, 0.02));
    assert_ok(dew_level_set_measure(disk, &measure));
    assert_near(measure.volume_m3, DEW_PI / 16, 0.01);
    assert_near(measure.area_m2, DEW_PI / 2, 0.01);
    assert_ok(dew_level_set_drops(disk, &drops, &count));
    assert_int_equal(count, 1);
    assert_within(drops[0].center_m.x, 0.5, 1e-3);
    assert_ok(dew_level_set_field(disk, "curvature", &curvature));
    int64_t at = dew_field_view_index(&curvature, 16, 24, 0);
    assert_within(dew_field_view_value(&curvature, at), 4, 0.3);
    assert_ok(dew_level_set_difference(disk, &shape, &difference));
    assert_within(difference, 0, 2e-3);
    assert_ok(dew_level_set_difference(disk, &shape, &difference));  // asked again
    assert_within(difference, 0, 2e-3);
    assert_true(dew_level_set_marker_count(disk) > 0);
    assert_true(dew_level_set_cell_count(disk) <= 48 * 48);
    assert_int_equal(dew_level_set_field(disk, "psi", &phi).code, DEW_BAD_INPUT);
    dew_level_set_destroy(disk);
    def.box.cells[2] = 8;
    assert_int_equal(dew_level_set_create(&def, &shape, &disk).code, DEW_BAD_INPUT);
    assert_null(disk);
}

static void redistancing_keeps_the_zeros(void **state)
{
    (void)state;
    double z = 0.5, worst = 0;
    dew_LevelSetDef def = level_set_def(24);
    def.box.dimensions = 3;
    def.box.cells[2] = 24;
    def.is_hollow = true;
    def.markers_per_cell = 0;
    dew_DistanceField shape = {ball, &z};
    dew_LevelSet *sphere;
    dew_FieldView phi;
    dew_Redistanced report;
    assert_ok(dew_level_set_create(&def, &shape, &sphere));
    assert_ok(dew_level_set_fill(sphere, &shape));
    assert_ok(dew_level_set_redistance(sphere, DEW_REDISTANCE_CLOSEST, &report));
    assert_true(report.near_count > 0 && report.failed_count < report.near_count / 100);
    assert_ok(dew_level_set_field(sphere, "phi", &phi));
    for (int64_t n = 0; n < phi.value_count; n++) {
        int32_t c[3];
        dew_field_view_cell(&phi, n, c);
        double exact = ball(&z, dew_field_view_position_m(&phi, c[0], c[1], c[2]));
        if (fabs(exact) < 0.1)
            worst = fmax(worst, fabs(dew_field_view_value(&phi, n) - exact));
    }
    assert_within(worst, 0, 1e-3);
    dew_level_set_destroy(sphere);
}

static void stages_are_timed_when_asked(void **state)
{
    (void)state;
    dew_LevelSetDef def = level_set_def(32);
    dew_DistanceField shape = {ball, NULL};
    dew_VelocityField velocity = {.velocity_m_s = turn};
    dew_LevelSet *disk;
    dew_StageTime stages[16];
    double sum = 0;
    def.reseed_steps = 1;
    assert_ok(dew_level_set_create(&def, &shape, &disk));
    assert_ok(dew_level_set_advect(disk, &velocity, 0, 0.02));
    int count = dew_level_set_stages(disk, stages, 16);
    assert_in_range(count, 1, 16);
    for (int s = 0; s < count; s++)
        assert_true(stages[s].cpu_s == 0);
    dew_level_set_time_stages(disk, true);
    assert_ok(dew_level_set_advect(disk, &velocity, 0, 0.02));
    assert_int_equal(dew_level_set_stages(disk, stages, 1), count);
    dew_level_set_stages(disk, stages, 16);
    for (int s = 0; s < count; s++)
        sum += stages[s].cpu_s;
    assert_true(sum > 0);
    dew_level_set_destroy(disk);
}

static void a_disk_is_measured_and_corrected(void **state)
{
    (void)state;
    dew_LevelSetDef def = level_set_def(32);
    dew_DistanceField shape = {ball, NULL};
    dew_LevelSet *disk;
    const dew_LevelSetDrop *drops;
    dew_LevelSetMeasure measure;
    dew_FieldView normal[3], curvature;
    double integral, wanted = 0.9 * DEW_PI / 16;
    int64_t count;
    assert_ok(dew_level_set_create(&def, &shape, &disk));
    assert_ok(dew_level_set_field(disk, "curvature", &curvature));
    assert_ok(dew_level_set_integrate(disk, curvature.values, &integral));
    assert_near(integral, 2 * DEW_PI, 0.02);  // once around
    assert_ok(dew_level_set_normals(disk, normal));
    int64_t top = dew_field_view_index(&normal[1], 16, 23, 0);
    assert_near(dew_field_view_value(&normal[1], top), 1, 0.01);
    assert_int_equal(dew_level_set_correct_volumes(disk, &wanted, 1).code, DEW_BAD_INPUT);
    assert_ok(dew_level_set_drops(disk, &drops, &count));
    assert_int_equal(count, 1);
    assert_ok(dew_level_set_correct_volumes(disk, &wanted, 1));
    assert_ok(dew_level_set_measure(disk, &measure));
    assert_near(measure.volume_m3, wanted, 0.01);
    assert_ok(dew_level_set_add(disk, &shape));
    assert_ok(dew_level_set_measure(disk, &measure));
    assert_near(measure.volume_m3, DEW_PI / 16, 0.01);
    assert_int_equal(dew_level_set_correct_volumes(disk, &wanted, 1).code, DEW_BAD_INPUT);
    dew_level_set_destroy(disk);
}

static void bricks_are_packed_and_read(void **state)
{
    (void)state;
    dew_LevelSetDef def = level_set_def(32);
    dew_DistanceField shape = {ball, NULL};
    dew_LevelSet *disk;
    dew_FieldView phi;
    double tile[12 * 12 * 5];
    assert_ok(dew_level_set_create(&def, &shape, &disk));
    assert_ok(dew_level_set_field(disk, "phi", &phi));
    uint64_t hash = dew_level_set_hash(disk);
    void *bytes = malloc((size_t)dew_level_set_packed_size(disk));
    assert_non_null(bytes);
    assert_ok(dew_level_set_pack(disk, 1, bytes));
    double *values = dew_level_set_phi(disk);
    double first = values[64];
    values[64] = 7;
    assert_true(dew_level_set_hash(disk) != hash);
    assert_ok(dew_level_set_unpack(disk, bytes));
    assert_within(values[64], first, 0);
    assert_true(dew_level_set_hash(disk) == hash);
    assert_ok(dew_level_set_tile(disk, 1, 2, tile));
    assert_within(tile[2 + 12 * (2 + 12 * 2)], first, 0);
    assert_int_equal(dew_level_set_tile(disk, 1, 5, tile).code, DEW_BAD_INPUT);
    assert_int_equal(dew_level_set_tile(disk, phi.bricks.count, 2, tile).code, DEW_BAD_INPUT);
    assert_int_equal(dew_level_set_pack(disk, -1, bytes).code, DEW_BAD_INPUT);
    free(bytes);
    dew_level_set_destroy(disk);
}

// ---- flow --------------------------------------------------------------------------------------

static double channel(void *context, dew_Vec3 x)
{
    (void)context;
    return fmin(fmin(x.x, 1 - x.x), fmin(x.y, 1 - x.y));
}

static dew_Vec3 lid(void *context, dew_Vec3 x, double time_s)
{
    (void)context;
    (void)time_s;
    return dew_vec(x.y > 1 ? 1 : 0, 0, 0);
}

static dew_FlowDef cavity_def(void)
{
    dew_FlowDef def = dew_default_flow_def();
    def.box = (dew_BoxDef){.dimensions = 2, .cells = {16, 16, 1}, .cell_m = 1.0 / 16};
    def.solid.distance_m = channel;
    def.wall_velocity.velocity_m_s = lid;
    def.density_kg_m3 = 1;
    def.viscosity_Pa_s = 0.1;
    return def;
}

static void a_lid_drives_a_vortex(void **state)
{
    (void)state;
    dew_FlowDef def = cavity_def();
    dew_Flow *flow;
    dew_FieldView u;
    assert_ok(dew_flow_create(&def, &flow));
    for (int n = 0; n < 20; n++)
        assert_ok(dew_flow_step(flow, 0.1));
    assert_within(dew_flow_time_s(flow), 2, 1e-12);
    assert_true(dew_flow_iterations(flow) > 0);
    assert_ok(dew_flow_field(flow, "velocity_x", &u));
    double top = dew_field_view_value(&u, dew_field_view_index(&u, 8, 15, 0));
    double below = dew_field_view_value(&u, dew_field_view_index(&u, 8, 6, 0));
    assert_true(top > 0.5 && top < 1 && below < -0.05);
    assert_null(dew_flow_values(flow, "solid"));
    dew_flow_destroy(flow);
}

static void projection_takes_the_divergence(void **state)
{
    (void)state;
    dew_FlowDef def = dew_default_flow_def();
    dew_DistanceField shape = {ball, NULL};
    dew_ProjectDef project = dew_default_project_def();
    dew_ProjectReport report;
    dew_FieldView liquid;
    dew_Flow *flow;
    def.box = (dew_BoxDef){.dimensions = 2, .cells = {32, 32, 1}, .cell_m = 1.0 / 32};
    assert_ok(dew_flow_create(&def, &flow));
    assert_int_equal(dew_flow_field(flow, "is_liquid", &liquid).code, DEW_BAD_INPUT);
    assert_ok(dew_flow_set_liquid(flow, &shape));
    double *u = dew_flow_values(flow, "velocity_x");
    for (int n = 0; n < 32 * 32; n++)
        u[n] = n * 7919 % 1009 / 1009.0;
    project.is_checked = true;
    assert_ok(dew_flow_project(flow, &project, &report));
    assert_within(report.divergence_m_s, 0, 1e-4);
    assert_near((double)report.liquid_cells, DEW_PI / 16 * 32 * 32, 0.1);
    assert_ok(dew_flow_field(flow, "is_liquid", &liquid));
    assert_within(dew_field_view_value(&liquid, dew_field_view_index(&liquid, 16, 16, 0)), 1, 0);
    assert_within(dew_field_view_value(&liquid, dew_field_view_index(&liquid, 0, 0, 0)), 0, 0);
    dew_flow_destroy(flow);
}

static void advection_carries_a_uniform_flow(void **state)
{
    (void)state;
    dew_FlowDef def = dew_default_flow_def();
    dew_Flow *flow;
    def.box = (dew_BoxDef){.dimensions = 2, .cells = {32, 32, 1}, .cell_m = 1.0 / 32};
    assert_ok(dew_flow_create(&def, &flow));
    double *u = dew_flow_values(flow, "velocity_x"), *v = dew_flow_values(flow, "velocity_y");
    dew_FieldView view;
    assert_ok(dew_flow_field(flow, "velocity_y", &view));
    for (int64_t n = 0; n < view.value_count; n++)
        u[n] = 1;
    v[dew_field_view_index(&view, 12, 16, 0)] = 1e-3;
    assert_ok(dew_flow_advect(flow, 2.0 / 32));  // two cells
    assert_within(v[dew_field_view_index(&view, 14, 16, 0)], 1e-3, 1e-5);
    assert_within(v[dew_field_view_index(&view, 12, 16, 0)], 0, 1e-5);
    assert_within(u[dew_field_view_index(&view, 12, 16, 0)], 1, 1e-12);
    dew_flow_destroy(flow);
}

// ---- Poisson's equation ------------------------------------------------------------------------

static dew_PoissonSolverDef poisson_def(int cells)
{
    dew_PoissonSolverDef def = dew_default_poisson_solver_def();
    def.box = (dew_BoxDef){.dimensions = 2, .cells = {cells, cells, 1}, .cell_m = 1.0 / cells};
    def.liquid.distance_m = ball;
    return def;
}

// -Laplacian p = 1 in a disk: p = (R^2 - r^2) / 4.
static void a_disk_has_its_parabola(void **state)
{
    (void)state;
    dew_PoissonSolverDef def = poisson_def(64);
    dew_PoissonSolver *solver;
    dew_PoissonReport report;
    dew_FieldView p;
    double worst = 0, h = def.box.cell_m;
    for (int method = DEW_POISSON_MULTIGRID; method <= DEW_POISSON_JACOBI; method++) {
        def.method = (dew_PoissonMethod)method;
        assert_ok(dew_poisson_solver_create(&def, &solver));
        assert_int_equal(dew_poisson_solver_solve(solver, NULL).code, DEW_BAD_INPUT);
        assert_ok(dew_poisson_solver_field(solver, "p", &p));
        double *b = dew_poisson_solver_values(solver, "b");
        for (int64_t n = 0; n < p.value_count; n++)
            b[n] = h * h;
        assert_ok(dew_poisson_solver_assemble(solver));
        assert_ok(dew_poisson_solver_solve(solver, &report));
        assert_true(report.iterations > 0 && report.residual <= def.tolerance);
        for (int64_t n = 0; n < p.value_count; n++) {
            int32_t c[3];
            dew_field_view_cell(&p, n, c);
            double phi = ball(NULL, dew_field_view_position_m(&p, c[0], c[1], c[2]));
            double r = phi + 0.25, exact = phi < 0 ? (0.0625 - r * r) / 4 : 0;
            worst = fmax(worst, fabs(dew_field_view_value(&p, n) - exact));
        }
        dew_poisson_solver_destroy(solver);
    }
    assert_within(worst, 0, 2e-5);
}

// A cycle for A x brings back most of x; vectors and fields hold the same.
static void a_cycle_is_close_to_the_inverse(void **state)
{
    (void)state;
    dew_PoissonSolverDef def = poisson_def(64);
    dew_PoissonSolver *solver;
    dew_FieldView field;
    double error = 0, norm = 0;
    assert_ok(dew_poisson_solver_create(&def, &solver));
    assert_int_equal(dew_poisson_solver_size(solver).cell_count, 0);
    assert_ok(dew_poisson_solver_assemble(solver));
    dew_PoissonSize size = dew_poisson_solver_size(solver);
    assert_near((double)size.cell_count, DEW_PI / 16 * 64 * 64, 0.05);
    assert_int_equal(size.vector_count, 64 * size.brick_count);
    double *x = calloc((size_t)(3 * size.vector_count), sizeof *x), *y = x + size.vector_count,
           *z = y + size.vector_count;
    assert_non_null(x);
    double *p = dew_poisson_solver_values(solver, "p");
    assert_ok(dew_poisson_solver_field(solver, "p", &field));
    for (int64_t n = 0; n < field.value_count; n++)
        p[n] = 1e-30 * (double)(n * 7919 % 1009);
    assert_ok(dew_poisson_solver_gather(solver, p, x));
    assert_ok(dew_poisson_solver_apply(solver, x, y));
    assert_ok(dew_poisson_solver_cycle(solver, y, z));
    for (int64_t n = 0; n < size.vector_count; n++) {
        error += (z[n] - x[n]) * (z[n] - x[n]);
        norm += x[n] * x[n];
    }
    assert_true(norm > 0 && error < 0.05 * norm);
    int64_t middle = dew_field_view_index(&field, 32, 32, 0);
    double before = p[middle];
    p[middle] = 0;
    assert_ok(dew_poisson_solver_scatter(solver, x, p));
    assert_within(p[middle], before, 0);
    free(x);
    dew_poisson_solver_destroy(solver);
}

// Closed faces are walls: each part of the liquid that they cut off has a mean of 0.
static void closed_faces_are_walls(void **state)
{
    (void)state;
    dew_PoissonSolverDef def = poisson_def(16);
    dew_PoissonSolver *solver;
    dew_FieldView open;
    def.liquid.distance_m = NULL;
    assert_ok(dew_poisson_solver_create(&def, &solver));
    assert_int_equal(dew_poisson_solver_field(solver, "open_x", &open).code, DEW_BAD_INPUT);
    assert_null(dew_poisson_solver_values(solver, "open_z"));
    double *w = dew_poisson_solver_values(solver, "open_x");
    assert_non_null(w);
    assert_ok(dew_poisson_solver_field(solver, "open_x", &open));
    for (int j = 0; j < 16; j++)
        w[dew_field_view_index(&open, 4, j, 0)] = 0;
    double *b = dew_poisson_solver_values(solver, "b");
    double *p = dew_poisson_solver_values(solver, "p");
    for (int j = 0; j < 16; j++) {  // from the right side of the left half to its left side
        b[dew_field_view_index(&open, 0, j, 0)] = 1;
        b[dew_field_view_index(&open, 3, j, 0)] = -1;
    }
    assert_ok(dew_poisson_solver_assemble(solver));
    assert_ok(dew_poisson_solver_solve(solver, NULL));
    for (int i = 0; i < 4; i++)
        assert_within(p[dew_field_view_index(&open, i, 7, 0)], 1.5 - i, 1e-5);
    assert_within(p[dew_field_view_index(&open, 9, 7, 0)], 0, 1e-5);
    dew_poisson_solver_destroy(solver);
}

static dew_Status solve_poisson(const dew_Allocator *allocator)
{
    dew_PoissonSolverDef def = poisson_def(16);
    dew_PoissonSolver *solver;
    def.box.allocator = *allocator;
    def.box.thread_count = 1;
    DEW_TRY(dew_poisson_solver_create(&def, &solver));
    dew_poisson_solver_values(solver, "b")[0] = 1;
    dew_Status status = dew_poisson_solver_assemble(solver);
    if (status.code == DEW_OK)
        status = dew_poisson_solver_solve(solver, NULL);
    dew_poisson_solver_destroy(solver);
    return status;
}

static dew_Status short_of_memory(void *context, const dew_Allocator *allocator)
{
    (void)context;
    dew_LevelSetDef def = level_set_def(16);
    dew_DistanceField shape = {ball, NULL};
    dew_VelocityField velocity = {.velocity_m_s = turn};
    dew_LevelSet *disk;
    dew_Flow *flow;
    def.box.allocator = *allocator;
    def.box.thread_count = 1;
    DEW_TRY(dew_level_set_create(&def, &shape, &disk));
    dew_Status status = dew_level_set_advect(disk, &velocity, 0, 0.02);
    dew_FieldView normal[3];
    const dew_LevelSetDrop *drops;
    int64_t count;
    if (status.code == DEW_OK)
        status = dew_level_set_normals(disk, normal);
    if (status.code == DEW_OK)
        status = dew_level_set_drops(disk, &drops, &count);
    dew_level_set_destroy(disk);
    DEW_TRY(status);
    DEW_TRY(solve_poisson(allocator));
    dew_FlowDef flow_def = cavity_def();
    flow_def.box.allocator = *allocator;
    flow_def.box.thread_count = 1;
    DEW_TRY(dew_flow_create(&flow_def, &flow));
    status = dew_flow_step(flow, 0.1);
    dew_flow_destroy(flow);
    return status;
}

static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    assert_survives_lack_of_memory(short_of_memory, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disk_turns_in_place),
        cmocka_unit_test(redistancing_keeps_the_zeros),
        cmocka_unit_test(stages_are_timed_when_asked),
        cmocka_unit_test(a_disk_is_measured_and_corrected),
        cmocka_unit_test(bricks_are_packed_and_read),
        cmocka_unit_test(a_lid_drives_a_vortex),
        cmocka_unit_test(projection_takes_the_divergence),
        cmocka_unit_test(advection_carries_a_uniform_flow),
        cmocka_unit_test(a_disk_has_its_parabola),
        cmocka_unit_test(a_cycle_is_close_to_the_inverse),
        cmocka_unit_test(closed_faces_are_walls),
        cmocka_unit_test(lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
