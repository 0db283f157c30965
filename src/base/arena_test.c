// Arena: zeroed and aligned always, no allocation once warm, consistent when memory runs out.
#include "base/arena.h"

#include "base/random.h"
#include "base/testing.h"

static bool is_zero(const uint8_t *x, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (x[i] != 0)
            return false;
    return true;
}

// Pieces of any size keep what was written to them until the rewind.
static void pieces_do_not_overlap(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    uint8_t *piece[COUNT];
    size_t size[COUNT];
    for (uint64_t round = 0; round < 5; round++) {
        dew_Random random = dew_random(1, 0, round);
        for (int i = 0; i < COUNT; i++) {
            size[i] = dew_random_u32(&random) % (i % 50 == 0 ? 200000 : 700);
            piece[i] = dew_arena_array(&arena, uint8_t, (int64_t)size[i]);
            assert_non_null(piece[i]);
            assert_int_equal((uintptr_t)piece[i] % 64, 0);
            assert_true(is_zero(piece[i], size[i]));
            memset(piece[i], 1 + i % 255, size[i]);
        }
        for (int i = 0; i < COUNT; i++)
            for (size_t j = 0; j < size[i]; j++)
                assert_int_equal(piece[i][j], 1 + i % 255);
        dew_arena_clear(&arena);
        assert_int_equal(arena.used_bytes, 0);
    }
    dew_arena_deinit(&arena);
}

// After one step, a step of the same need allocates nothing, whatever the order of its requests.
static void warm_arena_allocates_nothing(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_Arena arena;
    dew_arena_init(&arena, &allocator);
    static const int64_t sizes[] = {300000, 64, 5000000, 128, 90000, 64, 2000000, 700000};
    int64_t calls = 0;
    for (int step = 0; step < 50; step++) {
        dew_ArenaMark mark = dew_arena_mark(&arena);
        for (int i = 0; i < 8; i++)
            assert_non_null(dew_arena_alloc(&arena, sizes[(i * (2 * step + 1) + step) % 8], 1));
        dew_arena_rewind(&arena, mark);
        if (step == 0)
            calls = torture.calls;
        assert_int_equal(torture.calls, calls);
    }
    dew_arena_deinit(&arena);
    assert_int_equal(torture.blocks, 0);
    assert_false(torture.was_lied_to);
}

static void step_of(dew_Arena *arena, int64_t size)
{
    assert_non_null(dew_arena_array(arena, uint8_t, size));
    dew_arena_end_step(arena);
}

/// One large step in many small ones is given back; then nothing is allocated any more.
static void excess_is_given_back(void **state)
{
    (void)state;
    enum { LARGE = 8 << 20, SMALL = 200 << 10, WHOLE = 2 * DEW_DEMAND_STEPS };
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_Arena arena;
    dew_arena_init(&arena, &allocator);
    step_of(&arena, LARGE);
    for (int k = 0; k < DEW_DEMAND_STEPS; k++)
        step_of(&arena, SMALL);
    assert_true(arena.reserved_bytes >= LARGE);  // not at once
    for (int k = 0; k < WHOLE; k++)
        step_of(&arena, SMALL);
    assert_true(arena.reserved_bytes <= DEW_DEMAND_EXCESS * SMALL);
    int64_t calls = torture.calls;
    for (int k = 0; k < 2 * WHOLE; k++)
        step_of(&arena, SMALL);
    assert_int_equal(torture.calls, calls);
    dew_arena_deinit(&arena);
    assert_int_equal(torture.blocks, 0);
}

/// A need that varies by a factor of two, or is large once in every DEW_DEMAND_STEPS steps, keeps
/// its memory.
static void need_that_returns_is_kept(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_Arena arena;
    dew_arena_init(&arena, &allocator);
    int64_t calls = 0;
    for (int k = 0; k < 10 * DEW_DEMAND_STEPS; k++) {
        step_of(&arena, k % DEW_DEMAND_STEPS == 3 ? 4 << 20 : k % 2 ? 100 << 10 : 200 << 10);
        if (k == DEW_DEMAND_STEPS)
            calls = torture.calls;
    }
    assert_int_equal(torture.calls, calls);
    dew_arena_deinit(&arena);
    calls = torture.calls + 1;
    for (int k = 0; k < 10 * DEW_DEMAND_STEPS; k++)
        step_of(&arena, 1);  // the least block is kept, however little of it is needed
    assert_int_equal(torture.calls, calls);
    dew_arena_deinit(&arena);
    assert_int_equal(torture.blocks, 0);
}

