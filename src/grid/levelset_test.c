// Level sets: advection, redistancing, curvature, extension, measures, against spheres and planes.
#include "grid/levelset.h"

#include "base/torture.h"
#include "geom/mesh_measure.h"
#include "geom/sample_meshes.h"
#include "grid/levelset_testing.h"

static const dew_Vec3 off_grid = {0.113, -0.271, 0.377};

static dew_TestBall middle_ball(int32_t cells, double radius)
{
    dew_Vec3 middle = {0.5 * cells, 0.5 * cells, 0.5 * cells};
    return (dew_TestBall){dew_add(middle, off_grid), radius};
}

static double exact(const dew_TestGrid *t, const dew_TestBall *ball, int64_t at)
{
    dew_Vec3 p = dew_test_position(t->grid, at), c = ball->center;
    return t->grid->dimensions == 3 ? dew_distance(p, c) - ball->radius
                                    : hypot(p.x - c.x, p.y - c.y) - ball->radius;
}

// Makes phi a poor distance: right at the surface only.
static void perturb(dew_TestGrid *t, const dew_TestBall *ball)
{
    double *phi = dew_grid_f64(t->grid, t->phi);
    for (int64_t n = 0; n < dew_grid_value_count(t->grid); n++) {
        dew_Vec3 p = dew_scale(1 / ball->radius, dew_test_position(t->grid, n));
        phi[n] = exact(t, ball, n) * (1 + 0.3 * sin(3 * p.x) * cos(2 * p.y));
    }
}

// Largest error of phi where the distance is less than `within`.
static double worst_error(const dew_TestGrid *t, const dew_TestBall *ball, double within)
{
    const double *phi = dew_grid_f64(t->grid, t->phi);
    double worst = 0;
    for (int64_t n = 0; n < dew_grid_value_count(t->grid); n++) {
        double d = exact(t, ball, n);
        if (fabs(d) < within)
            worst = fmax(worst, fabs(phi[n] - d));
    }
    return worst;
}

static double redistanced_error(int dimensions, double radius, dew_RedistanceMethod method)
{
    int32_t cells = (int32_t)(2 * radius) + 24;
    dew_TestGrid t;
    dew_test_grid(&t, dimensions, cells, NULL);
    dew_TestBall ball = middle_ball(cells, radius);
    dew_test_add_ball(&t, ball, false);
    perturb(&t, &ball);
    dew_Redistanced report;
    double *phi = dew_grid_f64(t.grid, t.phi);
    assert_int_equal(
        dew_levelset_redistance(t.grid, phi, (dew_RedistanceMethod)method, 5, &t.scratch, &report)
            .code,
        DEW_OK);
    assert_true(report.near_count > 0);
    double error = worst_error(&t, &ball, 3.5);
    dew_test_grid_free(&t);
    return error;
}

// The interpolant's error is fourth order, h^4 / R^3 in cells 1/R^3; third is asked for.
static void closest_points_are_of_third_order(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        double coarse = redistanced_error(dimensions, 12, DEW_REDISTANCE_CLOSEST);
        double fine = redistanced_error(dimensions, 24, DEW_REDISTANCE_CLOSEST);
        assert_true(coarse < 1.0 / (12 * 12));
        assert_true(fine < coarse / 7);
    }
}

// First order: an error per cell that does not fall with the radius, but no blunder.
static void sweeping_and_marching_agree(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        assert_true(redistanced_error(dimensions, 12, DEW_REDISTANCE_SWEEP) < 0.5);
        assert_true(redistanced_error(dimensions, 12, DEW_REDISTANCE_MARCH) < 0.5);
    }
}

static void repeated_redistancing_stays(void **state)
{
    (void)state;
    dew_TestGrid t;
    dew_test_grid(&t, 3, 56, NULL);
    dew_TestBall ball = middle_ball(56, 16);
    dew_test_add_ball(&t, ball, false);
    double *phi = dew_grid_f64(t.grid, t.phi);
    for (int n = 0; n < 10; n++)
        assert_int_equal(
            dew_levelset_redistance(t.grid, phi, DEW_REDISTANCE_CLOSEST, 5, &t.scratch, NULL).code,
            DEW_OK);
    assert_true(worst_error(&t, &ball, 1) < 10 * 2e-4);  // ten calls, each less than 0.0002 cells
    dew_test_grid_free(&t);
}

