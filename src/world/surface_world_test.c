// World with the solver `surface`: bit-identical on any number of workers and after a restore, no
// memory taken once warm, and the stored figures of sleeping drops are those of their meshes.
#include "base/testing.h"
#include "dew/world.h"
#include "solvers/surface/surface_state.h"
#include "world/made_testing.h"
#include "world/world_state.h"

#define HEAD                                                                                       \
    "solver: surface\nduration: 10 s\nframe_rate: 60 Hz\nseed: 5\n"                                \
    "domain: {min: [-20 mm, -1 mm, -20 mm], max: [20 mm, 40 mm, 20 mm], cell: 1 mm, "              \
    "walls: {others: open}}\n"                                                                     \
    "materials: {glass: {advancing: 90 deg, receding: 60 deg}}\n"                                  \
    "solids: [{shape: box, name: plate, center: [0, -1 mm, 0], size: [36 mm, 2 mm, 36 mm], "       \
    "material: glass}]\n"

// Rain that merges with what lies there, a tap whose stream parts, drops that meet in the air.
#define LIVELY                                                                                     \
    HEAD                                                                                           \
        "surface: {steps_per_period: 0}\n"                                                         \
        "drops: [{shape: sphere, center: [-6 mm, 4 mm, 0], radius: 2 mm, velocity: [0.3, 0, 0]}, " \
        "{shape: sphere, center: [0, 4 mm, 0], radius: 1.6 mm, velocity: [-0.3, 0, 0]}, "          \
        "{shape: cylinder, from: [-8 mm, 8 mm, 8 mm], to: [8 mm, 8 mm, 8 mm], radius: 1 mm}]\n"    \
        "sources: [{shape: rain, min: [-10 mm, 5 mm, -10 mm], max: [10 mm, 9 mm, 10 mm], "         \
        "rate: 80 Hz, radius: [1 mm, 1.5 mm], velocity: [0, -0.5, 0]}, "                           \
        "{shape: disk, center: [10 mm, 20 mm, -10 mm], normal: [0, -1, 0], radius: 1 mm, "         \
        "speed: 0.3 m/s}]\n"

#define CAPS                                                                                       \
    "drops: [{shape: cap, point: [-10 mm, 0, 0], normal: [0, 1, 0], volume: 12 mm^3, "             \
    "angle: 80 deg}, {shape: cap, point: [0, 0, 0], normal: [0, 1, 0], volume: 5 mm^3, "           \
    "angle: 80 deg}, {shape: cap, point: [10 mm, 0, 0], normal: [0, 1, 0], volume: 20 mm^3, "      \
    "angle: 80 deg}]\n"

#define LARGE                                                                                      \
    "solver: surface\nduration: 10 s\nframe_rate: 30 Hz\n"                                         \
    "domain: {min: [-9 mm, -1 mm, -9 mm], max: [9 mm, 9 mm, 9 mm], cell: 0.14 mm, "                \
    "walls: {others: open}}\nmaterials: {glass: {advancing: 90 deg, receding: 60 deg}}\n"          \
    "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: glass}]\n"             \
    "drops: [{shape: cap, point: [0, 0, 0], normal: [0, 1, 0], volume: 20 mm^3, "                  \
    "angle: 80 deg}]\nsurface: {steps_per_period: 0}\n"

// No gravity, no hysteresis, a convex solid: every place on it is as good as any other.
#define BALL(radius)                                                                               \
    "solver: surface\nduration: 10 s\nframe_rate: 30 Hz\ngravity: [0, 0, 0]\n"                     \
    "domain: {min: [-9 mm, -9 mm, -9 mm], max: [9 mm, 9 mm, 9 mm], cell: 0.15 mm, "                \
    "walls: {others: open}}\nliquid: {viscosity: 30 mPa s}\nmaterials: {wax: {angle: 140 deg}}\n"  \
    "solids: [{shape: sphere, center: [0, -" radius ", 0], radius: " radius ", material: wax}]\n"  \
    "drops: [{shape: sphere, center: [0, 0.4 mm, 0], radius: 0.65 mm}]\n"

enum { STEPS = 16 };
static const double step_s = 1.0 / 60;

