// Scenes made in code, changed, bound to solvers; and every allocation failing in turn.
#include <math.h>

#include "base/testing.h"
#include "scene/scene_testing.h"

// A scene with something of everything, or the first failure.
static dew_Status make_scene(const dew_Allocator *allocator, dew_Scene **out)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "made in code";
    def.solver = "volume";
    def.domain.wall_material[DEW_SIDE_FLOOR] = "glass";
    DEW_TRY(dew_scene_create(&def, allocator, out));
    dew_Scene *scene = *out;
    dew_MaterialDef glass = dew_default_material_def();
    glass.advancing_rad = DEW_DEG(100);
    DEW_TRY(dew_scene_add_material(scene, "glass", &glass));
    dew_KeyframeDef frames[2] = {{.rotate.axis = {0, 1, 0}},
                                 {.time_s = 1, .rotate.axis = {0, 1, 0}}};
    dew_SolidDef plane = dew_default_solid_def(DEW_SOLID_PLANE);
    plane.name = "pane";
    plane.keyframes = frames;
    plane.keyframe_count = 2;
    DEW_TRY(dew_scene_add_solid(scene, &plane));
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.radius_m = 0.001;
    DEW_TRY(dew_scene_add_drop(scene, &drop));
    drop = dew_default_drop_def(DEW_DROP_SCATTER);
    drop.on = "pane";
    drop.radius_range_m[0] = drop.radius_range_m[1] = 0.001;
    DEW_TRY(dew_scene_add_drop(scene, &drop));
    dew_SourceDef drip = dew_default_source_def(DEW_SOURCE_DRIP);
    drip.radius_m = 0.001;
    drip.every_s = 0.5;
    DEW_TRY(dew_scene_add_source(scene, &drip));
    dew_SinkDef sink = dew_default_sink_def();
    sink.max_m = (dew_Vec3){1, 1, 1};
    DEW_TRY(dew_scene_add_sink(scene, &sink));
    dew_LightDef light = dew_default_light_def();
    DEW_TRY(dew_scene_add_light(scene, &light));
    dew_LookDef look = dew_default_look_def();
    look.material = "glass";
    look.texture = "t.png";
    return dew_scene_add_look(scene, &look);
}

