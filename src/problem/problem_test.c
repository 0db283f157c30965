// The problem as a whole: names, files, what is refused and with which words, memory that fails.
#include "base/tasks.h"
#include "base/testing.h"
#include "io/png.h"
#include "problem/problem_testing.h"

static void assert_says(const TestProblem *t, const char *words)
{
    assert_int_equal(t->status.code, DEW_BAD_INPUT);
    if (!strstr(t->status.message, words))
        fail_msg("\"%s\" does not say \"%s\"", t->status.message, words);
}

static const char cube_obj[] =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 "
    "1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
static const char open_obj[] =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 "
    "1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static void unnamed_solids_get_names(void **state)
{
    (void)state;
    TestProblem t = {0};
    test_make(&t, TEST_HEAD TEST_DROP "solids:\n"
                                      "  - {shape: sphere, radius: 1 mm}\n"
                                      "  - {shape: plane}\n"
                                      "  - {shape: sphere, radius: 1 mm, name: sphere3}\n"
                                      "  - {shape: sphere, radius: 1 mm}\n"
                                      "  - {shape: sphere, radius: 1 mm, name: bottle}\n");
    assert_ok(t.status);
    const char *want[] = {"sphere1", "plane1", "sphere3", "sphere4", "bottle"};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(dew_problem_solid_name(t.problem, i), want[i]);
        assert_int_equal(dew_problem_find_solid(t.problem, want[i]), i);
    }
    assert_int_equal(dew_problem_find_solid(t.problem, "sphere2"), DEW_INVALID);
    assert_int_equal(dew_problem_solid_count(t.problem), 5);
    assert_false(dew_problem_solid_is_moving(t.problem, 0));
    test_done(&t);
}

static void mesh_file_is_loaded_once_and_shared(void **state)
{
    (void)state;
    TestProblem t;
    test_folder(&t);
    test_text_file(&t, "cube.obj", cube_obj);
    test_make(&t,
              TEST_HEAD "solids:\n"
                        "  - {shape: mesh, file: cube.obj, scale: 0.001}\n"
                        "  - {shape: mesh, file: cube.obj, scale: 0.001, translate: [2 mm, 0, 0]}\n"
                        "  - {shape: mesh, file: cube.obj, scale: 0.002}\n"
                        "drops: [{shape: mesh, file: cube.obj, scale: 0.002}]\n");
    assert_ok(t.status);
    assert_int_equal(t.problem->assets.meshes.count, 2);
    // A cube of 1 mm from the origin; the second 2 mm along x.
    assert_true(dew_problem_solid_box(t.problem, 1).min.x > 1.999e-3);
    dew_SolidPoint p = dew_problem_solid_nearest(t.problem, NULL, 1, dew_vec(4e-3, 0.5e-3, 0.5e-3));
    assert_true(fabs(p.distance_m - 1e-3) < 1e-16 && p.normal.x > 0.999);
    assert_true(fabs(dew_problem_blob(t.problem, 0)->volume_m3 - 8e-9) < 1e-20);
    test_done(&t);
}

static void wrong_files_are_refused_with_their_place(void **state)
{
    (void)state;
    const char *bodies[][2] = {
        {"{shape: mesh, file: none.ply}", "none.ply"},
        {"{shape: mesh, file: open.obj}", "open.obj: the mesh is open"},
        {"{shape: mesh, file: bad.obj}", "bad.obj"},
        {"{shape: mesh, file: 'procedural:bottel'}", "bottle"},
        {"{shape: heightfield, file: none.csv, min: [0, 0], max: [1, 1]}", "none.csv"},
        {"{shape: heightfield, file: one.csv, min: [0, 0], max: [1, 1]}", "2"},
        {"{shape: heightfield, file: bad.csv, min: [0, 0], max: [1, 1]}", "bad.csv:2"},
        {"{shape: sphere, radius: 1, material: glass, affinity_map: none.png, affinity_material: "
         "lotus}",
         "none.png"},
        {"{shape: leaf, size: [2 mm, 2 mm], fold: 20 deg}", "too sharp"},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        TestProblem t;
        char text[1024];
        test_folder(&t);
        test_text_file(&t, "open.obj", open_obj);
        test_text_file(&t, "bad.obj", "v 0 0 0\nv 1 0 0\nf 1 2 7\n");
        test_text_file(&t, "one.csv", "1\n");
        test_text_file(&t, "bad.csv", "1,2\n3,x\n");
        snprintf(text, sizeof text, TEST_HEAD TEST_DROP "solids:\n  - %s\n", bodies[i][0]);
        test_make(&t, text);
        assert_says(&t, bodies[i][1]);
        assert_says(&t, "scene.yaml:6: ");
        assert_null(t.problem);
        test_done(&t);
    }
}