static void rock(dew_World *world, int step)
{
    double angle = 0.2 * sin(0.7 * step);
    dew_world_set_gravity(world, dew_vec(9.81 * sin(angle), -9.81 * cos(angle), 0));
}

/// Takes steps; the hash in the middle and at the end.
static void hash_run(const char *text, int threads, uint64_t hash[2], int64_t *next_id)
{
    Made made = make(text, threads, NULL);
    for (int k = 0; k < STEPS; k++) {
        if (k == STEPS / 2)
            hash[0] = dew_world_hash(made.world);
        assert_ok(dew_world_step(made.world, step_s));
    }
    hash[1] = dew_world_hash(made.world);
    *next_id = made.world->state->next_id;
    dew_Stats stats;
    dew_world_stats(made.world, &stats);
    assert_true(stats.drops < *next_id);  // some have merged
    destroy(&made);
}

static void is_the_same_on_any_number_of_workers(void **state)
{
    (void)state;
    uint64_t one[2], more[2];
    int64_t ids, ids_more;
    hash_run(LIVELY, 1, one, &ids);
    assert_true(ids > 3 + 16);  // the start, and what rained
    const int workers[] = {2, 7};
    for (int k = 0; k < 2; k++) {
        hash_run(LIVELY, workers[k], more, &ids_more);
        assert_true(more[0] == one[0]);
        assert_true(more[1] == one[1]);
        assert_int_equal(ids, ids_more);
    }
}

static void is_the_same_after_a_restore(void **state)
{
    (void)state;
    uint64_t hash[2];
    int64_t ids;
    hash_run(LIVELY, 1, hash, &ids);
    Made first = make(LIVELY, 1, NULL), second = make(LIVELY, 2, NULL);
    for (int k = 0; k < STEPS / 2; k++)
        assert_ok(dew_world_step(first.world, step_s));
    uint8_t *bytes;
    size_t size;
    assert_ok(dew_world_save(first.world, &bytes, &size));
    assert_ok(dew_world_restore(second.world, bytes, size));
    dew_world_saved_free(first.world, bytes, size);
    assert_true(dew_world_hash(second.world) == hash[0]);
    for (int k = STEPS / 2; k < STEPS; k++)
        assert_ok(dew_world_step(second.world, step_s));
    assert_true(dew_world_hash(second.world) == hash[1]);
    destroy(&first);
    destroy(&second);
}

/// A drop of more than a thousand vertices: solved on levels.
static void large_drops_are_the_same_too(void **state)
{
    (void)state;
    uint64_t hash[2] = {0};
    for (int k = 0; k < 2; k++) {
        Made made = make(LARGE, 1 + k, NULL);
        for (int step = 0; step < 6; step++) {
            rock(made.world, step);
            assert_ok(dew_world_step(made.world, 1.0 / 30));
        }
        assert_true(made.world->state->drops.positions.count > 1000);
        hash[k] = dew_world_hash(made.world);
        destroy(&made);
    }
    assert_true(hash[0] == hash[1]);
}

/// Warm is a world whose drops have been remeshed and put together anew once.
static int64_t allocations_when_warm(const char *text, int warm, int steps)
{
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    Made made = make(text, 2, &allocator);
    int64_t before = 0;
    for (int k = 0; k < warm + steps; k++) {
        if (k == warm)
            before = torture.calls;
        rock(made.world, k);
        assert_ok(dew_world_step(made.world, 1.0 / 30));
    }
    int64_t more = torture.calls - before;
    destroy(&made);
    assert_int_equal(torture.blocks, 0);
    assert_false(torture.was_lied_to);
    return more;
}

static void takes_no_memory_when_warm(void **state)
{
    (void)state;
    assert_int_equal(
        allocations_when_warm(HEAD CAPS "surface: {steps_per_period: 0, sleep: false}\n", 24, 24),
        0);
    assert_int_equal(allocations_when_warm(LARGE, 10, 10), 0);
}

