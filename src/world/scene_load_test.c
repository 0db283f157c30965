// Scenes built in code through the public calls: the check knows World's solvers and their
// parameters, and a world takes what it passed.
#include "base/testing.h"
#include "dew/scene.h"
#include "dew/world.h"

#include <string.h>

static dew_Scene *built(const char *solver, int dimensions)
{
    dew_SceneDef def = dew_default_scene_def();
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    dew_Scene *scene = NULL;
    def.solver = solver;
    def.dimensions = dimensions;
    drop.center_m = (dew_Vec3){0, 5e-3, 0};
    drop.radius_m = 1e-3;
    assert_ok(dew_scene_create(&def, NULL, &scene));
    assert_ok(dew_scene_add_drop(scene, &drop));
    return scene;
}

static void test_check_knows_the_solver(void **state)
{
    (void)state;
    dew_Scene *scene = built("surfase", 3);
    assert_string_equal(dew_scene_check(scene).message,
                        "solver: unknown solver \"surfase\" (did you mean surface?)");
    assert_int_equal(dew_scene_set_parameter(scene, "cfl", 1).code, DEW_BAD_INPUT);
    dew_scene_destroy(scene);
    scene = built("surface", 2);
    assert_string_equal(dew_scene_check(scene).message,
                        "dimensions: solver surface does not work in 2 (in 3)");
    dew_scene_destroy(scene);
}

static void test_world_takes_parameters(void **state)
{
    (void)state;
    dew_Scene *scene = built("apic", 3), *copy = NULL;
    dew_World *world = NULL;
    dew_WorldDef def = dew_default_world_def();
    char *text = NULL;
    assert_int_equal(dew_scene_set_parameter(scene, "cfl", -1).code, DEW_BAD_INPUT);
    assert_ok(dew_scene_set_parameter(scene, "cfl", 0.75));
    assert_ok(dew_scene_set_parameter_text(scene, "transfer", "pic"));
    assert_ok(dew_scene_check(scene));
    assert_ok(dew_scene_copy(scene, NULL, &copy));
    assert_ok(dew_scene_text(copy, NULL, &text));
    assert_non_null(strstr(text, "  cfl: 0.75\n"));
    assert_non_null(strstr(text, "  transfer: pic\n"));
    dew_scene_text_free(copy, text);
    assert_ok(dew_world_create(scene, &def, &world));
    dew_world_destroy(world);
    dew_scene_destroy(copy);
    dew_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_knows_the_solver),
        cmocka_unit_test(test_world_takes_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