static void odd_scales_are_reported(void **state)
{
    (void)state;
    TestProblem t;
    test_folder(&t);
    test_text_file(&t, "cube.obj", cube_obj);
    test_make(&t, TEST_HEAD TEST_DROP
              "solids:\n"
              "  - {shape: mesh, file: cube.obj, scale: 1000, name: giant}\n"
              "  - {shape: mesh, file: cube.obj, scale: 1e-6, name: dust}\n"
              "  - {shape: sphere, radius: 1 mm, center: [1, 0, 0], name: far}\n"
              "  - {shape: sphere, radius: 1 mm, name: fine}\n");
    assert_ok(t.status);
    assert_non_null(strstr(t.log, "scene.yaml:6: solid giant"));
    assert_non_null(strstr(t.log, "solid dust"));
    assert_non_null(strstr(t.log, "solid far lies outside the domain"));
    assert_null(strstr(t.log, "solid fine,"));
    assert_non_null(strstr(t.log, "the drop lies inside solid fine"));
    test_done(&t);
}

static void heights_come_from_images_too(void **state)
{
    (void)state;
    TestProblem t;
    test_folder(&t);
    char path[256];
    snprintf(path, sizeof path, "%s/ground.png", t.folder);
    const uint16_t samples[] = {0,     65535, 0,
                                65535, 0,     65535};  // rises with x, twice as fast as long
    dew_PngOutput output = {2, 3, 1, 16, samples};
    assert_int_equal(dew_png_save(path, &output, NULL).code, DEW_OK);
    test_make(
        &t, TEST_HEAD TEST_DROP
        "solids: [{shape: heightfield, file: ground.png, min: [-2 mm, -4 mm], max: [2 mm, 4 mm], "
        "height: [-1 mm, 3 mm]}]\n");
    assert_ok(t.status);
    assert_true(fabs(dew_problem_ground_m(t.problem, NULL, 0, 0) - 1e-3) < 1e-17);
    assert_true(fabs(dew_problem_ground_m(t.problem, NULL, 1e-3, 2e-3) - 2e-3) < 1e-17);
    dew_SolidPoint p = dew_problem_nearest(t.problem, NULL, dew_vec(0, 2e-3, 0), HUGE_VAL);
    assert_true(fabs(p.distance_m - sqrt(0.5) * 1e-3) < 1e-16);
    test_clear(&t);
    test_make(&t, TEST_HEAD TEST_DROP
              "solids: [{shape: heightfield, file: ground.png, min: [0, 0], max: [1, 1]}]\n");
    assert_int_equal(t.status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(t.status.message, "height"));
    test_done(&t);
}

static void named_meshes_are_made(void **state)
{
    (void)state;
    TestProblem t = {0};
    test_make(&t, "solver: volume\n"
                  "domain: {min: [-1, 0, -1], max: [1, 1, 1], cell: 10 mm}\n" TEST_DROP
                  "solids: [{shape: mesh, file: 'procedural:bottle'}]\n");
    assert_ok(t.status);
    // It stands on the ground: its foot is at y = 0.
    assert_true(fabs(dew_problem_solid_box(t.problem, 0).min.y) < 1e-6);
    test_done(&t);
}