/// Bytes that a world holds after three times as many steps as memory is kept for.
static int64_t bytes_after(const char *text, int64_t *most)
{
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    Made made = make(text, 1, &allocator);
    *most = 0;
    for (int k = 0; k < 3 * DEW_DEMAND_STEPS; k++) {
        rock(made.world, k);
        assert_ok(dew_world_step(made.world, 1.0 / 60));
        *most = torture.bytes > *most ? torture.bytes : *most;
    }
    assert_int_equal(dew_drop_count(&made.world->state->drops), 1);
    int64_t bytes = torture.bytes;
    destroy(&made);
    assert_int_equal(torture.blocks, 0);
    return bytes;
}

/// Eight equal drops in as many groups, on up to three workers: no more workspaces have grown than
/// there are workers, and those of all workers are of one size.
static void workspaces_are_as_many_as_workers(void **state)
{
    (void)state;
    for (int workers = 1; workers <= 3; workers++) {
        Made made = make(HEAD "surface: {steps_per_period: 0, sleep: false}\n"
                              "drops: [{shape: scatter, on: plate, count: 8, radius: 1 mm}]\n",
                         workers, NULL);
        for (int k = 0; k < 4; k++)
            assert_ok(dew_world_step(made.world, 1.0 / 60));
        const dew_SolverState *s = made.world->state;
        assert_true(dew_drop_count(&s->drops) > workers);
        size_t first = dew_arena_capacity(&s->spaces[0].work.arena);
        assert_true(first > 0);
        for (int k = 0; k < DEW_DROP_GROUPS; k++)
            assert_int_equal(dew_arena_capacity(&s->spaces[k].work.arena), k < workers ? first : 0);
        destroy(&made);
    }
}

/// A large drop leaves the domain, and its memory is given back: no part of the world holds
/// more than DEW_DEMAND_EXCESS times what the same world needs that never had the drop.
static void memory_of_a_drop_that_left_is_given_back(void **state)
{
    (void)state;
#define SMALL_DROP                                                                                 \
    "surface: {steps_per_period: 0, sleep: false}\n"                                               \
    "drops: [{shape: cap, point: [0, 0, 0], normal: [0, 1, 0], volume: 5 mm^3, angle: 80 deg}"
    int64_t most_alone, most;
    int64_t alone = bytes_after(HEAD SMALL_DROP "]\n", &most_alone);
    int64_t left =
        bytes_after(HEAD SMALL_DROP ", {shape: sphere, center: [0, 24 mm, 0], radius: 14 mm, "
                                    "velocity: [0, 4, 0]}]\n",
                    &most);
    assert_true(most > 4 * DEW_DEMAND_EXCESS * alone);  // else there was nothing to be given back
    assert_true(left < DEW_DEMAND_EXCESS * alone);
}

/// Runs until all sleep; then feeds one, which wakes it, and lets it fall asleep again.
static void remembers_sleepers_as_they_are(void **state)
{
    (void)state;
    Made made = make(HEAD CAPS "surface: {steps_per_period: 0}\n", 1, NULL);
    dew_DropStore *drops = &made.world->state->drops;
    for (int k = 0; k < 120; k++) {
        if (k == 60) {
            dew_surface_solver_change_from(made.world->state, 0, (dew_DropPlace){0, 0});
            DEW_ITEMS(&drops->values, dew_DropValues)[1].feed_m3 = 1e-10;
        }
        assert_ok(dew_world_step(made.world, 1.0 / 30));
        dew_DropPlace place = {0, 0};
        for (int64_t d = 0; d < dew_drop_count(drops); d++) {
            dew_DropView drop = dew_drop_view(drops, d, place);
            dew_DropRest rest = {0};
            if (drop.flags.is_asleep)
                rest = dew_drop_view_rest(&drop);
            assert_memory_equal(&rest, &drop.values.rest, sizeof rest);
            place = dew_drop_next_place(drops, d, place);
        }
    }
    for (int d = 0; d < 3; d++)
        assert_int_equal(DEW_ITEMS(&drops->flags, dew_DropFlags)[d].is_asleep, 1);
    dew_Stats stats;
    dew_world_stats(made.world, &stats);
    assert_true(fabs(stats.volume_m3 - 37.1e-9) < 1e-15);
    destroy(&made);
}

