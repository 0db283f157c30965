/// Checks of a World with the scenes of any solver: bit-identical states on any number of workers
/// and after a restore, no allocation after the first steps, lack of memory reported.
#pragma once

#include "base/torture.h"
#include "world/made_testing.h"

/// A scene and the steps that it is followed for.
typedef struct Life {
    const char *text;
    int steps;
} Life;

static inline void take_steps(Made *made, int count)
{
    for (int k = 0; k < count; k++)
        assert_ok(dew_world_substep(made->world, 1));
}

static inline void check_any_number_of_workers(const Life *lives, int count)
{
    static const int workers[] = {1, 2, 7};
    for (int i = 0; i < count; i++) {
        uint64_t hash[3];
        for (int k = 0; k < 3; k++) {
            Made made = make(lives[i].text, workers[k], NULL);
            take_steps(&made, lives[i].steps);
            hash[k] = dew_world_hash(made.world);
            destroy(&made);
        }
        assert_true(hash[1] == hash[0] && hash[2] == hash[0]);
    }
}

/// What is restored has lived a little of its own, which must leave no trace.
static inline void check_restore(const Life *lives, int count)
{
    for (int i = 0; i < count; i++) {
        Made first = make(lives[i].text, 1, NULL), second = make(lives[i].text, 2, NULL);
        uint8_t *bytes;
        size_t size;
        take_steps(&first, lives[i].steps / 2);
        take_steps(&second, lives[i].steps / 5);
        assert_ok(dew_world_save(first.world, &bytes, &size));
        assert_ok(dew_world_restore(second.world, bytes, size));
        dew_world_saved_free(first.world, bytes, size);
        assert_true(dew_world_hash(second.world) == dew_world_hash(first.world));
        take_steps(&first, lives[i].steps / 2);
        take_steps(&second, lives[i].steps / 2);
        assert_true(dew_world_hash(second.world) == dew_world_hash(first.world));
        destroy(&first);
        destroy(&second);
    }
}

/// Warm is a world that has taken the life's steps; it takes 20 more.
static inline void check_no_memory_when_warm(Life life)
{
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    Made made = make(life.text, 2, &allocator);
    take_steps(&made, life.steps);
    int64_t before = torture.calls;
    take_steps(&made, 20);
    assert_int_equal(torture.calls - before, 0);
    destroy(&made);
    assert_int_equal(torture.blocks, 0);
    assert_false(torture.was_lied_to);
}

/// Lack of memory is reported wherever it occurs, or has no effect (an arena that could not be
/// joined); nothing leaks.
static inline void check_lack_of_memory(Life life)
{
    Made undisturbed = make(life.text, 1, NULL);
    take_steps(&undisturbed, life.steps);
    uint64_t hash = dew_world_hash(undisturbed.world);
    destroy(&undisturbed);
    for (int64_t n = 1; n < 4000; n += 1 + n / 3) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Scene *scene = NULL;
        dew_World *world = NULL;
        assert_ok(test_scene(life.text, NULL, &scene));
        dew_WorldDef def = dew_default_world_def();
        def.thread_count = 1;
        def.allocator = allocator;
        dew_Status status = dew_world_create(scene, &def, &world);
        for (int k = 0; k < life.steps && status.code == DEW_OK; k++)
            status = dew_world_substep(world, 1);
        if (status.code == DEW_OK)
            assert_true(dew_world_hash(world) == hash);
        else
            assert_int_equal(status.code, DEW_NO_MEMORY);
        dew_world_destroy(world);
        dew_scene_destroy(scene);
        assert_int_equal(torture.blocks, 0);
    }
}

/// What a solver's test gives as the state of the tests below.
typedef struct Lives {
    const Life *life;
    int count;
    Life warm;  // for takes_no_memory_when_warm
} Lives;

static inline void is_the_same_on_any_number_of_workers(void **state)
{
    const Lives *lives = *state;
    check_any_number_of_workers(lives->life, lives->count);
}

static inline void is_the_same_after_a_restore(void **state)
{
    const Lives *lives = *state;
    check_restore(lives->life, lives->count);
}

static inline void takes_no_memory_when_warm(void **state)
{
    const Lives *lives = *state;
    check_no_memory_when_warm(lives->warm);
}
