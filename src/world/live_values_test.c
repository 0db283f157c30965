// Calls that viewers and other hosts need: copies and files of a scene with recorded events, times
// of frames, values that act now, and surfaces for images only.
#include "dew/render.h"
#include "world/made_testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char SCENE[] =
    "solver: surface\nduration: 0.3 s\nframe_rate: 10 Hz\ngravity: [0, -9, 0]\n"
    "domain: {min: [-6 mm, -1 mm, -6 mm], max: [6 mm, 5 mm, 6 mm], cell: 0.6 mm}\n"
    "materials: {glass: {advancing: 70 deg, receding: 40 deg}}\n"
    "solids: [{shape: plane, name: table, material: glass}]\n"
    "drops: [{shape: cap, volume: 4 mm^3, angle: 60 deg}]\n"
    "events: [{kind: gravity, time: 0.2 s, gravity: [1, -9, 0]}]\n";

static void events_stand_in_order_of_time(void **state)
{
    (void)state;
    Made made = make(SCENE, 1, NULL);
    dew_Scene *copy = NULL;
    dew_EventDef event = dew_default_event_def(DEW_EVENT_WIND);
    assert_ok(dew_scene_copy(made.scene, NULL, &copy));
    const double times_s[] = {0.2, 0.1, 0.1};
    for (int i = 0; i < 3; i++) {
        event.time_s = times_s[i];
        event.wind_m_s = (dew_Vec3){i, 0, 0};
        assert_ok(dew_scene_add_event(copy, &event));
    }
    assert_int_equal(dew_scene_event_count(made.scene), 1);
    assert_int_equal(dew_scene_event_count(copy), 4);
    const double winds[] = {1, 2, 0, 0};  // of the third: the scene's own event, about gravity
    for (int i = 0; i < 4; i++)
        assert_true(dew_scene_event(copy, i)->wind_m_s.x == winds[i]);
    assert_int_equal(dew_scene_event(copy, 2)->kind, DEW_EVENT_GRAVITY);
    assert_ok(dew_scene_check(copy));
    dew_scene_destroy(copy);
    destroy(&made);
}

static void a_saved_scene_is_the_same(void **state)
{
    (void)state;
    char folder[] = "/tmp/dew_save_XXXXXX", path[64];
    Made made = make(SCENE, 1, NULL);
    dew_Scene *loaded = NULL;
    char *texts[2] = {NULL, NULL};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s.yaml", folder);
    assert_ok(dew_scene_save(made.scene, path));
    assert_ok(dew_scene_load(path, &loaded));
    assert_ok(dew_scene_text(made.scene, NULL, &texts[0]));
    assert_ok(dew_scene_text(loaded, NULL, &texts[1]));
    assert_string_equal(texts[0], texts[1]);
    dew_scene_text_free(made.scene, texts[0]);
    dew_scene_text_free(loaded, texts[1]);
    dew_scene_destroy(loaded);
    unlink(path);
    snprintf(path, sizeof path, "%s/none/s.yaml", folder);
    assert_int_equal(dew_scene_save(made.scene, path).code, DEW_IO);
    rmdir(folder);
    destroy(&made);
}

static void frames_end_at_the_duration(void **state)
{
    (void)state;
    Made made = make(SCENE, 1, NULL);
    assert_true(dew_scene_frame_count(made.scene) == 4);
    assert_true(dew_scene_frame_time_s(made.scene, 2) == 2 / 10.0);
    assert_true(dew_scene_frame_time_s(made.scene, 3) == dew_scene_def(made.scene)->duration_s);
    destroy(&made);
}

static void values_are_those_that_act(void **state)
{
    (void)state;
    Made made = make(SCENE, 1, NULL);
    dew_World *world = made.world;
    dew_MaterialDef material;
    assert_true(dew_world_can_feed(world));
    assert_true(dew_world_gravity_m_s2(world).y == -9 && dew_world_wind_m_s(world).x == 0);
    dew_world_set_gravity(world, (dew_Vec3){0, -8, 0});
    dew_world_set_wind(world, (dew_Vec3){2, 0, 0});
    assert_true(dew_world_gravity_m_s2(world).y == -8 && dew_world_wind_m_s(world).x == 2);
    assert_ok(dew_world_set_tension(world, 0.05));
    assert_true(dew_world_surface_tension_N_m(world) == 0.05);
    assert_true(dew_scene_def(made.scene)->liquid.surface_tension_N_m != 0.05);
    int glass = dew_scene_find_material(made.scene, "glass");
    assert_ok(dew_world_set_angles(world, "glass", DEW_DEG(90), DEW_DEG(50), DEW_DEG(90)));
    assert_ok(dew_world_material(world, glass, &material));
    assert_true(material.advancing_rad == DEW_DEG(90) && material.receding_rad == DEW_DEG(50));
    assert_int_equal(dew_world_material(world, -1, &material).code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_material(world, 99, &material).code, DEW_BAD_INPUT);
    destroy(&made);
}

static void a_surface_for_images_has_the_same_triangles(void **state)
{
    (void)state;
    Made made = make(SCENE, 1, NULL);
    dew_Surface *surfaces[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        assert_ok(dew_surface_create(NULL, &surfaces[i]));
        dew_surface_set_images_only(surfaces[i], i == 1);
        assert_ok(dew_world_surface(made.world, surfaces[i]));
        assert_int_equal(dew_surface_piece_count(surfaces[i]), 1);
    }
    int64_t count = dew_surface_vertex_count(surfaces[0]);
    assert_true(count > 0 && count == dew_surface_vertex_count(surfaces[1]));
    assert_memory_equal(dew_surface_positions_m(surfaces[0]), dew_surface_positions_m(surfaces[1]),
                        (size_t)count * sizeof(dew_Vec3));
    assert_true(dew_surface_contact_line(surfaces[0]).length_m > 0);
    for (int i = 0; i < 2; i++)
        dew_surface_destroy(surfaces[i]);
    destroy(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_stand_in_order_of_time),
        cmocka_unit_test(a_saved_scene_is_the_same),
        cmocka_unit_test(frames_end_at_the_duration),
        cmocka_unit_test(values_are_those_that_act),
        cmocka_unit_test(a_surface_for_images_has_the_same_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