static dew_Scene *made(void)
{
    dew_Scene *scene = NULL;
    dew_Status status = make_scene(NULL, &scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return scene;
}

static void test_made_in_code(void **state)
{
    (void)state;
    dew_Scene *scene = made();
    dew_Status status = dew_scene_check(scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    assert_null(dew_scene_path(scene));
    assert_string_equal(dew_scene_def(scene)->title, "made in code");
    assert_string_equal(dew_scene_solid(scene, 0)->name, "pane");
    assert_int_equal(dew_scene_solid(scene, 0)->keyframe_count, 2);
    assert_int_equal(dew_scene_line(scene, "drops[0].radius"), 0);
    char place[16] = "x";
    dew_scene_place(scene, "drops[0].radius", place, sizeof place);
    assert_string_equal(place, "");
    assert_false(dew_scene_is_bound(scene));
    dew_scene_destroy(scene);
    dew_scene_destroy(NULL);
}

static void test_bad_definitions(void **state)
{
    (void)state;
    dew_Scene *scene = NULL;
    dew_SceneDef blank = {0};
    assert_int_equal(dew_scene_create(&blank, NULL, &scene).code, DEW_BAD_INPUT);
    assert_null(scene);
    scene = made();
    dew_DropDef drop = {0};
    dew_Status status = dew_scene_add_drop(scene, &drop);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_string_equal(status.message,
                        "the drop definition was not begun with dew_default_drop_def");
    drop = dew_default_drop_def((dew_DropShape)99);
    assert_int_equal(dew_scene_add_drop(scene, &drop).code, DEW_BAD_INPUT);
    drop = dew_default_drop_def(DEW_DROP_MESH);
    drop.file = "two\nlines";
    assert_int_equal(dew_scene_add_drop(scene, &drop).code, DEW_BAD_INPUT);
    drop = dew_default_drop_def(DEW_DROP_SPHERE);  // a radius of 0
    assert_int_equal(dew_scene_add_drop(scene, &drop).code, DEW_OK);
    status = dew_scene_check(scene);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_string_equal(status.message, "drops[2].radius: \"0 m\" is not above 0");
    drop.radius_m = (double)NAN;
    assert_int_equal(dew_scene_add_drop(scene, &drop).code, DEW_OK);
    dew_scene_destroy(scene);
    dew_LiquidDef liquid;
    status = dew_liquid_preset("mercry", &liquid);
    assert_string_equal(status.message, "unknown liquid \"mercry\" (did you mean mercury?)");
    assert_int_equal(dew_liquid_preset("mercury", &liquid).code, DEW_OK);
    assert_true(liquid.density_kg_m3 == 13546);
}

static void test_bind(void **state)
{
    (void)state;
    dew_Scene *scene = made(), *bound = NULL;
    assert_int_equal(dew_scene_set(scene, "volume.band=7").code, DEW_OK);
    dew_Status status = dew_scene_bind(scene, sample_solvers(), NULL, &bound);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    assert_true(dew_scene_is_bound(bound));
    assert_true(dew_scene_parameter_number(bound, "band") == 7);
    assert_true(dew_scene_parameter_number(bound, "cfl") == 1);
    assert_true(dew_scene_find_material(bound, "default") >= 0);
    assert_string_equal(dew_scene_solid(bound, 0)->material, "default");
    dew_scene_destroy(bound);
    assert_int_equal(dew_scene_set(scene, "volume.bnd=7").code, DEW_OK);  // not known yet
    status = dew_scene_bind(scene, sample_solvers(), NULL, &bound);
    assert_string_equal(status.message,
                        "volume.bnd=7: volume.bnd: unknown key (did you mean band?)");
    assert_null(bound);
    dew_scene_destroy(scene);
}

static void test_set(void **state)
{
    (void)state;
    dew_Scene *scene = NULL;
    assert_int_equal(test_read(TEST_HEAD TEST_DROP, NULL, NULL, NULL, &scene).code, DEW_OK);
    assert_int_equal(dew_scene_set(scene, "drops[0].radius=3 mm").code, DEW_OK);
    assert_true(dew_scene_drop(scene, 0)->radius_m == 0.003);
    assert_true(dew_scene_is_bound(scene));
    assert_int_equal(dew_scene_line(scene, "drops[0].center"), 3);  // lines survive
    dew_Status status = dew_scene_set(scene, "drops[0].radius=3 s");
    assert_string_equal(status.message,
                        "drops[0].radius=3 s: drops[0].radius: \"3 s\" is a time, but "
                        "a length is wanted (such as 2 mm)");
    assert_true(dew_scene_drop(scene, 0)->radius_m == 0.003);
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.radius_m = 0.5;
    assert_int_equal(dew_scene_add_drop(scene, &drop).code, DEW_OK);
    assert_int_equal(dew_scene_set(scene, "drops[1].center[1]=4").code, DEW_OK);
    assert_true(dew_scene_drop(scene, 1)->center_m.y == 4);
    assert_true(dew_scene_drop(scene, 0)->radius_m == 0.003);
    assert_string_equal(dew_scene_path(scene), "scene.yaml");
    dew_scene_destroy(scene);
}

// ---- every allocation fails once ---------------------------------------------------------------

static const char torture_text[] =
    "title: torture\n" TEST_HEAD TEST_DROP "materials: {a: {angle: 1}, b: {slip: inf}}\n"
    "solids:\n- &p {shape: plane, material: a, keyframes: [{time: 0}, {time: 1}]}\n- *p\n"
    "- {shape: mesh, file: a.ply, name: m}\nlook: {a: {texture: t.png}}\nvolume: {band: 5}\n"
    "sources: [{shape: condensation, on: m, rate: 1}]\nsinks: [{min: [0, 0, 0], max: [1, 1, 1]}]\n";

static dew_Status live_through(const dew_Allocator *allocator)
{
    static const char *const sets[] = {"gravity[1]=-1", "drops[0].center=[0, 1, 0]",
                                       "liquid.density=1"};
    dew_SceneLoadDef def = dew_default_scene_load_def();
    dew_Scene *scene = NULL, *bound = NULL;
    char *text = NULL;
    def.path = "folder/scene.yaml";
    def.text = torture_text;
    def.text_size = strlen(torture_text);
    def.overrides = sets;
    def.override_count = 3;
    def.solver = "apic";
    def.allocator = *allocator;
    DEW_TRY(dew_scene_read(&def, sample_solvers(), &scene));
    dew_Status status = dew_scene_text(scene, "other/folder", &text);
    if (status.code == DEW_OK)
        status = dew_scene_set(scene, "duration=3 s");
    if (status.code == DEW_OK)
        status = dew_scene_check(scene);
    dew_scene_text_free(scene, text);
    dew_scene_destroy(scene);
    DEW_TRY(status);
    scene = NULL;
    status = make_scene(allocator, &scene);
    if (status.code == DEW_OK)
        status = dew_scene_bind(scene, sample_solvers(), allocator, &bound);
    dew_scene_destroy(bound);
    dew_scene_destroy(scene);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    int64_t failures = 0;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Status status = live_through(&allocator);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (torture.calls <= n) {
            assert_int_equal(status.code, DEW_OK);
            break;
        }
        // An arena that gets no large block tries a small one: not every failure is felt.
        if (status.code != DEW_NO_MEMORY && status.code != DEW_OK)
            fail_msg("allocation %lld: %s", (long long)n, status.message);
        failures += status.code == DEW_NO_MEMORY;
    }
    assert_true(failures > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_in_code), cmocka_unit_test(test_bad_definitions),
        cmocka_unit_test(test_bind),         cmocka_unit_test(test_set),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
