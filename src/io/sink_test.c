// Numbers and text on their way out; files that appear whole or not at all.
#include "io/sink.h"

#include "base/number.h"
#include "base/random.h"
#include "io/reader_test.h"

#include <float.h>
#include <locale.h>

static void expect_text(dew_Array *bytes, const char *expected)
{
    assert_int_equal(bytes->count, strlen(expected));
    assert_memory_equal(bytes->data, expected, (size_t)bytes->count);
}

static void test_text(void **state)
{
    (void)state;
    dew_Array bytes;
    dew_Sink sink;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    dew_sink_integer(&sink, INT64_MIN);
    dew_sink_text(&sink, " ");
    dew_sink_integer(&sink, 0);
    dew_sink_text(&sink, " ");
    dew_sink_double(&sink, 0.1);
    dew_sink_text(&sink, " ");
    dew_sink_float(&sink, 0.1f);
    dew_sink_text(&sink, " ");
    dew_sink_float(&sink, -1.5e-12f);
    dew_sink_text(&sink, " ");
    dew_sink_float(&sink, 12500000.0f);
    dew_sink_text(&sink, " ");
    dew_sink_float(&sink, 0.00123f);
    dew_sink_text(&sink, " ");
    dew_sink_float(&sink, -16777217.0f);
    dew_sink_text(&sink, " ");
    dew_sink_float(&sink, NAN);
    dew_sink_text(&sink, " ");
    dew_sink_xml(&sink, "a<b> & \"c\"");
    dew_sink_json(&sink, "\"\\\n\x01\xc3\xa9\xff\xc3");
    assert_int_equal(dew_sink_end(&sink, dew_ok()).code, DEW_OK);
    expect_text(&bytes, "-9223372036854775808 0 0.1 0.1 -1.5e-12 12500000 0.00123 -16777216 nan "
                        "a&lt;b&gt; &amp; &quot;c&quot;"
                        "\"\\\"\\\\\\u000a\\u0001\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\"");
    dew_array_deinit(&bytes);
}

// Any float reads back the same, also where the locale writes a comma.
static void test_floats(void **state)
{
    (void)state;
    static const float edges[] = {FLT_MAX, FLT_MIN, 1e-45f, 0, -0.0f, 16777216.0f, 1.0f / 3};
    dew_Random random = dew_random(4, 5, 6);
    const char *old = setlocale(LC_NUMERIC, "de_DE.UTF-8");
    for (int i = 0; i < 20000; i++) {
        float x;
        uint32_t bits = dew_random_u32(&random);
        memcpy(&x, &bits, sizeof x);
        if (i < 7)
            x = edges[i];
        else if (i % 2)
            x = (float)dew_random_normal(&random);  // the usual sizes
        if (!isfinite(x))
            continue;
        dew_Array bytes;
        dew_Sink sink;
        double back;
        dew_array_init(&bytes, NULL, 1);
        dew_sink_begin_memory(&sink, &bytes);
        dew_sink_float(&sink, x);
        size_t used = dew_number_parse(bytes.data, (size_t)bytes.count, &back);
        assert_int_equal(used, bytes.count);
        assert_true((float)back == x);
        dew_array_deinit(&bytes);
    }
    if (old)
        setlocale(LC_NUMERIC, "C");
}

static void test_file(void **state)
{
    (void)state;
    static const char path[] = "sink_test.txt";
    dew_Sink sink;
    assert_int_equal(dew_sink_begin_file(&sink, path, NULL).code, DEW_OK);
    dew_sink_text(&sink, "half");
    dew_Status failure = dew_fail(DEW_BAD_INPUT, "no");
    assert_string_equal(dew_sink_end(&sink, failure).message, "no");
    assert_false(dew_file_exists(path));
    assert_int_equal(dew_sink_begin_file(&sink, path, NULL).code, DEW_OK);
    dew_sink_text(&sink, "whole");
    assert_int_equal(dew_sink_end(&sink, dew_ok()).code, DEW_OK);
    assert_true(dew_file_exists(path));
    remove(path);
}

// What a head states at the end replaces what was written before, in the buffer and on the disk.
static void test_patch(void **state)
{
    (void)state;
    static const char path[] = "sink_patch_test.txt";
    static char block[600 << 10];  // more than a writer's buffer
    memset(block, 'x', sizeof block);
    for (int is_file = 0; is_file < 2; is_file++) {
        dew_Array bytes;
        dew_Sink sink;
        dew_array_init(&bytes, NULL, 1);
        if (is_file) {
            assert_ok(dew_sink_begin_file(&sink, path, NULL));
        } else {
            assert_ok(dew_array_push(&bytes, "#"));  // is not the sink's
            dew_sink_begin_memory(&sink, &bytes);
        }
        dew_sink_text(&sink, "head 0000 ");
        dew_sink_patch(&sink, 5, "12", 2);
        dew_sink_write(&sink, block, sizeof block);
        assert_int_equal(dew_sink_size(&sink), 10 + sizeof block);
        dew_sink_text(&sink, "tail");
        dew_sink_patch(&sink, 7, "34", 2);
        dew_sink_patch(&sink, dew_sink_size(&sink) - 4, "T", 1);
        dew_sink_text(&sink, "!");
        assert_ok(dew_sink_end(&sink, dew_ok()));
        uint8_t *data = bytes.data;
        size_t size = (size_t)bytes.count;
        if (is_file)
            assert_ok(dew_file_read(path, 1 << 20, NULL, &data, &size));
        size_t begin = is_file ? 0 : 1;
        assert_int_equal(size, begin + 15 + sizeof block);
        assert_memory_equal(data + begin, "head 1234 x", 11);
        assert_memory_equal(data + size - 6, "xTail!", 6);
        if (is_file)
            dew_free(NULL, data, size + 1);
        dew_array_deinit(&bytes);
    }
    remove(path);
}

static void test_no_memory(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(0);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_Array bytes;
    dew_Sink sink;
    dew_array_init(&bytes, &allocator, 1);
    dew_sink_begin_memory(&sink, &bytes);
    dew_sink_text(&sink, "lost");
    dew_sink_text(&sink, "never written");
    dew_sink_patch(&sink, 0, "neither", 7);
    assert_int_equal(dew_sink_end(&sink, dew_ok()).code, DEW_NO_MEMORY);
    assert_int_equal(bytes.count, 0);
    dew_array_deinit(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),  cmocka_unit_test(test_floats),    cmocka_unit_test(test_file),
        cmocka_unit_test(test_patch), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
