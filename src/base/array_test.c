// Arrays: growth keeps the content, new elements are zero, failures change nothing.
#include "base/array.h"

#include "base/testing.h"

static void pushes_keep_order(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_Array array;
    dew_array_init(&array, &allocator, sizeof(int64_t));
    for (int64_t i = 0; i < 5000; i++)
        assert_int_equal(dew_array_push(&array, &i).code, DEW_OK);
    assert_int_equal(array.count, 5000);
    for (int64_t i = 0; i < 5000; i++)
        assert_int_equal(DEW_ITEMS(&array, int64_t)[i], i);
#ifndef DEW_AUDIT_ON
    assert_true(torture.calls < 16);  // 8 * 2^10 > 5000
#endif
    dew_array_deinit(&array);
    assert_int_equal(torture.blocks, 0);
    assert_false(torture.was_lied_to);
}

static void resize_zeroes_what_is_new(void **state)
{
    (void)state;
    dew_Array array = {.element_size = 3};  // zeroes with an element size are an array
    assert_int_equal(dew_array_resize(&array, 100).code, DEW_OK);
    memset(array.data, 9, 300);
    void *data = array.data;
    assert_int_equal(dew_array_resize(&array, 10).code, DEW_OK);
    assert_ptr_equal(array.data, data);
    assert_int_equal(array.capacity, 100);
    assert_int_equal(dew_array_resize(&array, 150).code, DEW_OK);
    for (int i = 0; i < 450; i++)
        assert_int_equal(DEW_ITEMS(&array, uint8_t)[i], i < 30 ? 9 : 0);
    assert_int_equal(dew_array_resize(&array, 0).code, DEW_OK);
    dew_array_deinit(&array);
    dew_array_deinit(&array);  // harmless
}

// Elements of the array itself can be appended although it moves.
static void appends_itself(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_Array array;
    dew_array_init(&array, &allocator, sizeof(int));
    int one = 1;
    dew_array_push(&array, &one);
    for (int i = 0; i < 12; i++)
        assert_int_equal(dew_array_append(&array, array.data, array.count).code, DEW_OK);
    assert_int_equal(dew_array_push(&array, DEW_ITEMS(&array, int) + 77).code, DEW_OK);
    assert_int_equal(array.count, 4097);
    for (int i = 0; i < 4097; i++)
        assert_int_equal(DEW_ITEMS(&array, int)[i], 1);
    dew_array_deinit(&array);
}

static void copies(void **state)
{
    (void)state;
    dew_Array from = {.element_size = sizeof(int)}, to = {.element_size = sizeof(int)};
    assert_int_equal(dew_array_copy(&to, &from).code, DEW_OK);
    assert_int_equal(to.count, 0);
    static const int values[] = {1, 2, 3};
    dew_array_append(&from, values, 3);
    dew_array_append(&from, NULL, 0);
    dew_array_resize(&to, 100);
    assert_int_equal(dew_array_copy(&to, &from).code, DEW_OK);
    assert_int_equal(dew_array_copy(&to, &to).code, DEW_OK);
    assert_int_equal(to.count, 3);
    assert_memory_equal(to.data, values, sizeof values);
    dew_array_deinit(&from);
    dew_array_deinit(&to);
}

static void overflow_is_no_memory(void **state)
{
    (void)state;
    dew_Array array = {.element_size = 24};
    dew_array_resize(&array, 2);
    assert_int_equal(dew_array_reserve(&array, INT64_MAX).code, DEW_NO_MEMORY);
    assert_int_equal(dew_array_resize(&array, INT64_MAX / 24 + 1).code, DEW_NO_MEMORY);
    assert_int_equal(dew_array_append(&array, array.data, INT64_MAX - 1).code, DEW_NO_MEMORY);
    assert_int_equal(dew_array_reserve(&array, -5).code, DEW_OK);
    assert_int_equal(array.count, 2);
    dew_array_deinit(&array);
}

static void failures_change_nothing(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Array array, copy;
        dew_array_init(&array, &allocator, sizeof(int));
        dew_array_init(&copy, &allocator, sizeof(int));
        int count = 0;
        for (int i = 0; i < 100; i++) {
            dew_Status status = dew_array_push(&array, &count);
            count += status.code == DEW_OK;
            assert_true(status.code == DEW_OK || status.code == DEW_NO_MEMORY);
            assert_int_equal(array.count, count);
        }
        assert_true(count >= 99);
        for (int i = 0; i < count; i++)
            assert_int_equal(DEW_ITEMS(&array, int)[i], i);
        if (dew_array_copy(&copy, &array).code != DEW_OK)
            assert_int_equal(copy.count, 0);
        dew_array_deinit(&array);
        dew_array_deinit(&copy);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (torture.calls <= n)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_keep_order),     cmocka_unit_test(resize_zeroes_what_is_new),
        cmocka_unit_test(appends_itself),        cmocka_unit_test(copies),
        cmocka_unit_test(overflow_is_no_memory), cmocka_unit_test(failures_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