static void fill_velocity(dew_TestGrid *t, const int field[3], dew_Vec3 axis, dew_Vec3 about)
{
    static const dew_Place place[3] = {DEW_AT_FACE_X, DEW_AT_FACE_Y, DEW_AT_FACE_Z};
    for (int a = 0; a < 3; a++)
        for (int64_t n = 0; n < dew_grid_value_count(t->grid); n++) {
            int c = (int)(n % t->grid->brick_cells);
            dew_Vec3 p = dew_grid_position(t->grid, (int32_t)(n / t->grid->brick_cells), c & 7,
                                           c >> 3 & 7, c >> 6, place[a]);
            dew_Vec3 v = dew_cross(axis, dew_sub(p, about));
            dew_grid_f64(t->grid, field[a])[n] = a == 0 ? v.x : a == 1 ? v.y : v.z;
        }
}

typedef dew_Status Advect(dew_Grid *, double *, const double *const[3], double, double,
                          dew_Arena *);

// A ball carried a quarter turn around the middle of the domain.
static double quarter_turn(int dimensions, int scale, Advect *advect, double cells_per_step)
{
    dew_TestGrid t;
    int field[3], cells = 40 * scale;
    dew_test_grid(&t, dimensions, cells, NULL);
    for (int a = 0; a < 3; a++)
        assert_int_equal(dew_grid_add_field(t.grid, "u", DEW_AT_FACE_X, 8, NULL, &field[a]).code,
                         DEW_OK);
    dew_Vec3 middle = {20.0 * scale, 20.0 * scale, 20.0 * scale};
    dew_TestBall ball = {dew_add(middle, dew_vec(10 * scale, 0, 0)), 6 * scale};
    dew_test_add_ball(&t, ball, true);
    int steps = (int)ceil(0.5 * DEW_PI * 18 * scale / cells_per_step);
    for (int n = 0; n < steps; n++) {
        dew_arena_clear(&t.scratch);
        assert_int_equal(dew_levelset_update_bricks(t.grid, t.phi, 4, 5, true, &t.scratch).code,
                         DEW_OK);
        fill_velocity(&t, field, dew_vec(0, 0, 1), middle);
        const double *u[3];
        for (int a = 0; a < 3; a++)
            u[a] = dew_grid_f64(t.grid, field[a]);
        double *phi = dew_grid_f64(t.grid, t.phi);
        assert_int_equal(advect(t.grid, phi, u, 0.5 * DEW_PI / steps, 4.99, &t.scratch).code,
                         DEW_OK);
        assert_int_equal(
            dew_levelset_redistance(t.grid, phi, DEW_REDISTANCE_CLOSEST, 5, &t.scratch, NULL).code,
            DEW_OK);
    }
    ball.center = dew_add(middle, dew_vec(0, 10 * scale, 0));
    double error = worst_error(&t, &ball, 1);
    dew_test_grid_free(&t);
    return error;
}

static void weno_carries_a_ball_around(void **state)
{
    (void)state;
    double coarse = quarter_turn(2, 1, dew_levelset_advect_weno, 0.45);
    double fine = quarter_turn(2, 2, dew_levelset_advect_weno, 0.45);
    assert_true(coarse < 0.05);
    assert_true(fine < coarse / 3);  // in cells: twice the steps, each wrong by 1/R^3 or less: 1/4
    assert_true(quarter_turn(3, 1, dew_levelset_advect_weno, 0.45) < 0.05);
}

static void characteristics_carry_a_ball_around(void **state)
{
    (void)state;
    assert_true(quarter_turn(2, 1, dew_levelset_advect_trace, 2) < 0.05);
    assert_true(quarter_turn(3, 1, dew_levelset_advect_trace, 2) < 0.05);
}

static double curvature_error(int dimensions, double radius)
{
    dew_TestGrid t;
    int32_t cells = (int32_t)(2 * radius) + 16;
    dew_test_grid(&t, dimensions, cells, NULL);
    dew_TestBall ball = middle_ball(cells, radius);
    dew_test_add_ball(&t, ball, false);
    double *kappa = dew_test_field(&t), *phi = dew_grid_f64(t.grid, t.phi), worst = 0;
    assert_int_equal(dew_levelset_curvature(t.grid, phi, 2, kappa).code, DEW_OK);
    for (int64_t n = 0; n < dew_grid_value_count(t.grid); n++)
        if (fabs(phi[n]) < 2)
            worst = fmax(worst, fabs(kappa[n] * (radius + phi[n]) / (dimensions - 1) - 1));
        else
            assert_true(kappa[n] == 0);
    dew_test_grid_free(&t);
    return worst;
}

