// World with drops in the solver `shallow`: bit-identical on any number of workers and after a
// restore, no memory taken once warm; nothing lost; pinned drops stay, sleep and wake; moving ones
// obey the law of the moving line.
#include "base/testing.h"
#include "dew/world.h"
#include "solvers/shallow/films/thin_film.h"
#include "world/lives_testing.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PANE                                                                                       \
    "solver: shallow\ndimensions: 2\nduration: 1 s\nframe_rate: 100 Hz\n"                          \
    "domain: {min: [-6 mm, 0, -4 mm], max: [6 mm, 4 mm, 4 mm], cell: 0.4 mm, "                     \
    "walls: {floor: glass, others: glass}}\n"

// A drop that runs into another on a slope that remembers what was wet, a third asleep; vapour,
// rain, wind.
#define BUSY                                                                                       \
    PANE "gravity: [7, -5, 0]\nwind: [3, 0, 1]\nseed: 5\n"                                         \
         "materials: {glass: {advancing: 55 deg, receding: 30 deg, wet_advancing: 40 deg}}\n"      \
         "solids: [{shape: box, name: plate, center: [0, -0.9 mm, 0], size: [9 mm, 2 mm, 6 mm], "  \
         "material: glass}]\n"                                                                     \
         "drops: [{shape: cap, point: [-3 mm, 0.1 mm, 0], normal: [0, 1, 0], volume: 25 mm^3, "    \
         "angle: 50 deg}, {shape: cap, point: [2.2 mm, 0.1 mm, 0.3 mm], normal: [0, 1, 0], "       \
         "volume: 6 mm^3, angle: 45 deg}, {shape: cap, point: [1 mm, 0.1 mm, -2.2 mm], "           \
         "normal: [0, 1, 0], volume: 0.5 mm^3, angle: 45 deg}]\n"                                  \
         "sources: [{shape: condensation, on: plate, rate: 20 mm^3/s, sites: 5}, {shape: rain, "   \
         "min: [-4 mm, 3 mm, -3 mm], max: [4 mm, 3.5 mm, 3 mm], rate: 100 Hz, "                    \
         "radius: [0.3 mm, 0.6 mm], velocity: [0, -1, 0]}]\n"

// One row of columns.
#define ROW                                                                                        \
    "solver: shallow\ndimensions: 1\nduration: 1 s\nframe_rate: 100 Hz\ngravity: [3, -9, 0]\n"     \
    "domain: {min: [-6 mm, 0, -1 mm], max: [6 mm, 4 mm, 1 mm], cell: 0.2 mm, "                     \
    "walls: {floor: glass, others: glass}}\n"                                                      \
    "materials: {glass: {advancing: 55 deg, receding: 45 deg}}\n"                                  \
    "drops: [{shape: box, min: [-2 mm, 0, -1 mm], max: [1 mm, 1 mm, 1 mm]}]\n"

static const Life lives[] = {{BUSY, 30}, {ROW, 30}};
enum { LIVES = sizeof lives / sizeof lives[0] };
static Lives all_lives = {lives, LIVES, {ROW, 30}};

static dew_Stats stats_of(const Made *made)
{
    dew_Stats stats;
    dew_world_stats(made->world, &stats);
    return stats;
}

// Whatever happens no column is less than empty, and nothing is lost.
static void nothing_is_lost(void **state)
{
    (void)state;
    for (int i = 0; i < LIVES; i++) {
        Made made = make(lives[i].text, 2, NULL);
        for (int k = 0; k < 4; k++) {
            take_steps(&made, lives[i].steps);
            assert_true(fabs(stats_of(&made).volume_error) < 1e-12);
            const dew_SolverState *s = made.world->state;
            for (int64_t n = 0; n < s->grid.count; n++)
                assert_true(s->depth[n] >= 0);
        }
        destroy(&made);
    }
}

