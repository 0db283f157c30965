// Lines, words and numbers of a text.
#include "io/slice.h"

#include "io/reader_test.h"

static void test_lines(void **state)
{
    (void)state;
    static const char *const expected[] = {"a", "", "b c", "d", "", "e"};
    dew_Slice rest = dew_slice_of("a\n\nb c\r\nd\r\re"), line;
    for (int i = 0; i < 6; i++) {
        assert_true(dew_slice_next_line(&rest, &line));
        assert_true(dew_slice_is(line, expected[i]));
    }
    assert_false(dew_slice_next_line(&rest, &line));
    rest = dew_slice_of("a\n");
    assert_true(dew_slice_next_line(&rest, &line));
    assert_false(dew_slice_next_line(&rest, &line));
}

static void test_words(void **state)
{
    (void)state;
    dew_Slice line = dew_slice_of(" \tone\vtwo\n three "), word;
    assert_true(dew_slice_next_word(&line, &word) && dew_slice_is(word, "one"));
    assert_true(dew_slice_next_word(&line, &word) && dew_slice_is_any_case(word, "TWO"));
    assert_true(dew_slice_next_word(&line, &word) && !dew_slice_is(word, "thre"));
    assert_false(dew_slice_next_word(&line, &word));
    assert_true(dew_slice_is(dew_slice_trim(dew_slice_of("\r x y\n")), "x y"));
}

static void test_numbers(void **state)
{
    (void)state;
    double x;
    int64_t n;
    assert_true(dew_slice_number(dew_slice_of("-1.5e2"), &x) && x == -150);
    assert_false(dew_slice_number(dew_slice_of("1.5x"), &x));
    assert_false(dew_slice_number(dew_slice_of(""), &x));
    assert_true(dew_slice_integer(dew_slice_of("9007199254740993"), &n) && n == 9007199254740993);
    assert_true(dew_slice_integer(dew_slice_of("3.0"), &n) && n == 3);
    assert_false(dew_slice_integer(dew_slice_of("3.5"), &n));
    assert_false(dew_slice_integer(dew_slice_of("1e300"), &n));
    assert_false(dew_slice_integer(dew_slice_of("nan"), &n));
}

static void test_show(void **state)
{
    (void)state;
    char text[100];
    snprintf(text, sizeof text, "'%.*s'", DEW_SLICE(dew_slice("a\0b\n\x7F", 5)));
    assert_string_equal(text, "'a?b?"
                              "?'");
    snprintf(text, sizeof text, "'%.*s' '%.*s'", DEW_SLICE(dew_slice_of("one")),
             DEW_SLICE(dew_slice_of("1234567890123456789012345678901234567890!")));
    assert_string_equal(text, "'one' '1234567890123456789012345678901234567890...'");
}

static void test_copy(void **state)
{
    (void)state;
    char out[4];
    dew_slice_copy(dew_slice_of("abcdef"), out, sizeof out);
    assert_string_equal(out, "abc");
    dew_slice_copy((dew_Slice){0}, out, sizeof out);
    assert_string_equal(out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines), cmocka_unit_test(test_words), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_show),  cmocka_unit_test(test_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