static void curvature_is_of_second_order(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        double coarse = curvature_error(dimensions, 16), fine = curvature_error(dimensions, 32);
        assert_true(coarse < 0.01);
        assert_true(fine < coarse / 3.3);
    }
}

static void normals_point_outwards(void **state)
{
    (void)state;
    dew_TestGrid t;
    dew_test_grid(&t, 3, 48, NULL);
    dew_TestBall ball = middle_ball(48, 12);
    dew_test_add_ball(&t, ball, false);
    double *phi = dew_grid_f64(t.grid, t.phi);
    double *normal[3] = {dew_test_field(&t), dew_test_field(&t), dew_test_field(&t)};
    assert_int_equal(dew_levelset_normals(t.grid, phi, 2, normal).code, DEW_OK);
    for (int64_t n = 0; n < dew_grid_value_count(t.grid); n++) {
        if (fabs(phi[n]) >= 2)
            continue;
        dew_Vec3 e = dew_normalize(dew_sub(dew_test_position(t.grid, n), ball.center));
        // Central differences of a distance turn its gradient by less than h^2 / 6 r^2.
        assert_true(dew_distance(e, dew_vec(normal[0][n], normal[1][n], normal[2][n])) < 2e-3);
    }
    dew_test_grid_free(&t);
}

static void measures_of_a_ball(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        dew_TestGrid t;
        dew_test_grid(&t, dimensions, 56, NULL);
        double r = 16, one = 0;
        dew_test_add_ball(&t, middle_ball(56, r), true);
        double *phi = dew_grid_f64(t.grid, t.phi), *f = dew_test_field(&t);
        dew_LevelSetMeasure m;
        assert_int_equal(dew_levelset_measure(t.grid, phi, &t.scratch, &m).code, DEW_OK);
        double volume = dimensions == 3 ? 4.0 / 3 * DEW_PI * r * r * r : DEW_PI * r * r;
        double area = dimensions == 3 ? 4 * DEW_PI * r * r : 2 * DEW_PI * r;
        assert_true(fabs(m.volume_m3 / volume - 1) < 1e-4);
        assert_true(fabs(m.area_m2 / area - 1) < 2e-3);  // a plane per cell: (h/R)^2 / 2
        for (int64_t n = 0; n < dew_grid_value_count(t.grid); n++)
            f[n] = dew_test_position(t.grid, n).x - 28 - off_grid.x;
        assert_int_equal(dew_levelset_integrate(t.grid, phi, f, &t.scratch, &one).code, DEW_OK);
        assert_true(fabs(one) < 2e-3 * r * area);  // odd about the centre
        dew_test_grid_free(&t);
    }
}

static void drops_are_distinguished(void **state)
{
    (void)state;
    dew_TestGrid t;
    dew_test_grid(&t, 3, 64, NULL);
    dew_TestBall balls[3] = {{{14.2, 14.1, 14.3}, 7}, {{44, 40, 40}, 12}, {{14, 45, 20}, 5}};
    for (int n = 0; n < 3; n++)
        dew_test_add_ball(&t, balls[n], true);
    dew_Array drops;
    dew_array_init(&drops, NULL, sizeof(dew_LevelSetDrop));
    double *phi = dew_grid_f64(t.grid, t.phi);
    int32_t *drop = dew_arena_array(&t.scratch, int32_t, dew_grid_value_count(t.grid));
    double wanted[3];
    for (int round = 0; round < 3; round++) {  // corrected twice to nine tenths
        assert_int_equal(dew_levelset_drops(t.grid, phi, drop, &drops, &t.scratch).code, DEW_OK);
        assert_int_equal(drops.count, 3);
        for (int n = 0; n < 3; n++) {
            dew_LevelSetDrop d = DEW_ITEMS(&drops, dew_LevelSetDrop)[n];
            double nearest = HUGE_VAL, r = 0;
            for (int b = 0; b < 3; b++)
                if (dew_distance(d.center_m, balls[b].center) < nearest) {
                    nearest = dew_distance(d.center_m, balls[b].center);
                    r = balls[b].radius;
                }
            assert_true(nearest < 0.02);
            double factor = round == 0 ? 1 : 0.9, volume = factor * 4.0 / 3 * DEW_PI * r * r * r;
            // The second correction leaves the square of the first one's relative shift, (0.1/3)^2.
            assert_true(fabs(d.volume_m3 / volume - 1) < (round == 1 ? 0.01 : 1e-3));
            wanted[n] = 0.9 * 4.0 / 3 * DEW_PI * r * r * r;
        }
        dew_Status status =
            dew_levelset_correct_volumes(t.grid, phi, drop, &drops, wanted, 1, &t.scratch);
        assert_int_equal(status.code, DEW_OK);
    }
    dew_array_deinit(&drops);
    dew_test_grid_free(&t);
}