// A drop whose angles lie between receding and advancing stays to the last bit, asleep; a tilt
// wakes it, one that the retention law does not allow moves it.
static void a_pinned_drop_sleeps_and_wakes(void **state)
{
    (void)state;
    Made made = make(PANE "materials: {glass: {advancing: 70 deg, receding: 20 deg}}\n"
                          "drops: [{shape: cap, point: [-2 mm, 0, 0.1 mm], normal: [0, 1, 0], "
                          "volume: 10 mm^3, angle: 45 deg}]\n",
                     1, NULL);
    assert_ok(dew_world_step(made.world, 0.5));
    dew_Stats before = stats_of(&made);
    assert_int_equal(before.drops, 1);
    assert_true(before.max_speed_m_s == 0);
    assert_ok(dew_world_step(made.world, 0.1));
    assert_true(stats_of(&made).center_m.x == before.center_m.x);
    dew_world_set_gravity(made.world, (dew_Vec3){2, -9.6, 0});
    assert_ok(dew_world_step(made.world, 0.01));
    assert_true(stats_of(&made).max_speed_m_s > 0);
    assert_ok(dew_world_step(made.world, 0.3));
    assert_true(fabs(stats_of(&made).center_m.x - before.center_m.x) < 0.4e-3);
    dew_world_set_gravity(made.world, (dew_Vec3){60, -5, 0});
    assert_ok(dew_world_step(made.world, 0.1));
    assert_true(stats_of(&made).center_m.x - before.center_m.x > 1e-3);
    destroy(&made);
}

// A large drop and four small ones in a row, two cells apart, are one island. Each weighs less than
// half of what holds it, and none may run into the next.
static void small_drops_beside_a_large_one_hold(void **state)
{
    (void)state;
#define CAP(z, volume)                                                                             \
    "{shape: cap, point: [5.03 mm, 0, " z " mm], normal: [0, 1, 0], volume: " volume               \
    " mm^3, angle: 48 deg}"
    Made made = make("solver: shallow\ndimensions: 2\nduration: 1 s\ngravity: [9.476, -2.539, 0]\n"
                     "domain: {min: [0, 0, 0], max: [10 mm, 8 mm, 17 mm], cell: 0.25 mm, "
                     "walls: {floor: glass, others: open}}\n"
                     "materials: {glass: {advancing: 65 deg, receding: 25 deg}}\n"
                     "drops: [" CAP("4.07", "8") ", " CAP("7.82", "0.35") ", " CAP(
                         "9.98", "0.35") ", " CAP("12.14", "0.35") ", " CAP("14.3", "0.35") "]\n",
                     1, NULL);
#undef CAP
    assert_ok(dew_world_step_to(made.world, 0.05));
    assert_int_equal(stats_of(&made).drops, 5);
    assert_true(fabs(stats_of(&made).velocity_m_s.x) < 1e-3);
    destroy(&made);
}

// The step that is asked for, not the capillary one, is taken: 300 times as long, and the drop is
// what it was.
static void long_steps_are_stable(void **state)
{
    (void)state;
    double top[2];
    for (int k = 0; k < 2; k++) {
        const char *text = k == 0 ? PANE "shallow: {pace: 3}\nmaterials: {glass: {angle: 50 deg}}\n"
                                         "drops: [{shape: cap, point: [0.1 mm, 0, 0], "
                                         "normal: [0, 1, 0], volume: 10 mm^3, angle: 44 deg}]\n"
                                  : PANE
                               "shallow: {pace: 300}\nmaterials: {glass: {angle: 50 deg}}\n"
                               "drops: [{shape: cap, point: [0.1 mm, 0, 0], "
                               "normal: [0, 1, 0], volume: 10 mm^3, angle: 44 deg}]\n";
        Made made = make(text, 1, NULL);
        assert_ok(dew_world_step(made.world, k == 0 ? 0.3 : 3));
        top[k] = stats_of(&made).top_m;
        destroy(&made);
    }
    assert_true(fabs(top[1] / top[0] - 1) < 0.02);
}