// Everything at once, for memory to fail in.
static const char all_in_one[] =
    "solver: shallow\n"
    "domain: {min: [-6 mm, 0, -6 mm], max: [6 mm, 6 mm, 6 mm], cell: 1 mm, walls: {floor: glass, "
    "others: open}}\n"
    "materials: {glass: {advancing: 90 deg, receding: 60 deg}, lotus: {angle: 150 deg}}\n"
    "solids:\n"
    "  - {shape: mesh, file: cube.obj, scale: 0.001, translate: [3 mm, 1 mm, 3 mm]}\n"
    "  - {shape: heightfield, file: ground.csv, min: [-6 mm, -6 mm], max: [6 mm, 6 mm]}\n"
    "  - {shape: sphere, radius: 2 mm, name: ball, material: glass, affinity_map: map.png, "
    "affinity_material: lotus}\n"
    "drops:\n"
    "  - {shape: depth, file: ground.csv}\n"
    "  - {shape: scatter, on: ball, count: 3, radius: 0.2 mm}\n"
    "  - {shape: mesh, file: cube.obj, scale: 0.0005}\n"
    "sources:\n"
    "  - {shape: condensation, on: ball, rate: 1 mm^3/s, sites: 3}\n"
    "  - {shape: drip, at: [0, 5 mm, 0], radius: 1 mm, every: 1 s}\n";

static void make_files(TestProblem *t)
{
    char path[256];
    const uint16_t samples[] = {0, 65535};
    dew_PngOutput output = {2, 1, 1, 16, samples};
    test_folder(t);
    test_text_file(t, "cube.obj", cube_obj);
    test_text_file(t, "ground.csv", "0,1e-4\n1e-4,2e-4\n");
    snprintf(path, sizeof path, "%s/map.png", t->folder);
    assert_int_equal(dew_png_save(path, &output, NULL).code, DEW_OK);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    TestProblem t;
    make_files(&t);
    int64_t n = 0, failed = 0;
    for (;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        test_make_with(&t, all_in_one, &allocator);
        bool is_last = torture.calls <= n;
        if (is_last)
            assert_ok(t.status);
        failed += t.status.code == DEW_NO_MEMORY;
        assert_true(t.status.code == DEW_OK || t.status.code == DEW_NO_MEMORY);
        test_clear(&t);
        assert_true(torture.blocks == 0 && !torture.was_lied_to);
        if (is_last)
            break;
    }
    print_message("%lld allocations, %lld failures reported\n", (long long)n, (long long)failed);
    assert_true(failed > n / 2);  // an arena that gets no large block asks for a smaller one
    test_done(&t);
}

// Trees built by one worker or by several give the same answers, bit for bit.
static void workers_do_not_matter(void **state)
{
    (void)state;
    TestProblem t;
    make_files(&t);
    test_make(&t, all_in_one);
    assert_ok(t.status);
    dew_TasksDef tasks_def = dew_default_tasks_def();
    tasks_def.worker_count = 3;
    dew_Tasks *tasks;
    assert_int_equal(dew_tasks_create(&tasks_def, &tasks).code, DEW_OK);
    dew_Problem *other;
    assert_int_equal(dew_problem_create(t.scene, &(dew_ProblemDef){.tasks = tasks}, &other).code,
                     DEW_OK);
    dew_tasks_destroy(tasks);
    for (int i = 0; i < 1000; i++) {
        dew_Vec3 p = {(i % 10 - 5) * 1e-3, (i / 10 % 10) * 0.6e-3, (i / 100 - 5) * 1.1e-3};
        dew_SolidPoint a = dew_problem_nearest(t.problem, NULL, p, HUGE_VAL);
        dew_SolidPoint b = dew_problem_nearest(other, NULL, p, HUGE_VAL);
        assert_memory_equal(&a.distance_m, &b.distance_m, sizeof(double));
        assert_int_equal(a.solid_id, b.solid_id);
    }
    dew_problem_destroy(other);
    test_done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unnamed_solids_get_names),
        cmocka_unit_test(mesh_file_is_loaded_once_and_shared),
        cmocka_unit_test(wrong_files_are_refused_with_their_place),
        cmocka_unit_test(odd_scales_are_reported),
        cmocka_unit_test(heights_come_from_images_too),
        cmocka_unit_test(named_meshes_are_made),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(workers_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