static void touching_balls_are_one_drop(void **state)
{
    (void)state;
    dew_TestGrid t;
    dew_test_grid(&t, 3, 64, NULL);
    dew_test_add_ball(&t, (dew_TestBall){{16, 30, 30}, 9}, true);
    dew_test_add_ball(&t, (dew_TestBall){{33, 30, 30}, 9}, true);
    dew_Array drops;
    dew_array_init(&drops, NULL, sizeof(dew_LevelSetDrop));
    int32_t *drop = dew_arena_array(&t.scratch, int32_t, dew_grid_value_count(t.grid));
    double *phi = dew_grid_f64(t.grid, t.phi);
    assert_int_equal(dew_levelset_drops(t.grid, phi, drop, &drops, &t.scratch).code, DEW_OK);
    assert_int_equal(drops.count, 1);
    dew_array_deinit(&drops);
    dew_test_grid_free(&t);
}

// A blob's mesh: phi is the mesh's distance in the band, and the volume is the mesh's.
static void meshes_become_level_sets(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_MeshDistance *distance;
    dew_TestGrid t;
    dew_LevelSetMeasure m;
    dew_mesh_init(&mesh, NULL);
    sample_blob(&mesh, 12);
    dew_mesh_transform(&mesh, 12, dew_rotation_identity(), dew_vec(24.3, 24.1, 23.8));
    dew_Status status = dew_mesh_distance_create(&mesh, DEW_SIGN_AUTO, NULL, NULL, &distance);
    assert_int_equal(status.code, DEW_OK);
    dew_test_grid(&t, 3, 48, NULL);
    status = dew_levelset_add_mesh(t.grid, t.phi, distance, 3, true, &t.scratch);
    assert_int_equal(status.code, DEW_OK);
    const double *phi = dew_grid_f64(t.grid, t.phi);
    for (int64_t n = 0; n < dew_grid_value_count(t.grid); n += 7) {
        double d = dew_mesh_distance_at(distance, dew_test_position(t.grid, n)).closest.distance;
        if (fabs(d) < 3)
            assert_true(phi[n] == d);
        else
            assert_true((phi[n] < 0) == (d < 0));
    }
    assert_int_equal(dew_levelset_measure(t.grid, phi, &t.scratch, &m).code, DEW_OK);
    // A radius of about 12 cells with edges of one: a plane per cell errs by less than (h/R)^2.
    assert_true(fabs(m.volume_m3 / dew_mesh_measure(&mesh).volume_m3 - 1) < 1.0 / 144);
    dew_test_grid_free(&t);
    dew_mesh_distance_destroy(distance);
    dew_mesh_deinit(&mesh);
}

