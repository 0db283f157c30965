// The checkpoint: whole or refused. A thousand flipped bits and every truncation are detected.
#include "run/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/testing.h"
#include "run/run_testing.h"

typedef struct Fixture {
    TestDirectory directory;
    dew_Scene *scene;
    dew_World *world;
    dew_DropTracker drops;
    uint8_t *bytes;
    size_t size;
} Fixture;

static int make(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->directory = test_directory();
    assert_ok(test_scene(TEST_SHORT, NULL, &f->scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = 1;
    assert_ok(dew_world_create(f->scene, &def, &f->world));
    dew_drops_init(&f->drops, NULL);
    dew_RunDef run_def = dew_default_run_def();
    run_def.scene = f->scene;
    run_def.directory = f->directory.path;
    run_def.until_s = 0.05;
    dew_Run *run = NULL;
    assert_ok(dew_run_create(&run_def, &run));
    assert_ok(dew_run_execute(run));
    dew_run_destroy(run);
    char path[128];
    snprintf(path, sizeof path, "%s/checkpoint", f->directory.path);
    assert_ok(dew_file_read(path, 1 << 20, NULL, &f->bytes, &f->size));
    *state = f;
    return 0;
}

static int unmake(void **state)
{
    Fixture *f = *state;
    dew_free(NULL, f->bytes, f->size + 1);
    dew_drops_deinit(&f->drops);
    dew_world_destroy(f->world);
    dew_scene_destroy(f->scene);
    test_remove(f->directory.path);
    free(f);
    return 0;
}

/// Reads bytes into the fixture's world; changes nothing unless it returns DEW_OK.
static dew_Status restore(Fixture *f, const uint8_t *bytes, size_t size)
{
    dew_Checkpoint checkpoint;
    DEW_TRY(dew_checkpoint_parse(&checkpoint, bytes, size));
    return dew_checkpoint_restore(&checkpoint, f->world, &f->drops);
}

static void it_restores(void **state)
{
    Fixture *f = *state;
    dew_Checkpoint checkpoint;
    assert_ok(dew_checkpoint_parse(&checkpoint, f->bytes, f->size));
    assert_int_equal(checkpoint.record.frame_count, 6);
    assert_true(checkpoint.record.stats_rows > 6 && checkpoint.record.drops_rows > 6);
    assert_ok(restore(f, f->bytes, f->size));
    assert_true(dew_world_time_s(f->world) == 0.05);
    assert_true(f->drops.drops.count > 0);
}

static void a_thousand_flipped_bits_are_detected(void **state)
{
    Fixture *f = *state;
    dew_Random random = dew_random(1, 2, 3);
    uint64_t hash = dew_world_hash(f->world);
    for (int i = 0; i < 1000; i++) {
        uint64_t bit = dew_random_u64(&random) % (8 * f->size);
        f->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(restore(f, f->bytes, f->size).code, DEW_CORRUPT);
        f->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_int_equal(dew_world_hash(f->world), hash);
    assert_ok(restore(f, f->bytes, f->size));
}

static void every_truncation_is_detected(void **state)
{
    Fixture *f = *state;
    uint64_t hash = dew_world_hash(f->world);
    for (size_t size = 0; size < f->size; size++)
        assert_int_equal(restore(f, f->bytes, size).code, DEW_CORRUPT);
    assert_int_equal(dew_world_hash(f->world), hash);
}

static void the_file_says_where_it_is_damaged(void **state)
{
    Fixture *f = *state;
    dew_Checkpoint checkpoint;
    char path[128];
    snprintf(path, sizeof path, "%s/stats.csv", f->directory.path);
    dew_Allocator allocator = {0};
    dew_Status status = dew_checkpoint_load(&checkpoint, path, &allocator);
    assert_int_equal(status.code, DEW_CORRUPT);
    assert_non_null(strstr(status.message, "stats.csv: this is not a saved state"));
    dew_checkpoint_deinit(&checkpoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_restores),
        cmocka_unit_test(a_thousand_flipped_bits_are_detected),
        cmocka_unit_test(every_truncation_is_detected),
        cmocka_unit_test(the_file_says_where_it_is_damaged),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
