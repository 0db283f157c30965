// Places in a file: lines of every kind, bytes, marks, long names.
#include "io/source.h"

#include "io/reader_test.h"

static void test_lines(void **state)
{
    (void)state;
    static const char text[] = "a\nb\r\nc\rd\n\ne";
    static const int lines[] = {1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 6};
    dew_Source source = dew_source_of_text("FILE", text);
    for (int i = 0; i < 12; i++) {
        char expected[32];
        snprintf(expected, sizeof expected, "FILE:%d: bad 7", lines[i]);
        dew_Status status = dew_source_fail_line(&source, source.data + i, "bad %d", 7);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        assert_string_equal(status.message, expected);
    }
    assert_string_equal(dew_source_fail_byte(&source, source.data + 9, "bad").message,
                        "FILE: byte 9: bad");
}

static void test_mark(void **state)
{
    (void)state;
    dew_LogText log = {0};
    dew_Source source = dew_source_of_text("FILE", "\xEF\xBB\xBFply\n");
    source.log = (dew_Log){dew_log_text_write, &log};
    assert_int_equal(dew_source_skip_mark(&source).code, DEW_OK);
    assert_int_equal(source.size, 4);
    assert_string_equal(log.text, "FILE: byte-order mark at the beginning was skipped\n");
    assert_string_equal(dew_source_fail_byte(&source, source.data, "x").message, "FILE: byte 3: x");
    source = dew_source_from_memory("FILE", "\xFF\xFEp\0", 4);
    assert_string_equal(dew_source_skip_mark(&source).message,
                        "FILE: byte 0: this is UTF-16 text (save it as plain UTF-8)");
}

static void test_line_ends(void **state)
{
    (void)state;
    static const char *const texts[] = {"a\nb\r\n", "a\r\nb\n", "a", ""};
    for (int i = 0; i < 4; i++) {
        dew_LogText log = {0};
        dew_Source source = dew_source_of_text("FILE", texts[i]);
        source.log = (dew_Log){dew_log_text_write, &log};
        dew_source_warn_line_ends(&source);
        assert_int_equal(log.length > 0, i == 1);
    }
}

static void test_long_name(void **state)
{
    (void)state;
    char name[1000];
    memset(name, 'n', sizeof name);
    memcpy(name + sizeof name - 7, "/a.ply", 7);
    dew_Source source = dew_source_of_text(name, "x");
    dew_Status status = dew_source_fail_line(&source, source.data, "what is wrong");
    assert_non_null(strstr(status.message, "nnn/a.ply:1: what is wrong"));
    assert_true(strncmp(status.message, "...n", 4) == 0);
}

static void test_load(void **state)
{
    (void)state;
    static const char path[] = "source_test.txt";
    dew_FileWriter writer;
    dew_Source source;
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
    dew_Status status = dew_source_load(&source, path, 100, NULL, NULL);
    assert_string_equal(status.message, "source_test.txt: byte 0: the file is empty");
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    dew_file_text(&writer, "\xEF\xBB\xBFhello");
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
    assert_int_equal(dew_source_load(&source, path, 7, NULL, NULL).code, DEW_BAD_INPUT);
    assert_int_equal(dew_source_load(&source, path, 8, NULL, NULL).code, DEW_OK);
    assert_int_equal(dew_source_skip_mark(&source).code, DEW_OK);
    assert_memory_equal(source.data, "hello", 6);
    dew_source_unload(&source);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),     cmocka_unit_test(test_mark),
        cmocka_unit_test(test_line_ends), cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
