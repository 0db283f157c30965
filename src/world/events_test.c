// Events: what a user did, written into the scene, gives bit-identical results; also from a
// checkpoint in the middle, and for changes of surface tension and contact angles.
#include "world/world_state.h"

#include "base/testing.h"
#include "base/text.h"
#include "world/frames.h"

#include <math.h>
#include <string.h>

#define HEAD                                                                                       \
    "dew: 1\nsolver: %s\nduration: 0.4 s\nframe_rate: 50 Hz\n"                                     \
    "domain: {min: [-6 mm, -1 mm, -6 mm], max: [6 mm, 5 mm, 6 mm], cell: 0.5 mm}\n"                \
    "materials: {glass: {advancing: 70 deg, receding: 40 deg}, steel: {angle: 80 deg}}\n"          \
    "solids:\n"                                                                                    \
    "- {shape: plane, name: table, material: glass}\n"                                             \
    "- {shape: sphere, name: ball, center: [-5 mm, 0, 0], radius: 1 mm, material: steel, "         \
    "movable: true}\n"                                                                             \
    "drops:\n- {shape: cap, volume: 4 mm^3, angle: 60 deg}\n"
#define FRAMES 12

static dew_Status load(const char *solver, const char *tail, dew_Scene **out)
{
    dew_Text text;
    dew_text_init(&text, NULL);
    dew_text_format(&text, HEAD, solver);
    dew_text_add(&text, tail);
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = "s.yaml";
    def.text = dew_text_string(&text);
    def.text_size = dew_text_length(&text);
    dew_Status status = dew_scene_load_with(&def, out);
    dew_text_deinit(&text);
    return status;
}