// Oil on a slope of 20 degrees, its speed once it is steady.
#define SLOPE(shallow, glass)                                                                      \
    "solver: shallow\ndimensions: 2\nduration: 9 s\ngravity: [3.355, -9.218, 0]\n"                 \
    "liquid: {density: 936, viscosity: 10.4 mPa s, surface_tension: 20.1 mN/m}\n"                  \
    "shallow: {" shallow "}\n"                                                                     \
    "domain: {min: [-4 mm, 0, -3.5 mm], max: [12 mm, 4 mm, 3.5 mm], cell: 0.33 mm, "               \
    "walls: {floor: glass, others: glass}}\n"                                                      \
    "materials: {glass: {advancing: 50.5 deg, wet_advancing: 50.5 deg, receding: 45.5 deg" glass   \
    "}}\ndrops: [{shape: cap, point: [0, 0, 0.05 mm], normal: [0, 1, 0], volume: 6 mm^3, "         \
    "angle: 48 deg}]\n"

static double speed_on_slope_m_s(const char *text)
{
    Made made = make(text, 1, NULL);
    assert_ok(dew_world_step(made.world, 0.4));
    double before = stats_of(&made).center_m.x;
    assert_ok(dew_world_step(made.world, 0.4));
    double speed = (stats_of(&made).center_m.x - before) / 0.4;
    destroy(&made);
    return speed;
}

// The speed is the law's, 5.25 mm/s, within 30 %; it follows the slip length as the law has it,
// 1 / ln(R / slip length) with R = 2 mm; it does not follow the step. Without a law of its own the
// line is not held back at all.
static void a_sliding_drop_obeys_the_law_of_the_line(void **state)
{
    (void)state;
    double usual = speed_on_slope_m_s(SLOPE("pace: 3", ""));
    assert_true(fabs(usual / 5.25e-3 - 1) < 0.30);
    double slippery = speed_on_slope_m_s(SLOPE("pace: 3", ", slip_length: 1 um"));
    double ratio = log(2e-3 / 10e-9) / log(2e-3 / 1e-6);
    assert_true(fabs(slippery / usual / ratio - 1) < 0.15);
    assert_true(fabs(speed_on_slope_m_s(SLOPE("pace: 0.3", "")) / usual - 1) < 0.05);
    assert_true(speed_on_slope_m_s(SLOPE("pace: 3", ", dynamic_angle: none")) > 2 * usual);
}

// A drop that spreads and one that recedes come to rest where they do without the law: that is
// where their limits are (validate shallow_drops).
static void the_law_changes_nothing_at_rest(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        dew_Stats stats[2];
        for (int law = 0; law < 2; law++) {
            char text[1024];
            snprintf(text, sizeof text,
                     PANE "materials: {glass: {advancing: 50 deg, receding: 40 deg, "
                          "dynamic_angle: %s}}\n"
                          "liquid: {density: 936, viscosity: 10.4 mPa s, surface_tension: 20.1 "
                          "mN/m}\n"
                          "drops: [{shape: cap, point: [0.1 mm, 0, 0], normal: [0, 1, 0], "
                          "volume: 12 mm^3, angle: %d deg}]\n",
                     law == 1 ? "cox-voinov" : "none", k == 0 ? 65 : 25);
            Made made = make(text, 1, NULL);
            assert_ok(dew_world_step(made.world, 2));
            stats[law] = stats_of(&made);
            assert_true(stats[law].max_speed_m_s == 0);
            destroy(&made);
        }
        // Inertia carries a line that nothing drags a little further: 1 % of the area.
        assert_true(fabs(stats[1].contact_area_m2 / stats[0].contact_area_m2 - 1) < 0.01);
        assert_true(fabs(stats[1].contact_angle_rad - stats[0].contact_angle_rad) < DEW_DEG(0.5));
    }
}

