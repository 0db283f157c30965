// Growing text: pieces join, numbers are shortest, a failed allocation is reported once at the end.
#include "base/text.h"

#include "base/testing.h"

#include <stdlib.h>
#include <string.h>

static void pieces_join(void **state)
{
    (void)state;
    dew_Text text;
    dew_text_init(&text, NULL);
    assert_string_equal(dew_text_string(&text), "");
    for (int i = 0; i < 1000; i++)
        dew_text_format(&text, "%d,", i % 10);
    dew_text_add(&text, " end ");
    dew_text_number(&text, 0.1);
    assert_int_equal(text.status.code, DEW_OK);
    assert_int_equal(dew_text_length(&text), 2000 + 5 + 3);
    assert_string_equal(dew_text_string(&text) + 2000, " end 0.1");
    dew_text_deinit(&text);
}

static void *no_memory_above_100(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size > 100)
        return NULL;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static void failure_is_remembered(void **state)
{
    (void)state;
    dew_Allocator small = {no_memory_above_100, NULL};
    dew_Text text;
    dew_text_init(&text, &small);
    for (int i = 0; i < 100; i++)
        dew_text_add(&text, "twelve bytes");
    assert_int_equal(text.status.code, DEW_NO_MEMORY);
    assert_true(dew_text_length(&text) <= 100);
    dew_text_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_join),
        cmocka_unit_test(failure_is_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
