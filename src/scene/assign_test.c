// --set: paths, values, what is made on the way, and what is refused.

#include "base/testing.h"
#include "scene/scene_testing.h"

static dew_Scene *set_well(const char *text, const char *set1, const char *set2)
{
    TestLog log;
    dew_Scene *scene = NULL;
    dew_Status status = test_read(text, set1, set2, &log, &scene);
    if (status.code != DEW_OK)
        fail_msg("%s", log.lines);
    return scene;
}

#define SCENE                                                                                      \
    TEST_HEAD TEST_DROP "materials: {glass: {advancing: 90 deg, receding: 60 deg}}\n"              \
                        "solids:\n- {shape: plane, material: glass}\n- {shape: plane}\n"

static void test_values(void **state)
{
    (void)state;
    dew_Scene *scene = set_well(SCENE, "drops[0].radius=3 mm", "materials.glass.advancing=100 deg");
    assert_true(dew_scene_drop(scene, 0)->radius_m == 0.003);
    assert_true(dew_scene_drop(scene, 0)->center_m.y == 0.002);
    assert_true(dew_scene_material(scene, 0, NULL)->advancing_rad == DEW_DEG(100));
    dew_scene_destroy(scene);
    scene = set_well(SCENE, "solids[1].velocity=[0,0,1]", "title= a: b # c ");
    assert_true(dew_scene_solid(scene, 1)->velocity_m_s.z == 1);
    assert_string_equal(dew_scene_def(scene)->title, "a: b # c");
    dew_scene_destroy(scene);
    scene = set_well(SCENE, "title=\"quoted\"",
                     "drops[0]={shape: box, min: [0, 0, 0], max: [1, 1, 1]}");
    assert_string_equal(dew_scene_def(scene)->title, "quoted");
    assert_int_equal(dew_scene_drop(scene, 0)->shape, DEW_DROP_BOX);
    dew_scene_destroy(scene);
    scene = set_well(SCENE, "domain.min[1]=-1 mm", "title=");
    assert_true(dew_scene_def(scene)->domain.min_m.y == -0.001);
    assert_string_equal(dew_scene_def(scene)->title, "");
    dew_scene_destroy(scene);
}

static void test_missing_parts_are_made(void **state)
{
    (void)state;
    dew_Scene *scene = set_well(SCENE, "gravity[1]=-1", "output.surface=stl");
    assert_true(dew_scene_def(scene)->gravity_m_s2.y == -1);
    assert_true(dew_scene_def(scene)->gravity_m_s2.x == 0);
    assert_int_equal(dew_scene_def(scene)->output.surface, DEW_SURFACE_STL);
    dew_scene_destroy(scene);
    scene = set_well(SCENE, "drops[0].velocity[2]=3 cm/s", "materials.wax.angle=110 deg");
    assert_true(dew_scene_drop(scene, 0)->velocity_m_s.z == 0.03);
    assert_int_equal(dew_scene_find_material(scene, "wax"), 1);
    dew_scene_destroy(scene);
    scene = set_well(SCENE, "solids[0].rotate.axis[0]=1", "volume.band=9");
    assert_true(dew_scene_solid(scene, 0)->rotate.axis.x == 1);
    assert_true(dew_scene_solid(scene, 0)->rotate.axis.z == 1);
    assert_true(dew_scene_parameter_number(scene, "band") == 9);
    dew_scene_destroy(scene);
    scene =
        set_well(SCENE "liquid: glycerol\n", "liquid.viscosity=1 Pa s", "domain.walls.floor=glass");
    assert_true(dew_scene_def(scene)->liquid.density_kg_m3 == 1261);
    assert_true(dew_scene_def(scene)->liquid.viscosity_Pa_s == 1);
    assert_string_equal(dew_scene_def(scene)->domain.wall_material[DEW_SIDE_FLOOR], "glass");
    dew_scene_destroy(scene);
    scene = set_well(TEST_HEAD, "drops=[{shape: sphere, radius: 1 mm}]", "solver=splash");
    assert_int_equal(dew_scene_drop_count(scene), 1);
    assert_string_equal(dew_scene_def(scene)->solver, "splash");
    dew_scene_destroy(scene);
}