// Waves have no contact angle: its law is refused by name; not where tension acts.
static void waves_refuse_the_law_of_the_line(void **state)
{
    (void)state;
    static const char *const keys[] = {"dynamic_angle: none", "slip_length: 1 um",
                                       "jump_length: 1 nm", "jump_frequency: 1e6 Hz"};
    for (int k = 0; k < 8; k++) {
        char text[512], name[48];
        dew_Scene *scene = NULL;
        snprintf(text, sizeof text,
                 PANE "shallow: {tension: %s}\nmaterials: {glass: {%s}}\n"
                      "drops: [{shape: box, min: [0, 0, 0], max: [1 mm, 1 mm, 1 mm]}]\n",
                 k < 4 ? "off" : "on", keys[k % 4]);
        dew_Status status = test_scene(text, NULL, &scene);
        snprintf(name, sizeof name, "materials.glass.%.*s", (int)strcspn(keys[k % 4], ":"),
                 keys[k % 4]);
        assert_int_equal(status.code, k < 4 ? DEW_BAD_INPUT : DEW_OK);
        assert_true(k >= 4 || strstr(status.message, name));
        dew_scene_destroy(scene);
    }
}

typedef struct Heard {
    int warnings;
    char last[512];
} Heard;

static void hear(void *context, dew_LogLevel level, const char *message)
{
    Heard *heard = context;
    if (level == DEW_LOG_WARNING) {
        heard->warnings++;
        snprintf(heard->last, sizeof heard->last, "%s", message);
    }
}

// Steeper than a height field can be: one warning, which names the material; none for what it can
// be. And one when a solid under drops moves.
static void steep_angles_are_reported(void **state)
{
    (void)state;
    static const char *const texts[] = {
        PANE "materials: {glass: {advancing: 110 deg, receding: 20 deg}}\n"
             "drops: [{shape: box, min: [0, 0, 0], max: [1 mm, 1 mm, 1 mm]}]\n",
        PANE "materials: {glass: {angle: 60 deg}, wax: {angle: 110 deg}}\n"
             "drops: [{shape: box, min: [0, 0, 0], max: [1 mm, 1 mm, 1 mm]}]\n",
        PANE "materials: {glass: {angle: 60 deg}}\n"
             "solids: [{shape: sphere, center: [0, 0, 0], radius: 1 mm, velocity: [1 mm/s, 0, 0], "
             "material: glass}]\n"
             "drops: [{shape: box, min: [0, 0, 0], max: [1 mm, 1 mm, 1 mm]}]\n"};
    static const char *const wanted[] = {"glass has an advancing angle of 110 degrees", NULL,
                                         "lie on the ground as it is at the start"};
    for (int k = 0; k < 3; k++) {
        Heard heard = {0};
        Made made = {0};
        assert_ok(test_scene(texts[k], NULL, &made.scene));
        dew_WorldDef def = dew_default_world_def();
        def.log = (dew_Log){.write = hear, .context = &heard};
        assert_ok(dew_world_create(made.scene, &def, &made.world));
        assert_int_equal(heard.warnings, wanted[k] ? 1 : 0);
        assert_true(!wanted[k] || strstr(heard.last, wanted[k]));
        destroy(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(is_the_same_on_any_number_of_workers, &all_lives),
        cmocka_unit_test_prestate(is_the_same_after_a_restore, &all_lives),
        cmocka_unit_test_prestate(takes_no_memory_when_warm, &all_lives),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(a_pinned_drop_sleeps_and_wakes),
        cmocka_unit_test(small_drops_beside_a_large_one_hold),
        cmocka_unit_test(long_steps_are_stable),
        cmocka_unit_test(a_sliding_drop_obeys_the_law_of_the_line),
        cmocka_unit_test(the_law_changes_nothing_at_rest),
        cmocka_unit_test(waves_refuse_the_law_of_the_line),
        cmocka_unit_test(steep_angles_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