static void rewind_returns_to_the_mark(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    uint8_t *kept = dew_arena_array(&arena, uint8_t, 1000);
    memset(kept, 7, 1000);
    dew_ArenaMark mark = dew_arena_mark(&arena);
    uint8_t *first = NULL;
    size_t reserved = 0;
    for (int i = 0; i < 10; i++) {
        uint8_t *small = dew_arena_array(&arena, uint8_t, 100);
        uint8_t *large = dew_arena_array(&arena, uint8_t, 1000000);
        assert_true(is_zero(small, 100) && is_zero(large, 1000000));
        memset(small, 1, 100);
        memset(large, 2, 1000000);
        if (i == 0) {
            first = small;
            reserved = arena.reserved_bytes;
        }
        assert_ptr_equal(small, first);
        assert_int_equal(arena.reserved_bytes, reserved);
        dew_arena_rewind(&arena, mark);
        assert_int_equal(arena.used_bytes, mark.used_bytes);
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(kept[i], 7);
    dew_arena_deinit(&arena);
}

// Raw memory is there to be written; what is asked for after it is zero as ever.
static void raw_memory_is_left_alone(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    for (int round = 0; round < 3; round++) {
        uint8_t *raw = dew_arena_raw_array(&arena, uint8_t, 5000);
        uint8_t *clean = dew_arena_array(&arena, uint8_t, 5000);
        assert_non_null(raw);
        assert_int_equal((uintptr_t)raw % 64, 0);
        assert_true(is_zero(clean, 5000));
        assert_true(round == 0 || raw[round] == 7);
        memset(raw, 7, 5000);
        memset(clean, 9, 5000);
        dew_arena_clear(&arena);
    }
    assert_null(dew_arena_raw_array(&arena, uint64_t, INT64_MAX));
    dew_arena_deinit(&arena);
}

static void reserves_one_block(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_Arena arena;
    dew_arena_init(&arena, &allocator);
    assert_int_equal(dew_arena_capacity(&arena), 0);
    assert_true(dew_arena_reserve(&arena, 0));
    assert_true(dew_arena_reserve(&arena, 300000));
    assert_int_equal(dew_arena_capacity(&arena), 300000);
    assert_non_null(dew_arena_array(&arena, uint8_t, 200000));
    assert_true(dew_arena_reserve(&arena, 1000));  // it has more
    assert_int_equal(dew_arena_capacity(&arena), 300000);
    assert_int_equal(torture.calls, 1);
    torture.fail_at = 1;
    assert_false(dew_arena_reserve(&arena, 400000));
    assert_non_null(dew_arena_array(&arena, uint8_t, 100));
    dew_arena_deinit(&arena);
    assert_int_equal(torture.blocks, 0);
}

static void texts(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    assert_string_equal(dew_arena_text(&arena, "drop of water", 4), "drop");
    assert_string_equal(dew_arena_text(&arena, NULL, 0), "");
    assert_string_equal(dew_arena_format(&arena, "%s[%d]", "drops", 3), "drops[3]");
    char *padded = dew_arena_format(&arena, "%5000d", 1);
    assert_int_equal(strlen(padded), 5000);
    dew_arena_deinit(&arena);
}

static void overflow_is_no_memory(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    assert_null(dew_arena_alloc(&arena, INT64_MAX, 1));
    assert_null(dew_arena_alloc(&arena, INT64_MAX, 8));
    assert_null(dew_arena_alloc(&arena, -1, 8));
    assert_null(dew_arena_alloc(&arena, 2, SIZE_MAX / 2));
    assert_non_null(dew_arena_alloc(&arena, 0, 8));
    assert_non_null(dew_arena_alloc(&arena, 5, 0));
    dew_arena_deinit(&arena);
}

// Asks, is refused at the n-th allocation, asks on.
static int64_t work_with_failure(dew_Torture *torture)
{
    dew_Allocator allocator = dew_torture_allocator(torture);
    dew_Arena arena;
    dew_arena_init(&arena, &allocator);
    int64_t got = 0;
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 20; i++) {
            int64_t size = 20000 << (i % 7);
            uint8_t *x = dew_arena_array(&arena, uint8_t, size);
            if (x) {
                assert_true(is_zero(x, (size_t)size));
                memset(x, 0xff, (size_t)size);
                got++;
            }
        }
        dew_arena_clear(&arena);
    }
    dew_arena_deinit(&arena);
    return got;
}

static void every_failure_leaves_it_whole(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        int64_t got = work_with_failure(&torture);
        assert_int_equal(torture.blocks, 0);
        assert_int_equal(torture.bytes, 0);
        assert_false(torture.was_lied_to);
        assert_true(got >= 59);  // at most the one request failed
        if (torture.calls <= n)
            break;
        torture = dew_torture(n);
        torture.keeps_failing = true;
        work_with_failure(&torture);
        assert_int_equal(torture.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(warm_arena_allocates_nothing),
        cmocka_unit_test(excess_is_given_back),
        cmocka_unit_test(need_that_returns_is_kept),
        cmocka_unit_test(rewind_returns_to_the_mark),
        cmocka_unit_test(raw_memory_is_left_alone),
        cmocka_unit_test(reserves_one_block),
        cmocka_unit_test(texts),
        cmocka_unit_test(overflow_is_no_memory),
        cmocka_unit_test(every_failure_leaves_it_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