static dew_Scene *loaded(const char *solver, const char *tail)
{
    dew_Scene *scene = NULL;
    dew_Status status = load(solver, tail, &scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return scene;
}

static dew_World *made(const dew_Scene *scene, int threads)
{
    dew_WorldDef def = dew_default_world_def();
    dew_World *world = NULL;
    def.thread_count = threads;
    dew_Status status = dew_world_create(scene, &def, &world);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return world;
}

// Frame by frame, as runs and viewers go.
static void to_frame(dew_World *world, int64_t frame)
{
    const dew_SceneDef *def = dew_scene_def(world->scene);
    for (int64_t i = 1; i <= frame; i++) {
        dew_Status status =
            dew_world_step_to(world, dew_frame_time_s(i, def->duration_s, def->frame_rate_Hz));
        if (status.code != DEW_OK)
            fail_msg("%s", status.message);
    }
}

// One of each kind, frame by frame.
static dew_EventDef event_of(int frame, double frame_s)
{
    static const dew_EventKind kinds[] = {DEW_EVENT_DRAG,     DEW_EVENT_CAP,    DEW_EVENT_GRAVITY,
                                          DEW_EVENT_MATERIAL, DEW_EVENT_LIQUID, DEW_EVENT_FEED,
                                          DEW_EVENT_WIND,     DEW_EVENT_DROP,   DEW_EVENT_DRAG};
    dew_EventDef event = dew_default_event_def(kinds[frame % 9]);
    event.solid = "ball";
    event.translate_m = (dew_Vec3){1e-3 * frame, 0, 0.1e-3};
    event.over_s = frame_s;
    event.point_m =
        event.kind == DEW_EVENT_CAP ? (dew_Vec3){3e-3, 0, 3e-3} : (dew_Vec3){0, 2e-4, 0};
    event.volume_m3 = 0.2e-9;
    event.angle_rad = DEW_DEG(60);
    event.center_m = (dew_Vec3){3e-3, 1.5e-3, -3e-3};
    event.radius_m = 0.8e-3;
    event.gravity_m_s2 = (dew_Vec3){3, -9, 1};
    event.wind_m_s = (dew_Vec3){0, 0, 0.5};
    event.material = "glass";
    event.advancing_rad = event.wet_advancing_rad = DEW_DEG(95);
    event.receding_rad = DEW_DEG(75);
    event.surface_tension_N_m = 0.05;
    return event;
}

// A live session in which a user does all of it; the events are written into a new scene.
static uint64_t live_session(const char *solver, const dew_Scene *scene, dew_Scene *recorded)
{
    dew_World *world = made(scene, 1);
    for (int frame = 0; frame < FRAMES; frame++) {
        dew_EventDef event = event_of(frame, 1 / dew_scene_def(scene)->frame_rate_Hz);
        bool is_due = frame < 9;
        if (is_due && event.kind == DEW_EVENT_FEED && !world->ops->feed)
            is_due = false;
        if (is_due) {
            dew_Status status = dew_world_apply(world, &event);
            if (status.code != DEW_OK)
                fail_msg("%s, frame %d: %s", solver, frame, status.message);
            event.time_s = dew_world_time_s(world);
            assert_int_equal(dew_scene_add_event(recorded, &event).code, DEW_OK);
        }
        to_frame(world, frame + 1);
    }
    uint64_t hash = dew_world_hash(world);
    dew_world_destroy(world);
    return hash;
}

// As `dew run` would find it: through the text.
static dew_Scene *through_text(dew_Scene *scene)
{
    char *text = NULL;
    assert_int_equal(dew_scene_text(scene, NULL, &text).code, DEW_OK);
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.text = text;
    def.text_size = strlen(text);
    dew_Scene *again = NULL;
    dew_Status status = dew_scene_load_with(&def, &again);
    if (status.code != DEW_OK)
        fail_msg("%s\n%s", status.message, text);
    dew_scene_text_free(scene, text);
    return again;
}

static void check_repeats(const char *solver)
{
    dew_Scene *scene = loaded(solver, ""), *recorded = loaded(solver, "");
    uint64_t hash = live_session(solver, scene, recorded);
    dew_Scene *saved = through_text(recorded);
    dew_World *world = made(saved, 3), *resumed = made(saved, 1);
    to_frame(world, 6);  // in the middle, after angles and tension have changed
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(dew_world_save(world, &bytes, &size).code, DEW_OK);
    to_frame(world, FRAMES);
    assert_true(dew_world_hash(world) == hash);
    dew_Status status = dew_world_restore(resumed, bytes, size);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    to_frame(resumed, FRAMES);
    assert_true(dew_world_hash(resumed) == hash);
    dew_world_saved_free(world, bytes, size);
    dew_Scene *without = loaded(solver, "");  // events do matter
    dew_World *undisturbed = made(without, 1);
    to_frame(undisturbed, FRAMES);
    assert_true(dew_world_hash(undisturbed) != hash);
    dew_World *worlds[] = {world, resumed, undisturbed};
    for (int i = 0; i < 3; i++)
        dew_world_destroy(worlds[i]);
    dew_Scene *scenes[] = {scene, recorded, saved, without};
    for (int i = 0; i < 4; i++)
        dew_scene_destroy(scenes[i]);
}

static void a_session_is_repeated_by_surface(void **state)
{
    (void)state;
    check_repeats("surface");
}

static void a_session_is_repeated_by_volume(void **state)
{
    (void)state;
    check_repeats("volume\ndimensions: 2");
}

// A drop at rest spreads when its angles fall, though it slept.
static void angles_and_tension_count(void **state)
{
    (void)state;
    dew_Scene *scene = loaded("surface", "");
    dew_World *world = made(scene, 1);
    dew_Stats before, after;
    assert_int_equal(dew_world_step_to(world, 0.3).code, DEW_OK);
    dew_world_stats(world, &before);
    assert_int_equal(
        dew_world_set_angles(world, "glass", DEW_DEG(30), DEW_DEG(20), DEW_DEG(30)).code, DEW_OK);
    dew_world_stats(world, &after);
    assert_true(after.volume_m3 == before.volume_m3 && after.drops == before.drops);
    assert_int_equal(dew_world_step_to(world, 0.6).code, DEW_OK);
    dew_world_stats(world, &after);
    assert_true(after.contact_area_m2 > 1.3 * before.contact_area_m2);
    double angle = dew_scene_material(scene, 0, NULL)->advancing_rad;
    assert_true(angle == DEW_DEG(70));  // the caller's scene is as it was
    assert_int_equal(dew_world_set_tension(world, 0.03).code, DEW_OK);
    assert_true(dew_scene_def(world->scene)->liquid.surface_tension_N_m == 0.03);
    dew_Status status = dew_world_set_angles(world, "glass", 1, 2, 1);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_set_angles(world, "glas", 1, 1, 1).code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_set_tension(world, (double)NAN).code, DEW_BAD_INPUT);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

// Islands of a film that are at rest wake, though no force has changed.
static void films_wake_when_angles_change(void **state)
{
    (void)state;
    dew_Scene *scene = loaded("shallow", "");
    dew_World *world = made(scene, 1);
    dew_Stats before, after;
    assert_int_equal(dew_world_step_to(world, 1).code, DEW_OK);
    dew_world_stats(world, &before);
    assert_int_equal(
        dew_world_set_angles(world, "glass", DEW_DEG(30), DEW_DEG(20), DEW_DEG(30)).code, DEW_OK);
    assert_int_equal(dew_world_step_to(world, 1.5).code, DEW_OK);
    dew_world_stats(world, &after);
    assert_true(after.contact_area_m2 > 1.3 * before.contact_area_m2);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

// A wetting history cannot begin during a run; the world continues with the angles it has.
static void a_history_that_is_missing_is_reported(void **state)
{
    (void)state;
    dew_Scene *scene = loaded("volume\ndimensions: 2", "");
    dew_World *world = made(scene, 1), *other = made(scene, 1);
    assert_int_equal(dew_world_step_to(world, 0.01).code, DEW_OK);
    assert_int_equal(dew_world_step_to(other, 0.01).code, DEW_OK);
    dew_Status status = dew_world_set_angles(world, "glass", DEW_DEG(70), DEW_DEG(40), DEW_DEG(50));
    assert_int_equal(status.code, DEW_UNSUPPORTED);
    assert_non_null(strstr(status.message, "wetting history"));
    assert_int_equal(dew_world_step_to(world, 0.02).code, DEW_OK);
    assert_int_equal(dew_world_step_to(other, 0.02).code, DEW_OK);
    assert_true(dew_world_hash(world) == dew_world_hash(other));
    dew_world_destroy(world);
    dew_world_destroy(other);
    dew_scene_destroy(scene);
}

// An event between frames cuts the step, and happens once.
static void events_have_their_own_times(void **state)
{
    (void)state;
    dew_Scene *scene = loaded(
        "surface", "events:\n- {kind: cap, time: 13 ms, point: [3 mm, 0, 3 mm], volume: 1 mm^3}\n");
    dew_World *world = made(scene, 1);
    dew_Stats stats;
    assert_int_equal(dew_world_substep_to(world, 0.02).code, DEW_OK);
    assert_true(dew_world_time_s(world) <= 0.013);
    while (dew_world_time_s(world) < 0.013)
        assert_int_equal(dew_world_substep_to(world, 0.02).code, DEW_OK);
    assert_true(dew_world_time_s(world) == 0.013);
    dew_world_stats(world, &stats);
    assert_int_equal(stats.drops, 1);
    to_frame(world, 3);
    dew_world_stats(world, &stats);
    assert_int_equal(stats.drops, 2);
    assert_true(fabs(stats.volume_error) < 1e-9);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *solver, *tail, *words;
    } cases[] = {
        {"surface", "events:\n- {kind: drag, time: 0, solid: bal, translate: [0, 0, 0], over: 1}\n",
         "s.yaml:13: no solid is called bal (did you mean ball?)"},
        {"surface",
         "events:\n- {kind: drag, time: 0, solid: table, translate: [0, 0, 0], over: 1}\n",
         "s.yaml:13: solid table cannot be dragged (movable: true allows it)"},
        {"volume", "events:\n- {kind: feed, time: 0, point: [0, 0, 0], volume: 1 ul}\n",
         "s.yaml:13: events[0]: solver volume cannot feed drops (kind: drop adds one)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dew_Scene *scene = loaded(cases[i].solver, cases[i].tail);
        dew_WorldDef def = dew_default_world_def();
        dew_World *world = NULL;
        dew_Status status = dew_world_create(scene, &def, &world);
        assert_string_equal(status.message, cases[i].words);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        dew_scene_destroy(scene);
    }
    dew_Scene *scene = NULL;
    dew_Status status =
        load("splash", "events:\n- {kind: wind, time: 0, wind: [1, 0, 0]}\n", &scene);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "its liquid does not feel the air"));
}

// An event that cannot be done ends the run with its place; nothing before it is lost.
static void an_impossible_event_fails(void **state)
{
    (void)state;
    dew_Scene *scene =
        loaded("surface",
               "events:\n- {kind: feed, time: 20 ms, point: [5 mm, 4 mm, 5 mm], volume: 1 ul}\n");
    dew_World *world = made(scene, 1);
    assert_int_equal(dew_world_step_to(world, 0.02).code, DEW_OK);
    dew_Status status = dew_world_step_to(world, 0.04);
    assert_true(status.code != DEW_OK);
    assert_non_null(strstr(status.message, "s.yaml:13: events[0] at t = 0.02 s: "));
    assert_true(dew_world_time_s(world) == 0.02);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_is_repeated_by_surface),
        cmocka_unit_test(a_session_is_repeated_by_volume),
        cmocka_unit_test(angles_and_tension_count),
        cmocka_unit_test(films_wake_when_angles_change),
        cmocka_unit_test(a_history_that_is_missing_is_reported),
        cmocka_unit_test(events_have_their_own_times),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(an_impossible_event_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
