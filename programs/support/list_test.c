// Lists grow, keep what they hold, and give it back in order; text files are read whole or refused.
#include "support/list.h"
#include "support/system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void items_come_back_in_order(void **state)
{
    (void)state;
    dew_List list;
    dew_list_init(&list, sizeof(int));
    for (int i = 0; i < 100; i++)
        assert_int_equal(dew_list_push(&list, &i).code, DEW_OK);
    for (int i = 0, item = -1; i < 100; i++) {
        assert_true(dew_list_take_first(&list, &item));
        assert_int_equal(item, i);
    }
    int none;
    assert_false(dew_list_take_first(&list, &none));
    assert_int_equal(dew_list_resize(&list, 1000).code, DEW_OK);
    assert_int_equal(list.count, 1000);
    dew_list_deinit(&list);
}

static dew_Code read_back(const char *path, const char *bytes, size_t size, char **text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    return dew_app_read_text(path, 8, text).code;
}

static void text_files(void **state)
{
    (void)state;
    char path[] = "/tmp/dew_text_XXXXXX", *text = NULL;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(read_back(path, "abc\n", 4, &text), DEW_OK);
    assert_string_equal(text, "abc\n");
    free(text);
    assert_int_equal(read_back(path, "12345678", 8, &text), DEW_OK);
    free(text);
    assert_int_equal(read_back(path, "123456789", 9, &text), DEW_BAD_INPUT);
    assert_int_equal(read_back(path, "a\0b", 3, &text), DEW_BAD_INPUT);
    unlink(path);
    assert_int_equal(dew_app_read_text(path, 8, &text).code, DEW_IO);
    assert_int_equal(dew_app_read_text("/tmp", 8, &text).code, DEW_BAD_INPUT);
    assert_null(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_come_back_in_order),
        cmocka_unit_test(text_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
