// A mesh from memory: simulated as the same mesh from a file is, kept with a run, checked when it
// is given.
#include "dew/dew.h"

#include <math.h>
#include <string.h>

#include "base/testing.h"
#include "run/run_testing.h"

static const dew_Vec3 corners_m[] = {
    {0.002, 0.001, 0}, {-0.002, 0.001, 0.002}, {-0.002, 0.001, -0.002}, {0, 0.003, 0}};
static const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
static const dew_MeshData rock = {corners_m, 4, faces, 4};

static dew_Scene *make_scene(const char *file)
{
    dew_Scene *scene = NULL;
    dew_SceneDef def = dew_default_scene_def();
    def.solver = "surface";
    def.duration_s = 0.02;
    def.frame_rate_Hz = 100;
    def.output.checkpoint_every_s = 0;
    def.domain.min_m = (dew_Vec3){-0.005, 0, -0.005};
    def.domain.max_m = (dew_Vec3){0.005, 0.008, 0.005};
    def.domain.cell_m = 5e-4;
    assert_ok(dew_scene_create(&def, NULL, &scene));
    assert_ok(dew_scene_add_mesh(scene, "rock", &rock));
    dew_SolidDef solid = dew_default_solid_def(DEW_SOLID_MESH);
    solid.file = file;
    assert_ok(dew_scene_add_solid(scene, &solid));
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.center_m = (dew_Vec3){0, 0.0045, 0};
    drop.radius_m = 0.001;
    assert_ok(dew_scene_add_drop(scene, &drop));
    assert_ok(dew_scene_check(scene));
    return scene;
}

static uint64_t hash_after(const dew_Scene *scene, double time_s)
{
    dew_World *world = NULL;
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = 1;
    assert_ok(dew_world_create(scene, &def, &world));
    assert_ok(dew_world_step_to(world, time_s));
    uint64_t hash = dew_world_hash(world);
    dew_world_destroy(world);
    return hash;
}

static dew_Status execute(dew_Scene *scene, const char *directory, bool resume, double until_s)
{
    dew_Run *run = NULL;
    dew_RunDef def = dew_default_run_def();
    def.scene = scene;
    def.directory = directory;
    def.resume = resume;
    def.until_s = until_s;
    def.world.thread_count = 1;
    DEW_TRY(dew_run_create(&def, &run));
    dew_Status status = dew_run_execute(run);
    dew_run_destroy(run);
    return status;
}

// The run's own scene names the saved mesh; it simulates the same and resumes the run.
static void test_run(void **state)
{
    (void)state;
    TestDirectory directory = test_directory();
    char path[128];
    dew_Scene *scene = make_scene("memory:rock"), *again = NULL;
    uint64_t hash = hash_after(scene, 0.02);
    assert_ok(execute(scene, directory.path, false, 0.01));
    snprintf(path, sizeof path, "%s/scene_meshes/rock.ply", directory.path);
    assert_true(dew_file_exists(path));
    snprintf(path, sizeof path, "%s/scene.yaml", directory.path);
    assert_ok(dew_scene_load(path, &again));
    assert_string_equal(dew_scene_solid(again, 0)->file, "scene_meshes/rock.ply");
    assert_true(hash_after(again, 0.02) == hash);
    assert_ok(execute(again, directory.path, true, 0.02));
    dew_scene_destroy(again);

    dew_RunReader *reader = NULL;
    dew_RunReaderDef def = dew_default_run_reader_def();
    def.directory = directory.path;
    assert_ok(dew_run_reader_create(&def, &reader));
    assert_ok(dew_run_reader_check_files(reader));
    assert_int_equal(dew_run_reader_summary(reader)->state, DEW_RUN_DONE);
    dew_run_reader_destroy(reader);
    assert_ok(
        execute(scene, directory.path, true, 0.02));  // done: nothing left, and nothing changed
    dew_scene_destroy(scene);
    test_remove(directory.path);
}

// dew_scene_set makes the scene anew; its meshes stay.
static void test_set(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene("memory:rock");
    uint64_t hash = hash_after(scene, 0.005);
    assert_ok(dew_scene_set(scene, "drops[0].radius=1 mm"));
    assert_true(hash_after(scene, 0.005) == hash);
    dew_scene_destroy(scene);
}

static void test_bad(void **state)
{
    (void)state;
    dew_World *world = NULL;
    dew_WorldDef world_def = dew_default_world_def();
    dew_Scene *scene = make_scene("memory:stone");
    dew_Status status = dew_world_create(scene, &world_def, &world);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "memory:stone: the scene has no mesh of this name"));
    assert_null(world);

    assert_int_equal(dew_scene_add_mesh(scene, "rock", &rock).code, DEW_BAD_INPUT);  // twice
    assert_int_equal(dew_scene_add_mesh(scene, "../rock", &rock).code, DEW_BAD_INPUT);
    assert_int_equal(dew_scene_add_mesh(scene, "", &rock).code, DEW_BAD_INPUT);
    dew_MeshData bad = rock;
    bad.vertex_count = 3;
    status = dew_scene_add_mesh(scene, "torn", &bad);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "mesh torn"));
    dew_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
