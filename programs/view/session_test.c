// A session: what is done to it happens between frames, is saved, and is repeated to the bit; the
// thread ends when it is told to; what lies under the mouse is found.
#include "view/session.h"

#include "support/system.h"
#include "support/vec.h"
#include "view/font.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] =
    "solver: surface\nduration: 2 s\nframe_rate: 50 Hz\n"
    "domain: {min: [-6 mm, -1 mm, -6 mm], max: [6 mm, 5 mm, 6 mm], cell: 0.6 mm}\n"
    "materials: {glass: {advancing: 70 deg, receding: 40 deg}}\n"
    "solids:\n- {shape: plane, name: table, material: glass}\n"
    "- {shape: sphere, name: ball, center: [-5 mm, 0, 0], radius: 1 mm, material: glass, movable: "
    "true}\n"
    "drops:\n- {shape: cap, volume: 4 mm^3, angle: 60 deg}\n"
    "events:\n- {kind: gravity, time: 60 ms, gravity: [1, -9, 0]}\n";

static dew_Scene *load(const char *words, const char *path)
{
    dew_SceneLoadDef def = dew_default_scene_load_def();
    dew_Scene *scene = NULL;
    def.path = path;
    def.text = words;
    def.text_size = words ? strlen(words) : 0;
    dew_Status status = dew_scene_load_with(&def, &scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return scene;
}

// Looks until a frame is there, or fails after a while.
static const dew_ViewState *wait_for(dew_Session *session, int64_t frame)
{
    double until_s = dew_app_wall_s() + 60;
    for (;;) {
        bool is_new;
        const dew_ViewState *instant = dew_session_look(session, &is_new);
        dew_session_go_on(session);
        if (instant->frame >= frame)
            return instant;
        if (dew_app_wall_s() > until_s)
            fail_msg("frame %lld never came", (long long)frame);
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
}

static dew_Session *begun(const dew_Scene *scene, bool is_paused)
{
    dew_SessionDef def = {.scene = scene,
                          .world = dew_default_world_def(),
                          .begins_paused = is_paused,
                          .waits = true};
    def.world.thread_count = 2;
    dew_Session *session = NULL;
    dew_Status status = dew_session_begin(&def, &session);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return session;
}

static void interfere(dew_Session *session)
{
    dew_EventDef event = dew_default_event_def(DEW_EVENT_CAP);
    event.point_m = dew_v3(3e-3, 0, 3e-3);
    event.volume_m3 = 1e-9;
    dew_session_apply(session, &event);
    dew_session_drag(session, 1, dew_v3(2e-3, 0, 0), 0.02);
    wait_for(session, 5);
    event = dew_default_event_def(DEW_EVENT_MATERIAL);
    event.material = "glass";
    event.advancing_rad = event.wet_advancing_rad = DEW_DEG(90);
    event.receding_rad = DEW_DEG(60);
    dew_session_apply(session, &event);
    wait_for(session, 9);
    event.material = "steel";  // there is none: said, and not written down
    dew_session_apply(session, &event);
    wait_for(session, 12);
}

static void what_was_done_is_repeated(void **state)
{
    (void)state;
    char path[] = "session_test_XXXXXX", words[256];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    dew_Scene *scene = load(text, "s.yaml");
    dew_Session *session = begun(scene, false);
    interfere(session);
    assert_true(dew_session_message(session, words, sizeof words));
    assert_non_null(strstr(words, "steel"));
    assert_true(dew_session_event_count(session) > 4);
    dew_session_pause(session, true);
    double until_s = dew_app_wall_s() + 60;
    while (!dew_session_is_settled(session) && dew_app_wall_s() < until_s)
        wait_for(session, 0);
    dew_Status status = dew_session_save(session, path);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    assert_true(dew_session_stop(session, 60));
    uint64_t hash = dew_session_hash(session);
    dew_session_destroy(session);
    dew_Scene *saved = load(NULL, path);
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = 1;
    dew_World *world = NULL;
    assert_int_equal(dew_world_create(saved, &def, &world).code, DEW_OK);
    for (int64_t i = 1; i < (int64_t)dew_scene_frame_count(saved); i++)
        assert_int_equal(dew_world_step_to(world, dew_scene_frame_time_s(saved, i)).code, DEW_OK);
    assert_true(dew_world_hash(world) == hash);
    dew_world_destroy(world);
    dew_scene_destroy(saved);
    dew_scene_destroy(scene);
    unlink(path);
}

static void it_pauses_steps_and_starts_again(void **state)
{
    (void)state;
    dew_Scene *scene = load(text, "s.yaml");
    dew_Session *session = begun(scene, true);
    assert_int_equal(wait_for(session, 0)->frame, 0);
    dew_session_step(session, 2);
    assert_int_equal(wait_for(session, 2)->frame, 2);
    assert_true(dew_session_is_paused(session));
    dew_session_restart(session);
    bool is_new = false;
    const dew_ViewState *instant = NULL;
    for (double until_s = dew_app_wall_s() + 60; !is_new && dew_app_wall_s() < until_s;)
        instant = dew_session_look(session, &is_new);
    assert_true(is_new && instant->frame == 0 && instant->time_s == 0);
    assert_true(dew_session_stop(session, 60));
    dew_session_destroy(session);
    dew_scene_destroy(scene);
}

static void the_first_thing_on_the_ray_is_picked(void **state)
{
    (void)state;
    dew_Scene *scene = load(text, "s.yaml");
    dew_Session *session = begun(scene, true);
    dew_RenderDef def = dew_default_render_def();
    dew_Renderer *renderer = NULL;
    assert_int_equal(dew_renderer_create(scene, &def, &renderer).code, DEW_OK);
    const dew_ViewState *instant = wait_for(session, 0);
    dew_RenderFrame frame = dew_view_state_frame(instant);
    dew_Vec3 down = {0, -1, 0};
    dew_RenderHit pick = dew_renderer_cast_ray(renderer, &frame, dew_v3(4e-3, 1, 0), down, 10);
    assert_true(pick.is_hit && pick.solid_id == 0);
    assert_true(dew_v3_distance(pick.point_m, dew_v3(4e-3, 0, 0)) < 1e-5);
    pick = dew_renderer_cast_ray(renderer, &frame, dew_v3(-5e-3, 1, 0), down, 10);
    assert_true(pick.is_hit && pick.solid_id == 1 && fabs(pick.point_m.y - 1e-3) < 1e-5);
    pick = dew_renderer_cast_ray(renderer, &frame, dew_v3(0, 1, 0), down, 10);
    assert_true(pick.is_hit && pick.solid_id == DEW_INVALID && pick.normal.y > 0.9);
    assert_true(fabs(pick.drop_volume_m3 / 4e-9 - 1) < 0.02);
    pick = dew_renderer_cast_ray(renderer, &frame, dew_v3(0, 1, 0), dew_v3(0, 1, 0), 10);
    assert_false(pick.is_hit);
    dew_renderer_destroy(renderer);
    assert_true(dew_session_stop(session, 60));
    dew_session_destroy(session);
    dew_scene_destroy(scene);
}

// Letters differ from one another, and have dots.
static void every_letter_is_its_own(void **state)
{
    (void)state;
    for (char a = '!'; a <= '~'; a++)
        for (char b = '!'; b <= a; b++) {
            int dots = 0, unlike = 0;
            for (int i = 0; i < DEW_GLYPH_WIDTH * DEW_GLYPH_HEIGHT; i++) {
                bool in_a = dew_glyph_has(a, i % DEW_GLYPH_WIDTH, i / DEW_GLYPH_WIDTH);
                dots += in_a;
                unlike += in_a != dew_glyph_has(b, i % DEW_GLYPH_WIDTH, i / DEW_GLYPH_WIDTH);
            }
            if (dots == 0 || (a != b && unlike == 0))
                fail_msg("'%c' and '%c'", a, b);
        }
    assert_false(dew_glyph_has('\n', 0, 0) || dew_glyph_has((char)200, 0, 0));
    uint32_t dots[6 * 7] = {0};
    dew_Pixels pixels = {6, 7, dots};
    dew_font_put("I??", 4, -2, 1, 9, &pixels);  // over the edges
    assert_int_equal(dots[0 * 6 + 5], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_done_is_repeated),
        cmocka_unit_test(it_pauses_steps_and_starts_again),
        cmocka_unit_test(the_first_thing_on_the_ray_is_picked),
        cmocka_unit_test(every_letter_is_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