static uint64_t hash_of_all(int workers)
{
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = workers;
    dew_Tasks *tasks;
    assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
    dew_TestGrid t;
    dew_test_grid(&t, 3, 48, tasks);
    dew_TestBall ball = middle_ball(48, 13);
    int field[3], extra;
    assert_int_equal(dew_grid_add_field(t.grid, "q", DEW_AT_CELL, 8, NULL, &extra).code, DEW_OK);
    for (int a = 0; a < 3; a++)
        assert_int_equal(dew_grid_add_field(t.grid, "u", DEW_AT_FACE_X, 8, NULL, &field[a]).code,
                         DEW_OK);
    dew_test_add_ball(&t, ball, true);
    perturb(&t, &ball);
    uint64_t hash = 0;
    for (int method = 0; method < 3; method++) {
        fill_velocity(&t, field, dew_vec(0.3, 0.2, 1), dew_vec(20, 20, 20));
        double *phi = dew_grid_f64(t.grid, t.phi), *q = dew_grid_f64(t.grid, extra);
        const double *u[3];
        for (int a = 0; a < 3; a++)
            u[a] = dew_grid_f64(t.grid, field[a]);
        assert_int_equal(dew_levelset_advect_weno(t.grid, phi, u, 0.01, 4.9, &t.scratch).code,
                         DEW_OK);
        assert_int_equal(dew_levelset_advect_trace(t.grid, phi, u, 0.01, 4.9, &t.scratch).code,
                         DEW_OK);
        assert_int_equal(
            dew_levelset_redistance(t.grid, phi, (dew_RedistanceMethod)method, 5, &t.scratch, NULL)
                .code,
            DEW_OK);
        assert_int_equal(dew_levelset_curvature(t.grid, phi, 2, q).code, DEW_OK);
        dew_LevelSetMeasure m;
        assert_int_equal(dew_levelset_measure(t.grid, phi, &t.scratch, &m).code, DEW_OK);
        uint64_t bits;
        memcpy(&bits, &m.volume_m3, sizeof bits);
        hash = 31 * hash + dew_grid_hash(t.grid, t.phi) + 7 * dew_grid_hash(t.grid, extra) + bits;
        assert_int_equal(dew_levelset_update_bricks(t.grid, t.phi, 4, 5, true, &t.scratch).code,
                         DEW_OK);
    }
    dew_test_grid_free(&t);
    dew_tasks_destroy(tasks);
    return hash;
}

static void bit_identical_on_any_number_of_workers(void **state)
{
    (void)state;
    uint64_t one = hash_of_all(1);
    assert_true(hash_of_all(2) == one);
    assert_true(hash_of_all(7) == one);
}

static dew_Status make_and_step(dew_Torture *torture)
{
    dew_Allocator allocator = dew_torture_allocator(torture);
    dew_GridDef def = dew_default_grid_def();
    def.dimensions = 2;
    def.cell_m = 1;
    def.cell_max[0] = def.cell_max[1] = 40;
    def.cell_max[2] = 1;
    def.allocator = allocator;
    dew_Grid *grid;
    dew_Arena scratch;
    int phi;
    dew_TestBall ball = {{20, 20, 0}, 9};
    DEW_TRY(dew_grid_create(&def, &grid));
    dew_arena_init(&scratch, &allocator);
    dew_Status status = dew_grid_add_field(grid, "phi", DEW_AT_CELL, 8, NULL, &phi);
    if (status.code == DEW_OK)
        status = dew_levelset_add(grid, phi, dew_test_disk_distance, &ball, 5, true, &scratch);
    long long calls = 0;
    for (int step = 0; step < 4 && status.code == DEW_OK; step++) {
        calls = step == 3 ? torture->calls : calls;
        status = dew_levelset_redistance(grid, dew_grid_f64(grid, phi),
                                         (dew_RedistanceMethod)(step % 3), 5, &scratch, NULL);
        if (status.code == DEW_OK)
            status = dew_levelset_update_bricks(grid, phi, 4, 5, true, &scratch);
        dew_arena_clear(&scratch);
    }
#ifndef DEW_AUDIT_ON
    if (torture->fail_at >= torture->calls)
        assert_int_equal(torture->calls, calls);  // nothing is allocated once it runs
#endif
    dew_arena_deinit(&scratch);
    dew_grid_destroy(grid);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Status status = make_and_step(&torture);
        assert_int_equal(torture.blocks, 0);
        if (torture.calls <= n)
            break;
        // An arena that cannot merge its blocks goes on with several.
        assert_true(status.code == DEW_NO_MEMORY || status.code == DEW_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_points_are_of_third_order),
        cmocka_unit_test(sweeping_and_marching_agree),
        cmocka_unit_test(repeated_redistancing_stays),
        cmocka_unit_test(weno_carries_a_ball_around),
        cmocka_unit_test(characteristics_carry_a_ball_around),
        cmocka_unit_test(curvature_is_of_second_order),
        cmocka_unit_test(normals_point_outwards),
        cmocka_unit_test(measures_of_a_ball),
        cmocka_unit_test(drops_are_distinguished),
        cmocka_unit_test(touching_balls_are_one_drop),
        cmocka_unit_test(meshes_become_level_sets),
        cmocka_unit_test(bit_identical_on_any_number_of_workers),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
