// The union of solids against a loop over all of them; how many it asks; materials.
#include "base/clock.h"
#include "base/random.h"
#include "base/testing.h"
#include "problem/problem_testing.h"

// A scene in code: a floor, `count` spheres in a cube of side 1 m, each tenth a box; some of them
// move.
static void make_many(int count, int moving, dew_Scene **scene, dew_Problem **problem)
{
    dew_SceneDef def = dew_default_scene_def();
    def.solver = "volume";
    def.domain.min_m = dew_vec(-1, 0, -1);
    def.domain.max_m = dew_vec(2, 2, 2);
    def.domain.cell_m = 0.01;
    def.domain.wall_material[DEW_SIDE_FLOOR] = "default";
    assert_ok(dew_scene_create(&def, NULL, scene));
    double size = 0.2 / cbrt(count);
    for (int i = 0; i < count; i++) {
        dew_Random r = dew_random(1, (uint64_t)i, 0);
        dew_SolidDef solid = dew_default_solid_def(i % 10 == 0 ? DEW_SOLID_BOX : DEW_SOLID_SPHERE);
        solid.center_m = dew_vec(dew_random_unit(&r), dew_random_unit(&r), dew_random_unit(&r));
        solid.radius_m = size * dew_random_range(&r, 0.5, 1.5);
        solid.size_m = dew_vec(size, 2 * size, size);
        solid.rotate = (dew_RotateDef){dew_random_direction(&r), 1};
        if (i < moving)
            solid.velocity_m_s = dew_random_direction(&r);
        assert_ok(dew_scene_add_solid(*scene, &solid));
    }
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.radius_m = 0.1;
    assert_ok(dew_scene_add_drop(*scene, &drop));
    assert_ok(dew_problem_create(*scene, &(dew_ProblemDef){0}, problem));
}

static dew_Vec3 query(uint64_t i)
{
    dew_Random r = dew_random(2, i, 0);
    return dew_vec(dew_random_range(&r, -0.1, 1.1), dew_random_range(&r, -0.1, 1.1),
                   dew_random_range(&r, -0.1, 1.1));
}

static void union_is_the_least_of_all(void **state)
{
    (void)state;
    dew_Scene *scene;
    dew_Problem *problem;
    make_many(300, 20, &scene, &problem);
    int n = dew_problem_solid_count(problem);
    assert_int_equal(n, 301);
    dew_SolidPose poses[301];
    dew_problem_poses(problem, 0.1, poses);
    dew_Instant instant = {.time_s = 0.1, .poses = poses};
    int inside = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        dew_Vec3 p = query(i);
        dew_SolidPoint want = {.distance_m = HUGE_VAL};
        for (int k = 0; k < n; k++) {
            dew_SolidPoint s = dew_problem_solid_nearest(problem, &instant, k, p);
            if (s.distance_m < want.distance_m)
                want = s;
        }
        inside += want.distance_m < 0;
        dew_SolidPoint got = dew_problem_nearest(problem, &instant, p, HUGE_VAL);
        assert_int_equal(got.solid_id, want.solid_id);
        assert_true(got.distance_m == want.distance_m);
        assert_true(dew_distance(got.point_m, want.point_m) == 0);
        assert_true(dew_distance(got.velocity_m_s, want.velocity_m_s) == 0);
        double reach = 0.02;
        got = dew_problem_nearest(problem, &instant, p, reach);
        if (want.distance_m <= reach)
            assert_true(got.distance_m == want.distance_m && got.solid_id == want.solid_id);
        else
            assert_true(isinf(got.distance_m) && got.solid_id == DEW_INVALID);
    }
    assert_true(inside > 100 && inside < 2900);
    dew_problem_destroy(problem);
    dew_scene_destroy(scene);
}

static double asked_per_query(int count, double reach, double *seconds)
{
    dew_Scene *scene;
    dew_Problem *problem;
    make_many(count, 0, &scene, &problem);
    int64_t sum = 0;
    double begin = dew_cpu_s();
    for (uint64_t i = 0; i < 5000; i++) {
        int64_t asked;
        dew_problem_nearest_counted(problem, NULL, query(i), reach, &asked);
        sum += asked;
    }
    *seconds = dew_cpu_s() - begin;
    dew_problem_destroy(problem);
    dew_scene_destroy(scene);
    return (double)sum / 5000;
}

// A hundred times the solids, as dense beside one another: about the same number is asked.
static void ten_thousand_cost_hardly_more_than_a_hundred(void **state)
{
    (void)state;
    double few_s, many_s, few = asked_per_query(100, HUGE_VAL, &few_s),
                          many = asked_per_query(10000, HUGE_VAL, &many_s);
    print_message("asked of 100: %.2f, of 10000: %.2f; time ratio %.2f\n", few, many,
                  many_s / few_s);
    assert_true(many < 2 * few && many < 20);
    double none_s;
    assert_true(asked_per_query(10000, 1e-3, &none_s) < 4);  // the floor, and who is that near
}

