// World: clock, births, retries, checks, account, live interaction, save and restore, determinism.
#include "dew/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/testing.h"
#include "tests/rigid_state.h"
#include "world/world_state.h"
#include "world/world_testing.h"

static dew_Scene *make_scene(const char *text)
{
    dew_Scene *scene = NULL;
    dew_Status status = test_scene(text, NULL, &scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return scene;
}

static dew_World *make_world(const dew_Scene *scene, int threads)
{
    dew_World *world = NULL;
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = threads;
    dew_Status status = dew_world_create(scene, &def, &world);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return world;
}

static dew_Stats stats_of(const dew_World *world)
{
    dew_Stats stats;
    dew_world_stats(world, &stats);
    return stats;
}

// ---- clock -------------------------------------------------------------------------------------

static void the_clock_reads_the_time_asked_for(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(TEST_ONE_BALL);
    dew_World *world = make_world(scene, 1);
    for (int k = 1; k <= 30; k++) {
        assert_ok(dew_world_step_to(world, k / 97.0));
        assert_true(dew_world_time_s(world) == k / 97.0);
    }
    assert_ok(dew_world_step(world, 0.01));
    assert_true(dew_world_time_s(world) == 30 / 97.0 + 0.01);
    int64_t steps = dew_world_step_count(world);
    assert_ok(dew_world_substep(world, 1e-6));
    assert_int_equal(dew_world_step_count(world), steps + 1);
    assert_int_equal(dew_world_step_to(world, 0.1).code, DEW_OK);  // in the past: nothing to do
    assert_int_equal(dew_world_step_count(world), steps + 1);
    assert_int_equal(dew_world_substep_to(world, 0.1).code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_substep(world, (double)NAN).code, DEW_BAD_INPUT);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

static void steps_are_equal_within_a_frame(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(TEST_ONE_BALL);
    dew_World *world = make_world(scene, 1);
    dew_Stats stats;
    assert_ok(dew_world_step(world, 0.15));  // fast by now: 1.5 m/s, steps of 1.7 ms at most
    double shortest = 1, longest = 0;
    while (dew_world_time_s(world) < 0.16) {
        assert_ok(dew_world_substep_to(world, 0.16));
        dew_world_stats(world, &stats);
        shortest = fmin(shortest, stats.dt_s);
        longest = fmax(longest, stats.dt_s);
    }
    assert_true(longest < 1.8e-3);
    assert_true(shortest > 0.45 * longest);  // at worst the rest is cut in two: no sliver
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

// ---- births ------------------------------------------------------------------------------------

// Drops of a drip fall freely from their own times: their positions tell when they were born.
static void drops_are_born_at_their_times(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(
        "solver: rigid\nduration: 1 s\ndomain: {min: [-1, -1, -1], max: [1, 1, 1], cell: 1 mm}\n"
        "sources: [{shape: drip, at: [0, 0.9, 0], radius: 2 mm, every: 37 ms, start: 5 ms}]\n");
    dew_World *world = make_world(scene, 1);
    for (int k = 1; k <= 10; k++)
        assert_ok(dew_world_step_to(world, k * 0.02));
    assert_int_equal(stats_of(world).drops, 6);  // at 5, 42, 79, 116, 153, 190 ms
    for (int i = 0; i < 6; i++) {
        double t = 0.2 - (0.005 + 0.037 * i);
        double y = DEW_ITEMS(&world->state->position, dew_Vec3)[i].y;
        // Births are poured at most 1/64 of a step early or late: no step is longer than 20 ms,
        // so the age is off by 0.3 ms at most.
        assert_true(fabs(y - (0.9 - 0.5 * 9.81 * t * t)) <= 9.81 * t * 0.02 / 64 + 1e-12);
    }
    double expected = 6 * test_sphere_volume_m3(2e-3);
    assert_true(fabs(stats_of(world).volume_m3 - expected) < 1e-15 * expected);
    assert_true(fabs(stats_of(world).volume_error) < 1e-14);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

// 0.05 + 3 * 0.15 is one bit below 0.5: the birth falls into the last bit before the frame.
static void a_birth_one_bit_before_a_frame_is_no_harm(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(
        "solver: rigid\nduration: 1 s\ndomain: {min: [-1, -1, -1], max: [1, 1, 1], cell: 1 mm}\n"
        "gravity: [0, 0, 0]\n"
        "sources: [{shape: drip, at: [0, 0.9, 0], radius: 2 mm, every: 0.15 s, start: 0.05 s}]\n");
    dew_World *world = make_world(scene, 1);
    for (int k = 1; k <= 60; k++)
        assert_ok(dew_world_step_to(world, k / 60.0));
    assert_int_equal(stats_of(world).drops, 7);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

static void the_account_follows_sources_and_sinks(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(TEST_LIVELY);
    dew_World *world = make_world(scene, 2);
    assert_ok(dew_world_step_to(world, 2));
    assert_true(world->clock.removed_m3 > 0);
    assert_true(fabs(stats_of(world).volume_error) < 1e-12);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

// ---- retries and checks ------------------------------------------------------------------------

/// A solver that misbehaves in steps longer than `longest_s`. Tests run one at a time.
enum { FAILS, MAKES_NAN, LOSES_VOLUME, RUNS_AWAY, LEAKS, REGAINS };
static struct {
    double longest_s;
    int how;
    int tries;
} fault;

static dew_Status troubled_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    fault.tries++;
    DEW_TRY(test_rigid_ops.step(problem, state, step));
    if (step->dt_s <= fault.longest_s)
        return dew_ok();
    switch (fault.how) {
    case FAILS:
        return dew_fail(DEW_DIVERGED, "the pressure solve did not converge");
    case MAKES_NAN:
        DEW_ITEMS(&state->position, dew_Vec3)[0].z = (double)NAN;
        return dew_ok();
    case LOSES_VOLUME:
        DEW_ITEMS(&state->radius, double)[0] *= 0.9;
        return dew_ok();
    case LEAKS:
    case REGAINS:
        DEW_ITEMS(&state->radius, double)[0] *= fault.how == LEAKS ? 0.997 : pow(0.997, -3);
        return dew_ok();
    default:
        DEW_ITEMS(&state->velocity, dew_Vec3)[0].x = 2000;
        return dew_ok();
    }
}

static dew_World *make_troubled(const dew_Scene *scene, dew_SolverOps *ops)
{
    *ops = test_rigid_ops;
    ops->step = troubled_step;
    dew_World *world = NULL;
    dew_WorldDef def = dew_default_world_def();
    def.max_retries = 8;
    assert_ok(dew_world_create_for(ops, scene, &def, &world));
    return world;
}

static void a_failing_step_is_halved(void **state)
{
    (void)state;
    static const char *const words[] = {"converge", "position[0] is NaN", "volume off",
                                        "speed of 2e+03"};
    dew_Scene *scene = make_scene(TEST_ONE_BALL);
    for (int how = FAILS; how <= RUNS_AWAY; how++) {
        dew_SolverOps ops;
        dew_World *world = make_troubled(scene, &ops);
        fault.how = how;
        fault.longest_s = 0.9e-3;
        fault.tries = 0;
        assert_ok(dew_world_substep_to(world, 1e-2 / 2));
        assert_int_equal(fault.tries, 4);  // 5, 2.5, 1.25, 0.625 ms
        assert_true(dew_world_time_s(world) == 5e-3 / 8);
        assert_string_equal(stats_of(world).bound, "retry");
        double t = 5e-3 / 8, y = DEW_ITEMS(&world->state->position, dew_Vec3)[0].y;
        assert_true(fabs(y - (0.5 - 0.5 * 9.81 * t * t)) < 1e-15);
        // When nothing helps, the last good state stays and the sentence says what was wrong.
        uint64_t hash = dew_world_hash(world);
        fault.longest_s = 0;
        dew_Status status = dew_world_substep_to(world, 1e-2);
        assert_int_equal(status.code, DEW_DIVERGED);
        assert_non_null(strstr(status.message, words[how]));
        assert_non_null(strstr(status.message, "step 2 at t = 0.000625 s"));
        assert_int_equal(dew_world_hash(world), hash);
        fault.longest_s = 1;  // and the world can go on
        assert_ok(dew_world_step_to(world, 1e-2));
        dew_world_destroy(world);
    }
    dew_scene_destroy(scene);
}

/// A troubled world whose solver may lose so much.
static dew_World *make_leaky(const dew_Scene *scene, dew_SolverOps *ops, dew_SolverTraits *traits,
                             const dew_VolumeAllowance *allowances)
{
    dew_World *world = make_troubled(scene, ops);
    *traits = *ops->traits;
    traits->allowances = allowances;
    ops->traits = traits;
    return world;
}

// Leaks of 0.9 % in each step pass the check of a step; the account does not allow them: 1 -
// 0.997^9 is 2.7 %.
static void leaks_end_at_the_allowance(void **state)
{
    (void)state;
    static const dew_VolumeAllowance allowances[] = {{NULL, 0.02, 0.02}};
    dew_Scene *scene = make_scene(TEST_ONE_BALL);
    dew_SolverOps ops;
    dew_SolverTraits traits;
    dew_World *world = make_leaky(scene, &ops, &traits, allowances);
    fault.longest_s = 0;
    fault.how = LEAKS;
    assert_ok(dew_world_substep_to(world, 1e-3));
    assert_ok(dew_world_substep_to(world, 2e-3));
    assert_true(fabs(stats_of(world).volume_error - (pow(0.997, 6) - 1)) < 1e-12);
    uint64_t hash = dew_world_hash(world);
    dew_Status status = dew_world_substep_to(world, 3e-3);
    assert_int_equal(status.code, DEW_DIVERGED);
    assert_non_null(strstr(status.message, "off the account by -0.027"));
    assert_int_equal(dew_world_hash(world), hash);
    fault.longest_s = 1;
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

// What was lost little by little may come back at once.
static void a_volume_may_come_back(void **state)
{
    (void)state;
    static const dew_VolumeAllowance allowances[] = {{NULL, 0.05, 0.05}};
    dew_Scene *scene = make_scene(TEST_ONE_BALL);
    dew_SolverOps ops;
    dew_SolverTraits traits;
    dew_World *world = make_leaky(scene, &ops, &traits, allowances);
    fault.longest_s = 0;
    fault.how = LEAKS;
    for (int n = 1; n <= 3; n++)
        assert_ok(dew_world_substep_to(world, n * 1e-3));
    assert_true(fabs(stats_of(world).volume_error + 0.0267) < 1e-4);
    fault.how = REGAINS;
    assert_ok(dew_world_substep_to(world, 4e-3));
    assert_true(fabs(stats_of(world).volume_error) < 1e-12);
    fault.longest_s = 1;
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

// Births are poured once, however often the step is retried.
static void retries_do_not_change_what_is_born(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(TEST_LIVELY);
    dew_SolverOps ops;
    dew_World *plain = make_world(scene, 1), *troubled = make_troubled(scene, &ops);
    fault.how = FAILS;
    fault.longest_s = 0.3e-3;
    assert_ok(dew_world_step_to(plain, 0.05));
    assert_ok(dew_world_step_to(troubled, 0.05));
    assert_true(dew_world_step_count(troubled) > dew_world_step_count(plain) + 10);
    assert_int_equal(plain->state->id.count, troubled->state->id.count);
    assert_memory_equal(plain->state->id.data, troubled->state->id.data,
                        (size_t)plain->state->id.count * sizeof(int64_t));
    assert_true(fabs(plain->clock.entered_m3 - troubled->clock.entered_m3) <
                1e-15 * plain->clock.entered_m3);
    dew_world_destroy(plain);
    dew_world_destroy(troubled);
    dew_scene_destroy(scene);
}

// ---- save, restore, determinism ----------------------------------------------------------------

static void disturb(dew_World *world)
{
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.center_m = dew_vec(0, 0.08, 0.02);
    drop.radius_m = 2e-3;
    assert_ok(dew_world_add_drop(world, &drop));
    dew_world_set_gravity(world, dew_vec(1, -9, 0.5));
    assert_ok(dew_world_drag_solid(world, "plate", dew_vec(0, 0.01, 0.02), 0.05));
}

static void same_bits_on_any_number_of_workers(void **state)
{
    (void)state;
    static const int workers[] = {1, 2, 7};
    uint64_t hash[3];
    dew_Scene *scene = make_scene(TEST_LIVELY);
    for (int i = 0; i < 3; i++) {
        dew_World *world = make_world(scene, workers[i]);
        assert_ok(dew_world_step_to(world, 0.2));
        disturb(world);
        assert_ok(dew_world_step_to(world, 0.5));
        hash[i] = dew_world_hash(world);
        assert_true(stats_of(world).drops > 20);
        dew_world_destroy(world);
    }
    assert_int_equal(hash[0], hash[1]);
    assert_int_equal(hash[0], hash[2]);
    dew_scene_destroy(scene);
}

static void a_restored_world_goes_on_bit_for_bit(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(TEST_LIVELY);
    dew_World *world = make_world(scene, 1), *other = make_world(scene, 2);
    assert_ok(dew_world_step_to(world, 0.1));
    disturb(world);
    assert_ok(dew_world_step_to(world, 0.12));  // in the middle of the drag
    uint8_t *bytes;
    size_t size;
    assert_ok(dew_world_save(world, &bytes, &size));
    assert_ok(dew_world_step_to(other, 0.033));  // whatever it was before
    assert_ok(dew_world_restore(other, bytes, size));
    assert_int_equal(dew_world_hash(world), dew_world_hash(other));
    dew_Stats a = stats_of(world), b = stats_of(other);
    assert_true(a.volume_m3 == b.volume_m3 && a.kinetic_J == b.kinetic_J && a.step == b.step &&
                a.dt_s == b.dt_s && a.volume_error == b.volume_error);
    assert_ok(dew_world_step_to(world, 0.4));
    assert_ok(dew_world_step_to(other, 0.4));
    assert_int_equal(dew_world_hash(world), dew_world_hash(other));
    uint8_t *again;
    size_t again_size;
    assert_ok(dew_world_save(other, &again, &again_size));
    dew_world_saved_free(world, bytes, size);
    assert_ok(dew_world_save(world, &bytes, &size));
    assert_int_equal(size, again_size);
    assert_memory_equal(bytes, again, size);
    dew_world_saved_free(world, bytes, size);
    dew_world_saved_free(other, again, again_size);
    dew_world_destroy(world);
    dew_world_destroy(other);
    dew_scene_destroy(scene);
}

static void a_bad_state_changes_nothing(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(TEST_LIVELY), *elsewhere = make_scene(TEST_ONE_BALL);
    dew_World *world = make_world(scene, 1), *other = make_world(elsewhere, 1);
    assert_ok(dew_world_step_to(world, 0.1));
    uint64_t hash = dew_world_hash(world);
    uint8_t *bytes;
    size_t size;
    assert_ok(dew_world_save(other, &bytes, &size));
    assert_int_equal(dew_world_restore(world, bytes, size).code, DEW_BAD_INPUT);
    dew_world_saved_free(other, bytes, size);
    assert_ok(dew_world_save(world, &bytes, &size));
    assert_int_equal(dew_world_restore(world, bytes, size - 1).code, DEW_CORRUPT);
    bytes[size / 2] ^= 4;
    assert_int_equal(dew_world_restore(world, bytes, size).code, DEW_CORRUPT);
    dew_world_saved_free(world, bytes, size);
    // Whole, but no state of this solver: a ball without radius.
    double radius = DEW_ITEMS(&world->state->radius, double)[1];
    DEW_ITEMS(&world->state->radius, double)[1] = -1;
    assert_ok(dew_world_save(world, &bytes, &size));
    DEW_ITEMS(&world->state->radius, double)[1] = radius;
    assert_int_equal(dew_world_restore(world, bytes, size).code, DEW_CORRUPT);
    dew_world_saved_free(world, bytes, size);
    assert_int_equal(dew_world_hash(world), hash);
    dew_world_destroy(world);
    dew_world_destroy(other);
    dew_scene_destroy(scene);
    dew_scene_destroy(elsewhere);
}

// ---- live interaction --------------------------------------------------------------------------

static void a_dragged_solid_arrives(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(TEST_LIVELY);
    dew_World *world = make_world(scene, 1);
    assert_ok(dew_world_step_to(world, 0.01));
    assert_ok(dew_world_drag_solid(world, "plate", dew_vec(0, 0.02, 0), 0.1));
    assert_ok(dew_world_step_to(world, 0.06));
    dew_world_instant(world);
    assert_true(fabs(world->poses[0].translate_m.y - 0.01) < 1e-15);
    assert_ok(dew_world_step_to(world, 0.2));
    dew_world_instant(world);
    assert_true(world->poses[0].translate_m.y == 0.02);
    assert_true(world->poses[0].velocity_m_s.y == 0);
    assert_int_equal(dew_world_drag_solid(world, "nobody", dew_vec(0, 0, 0), 1).code,
                     DEW_BAD_INPUT);
    assert_int_equal(dew_world_drag_solid(world, "plate", dew_vec(0, 0, 0), 0).code, DEW_BAD_INPUT);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

static void an_added_drop_is_accounted_for(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(TEST_ONE_BALL);
    dew_World *world = make_world(scene, 1);
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.radius_m = 2e-3;
    assert_ok(dew_world_add_drop(world, &drop));
    assert_int_equal(stats_of(world).drops, 2);
    assert_true(fabs(stats_of(world).volume_error) < 1e-15);
    uint64_t hash = dew_world_hash(world);
    dew_DropDef box = dew_default_drop_def(DEW_DROP_BOX);
    box.max_m = dew_vec(1e-3, 1e-3, 1e-3);
    assert_int_equal(dew_world_add_drop(world, &box).code, DEW_UNSUPPORTED);
    assert_int_equal(dew_world_hash(world), hash);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

// ---- errors -------------------------------------------------------------------------------------

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    dew_Scene *scene =
        make_scene("solver: rigid\nduration: 1e4 s\nframe_rate: 1000 Hz\n"
                   "domain: {min: [-1, -1, -1], max: [1, 1, 1], cell: 1 mm}\n"
                   "sources: [{shape: drip, at: [0, 0, 0], radius: 1 um, every: 1e-8 s}]\n");
    dew_World *world = NULL;
    dew_WorldDef def = dew_default_world_def();
    dew_Status status = dew_world_create(scene, &def, &world);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_null(world);
    assert_non_null(strstr(status.message, "1e+12 drops need"));
    dew_scene_destroy(scene);
}

static void a_run_that_would_never_end_fails(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(
        "solver: rigid\nduration: 1 s\ndomain: {min: [-1, -1, -1], max: [1, 1, 1], cell: 1 mm}\n"
        "drops: [{shape: sphere, center: [0, 0, 0], radius: 1e-300 m}]\n");
    dew_World *world = NULL;
    dew_WorldDef def = dew_default_world_def();
    assert_ok(dew_world_create(scene, &def, &world));
    dew_Status status = dew_world_step(world, 0.01);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "far too small"));
    dew_world_destroy(world);
    dew_scene_destroy(scene);
}

// ---- memory ------------------------------------------------------------------------------------

static dew_World *make_counted(const dew_Scene *scene, dew_Torture *torture)
{
    dew_WorldDef def = dew_default_world_def();
    def.allocator = dew_torture_allocator(torture);
    def.thread_count = 2;
    dew_World *world = NULL;
    assert_ok(dew_world_create(scene, &def, &world));
    return world;
}

// 125 spheres that rebound; no source.
static void no_allocation_after_the_third_step(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(
        "solver: rigid\nduration: 1 s\ndomain: {min: [-1, 0, -1], max: [1, 1, 1], cell: 1 mm, "
        "walls: {floor: glass, others: open}}\nmaterials: {glass: {}}\n"
        "drops: [{shape: sphere, center: [0, 50 mm, 0], radius: 4 mm}]\n");
    dew_Torture torture = dew_torture(-1);
    dew_World *world = make_counted(scene, &torture);
    for (int i = 0; i < 124; i++) {
        dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
        drop.radius_m = 4e-3;
        drop.center_m =
            dew_vec(9e-3 * (i % 5), 0.01 + 9e-3 * (i / 25), 9e-3 * (i / 5 % 5) + 1e-4 * i);
        assert_ok(dew_world_add_drop(world, &drop));
    }
    for (int i = 0; i < 3; i++)
        assert_ok(dew_world_substep(world, 1e-3));
    long long calls = torture.calls;
    for (int i = 0; i < 500; i++)
        assert_ok(dew_world_substep(world, 1e-3));
    assert_int_equal(torture.calls, calls);
    dew_world_destroy(world);
    assert_int_equal(torture.blocks, 0);
    assert_false(torture.was_lied_to);
    dew_scene_destroy(scene);
}

/// A life with every call that allocates.
static dew_Status live(const dew_Scene *scene, dew_Torture *torture)
{
    dew_WorldDef def = dew_default_world_def();
    def.allocator = dew_torture_allocator(torture);
    def.thread_count = 1;
    dew_World *world = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    DEW_TRY(dew_world_create(scene, &def, &world));
    dew_Status status = dew_world_step_to(world, 0.1);
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.radius_m = 2e-3;
    if (status.code == DEW_OK)
        status = dew_world_add_drop(world, &drop);
    if (status.code == DEW_OK)
        status = dew_world_save(world, &bytes, &size);
    if (status.code == DEW_OK)
        status = dew_world_step_to(world, 0.2);
    if (status.code == DEW_OK)
        status = dew_world_restore(world, bytes, size);
    if (status.code == DEW_OK)
        status = dew_world_step_to(world, 0.2);
    dew_world_saved_free(world, bytes, size);
    dew_world_destroy(world);
    return status;
}

/// The n-th allocation fails, or all from the n-th on (an arena survives the first by asking for
/// less).
static void fail_each(const dew_Scene *scene, bool lasting)
{
    int64_t n = 0;
    for (;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = lasting;
        dew_Status status = live(scene, &torture);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (torture.calls <= n) {
            assert_ok(status);
            break;
        }
        assert_true(status.code == DEW_NO_MEMORY || (status.code == DEW_OK && !lasting));
    }
    assert_true(n > 20);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(TEST_LIVELY);
    fail_each(scene, false);
    fail_each(scene, true);
    dew_scene_destroy(scene);
}

// A step that lacked memory can be tried again.
static void a_step_without_memory_leaves_the_state(void **state)
{
    (void)state;
    dew_Scene *scene = make_scene(TEST_LIVELY);
    dew_World *plain = make_world(scene, 1);
    assert_ok(dew_world_step_to(plain, 0.3));
    dew_Torture torture = dew_torture(-1);
    dew_World *world = make_counted(scene, &torture);
    int failures = 0;
    while (dew_world_time_s(world) < 0.3) {
        uint64_t hash = dew_world_hash(world);
        torture.fail_at = torture.calls;  // the next one, if there is any
        dew_Status status = dew_world_substep_to(world, 0.3);
        torture.fail_at = -1;
        if (status.code == DEW_OK)
            continue;
        failures++;
        assert_int_equal(status.code, DEW_NO_MEMORY);
        assert_int_equal(dew_world_hash(world), hash);
        assert_ok(dew_world_substep_to(world, 0.3));
    }
    assert_true(failures > 3);
    assert_int_equal(dew_world_hash(world), dew_world_hash(plain));
    dew_world_destroy(world);
    dew_world_destroy(plain);
    dew_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_reads_the_time_asked_for),
        cmocka_unit_test(steps_are_equal_within_a_frame),
        cmocka_unit_test(drops_are_born_at_their_times),
        cmocka_unit_test(a_birth_one_bit_before_a_frame_is_no_harm),
        cmocka_unit_test(the_account_follows_sources_and_sinks),
        cmocka_unit_test(a_failing_step_is_halved),
        cmocka_unit_test(leaks_end_at_the_allowance),
        cmocka_unit_test(a_volume_may_come_back),
        cmocka_unit_test(retries_do_not_change_what_is_born),
        cmocka_unit_test(same_bits_on_any_number_of_workers),
        cmocka_unit_test(a_restored_world_goes_on_bit_for_bit),
        cmocka_unit_test(a_bad_state_changes_nothing),
        cmocka_unit_test(a_dragged_solid_arrives),
        cmocka_unit_test(an_added_drop_is_accounted_for),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(a_run_that_would_never_end_fails),
        cmocka_unit_test(no_allocation_after_the_third_step),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_step_without_memory_leaves_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
