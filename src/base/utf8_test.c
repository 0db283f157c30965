// Text for people: what is seen stays, what is not seen is named, and nothing overruns.
#include "base/utf8.h"

#include "base/testing.h"

#include <string.h>

static void assert_shown(const char *text, const char *expected)
{
    char out[256], again[256];
    size_t length = dew_utf8_show(text, out, sizeof out);
    assert_string_equal(out, expected);
    assert_int_equal(length, strlen(expected));
    dew_utf8_show(out, again, sizeof again);  // what was shown once is not changed again
    assert_string_equal(again, expected);
}

static void what_is_seen_stays(void **state)
{
    (void)state;
    assert_shown("", "");
    assert_shown("a drop, 5 \xc2\xb5l", "a drop, 5 \xc2\xb5l");
    assert_shown("\xe6\xb0\xb4\xe6\xbb\xb4", "\xe6\xb0\xb4\xe6\xbb\xb4");
    assert_shown("\xf0\x9f\x92\xa7", "\xf0\x9f\x92\xa7");
}

static void what_is_not_seen_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"a\xe2\x80\xae"
         "b",
         "a<U+202E>b"},                         // right-to-left override
        {"\xe2\x81\xa6", "<U+2066>"},           // isolate
        {"\xe2\x80\x8b", "<U+200B>"},           // zero-width space
        {"\xc2\xad", "<U+00AD>"},               // soft hyphen
        {"\xe2\x80\xa8", "<U+2028>"},           // line separator
        {"\xef\xbb\xbf", "<U+FEFF>"},           // byte-order mark
        {"\xef\xbf\xbe", "<U+FFFE>"},           // no character
        {"\xf3\xa0\x81\x81", "<U+E0041>"},      // tag
        {"\xf4\x8f\xbf\xbf", "<U+10FFFF>"},     // no character
        {"a\tb\r\nc", "a b  c"},                // one line
        {"\033[2J\x7f\xc2\x9b", "?[2J???"},     // controls
        {"\xc0\xaf\xed\xa0\x80\xff", "??????"}  // no UTF-8
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_shown(cases[i].text, cases[i].shown);
}

// Cut between characters, in any room.
static void it_fits_where_it_must(void **state)
{
    (void)state;
    const char *text = "ab\xe2\x80\xae\xc2\xb5xyz";
    char whole[64], out[64];
    size_t full = dew_utf8_show(text, whole, sizeof whole);
    for (size_t size = 1; size <= full + 1; size++) {
        memset(out, 'X', sizeof out);
        size_t length = dew_utf8_show(text, out, size);
        assert_true(length < size);
        assert_int_equal(out[length], 0);
        assert_int_equal(out[size], 'X');
        size_t kept = size <= full && length >= 3 ? length - 3 : length;
        assert_memory_equal(out, whole, kept);
        if (size <= full && size >= 4)
            assert_string_equal(out + length - 3, "...");
    }
    assert_string_equal(out, whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_seen_stays),
        cmocka_unit_test(what_is_not_seen_is_named),
        cmocka_unit_test(it_fits_where_it_must),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