static void ties_go_to_the_first(void **state)
{
    (void)state;
    TestProblem t = {0};
    test_make(&t,
              TEST_HEAD TEST_DROP "solids:\n"
                                  "  - {shape: sphere, center: [-2 mm, 0, 0], radius: 1 mm}\n"
                                  "  - {shape: sphere, center: [2 mm, 0, 0], radius: 1 mm}\n"
                                  "  - {shape: plane, point: [0, -1 mm, 0], normal: [0, 1, 0]}\n");
    assert_ok(t.status);
    assert_int_equal(dew_problem_nearest(t.problem, NULL, dew_vec(0, 0, 0), HUGE_VAL).solid_id, 0);
    test_done(&t);
}

static void walls_are_solids_at_the_closed_sides(void **state)
{
    (void)state;
    TestProblem t = {0};
    test_make(&t, "solver: volume\n"
                  "domain: {min: [-6 mm, 1 mm, -6 mm], max: [6 mm, 8 mm, 5 mm], cell: 0.25 mm, "
                  "walls: {floor: lotus, front: glass, others: open}}\n"
                  "materials: {glass: {advancing: 90 deg, receding: 60 deg}, lotus: {angle: 150 "
                  "deg}}\n" TEST_DROP);
    assert_ok(t.status);
    assert_int_equal(dew_problem_solid_count(t.problem), 2);
    int floor_id = dew_problem_find_solid(t.problem, "floor");
    int front_id = dew_problem_find_solid(t.problem, "front");
    assert_true(dew_problem_solid_is_wall(t.problem, floor_id));
    dew_SolidPoint p = dew_problem_nearest(t.problem, NULL, dew_vec(0, 3e-3, 0), HUGE_VAL);
    assert_int_equal(p.solid_id, floor_id);
    assert_true(p.distance_m == 3e-3 - 1e-3 && p.normal.y == 1);
    p = dew_problem_nearest(t.problem, NULL, dew_vec(0, 3e-3, 6e-3), HUGE_VAL);
    assert_int_equal(p.solid_id, front_id);
    assert_true(fabs(p.distance_m + 1e-3) < 1e-17 && fabs(p.normal.z + 1) < 1e-15);
    dew_MaterialDef m = dew_problem_material(t.problem, NULL, floor_id, p.point_m);
    assert_true(fabs(m.receding_rad - DEW_DEG(150)) < 1e-15);
    test_done(&t);
}

static void ground_is_the_first_solid_below(void **state)
{
    (void)state;
    TestProblem t = {0};
    test_make(&t,
              TEST_HEAD TEST_DROP "solids:\n"
                                  "  - {shape: sphere, center: [1 mm, 0, 0], radius: 2 mm}\n"
                                  "  - {shape: plane, point: [0, -3 mm, 0], normal: [1, 1, 0]}\n"
                                  "  - {shape: box, center: [-1 mm, 3 mm, 4 mm], size: [1 mm, 1 "
                                  "mm, 1 mm], rotate: {axis: [0, "
                                  "0, 1], angle: 45 deg}}\n");
    assert_ok(t.status);
    assert_true(fabs(dew_problem_ground_m(t.problem, NULL, 1e-3, 0) - 2e-3) < 1e-13);
    // Half way out on the sphere, where the line is oblique.
    assert_true(fabs(dew_problem_ground_m(t.problem, NULL, 2e-3, 1e-3) - sqrt(2) * 1e-3) < 1e-12);
    assert_true(fabs(dew_problem_ground_m(t.problem, NULL, 0, 5e-3) + 3e-3) < 1e-15);
    assert_true(fabs(dew_problem_ground_m(t.problem, NULL, -2e-3, 5e-3) + 1e-3) < 1e-15);
    assert_true(fabs(dew_problem_ground_m(t.problem, NULL, 5.5e-3, 5e-3) + 6e-3) < 1e-15);
    double edge_m = 3e-3 + sqrt(0.5) * 1e-3;
    assert_true(fabs(dew_problem_ground_m(t.problem, NULL, -1e-3, 4e-3) - edge_m) < 1e-12);
    test_done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(union_is_the_least_of_all),
        cmocka_unit_test(ten_thousand_cost_hardly_more_than_a_hundred),
        cmocka_unit_test(ties_go_to_the_first),
        cmocka_unit_test(walls_are_solids_at_the_closed_sides),
        cmocka_unit_test(ground_is_the_first_solid_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
