// What was inserted is found, nothing else; keys follow the content and its order.
#include "io/content_table.h"

#include "base/testing.h"

static dew_ContentKey key_of(uint64_t x)
{
    return dew_content_key((dew_ContentKey){{0, 0}}, &x, sizeof x);
}

static dew_Status fill(void *context, const dew_Allocator *allocator)
{
    int count = *(const int *)context;
    dew_ContentTable table;
    dew_Status status = dew_ok();
    dew_content_table_init(&table, allocator);
    for (int i = 0; i < count && status.code == DEW_OK; i++) {
        assert_null(dew_content_table_find(&table, key_of((uint64_t)i)));
        status = dew_content_table_insert(&table, key_of((uint64_t)i), (uint64_t)i * 7);
    }
    for (int i = 0; i < count && status.code == DEW_OK; i++) {
        const uint64_t *value = dew_content_table_find(&table, key_of((uint64_t)i));
        assert_non_null(value);
        assert_int_equal(*value, i * 7);
    }
    dew_content_table_deinit(&table);
    return status;
}

static void inserted_is_found(void **state)
{
    (void)state;
    int counts[] = {0, 1, 31, 32, 33, 5000};
    for (int i = 0; i < 6; i++)
        assert_ok(fill(&counts[i], NULL));
}

static void keys(void **state)
{
    (void)state;
    dew_ContentKey none = {{0, 0}};
    dew_ContentKey ab = dew_content_key(dew_content_key(none, "a", 1), "b", 1);
    dew_ContentKey ba = dew_content_key(dew_content_key(none, "b", 1), "a", 1);
    dew_ContentKey again = dew_content_key(dew_content_key(none, "a", 1), "b", 1);
    assert_memory_equal(&ab, &again, sizeof ab);
    assert_true(ab.part[0] != ba.part[0] && ab.part[1] != ba.part[1]);
    assert_true(ab.part[0] != ab.part[1]);
}

static void lack_of_memory(void **state)
{
    (void)state;
    int count = 100;
    assert_survives_lack_of_memory(fill, &count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inserted_is_found),
        cmocka_unit_test(keys),
        cmocka_unit_test(lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
