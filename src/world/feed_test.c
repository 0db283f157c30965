// Feeding and draining by hand: the account, what is refused, and that an error changes nothing.
#include "base/testing.h"

#include "dew/dew.h"
#include "tests/rigid_solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char scene_format[] =
    "dew: 1\n"
    "solver: %s\n"
    "duration: 1 s\n"
    "domain: {min: [-10 mm, -1 mm, -10 mm], max: [10 mm, 10 mm, 10 mm], cell: 0.4 mm}\n"
    "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0]}]\n"
    "drops:\n"
    "  - {shape: sphere, center: [-4 mm, 5 mm, 0], radius: 1 mm}\n"
    "  - {shape: sphere, center: [4 mm, 5 mm, 0], radius: 1.5 mm}\n";

typedef struct Pair {
    dew_Scene *scene;
    dew_World *world;
} Pair;

static Pair open_pair(const char *solver)
{
    char text[1024];
    snprintf(text, sizeof text, scene_format, solver);
    dew_SceneLoadDef load = dew_default_scene_load_def();
    load.path = "feed.yaml";
    load.text = text;
    load.text_size = strlen(text);
    Pair pair = {0};
    assert_int_equal(dew_scene_load_with(&load, &pair.scene).code, DEW_OK);
    dew_WorldDef def = dew_default_world_def();
    assert_int_equal(dew_world_create(pair.scene, &def, &pair.world).code, DEW_OK);
    return pair;
}

static void close_pair(Pair pair)
{
    dew_world_destroy(pair.world);
    dew_scene_destroy(pair.scene);
}

static dew_Stats stats_of(const dew_World *world)
{
    dew_Stats stats;
    dew_world_stats(world, &stats);
    return stats;
}

static void fed_liquid_is_there_at_once(void **state)
{
    (void)state;
    Pair pair = open_pair("surface");
    const dew_Vec3 at = {-4e-3, 5e-3, 0};
    double before = stats_of(pair.world).volume_m3, fed = 0.2e-9;
    assert_int_equal(dew_world_feed(pair.world, at, fed).code, DEW_OK);
    dew_Stats after = stats_of(pair.world);
    assert_true(fabs(after.volume_m3 - before - fed) < 1e-9 * before);
    assert_true(fabs(after.volume_error) < 1e-9);
    assert_int_equal(dew_world_step(pair.world, 5e-3).code, DEW_OK);
    assert_int_equal(dew_world_feed(pair.world, at, -2 * fed).code, DEW_OK);
    assert_int_equal(dew_world_step(pair.world, 5e-3).code, DEW_OK);
    after = stats_of(pair.world);
    assert_true(fabs(after.volume_m3 - before + fed) < 1e-9 * before);
    assert_true(fabs(after.volume_error) < 1e-9);
    close_pair(pair);
}

static void what_is_rejected_changes_nothing(void **state)
{
    (void)state;
    Pair pair = open_pair("surface");
    uint64_t hash = dew_world_hash(pair.world);
    const dew_Vec3 nowhere = {0, 8e-3, 0}, at = {-4e-3, 5e-3, 0};
    assert_int_equal(dew_world_feed(pair.world, nowhere, 1e-10).code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_feed(pair.world, at, 4e-9).code, DEW_BAD_INPUT);  // as much again
    assert_int_equal(dew_world_feed(pair.world, at, -4e-9).code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_feed(pair.world, at, (double)NAN).code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_feed(pair.world, (dew_Vec3){HUGE_VAL, 0, 0}, 1e-10).code,
                     DEW_BAD_INPUT);
    assert_true(dew_world_hash(pair.world) == hash);
    assert_true(stats_of(pair.world).volume_error == 0);
    close_pair(pair);
}

static void the_nearest_drop_is_fed(void **state)
{
    (void)state;
    Pair pair = open_pair("surface");
    double x = stats_of(pair.world).center_m.x;
    assert_int_equal(dew_world_feed(pair.world, (dew_Vec3){4e-3, 5e-3, 0}, 0.3e-9).code, DEW_OK);
    assert_true(stats_of(pair.world).center_m.x > x);  // the one on the right has become heavier
    close_pair(pair);
}

static void a_solver_without_feeding_says_so(void **state)
{
    (void)state;
    test_use_rigid();
    Pair pair = open_pair("rigid");
    assert_int_equal(dew_world_feed(pair.world, (dew_Vec3){4e-3, 5e-3, 0}, 1e-10).code,
                     DEW_UNSUPPORTED);
    close_pair(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fed_liquid_is_there_at_once),
        cmocka_unit_test(what_is_rejected_changes_nothing),
        cmocka_unit_test(the_nearest_drop_is_fed),
        cmocka_unit_test(a_solver_without_feeding_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
