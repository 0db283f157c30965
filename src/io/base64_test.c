// Base64 against the vectors of [Josefsson2006], section 10, and streams set end to end.
#include "io/base64.h"

#include "io/reader_test.h"

static const char *const plain[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
static const char *const coded[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};

static void test_write(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        dew_Array bytes;
        dew_Sink sink;
        dew_Base64Writer writer;
        dew_array_init(&bytes, NULL, 1);
        dew_sink_begin_memory(&sink, &bytes);
        dew_base64_begin(&writer, &sink);
        for (const char *p = plain[i]; *p; p++)
            dew_base64_write(&writer, p, 1);
        dew_base64_end(&writer);
        assert_int_equal(bytes.count, strlen(coded[i]));
        if (bytes.count > 0)
            assert_memory_equal(bytes.data, coded[i], (size_t)bytes.count);
        dew_array_deinit(&bytes);
    }
}

static void expect_read(const char *text, const char *expected, size_t wanted)
{
    uint8_t out[32] = {0};
    dew_Slice slice = dew_slice_of(text);
    size_t got = dew_base64_read(&slice, out, wanted);
    assert_int_equal(got, strlen(expected));
    assert_string_equal((char *)out, expected);
}

static void test_read(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++)
        expect_read(coded[i], plain[i], 31);
    expect_read(" Zm\n9v\tYg = = ", "foob", 31);
    expect_read("Zm9vYmFy", "fo", 2);
    expect_read("Zg==Zm9v", "ffoo", 31);  // two streams
    expect_read("Zm9v!mFy", "foo", 31);   // a wrong letter
    expect_read("Zm9vYg=x", "foo", 31);   // a letter behind padding
    expect_read("Z===", "", 31);
    expect_read("Zm9vYm", "foo", 31);  // half a group
}

static void test_position(void **state)
{
    (void)state;
    uint8_t out[8];
    dew_Slice slice = dew_slice_of("Zm9vYmFy-");
    assert_int_equal(dew_base64_read(&slice, out, 4), 4);
    assert_true(dew_slice_is(slice, "-"));  // whole groups are taken
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