static void test_rejected(void **state)
{
    (void)state;
    static const struct {
        const char *set, *words;
    } cases[] = {
        {"drops[0].radius=3 s", "--set drops[0].radius=3 s: drops[0].radius: \"3 s\" is a time, "
                                "but a length is wanted (such as 2 mm)\n"},
        {"drops[0].raduis=3 mm",
         "--set drops[0].raduis=3 mm: drops[0].raduis: unknown key (did you mean radius?)\n"},
        {"drop[0].radius=3 mm",
         "--set drop[0].radius=3 mm: unknown key drop (did you mean drops?)\n"},
        {"drops[1].radius=3 mm",
         "--set drops[1].radius=3 mm: there is no entry [1], only 1 (the first is [0])\n"},
        {"drops[-1].radius=3 mm",
         "--set drops[-1].radius=3 mm: not a path into a scene (such as drops[0].radius)\n"},
        {"drops[0.radius=3 mm",
         "--set drops[0.radius=3 mm: not a path into a scene (such as drops[0].radius)\n"},
        {"drops..radius=3 mm",
         "--set drops..radius=3 mm: not a path into a scene (such as drops[0].radius)\n"},
        {"drops.radius=3 mm",
         "--set drops.radius=3 mm: there is no key \"radius\" in a list (say which entry: [0])\n"},
        {"solver.x=3", "--set solver.x=3: there is no key \"x\" in a value\n"},
        {"solver[0]=3", "--set solver[0]=3: [0] is an entry of a list, but this is a value\n"},
        {"duration", "--set duration: not KEY=VALUE (such as drops[0].radius=3 mm)\n"},
        {"=3", "--set =3: not KEY=VALUE (such as drops[0].radius=3 mm)\n"},
        {"gravity[3]=1", "--set gravity[3]=1: there is no entry [3], only 3 (the first is [0])\n"},
        {"gravity=[1, 2",
         "--set gravity=[1, 2: not YAML: did not find expected ',' or ']' while parsing a flow "
         "sequence that begins on line 1\n"},
        {"solver=volum",
         "--set solver=volum: solver: unknown solver \"volum\" (did you mean volume?)\n"},
        {"materials.glass.receding=120 deg",
         "--set materials.glass.receding=120 deg: materials.glass.receding: 120 deg is above the "
         "advancing angle, 90 deg (at most that)\n"},
        {"title=\xff", "--set title=?: byte 0xff is not UTF-8 (a scene is a text file)\n"},
        {"domain.cell=1e-9", "--set domain.cell=1e-9: domain.cell: 1.2e+07 x 8e+06 x 1.2e+07 = "
                             "1.15e+21 cells are more than can be "
                             "addressed (a cell of 1.1e-07 m or more)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TestLog log;
        dew_Scene *scene = NULL;
        dew_Status status = test_read(SCENE, cases[i].set, NULL, &log, &scene);
        if (status.code != DEW_BAD_INPUT || strcmp(log.lines, cases[i].words) != 0 || scene)
            fail_msg("wanted %s   got %s", cases[i].words, log.lines);
    }
}

static void test_solver_argument(void **state)
{
    (void)state;
    TestLog log = {0};
    dew_Scene *scene = NULL;
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.text = SCENE;
    def.text_size = strlen(def.text);
    def.path = "scene.yaml";
    def.solver = "surface";
    def.log = (dew_Log){test_log_write, &log};
    assert_int_equal(dew_scene_read(&def, sample_solvers(), &scene).code, DEW_OK);
    assert_string_equal(dew_scene_def(scene)->solver, "surface");
    assert_int_equal(dew_scene_line(scene, "solver"), -1);
    dew_scene_destroy(scene);
    def.solver = "surfac";
    assert_int_equal(dew_scene_read(&def, sample_solvers(), &scene).code, DEW_BAD_INPUT);
    assert_string_equal(
        log.lines, "--solver surfac: solver: unknown solver \"surfac\" (did you mean surface?)\n");
    def.text = "domain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.1}\n" TEST_DROP;
    def.text_size = strlen(def.text);
    def.solver = "apic";
    assert_int_equal(dew_scene_read(&def, sample_solvers(), &scene).code, DEW_OK);
    dew_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_missing_parts_are_made),
        cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_solver_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
