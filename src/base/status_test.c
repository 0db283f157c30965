// Sentences: cut between characters, free of control bytes, prefixes in front.
#include "base/status.h"

#include "base/testing.h"

#include <string.h>

static void ok_is_empty(void **state)
{
    (void)state;
    dew_Status status = dew_ok();
    assert_int_equal(status.code, DEW_OK);
    assert_string_equal(status.message, "");
}

static void sentence_is_formatted(void **state)
{
    (void)state;
    dew_Status status = dew_fail(DEW_DIVERGED, "volume off by %.2g at step %d", 0.25, 7);
    assert_int_equal(status.code, DEW_DIVERGED);
    assert_string_equal(status.message, "volume off by 0.25 at step 7");
    assert_string_equal(dew_no_memory(1000).message, "out of memory: 1000 bytes could not be had");
}

static void controls_are_replaced(void **state)
{
    (void)state;
    const char *raw = "a\nb\tc\rd\033[2Je\x7f"
                      "f\001";
    assert_string_equal(dew_fail(DEW_IO, "%s", raw).message, "a b c d?[2Je?f?");
    // U+009B starts an escape sequence in one character.
    assert_string_equal(dew_fail(DEW_IO, "%s", "x\xc2\x9by").message, "x??y");
}

static void utf8_is_kept_when_right(void **state)
{
    (void)state;
    const char *right = "gr\xc3\xbc\xc3\x9f \xe6\xb0\xb4 \xf0\x9f\x92\xa7";
    assert_string_equal(dew_fail(DEW_IO, "%s", right).message, right);
    static const char *const wrong[][2] = {
        {"\xc3", "?"},                 // cut off
        {"\xc0\xaf", "??"},            // longer than need be
        {"\xe0\x80\xaf", "???"},       // same
        {"\xed\xa0\x80", "???"},       // half of a surrogate pair
        {"\xf5\x80\x80\x80", "????"},  // beyond U+10FFFF
        {"\xff\xfe", "??"},            // not a start
        {"\x80z", "?z"},               // a continuation alone
        {"\xe6\xb0z", "??z"},          // a continuation missing
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_string_equal(dew_fail(DEW_IO, "%s", wrong[i][0]).message, wrong[i][1]);
}

// A sentence of just the size fits; one more byte and it is cut, wherever a character ends.
static void long_sentences_are_cut(void **state)
{
    (void)state;
    char text[2 * DEW_MESSAGE_SIZE];
    memset(text, 'x', sizeof text);
    text[DEW_MESSAGE_SIZE - 1] = '\0';
    assert_string_equal(dew_fail(DEW_IO, "%s", text).message, text);
    text[DEW_MESSAGE_SIZE - 1] = 'x';
    text[DEW_MESSAGE_SIZE] = '\0';
    dew_Status status = dew_fail(DEW_IO, "%s", text);
    assert_int_equal(strlen(status.message), DEW_MESSAGE_SIZE - 1);
    assert_string_equal(status.message + DEW_MESSAGE_SIZE - 5, "x...");
    for (int shift = 0; shift < 4; shift++) {
        memset(text, 'x', (size_t)shift);
        for (int i = shift; i + 4 < (int)sizeof text; i += 4)
            memcpy(text + i, "\xf0\x9f\x92\xa7", 5);
        status = dew_fail(DEW_IO, "%s", text);
        assert_null(strchr(status.message, '?'));
        assert_string_equal(status.message + strlen(status.message) - 3, "...");
        assert_true(strlen(status.message) > DEW_MESSAGE_SIZE - 6);
    }
}

static void prefix_keeps_the_code(void **state)
{
    (void)state;
    dew_Status status = dew_fail(DEW_CORRUPT, "checksum is wrong");
    status = dew_status_prefix(status, "%s:%d", "checkpoint", 3);
    assert_int_equal(status.code, DEW_CORRUPT);
    assert_string_equal(status.message, "checkpoint:3: checksum is wrong");
    status = dew_status_prefix(dew_ok(), "nothing");
    assert_int_equal(status.code, DEW_OK);
    assert_string_equal(status.message, "");
}

static dew_Status try_it(dew_Status status, bool *went_on)
{
    DEW_TRY(status);
    *went_on = true;
    return dew_ok();
}

static void try_returns_failures(void **state)
{
    (void)state;
    bool went_on = false;
    assert_int_equal(try_it(dew_fail(DEW_BUSY, "held"), &went_on).code, DEW_BUSY);
    assert_false(went_on);
    assert_int_equal(try_it(dew_ok(), &went_on).code, DEW_OK);
    assert_true(went_on);
}

static void version_has_three_numbers(void **state)
{
    (void)state;
    assert_int_equal(strspn(dew_version(), "0123456789."), strlen(dew_version()));
    const char *dot = strchr(dew_version(), '.');
    assert_non_null(dot);
    assert_non_null(strchr(dot + 1, '.'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ok_is_empty),
        cmocka_unit_test(sentence_is_formatted),
        cmocka_unit_test(controls_are_replaced),
        cmocka_unit_test(utf8_is_kept_when_right),
        cmocka_unit_test(long_sentences_are_cut),
        cmocka_unit_test(prefix_keeps_the_code),
        cmocka_unit_test(try_returns_failures),
        cmocka_unit_test(version_has_three_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