static void tells_where_the_time_goes(void **state)
{
    (void)state;
    Made made = make(HEAD CAPS, 2, NULL), untimed = make(HEAD CAPS, 2, NULL);
    dew_StageTime stages[16];
    assert_ok(dew_world_step(made.world, step_s));
    assert_ok(dew_world_step(untimed.world, step_s));
    int count = dew_world_stages(made.world, NULL, 0), solver_stages = 0;
    assert_in_range(count, DEW_STAGE_COUNT, 16);
    assert_int_equal(dew_world_stages(made.world, stages, 16), count);
    for (int s = 0; s < count; s++)
        assert_true(stages[s].cpu_s == 0);  // nobody asked yet
    dew_world_time_stages(made.world, true);
    assert_ok(dew_world_step(made.world, step_s));
    assert_ok(dew_world_step(untimed.world, step_s));
    dew_world_stages(made.world, stages, 16);
    for (int s = 0; s < count; s++) {
        assert_true(stages[s].cpu_s >= 0);
        solver_stages += stages[s].is_solver;
    }
    assert_int_equal(solver_stages, DEW_STAGE_COUNT);
    assert_true(stages[DEW_STAGE_SOLVE].cpu_s > 0);
    assert_true(dew_world_hash(made.world) == dew_world_hash(untimed.world));
    destroy(&made);
    destroy(&untimed);
}

// A horseshoe whose ends move towards one another, as in scenes/papers/zhang_self_merge.yaml.
static const char horseshoe[] =
    "solver: surface\nduration: 1 s\nframe_rate: 2 kHz\ngravity: [0, 0, 0]\n"
    "domain: {min: [-8 mm, 10 mm, -8 mm], max: [8 mm, 30 mm, 8 mm], cell: 0.25 mm}\n"
    "surface: {self_merge: true}\ndrops: ["
    "{shape: sphere, center: [2.72 mm, 21.27 mm, 0], radius: 1.1 mm, velocity: [0, -0.6, 0]}, "
    "{shape: sphere, center: [1.68 mm, 22.49 mm, 0], radius: 1.1 mm}, "
    "{shape: sphere, center: [0.16 mm, 23.00 mm, 0], radius: 1.1 mm}, "
    "{shape: sphere, center: [-1.41 mm, 22.65 mm, 0], radius: 1.1 mm}, "
    "{shape: sphere, center: [-2.57 mm, 21.55 mm, 0], radius: 1.1 mm}, "
    "{shape: sphere, center: [-3.00 mm, 20.00 mm, 0], radius: 1.1 mm}, "
    "{shape: sphere, center: [-2.57 mm, 18.45 mm, 0], radius: 1.1 mm}, "
    "{shape: sphere, center: [-1.41 mm, 17.35 mm, 0], radius: 1.1 mm}, "
    "{shape: sphere, center: [0.16 mm, 17.00 mm, 0], radius: 1.1 mm}, "
    "{shape: sphere, center: [1.68 mm, 17.51 mm, 0], radius: 1.1 mm}, "
    "{shape: sphere, center: [2.72 mm, 18.73 mm, 0], radius: 1.1 mm, velocity: [0, 0.6, 0]}]"
    "\n";

// V - E + F of a closed mesh of triangles, 2 of a ball and 0 of a ring: the ends join, and no
// liquid is lost.
static void joins_a_drop_that_runs_into_itself(void **state)
{
    (void)state;
    Made made = make(horseshoe, 1, NULL);
    dew_Surface *surface;
    assert_ok(dew_surface_create(NULL, &surface));
    dew_Stats stats;
    int64_t characteristic[2];
    double volume_m3[2];
    for (int k = 0; k < 2; k++) {
        for (int step = 0; step < 4 * k; step++)
            assert_ok(dew_world_step(made.world, 5e-4));
        assert_ok(dew_world_surface(made.world, surface));
        dew_world_stats(made.world, &stats);
        characteristic[k] =
            dew_surface_vertex_count(surface) - dew_surface_triangle_count(surface) / 2;
        volume_m3[k] = stats.volume_m3;
    }
    assert_int_equal(characteristic[0], 2);
    assert_int_equal(characteristic[1], 0);
    assert_true(fabs(volume_m3[1] / volume_m3[0] - 1) < 1e-9);
    dew_surface_destroy(surface);
    destroy(&made);
}

