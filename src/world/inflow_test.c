// Taps and condensation in the solver `surface`: speed of a jet, the account, streams that leave,
// drops that grow where they lie, and bit-identical on any number of workers and after a restore.
#include "dew/dew.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/testing.h"
#include "solvers/surface/drop_inflow.h"
#include "world/world_state.h"

#define JET                                                                                        \
    "gravity: [0, 0, 0]\n"                                                                         \
    "domain: {min: [-2 mm, -20 mm, -20 mm], max: [%s, 20 mm, 20 mm], cell: 0.4 mm}\n"              \
    "liquid: {density: 998, viscosity: 1 mPa s, surface_tension: 1 mN/m}\n"                        \
    "sources: [{shape: disk, center: [0, 0, 0], normal: [1, 0, 0], radius: 1 mm, speed: 2 m/s}]\n"

#define DEWY                                                                                       \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "domain: {min: [-6 mm, -1 mm, -6 mm], max: [6 mm, 10 mm, 6 mm], cell: 0.5 mm}\n"               \
    "materials: {glass: {advancing: 80 deg, receding: 50 deg}}\n"                                  \
    "solids: [{shape: sphere, name: ball, center: [0, 4 mm, 0], radius: 4 mm, "                    \
    "material: glass}]\n"                                                                          \
    "sources: [{shape: condensation, on: ball, rate: 3 mm^3/s, sites: 25}]\n"

#define TAPS                                                                                       \
    "domain: {min: [-20 mm, 0, -20 mm], max: [20 mm, 30 mm, 20 mm], cell: 1 mm, "                  \
    "walls: {floor: glass}}\n"                                                                     \
    "materials: {glass: {angle: 90 deg}}\n"                                                        \
    "sources:\n"                                                                                   \
    "  - {shape: disk, center: [-8 mm, 25 mm, 0], normal: [0, -1, 0], radius: 2 mm, "              \
    "speed: 0.3 m/s}\n"                                                                            \
    "  - {shape: disk, center: [8 mm, 25 mm, 0], normal: [0, -1, 0], radius: 1 mm, "               \
    "speed: 0.1 m/s}\n"                                                                            \
    "  - {shape: drip, at: [0, 20 mm, 8 mm], radius: 1 mm, every: 30 ms}\n"

typedef struct Pair {
    dew_Scene *scene;
    dew_World *world;
} Pair;

