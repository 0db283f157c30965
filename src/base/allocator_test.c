// The one door: zeroed, overflow refused, sizes reported as they are.
#include "base/allocator.h"

#include "base/testing.h"

static void malloc_by_default(void **state)
{
    (void)state;
    static const dew_Allocator none;
    for (int i = 0; i < 2; i++) {
        const dew_Allocator *allocator = i == 0 ? NULL : &none;
        int *x = (int *)dew_alloc(allocator, 1000, sizeof *x);
        assert_non_null(x);
        for (int j = 0; j < 1000; j++) {
            assert_int_equal(x[j], 0);
            x[j] = j;
        }
        x = (int *)dew_resize(allocator, x, 1000 * sizeof *x, 2000 * sizeof *x);
        assert_non_null(x);
        assert_int_equal(x[999], 999);
        dew_free(allocator, x, 2000 * sizeof *x);
    }
}

static void overflow_is_no_memory(void **state)
{
    (void)state;
    assert_null(dew_alloc(NULL, INT64_MAX, 16));
    assert_null(dew_alloc(NULL, INT64_MAX, 1 + SIZE_MAX / INT64_MAX));
    assert_null(dew_alloc(NULL, 3, SIZE_MAX / 3));
    assert_null(dew_alloc(NULL, -1, 1));
    assert_null(dew_resize(NULL, NULL, 0, SIZE_MAX));
}

static void custom_allocator_hears_true_sizes(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    char *x = (char *)dew_alloc(&allocator, 10, 10);
    assert_int_equal(torture.bytes, 100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(x[i], 0);
    x = (char *)dew_resize(&allocator, x, 100, 50);
    assert_int_equal(torture.bytes, 50);
    dew_free(&allocator, x, 50);
    dew_free(&allocator, NULL, 0);
    assert_null(dew_resize(&allocator, NULL, 0, 0));
    assert_int_equal(torture.blocks, 0);
    assert_false(torture.was_lied_to);
}

// An empty list is not a lack of memory, and freeing it is no leak.
static void nothing_is_something(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    void *x = dew_alloc(&allocator, 0, 8);
    assert_non_null(x);
    dew_free(&allocator, x, 0);
    assert_int_equal(torture.blocks, 0);
    assert_false(torture.was_lied_to);
}

static void failure_is_null(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    char *x = (char *)dew_alloc(&allocator, 4, 1);
    assert_non_null(x);
    x[0] = 7;
    assert_null(dew_resize(&allocator, x, 4, 8));
    assert_int_equal(x[0], 7);  // the old block stays
    dew_free(&allocator, x, 4);
    assert_int_equal(torture.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malloc_by_default),
        cmocka_unit_test(overflow_is_no_memory),
        cmocka_unit_test(custom_allocator_hears_true_sizes),
        cmocka_unit_test(nothing_is_something),
        cmocka_unit_test(failure_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
