// Reading: every value of a whole scene, the defaults, the parameters, lines and places.
#include <math.h>

#include "base/file.h"
#include "base/testing.h"
#include "scene/paths.h"
#include "scene/scene_testing.h"

static dew_Scene *read_file(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", DEW_SOURCE_DIR, name);
    dew_SceneLoadDef def = dew_default_scene_load_def();
    dew_Scene *scene = NULL;
    def.path = path;
    dew_Status status = dew_scene_read(&def, sample_solvers(), &scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return scene;
}

static dew_Scene *read_well(const char *text)
{
    dew_Scene *scene = NULL;
    TestLog log;
    dew_Status status = test_read(text, NULL, NULL, &log, &scene);
    if (status.code != DEW_OK)
        fail_msg("%s", log.lines);
    assert_int_equal(log.count, 0);
    return scene;
}

static void assert_vec(dew_Vec3 v, double x, double y, double z)
{
    if (v.x != x || v.y != y || v.z != z)
        fail_msg("[%.17g, %.17g, %.17g] is not [%.17g, %.17g, %.17g]", v.x, v.y, v.z, x, y, z);
}

static void test_top(void **state)
{
    (void)state;
    dew_Scene *scene = read_file("src/scene/read_test.yaml");
    const dew_SceneDef *def = dew_scene_def(scene);
    assert_string_equal(def->title, "A drop on glass");
    assert_string_equal(def->solver, "volume");
    assert_int_equal(def->dimensions, 3);
    assert_true(def->duration_s == 0.2 && def->frame_rate_Hz == 100 && def->seed == 1);
    assert_vec(def->domain.min_m, -0.006, 0, -0.006);
    assert_vec(def->domain.max_m, 0.006, 0.008, 0.006);
    assert_true(def->domain.cell_m == 0.00025);
    assert_string_equal(def->domain.wall_material[DEW_SIDE_FLOOR], "glass");
    assert_null(def->domain.wall_material[DEW_SIDE_LEFT]);
    assert_vec(def->gravity_m_s2, 0, -9.81, 0);
    assert_true(def->liquid.density_kg_m3 == 998.2);
    assert_true(def->camera.is_given);
    assert_vec(def->camera.eye_m, 0, 0.01, 0.03);
    assert_true(def->camera.fov_rad == DEW_DEG(35) && def->camera.height_px == 720);
    assert_string_equal(def->environment, "studio");
    assert_int_equal(def->output.volume, DEW_VOLUME_NONE);
    assert_int_equal(dew_scene_light_count(scene), 1);
    assert_true(dew_scene_light(scene, 0)->strength == 3);
    assert_int_equal(dew_scene_look_count(scene), 1);
    assert_string_equal(dew_scene_look(scene, 0)->material, "glass");
    assert_string_equal(dew_scene_look(scene, 0)->texture, "file.png");
    double counts[3];
    dew_scene_cell_counts(scene, counts);
    assert_true(counts[0] == 48 && counts[1] == 32 && counts[2] == 48);
    dew_scene_destroy(scene);
}

static void test_materials(void **state)
{
    (void)state;
    dew_Scene *scene = read_file("src/scene/read_test.yaml");
    assert_int_equal(dew_scene_material_count(scene), 3);
    const char *name = NULL;
    const dew_MaterialDef *glass = dew_scene_material(scene, 0, &name);
    assert_string_equal(name, "glass");
    assert_true(glass->advancing_rad == DEW_DEG(90) && glass->receding_rad == DEW_DEG(60));
    assert_true(glass->wet_advancing_rad == DEW_DEG(60) && isinf(glass->dries_after_s));
    assert_true(glass->max_receding_tension_N_m == 0.02 && glass->slip_m == 0);
    const dew_MaterialDef *lotus =
        dew_scene_material(scene, dew_scene_find_material(scene, "lotus"), NULL);
    assert_true(lotus->receding_rad == DEW_DEG(150) && lotus->wet_advancing_rad == DEW_DEG(150));
    int index = dew_scene_find_material(scene, "default");  // one solid names no material
    assert_true(dew_scene_material(scene, index, NULL)->advancing_rad == DEW_DEG(90));
    assert_int_equal(dew_scene_find_material(scene, "steel"), DEW_INVALID);
    dew_scene_destroy(scene);
}

static void test_solids(void **state)
{
    (void)state;
    dew_Scene *scene = read_file("src/scene/read_test.yaml");
    assert_int_equal(dew_scene_solid_count(scene), 10);
    const dew_SolidDef *s[10];
    for (int i = 0; i < 10; i++)
        s[i] = dew_scene_solid(scene, i);
    for (int i = 0; i < 8; i++)
        assert_int_equal(s[i]->shape, i);
    assert_string_equal(s[0]->name, "window");
    assert_vec(s[0]->normal, 0, 1, 0);
    assert_true(s[1]->radius_m == 0.003);
    assert_vec(s[2]->size_m, 0.004, 0.001, 0.004);
    assert_true(s[2]->rotate.angle_rad == DEW_DEG(20));
    assert_vec(s[3]->from_m, -0.008, 0, 0);
    assert_true(s[4]->inner_radius_m == 0.0005 && s[4]->outer_radius_m == 0.001);
    assert_vec(s[5]->size_m, 0.02, 0.02, 0);
    assert_true(s[5]->fold_rad == DEW_DEG(120) && s[5]->tilt_rad == DEW_DEG(15));
    assert_string_equal(s[6]->file, "bunny.ply");
    assert_true(s[6]->scale == 0.01 && s[7]->max_xz_m[1] == 1 && s[8]->height_m[1] == 0.005);
    assert_string_equal(s[8]->material, "default");
    assert_true(s[9]->is_movable && s[9]->is_inside_out);
    assert_vec(s[9]->angular_velocity_rad_s, 0, DEW_DEG(30), 0);
    assert_int_equal(s[9]->keyframe_count, 2);
    assert_true(s[9]->keyframes[1].time_s == 1);
    assert_vec(s[9]->keyframes[1].rotate.axis, 0, 1, 0);
    assert_vec(s[9]->keyframes[0].rotate.axis, 0, 0, 1);
    assert_string_equal(s[9]->affinity_material, "lotus");
    dew_scene_destroy(scene);
}

static void test_liquid_and_sources(void **state)
{
    (void)state;
    dew_Scene *scene = read_file("src/scene/read_test.yaml");
    assert_int_equal(dew_scene_drop_count(scene), 7);
    assert_vec(dew_scene_drop(scene, 0)->velocity_m_s, 0, -1, 0);
    assert_vec(dew_scene_drop(scene, 1)->radii_m, 0.002, 0.0018, 0.002);
    assert_true(dew_scene_drop(scene, 4)->volume_m3 == 2e-8);
    const dew_DropDef *scatter = dew_scene_drop(scene, 6);
    assert_int_equal(scatter->shape, DEW_DROP_SCATTER);
    assert_string_equal(scatter->on, "window");
    assert_true(scatter->count == 200 && scatter->radius_range_m[1] == 0.0015);
    assert_int_equal(dew_scene_source_count(scene), 4);
    assert_true(dew_scene_source(scene, 0)->speed_m_s == 0.3);
    assert_true(isinf(dew_scene_source(scene, 0)->stop_s));
    assert_true(dew_scene_source(scene, 1)->every_s == 0.2);
    assert_true(dew_scene_source(scene, 2)->rate_Hz == 50);
    assert_true(dew_scene_source(scene, 3)->rate_m3_s == 1e-10);
    assert_int_equal(dew_scene_source(scene, 3)->sites, 500);
    assert_int_equal(dew_scene_sink_count(scene), 1);
    assert_vec(dew_scene_sink(scene, 0)->max_m, 0.001, 0.001, 0.001);
    dew_scene_destroy(scene);
}

static void test_defaults(void **state)
{
    (void)state;
    dew_Scene *scene = read_file("tests/corpus/scene/least.yaml");
    const dew_SceneDef *def = dew_scene_def(scene);
    assert_string_equal(def->title, "");
    assert_true(def->duration_s == 1 && def->frame_rate_Hz == 60 && def->seed == 1);
    assert_int_equal(def->dimensions, 3);
    assert_false(def->camera.is_given);
    assert_int_equal(def->output.surface, DEW_SURFACE_PLY);
    assert_true(def->output.checkpoint_every_s == 60);
    assert_int_equal(dew_scene_material_count(scene), 0);
    dew_scene_destroy(scene);
    scene = read_file("tests/corpus/scene/plane_2d.yaml");
    def = dew_scene_def(scene);
    assert_true(def->liquid.density_kg_m3 == 1261 && def->liquid.viscosity_Pa_s == 0.5);
    assert_string_equal(def->domain.wall_material[DEW_SIDE_RIGHT], "b");
    assert_true(def->domain.max_m.z == 0.00005 && def->domain.min_m.z == -0.00005);
    const dew_MaterialDef *b = dew_scene_material(scene, 1, NULL);
    assert_true(b->receding_rad == 1.2 && b->wet_advancing_rad == DEW_DEG(100) && isinf(b->slip_m));
    double counts[3];
    dew_scene_cell_counts(scene, counts);
    assert_true(counts[0] == 100 && counts[1] == 100 && counts[2] == 1);
    dew_scene_destroy(scene);
}

static void test_dimensions_follow_the_solver(void **state)
{
    (void)state;
    dew_Scene *scene =
        read_well("solver: shallow\ndomain: {min: [0, 0, 0], max: [1, 1, 2], cell: 0.1}\n"
                  "drops: [{shape: box, min: [0, 0, 0], max: [1, 1, 1]}]\n");
    assert_int_equal(dew_scene_def(scene)->dimensions, 2);
    double counts[3];
    dew_scene_cell_counts(scene, counts);
    assert_true(counts[0] == 10 && counts[1] == 1 && counts[2] == 20);
    dew_scene_destroy(scene);
}

static void test_parameters(void **state)
{
    (void)state;
    dew_Scene *scene = read_well(
        TEST_HEAD TEST_DROP "volume: {contact: stencil, band: 8, particles: yes, settle: none}\n"
                            "shallow: {model: finite-volume}\n");
    assert_true(dew_scene_is_bound(scene));
    assert_string_equal(dew_scene_solver(scene)->name, "volume");
    assert_string_equal(dew_scene_parameter_choice(scene, "contact"), "stencil");
    assert_true(dew_scene_parameter_number(scene, "band") == 8);
    assert_true(dew_scene_parameter_number(scene, "cfl") == 1);
    assert_true(isinf(dew_scene_parameter_number(scene, "settle")));
    assert_true(dew_scene_parameter_flag(scene, "particles"));
    assert_string_equal(dew_scene_parameter_choice(scene, "note"), "");
    dew_scene_destroy(scene);
}

static void test_places(void **state)
{
    (void)state;
    TestLog log;
    dew_Scene *scene = NULL;
    char place[128];
    assert_int_equal(
        test_read(TEST_HEAD TEST_DROP, "drops[0].radius=3 mm", NULL, &log, &scene).code, DEW_OK);
    assert_int_equal(dew_scene_line(scene, "domain.cell"), 2);
    assert_int_equal(dew_scene_line(scene, "drops[0].center"), 3);
    assert_int_equal(dew_scene_line(scene, "drops[0].radius"), -1);
    assert_int_equal(dew_scene_line(scene, "gravity"), 0);
    dew_scene_place(scene, "drops[0].center", place, sizeof place);
    assert_string_equal(place, "scene.yaml:3: ");
    dew_scene_place(scene, "drops[0].radius", place, sizeof place);
    assert_string_equal(place, "--set drops[0].radius=3 mm: ");
    dew_scene_place(scene, "gravity", place, sizeof place);
    assert_string_equal(place, "scene.yaml: ");
    dew_scene_destroy(scene);
}

static void test_resolved_paths(void **state)
{
    (void)state;
    dew_SceneLoadDef def = dew_default_scene_load_def();
    dew_Scene *scene = NULL;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    def.text = TEST_HEAD TEST_DROP;
    def.text_size = strlen(def.text);
    def.path = "some/where/scene.yaml";
    assert_int_equal(dew_scene_read(&def, sample_solvers(), &scene).code, DEW_OK);
    assert_string_equal(dew_scene_resolve_path(scene, "a.ply", &arena), "some/where/a.ply");
    assert_string_equal(dew_scene_resolve_path(scene, "/a.ply", &arena), "/a.ply");
    dew_scene_destroy(scene);
    assert_string_equal(dew_path_relative("/no/such/a.ply", "/no/runs/b", &arena),
                        "../../such/a.ply");
    assert_string_equal(dew_path_relative("/no/such/a.ply", "/no/such", &arena), "a.ply");
    assert_string_equal(dew_path_relative("/no/such/a.ply", "/no/suchlike", &arena),
                        "../such/a.ply");
    assert_string_equal(dew_path_relative("/no/x/../such/./a.ply", "/", &arena), "no/such/a.ply");
    assert_string_equal(dew_path_relative("/a.ply", "/no/such", &arena), "../../a.ply");
    assert_string_equal(dew_path_relative("a.ply", "nowhere/deep", &arena), "../../a.ply");
    dew_arena_deinit(&arena);
}

static void test_missing_file(void **state)
{
    (void)state;
    TestLog log = {0};
    dew_Scene *scene = NULL;
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = "no/such/scene.yaml";
    def.log = (dew_Log){test_log_write, &log};
    dew_Status status = dew_scene_read(&def, sample_solvers(), &scene);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "no/such/scene.yaml"));
    assert_int_equal(log.count, 1);
    assert_null(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_solids),
        cmocka_unit_test(test_liquid_and_sources),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_dimensions_follow_the_solver),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_resolved_paths),
        cmocka_unit_test(test_missing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