static Pair open_pair(const char *body, int threads)
{
    char text[2048];
    snprintf(text, sizeof text, "dew: 1\nsolver: surface\nduration: 1 s\nframe_rate: 60 Hz\n%s",
             body);
    dew_SceneLoadDef load = dew_default_scene_load_def();
    load.path = "inflow.yaml";
    load.text = text;
    load.text_size = strlen(text);
    Pair pair = {0};
    dew_Status status = dew_scene_load_with(&load, &pair.scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = threads;
    status = dew_world_create(pair.scene, &def, &pair.world);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
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

static void go_to(dew_World *world, double time_s)
{
    dew_Status status = dew_world_step_to(world, time_s);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
}

/// What has been brought and is in no drop yet.
static double waiting_m3(const dew_World *world)
{
    double sum = 0;
    const dew_Array *accounts = &world->state->inflows;
    for (int64_t i = 0; i < accounts->count; i++)
        sum += DEW_ITEMS(accounts, dew_DropInflowAccount)[i].waiting_m3;
    for (int64_t d = 0; d < dew_drop_count(&world->state->drops); d++)
        sum += DEW_ITEMS(&world->state->drops.values, dew_DropValues)[d].feed_m3;
    return sum;
}

/// Everything the sources brought is in the drops, waits, or has left.
static void check_account(const dew_World *world)
{
    dew_Stats stats = stats_of(world);
    double brought = dew_problem_inflow_volume_m3(world->problem, 0, stats.time_s);
    double there = world->clock.added_m3 + waiting_m3(world);
    assert_true(fabs(there / brought - 1) < 1e-12);
    assert_true(fabs(stats.volume_error) < 1e-11);
}

static double front_m(const dew_World *world)
{
    double front = 0;
    const dew_Array *positions = &world->state->drops.positions;
    for (int64_t i = 0; i < positions->count; i++)
        front = fmax(front, DEW_ITEMS(positions, dew_Vec3)[i].x);
    return front;
}

/// Without gravity and with next to no tension, liquid keeps the velocity of the nozzle.
static void a_jet_keeps_its_speed(void **state)
{
    (void)state;
    char body[1024];
    snprintf(body, sizeof body, JET, "100 mm");
    Pair pair = open_pair(body, 1);
    for (int k = 1; k <= 4; k++) {
        go_to(pair.world, 0.005 * k);
        check_account(pair.world);
        assert_int_equal(stats_of(pair.world).drops, 1);
        // Ahead of the front by the round end of the first plug, an eighth of the nozzle's radius.
        assert_true(fabs(front_m(pair.world) - (0.01 * k + 0.125e-3)) < 0.02 * 0.01 * k);
    }
    dew_Stats stats = stats_of(pair.world);
    assert_true(fabs(stats.velocity_m_s.x / 2 - 1) < 0.01);
    close_pair(pair);
}

/// A stream that runs out of the domain is cut there; what left is accounted for.
static void a_stream_that_leaves_is_cut(void **state)
{
    (void)state;
    char body[1024];
    snprintf(body, sizeof body, JET, "10 mm");
    Pair pair = open_pair(body, 1);
    go_to(pair.world, 0.015);
    check_account(pair.world);
    double area = DEW_PI * 1e-6;
    assert_true(pair.world->clock.removed_m3 > 0.5 * area * 0.015);
    assert_int_equal(stats_of(pair.world).drops, 1);
    // Cut within a few edges of the border; a step of the stream may lie beyond that.
    assert_true(front_m(pair.world) < 10e-3 + 8 * 0.4e-3);
    assert_true(front_m(pair.world) > 8e-3);
    close_pair(pair);
}

/// A tap that is turned down continues with the same drop, and stops when it is closed.
static void disks_at_one_place_are_one_nozzle(void **state)
{
    (void)state;
    Pair pair = open_pair(
        "domain: {min: [-6 mm, -20 mm, -6 mm], max: [6 mm, 2 mm, 6 mm], cell: 0.4 mm}\n"
        "sources:\n"
        "  - {shape: disk, center: [0, 0, 0], normal: [0, -1, 0], radius: 1 mm, speed: 10 mm/s,"
        " stop: 0.2 s}\n"
        "  - {shape: disk, center: [0, 0, 0], normal: [0, -1, 0], radius: 1 mm, speed: 2 mm/s,"
        " start: 0.1 s, stop: 0.3 s}\n",
        1);
    go_to(pair.world, 0.45);
    check_account(pair.world);
    dew_Stats stats = stats_of(pair.world);
    assert_int_equal(stats.drops, 1);
    assert_true(fabs(stats.volume_m3 / (DEW_PI * 1e-6 * 2.4e-3) - 1) < 1e-11);
    assert_true(stats.top_m <= 1e-12);
    assert_true(stats.max_speed_m_s < 0.02);
    close_pair(pair);
}

/// Seeds lie on the solid, grow without merging or moving, and sleep between their meals.
static void condensation_grows_drops(void **state)
{
    (void)state;
    Pair pair = open_pair(DEWY, 1);
    go_to(pair.world, 0.2);
    check_account(pair.world);
    assert_int_equal(stats_of(pair.world).drops, 0);  // nobody has a seed's volume yet
    go_to(pair.world, 0.6);
    check_account(pair.world);
    dew_Stats stats = stats_of(pair.world);
    assert_in_range(stats.drops, 20, 25);
    assert_true(waiting_m3(pair.world) < 0.1 * stats.volume_m3);
    // A line that is being pushed outward stands a little above its bound: three degrees are
    // allowed.
    assert_true(stats.contact_angle_rad > DEW_DEG(47) && stats.contact_angle_rad < DEW_DEG(83));
    assert_true(stats.max_speed_m_s < 0.01);
    close_pair(pair);
}

static uint64_t hash_after(const char *body, int threads, double time_s)
{
    Pair pair = open_pair(body, threads);
    for (int k = 1; k <= 4; k++)
        go_to(pair.world, 0.25 * k * time_s);
    uint64_t hash = dew_world_hash(pair.world);
    close_pair(pair);
    return hash;
}

static void workers_do_not_change_the_bits(void **state)
{
    (void)state;
    const struct {
        const char *body;
        double time_s;
    } scene[] = {{DEWY, 0.5}, {TAPS, 0.1}};
    for (int s = 0; s < 2; s++) {
        uint64_t one = hash_after(scene[s].body, 1, scene[s].time_s);
        assert_true(one == hash_after(scene[s].body, 2, scene[s].time_s));
        assert_true(one == hash_after(scene[s].body, 7, scene[s].time_s));
    }
}

/// The accounts are part of the state: a resumed run is bit-identical.
static void a_restored_world_goes_on_alike(void **state)
{
    (void)state;
    char jet[1024];
    snprintf(jet, sizeof jet, JET, "100 mm");
    const struct {
        const char *body;
        double stop_s, end_s;
    } scene[] = {{DEWY, 0.3, 0.5}, {jet, 0.00005, 0.004}, {jet, 0.002, 0.004}};
    for (int s = 0; s < 3; s++) {
        Pair first = open_pair(scene[s].body, 1), second = open_pair(scene[s].body, 1);
        uint8_t *bytes;
        size_t size;
        go_to(first.world, scene[s].stop_s);
        assert_true(waiting_m3(first.world) > 0 || s == 2);
        assert_int_equal(dew_world_save(first.world, &bytes, &size).code, DEW_OK);
        assert_int_equal(dew_world_restore(second.world, bytes, size).code, DEW_OK);
        dew_world_saved_free(first.world, bytes, size);
        go_to(first.world, scene[s].end_s);
        go_to(second.world, scene[s].end_s);
        assert_true(dew_world_hash(first.world) == dew_world_hash(second.world));
        check_account(second.world);
        close_pair(first);
        close_pair(second);
    }
}

/// A drop whose middle is in a sink is gone; one that only reaches into it stays.
static void a_sink_takes_what_is_in_it(void **state)
{
    (void)state;
    Pair pair =
        open_pair("gravity: [0, 0, 0]\n"
                  "domain: {min: [-6 mm, -6 mm, -6 mm], max: [6 mm, 6 mm, 6 mm], cell: 0.4 mm}\n"
                  "sinks: [{shape: box, min: [0, -6 mm, -6 mm], max: [6 mm, 6 mm, 6 mm]}]\n"
                  "drops:\n"
                  "  - {shape: sphere, center: [0.2 mm, 0, 0], radius: 1 mm}\n"
                  "  - {shape: sphere, center: [-0.2 mm, 3 mm, 0], radius: 1 mm}\n",
                  1);
    go_to(pair.world, 0.01);
    dew_Stats stats = stats_of(pair.world);
    assert_int_equal(stats.drops, 1);
    assert_true(fabs(stats.volume_error) < 1e-11);
    assert_true(fabs(stats.volume_m3 / pair.world->clock.removed_m3 - 1) < 1e-9);
    close_pair(pair);
}

/// Two hundred drops rain onto nothing: each falls freely, leaves below, and is counted out.
static void rain_is_accounted_for(void **state)
{
    (void)state;
    Pair pair = open_pair(
        "domain: {min: [-50 mm, 0, -50 mm], max: [50 mm, 100 mm, 50 mm], cell: 1 mm}\n"
        "sources: [{shape: rain, min: [-45 mm, 80 mm, -45 mm], max: [45 mm, 95 mm, 45 mm],"
        " rate: 1000 Hz, radius: [0.3 mm, 0.8 mm], velocity: [0, -1, 0]}]\n",
        1);
    go_to(pair.world, 0.2);
    dew_Stats stats = stats_of(pair.world);
    assert_true(pair.world->clock.entered_m3 > 0);
    assert_true(pair.world->clock.removed_m3 > 0);
    assert_in_range(stats.drops, 40, 200);
    assert_true(fabs(stats.volume_error) < 1e-11);
    // The oldest drop fell for as long as it took to cross the domain: none is faster than that.
    assert_true(stats.max_speed_m_s < sqrt(1 + 2 * 9.81 * 0.1));
    close_pair(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jet_keeps_its_speed),
        cmocka_unit_test(a_stream_that_leaves_is_cut),
        cmocka_unit_test(disks_at_one_place_are_one_nozzle),
        cmocka_unit_test(condensation_grows_drops),
        cmocka_unit_test(workers_do_not_change_the_bits),
        cmocka_unit_test(a_restored_world_goes_on_alike),
        cmocka_unit_test(a_sink_takes_what_is_in_it),
        cmocka_unit_test(rain_is_accounted_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