// The filters of the paper, on two drops that meet and one that lies.
#define PAPER                                                                                      \
    HEAD                                                                                           \
        "surface: {model: paper}\n"                                                                \
        "drops: [{shape: sphere, center: [-1.9 mm, 6 mm, 0], radius: 2 mm}, "                      \
        "{shape: sphere, center: [1.9 mm, 6 mm, 0], radius: 2 mm}, "                               \
        "{shape: cap, point: [10 mm, 0, 0], normal: [0, 1, 0], volume: 20 mm^3, angle: 80 deg}]\n"
static void the_paper_is_the_same_on_any_number_of_workers(void **state)
{
    (void)state;
    uint64_t one[2], two[2];
    int64_t ids;
    hash_run(PAPER, 1, one, &ids);
    hash_run(PAPER, 2, two, &ids);
    assert_true(one[0] == two[0] && one[1] == two[1] && one[0] != one[1]);
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

// Water, R = 1.5 mm: K = We^(1/2) Re^(1/4) is 47 at 1 m/s and 187 at 3 m/s; drops splash above
// 57.7 [Mundo1995]. Two drops hit, one after the other: one warning.
// With long steps a drop pushed itself round a ball and left it, twice as fast in each step.
static void stays_where_it_is_on_a_ball(void **state)
{
    static const char *const scenes[] = {BALL("6 mm"), BALL("4 mm"), BALL("2.5 mm")};
    (void)state;
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        Made made = make(scenes[k], 1, NULL);
        dew_Stats before, after;
        for (int step = 0; step < 5; step++)  // until its angle is the material's
            assert_ok(dew_world_step(made.world, 1.0 / 30));
        dew_world_stats(made.world, &before);
        for (int step = 0; step < 15; step++)
            assert_ok(dew_world_step(made.world, 1.0 / 30));
        dew_world_stats(made.world, &after);
        assert_int_equal(after.drops, 1);
        double way = dew_distance(before.center_m, after.center_m);
        assert_true(way < 0.15e-3);  // the length of an edge, in half a second; it went 2 and 7 mm
        destroy(&made);
    }
}

static void splashes_are_reported_once(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD "drops: [{shape: sphere, center: [-6 mm, 2.5 mm, 0], radius: 1.5 mm, "
             "velocity: [0, -1, 0]}]\n",
        HEAD "drops: [{shape: sphere, center: [-6 mm, 2.5 mm, 0], radius: 1.5 mm, "
             "velocity: [0, -3, 0]}, {shape: sphere, center: [8 mm, 20 mm, 0], radius: 1.5 mm, "
             "velocity: [0, -3, 0]}]\n"};
    for (int k = 0; k < 2; k++) {
        Heard heard = {0};
        Made made = {0};
        assert_ok(test_scene(texts[k], NULL, &made.scene));
        dew_WorldDef def = dew_default_world_def();
        def.log = (dew_Log){.write = hear, .context = &heard};
        assert_ok(dew_world_create(made.scene, &def, &made.world));
        for (int n = 0; n < 10; n++)
            assert_ok(dew_world_step(made.world, 1e-3));
        assert_int_equal(heard.warnings, k);
        assert_true(k == 0 || strstr(heard.last, "use solver volume"));
        destroy(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_same_on_any_number_of_workers),
        cmocka_unit_test(is_the_same_after_a_restore),
        cmocka_unit_test(large_drops_are_the_same_too),
        cmocka_unit_test(takes_no_memory_when_warm),
        cmocka_unit_test(workspaces_are_as_many_as_workers),
        cmocka_unit_test(memory_of_a_drop_that_left_is_given_back),
        cmocka_unit_test(remembers_sleepers_as_they_are),
        cmocka_unit_test(tells_where_the_time_goes),
        cmocka_unit_test(joins_a_drop_that_runs_into_itself),
        cmocka_unit_test(the_paper_is_the_same_on_any_number_of_workers),
        cmocka_unit_test(stays_where_it_is_on_a_ball),
        cmocka_unit_test(splashes_are_reported_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
