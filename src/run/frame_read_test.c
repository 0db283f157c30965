// Frames of a run read back: which are there, and what they hold.
#include "run/frame_read.h"

#include <math.h>

#include "base/testing.h"
#include "run/run_testing.h"

static void frames_come_back(void **state)
{
    (void)state;
    TestDirectory directory = test_directory();
    dew_RunDef def = dew_default_run_def();
    dew_Run *run = NULL;
    dew_Surface *surface, *last;
    dew_Array numbers;
    assert_int_equal(test_scene(TEST_SHORT, NULL, &def.scene).code, DEW_OK);
    def.directory = directory.path;
    assert_int_equal(dew_run_create(&def, &run).code, DEW_OK);
    assert_int_equal(dew_run_execute(run).code, DEW_OK);
    assert_int_equal(dew_surface_create(NULL, &surface).code, DEW_OK);
    assert_int_equal(dew_surface_create(NULL, &last).code, DEW_OK);
    dew_array_init(&numbers, NULL, sizeof(int64_t));
    assert_int_equal(dew_frames_find(directory.path, DEW_SURFACE_PLY, &numbers).code, DEW_OK);
    assert_int_equal(numbers.count, 11);
    for (int64_t i = 0; i < numbers.count; i++)
        assert_int_equal(DEW_ITEMS(&numbers, int64_t)[i], i);
    assert_int_equal(dew_frame_load(directory.path, DEW_SURFACE_PLY, 10, NULL, surface).code,
                     DEW_OK);
    assert_int_equal(dew_world_surface(dew_run_world(run), last).code, DEW_OK);
    assert_int_equal(dew_surface_vertex_count(surface), dew_surface_vertex_count(last));
    for (int64_t i = 0; i < dew_surface_vertex_count(last); i++) {
        dew_Vec3 v = dew_surface_velocities_m_s(last)[i],
                 w = dew_surface_velocities_m_s(surface)[i];
        assert_true(fabs(v.y - w.y) <= 1e-6 * fabs(v.y));
        assert_true(dew_surface_wet(last)[i] == dew_surface_wet(surface)[i]);
    }
    dew_Status status = dew_frame_load(directory.path, DEW_SURFACE_PLY, 11, NULL, surface);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_int_equal(dew_frames_find("/nowhere", DEW_SURFACE_PLY, &numbers).code, DEW_OK);
    assert_int_equal(numbers.count, 0);
    bool is_there = true;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    status = dew_frame_load_wetness(directory.path, "floor", 3, NULL, &mesh, &is_there);
    assert_true(status.code == DEW_OK && !is_there);
    dew_mesh_deinit(&mesh);
    dew_array_deinit(&numbers);
    dew_surface_destroy(surface);
    dew_surface_destroy(last);
    dew_run_destroy(run);
    dew_scene_destroy(def.scene);
    test_remove(directory.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
