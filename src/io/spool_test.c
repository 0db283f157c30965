// What was spooled is copied from memory, from the file and across their border; the file has no
// name.
#include "io/spool.h"

#include "base/testing.h"

#include <stdio.h>

static const char path[] = "spool_test.txt";

// Spools 0, 1, 2, ... and copies them in reverse order.
static dew_Status reverse(dew_Sink *sink, size_t memory_bytes, const dew_Allocator *allocator)
{
    enum { COUNT = 2000 };
    dew_Spool spool;
    int64_t begin[COUNT + 1];
    dew_Status status = dew_ok();
    dew_spool_init(&spool, sink, memory_bytes, allocator);
    for (int i = 0; i < COUNT && status.code == DEW_OK; i++) {
        begin[i] = dew_spool_size(&spool);
        dew_Sink in = dew_spool_sink(&spool);
        dew_sink_integer(&in, i);
        dew_sink_text(&in, " ");
        status = dew_sink_end(&in, dew_ok());
        if (status.code == DEW_OK)
            status = dew_spool_settle(&spool);
    }
    assert_false(dew_file_exists("spool_test.txt.spool.part"));
    begin[COUNT] = dew_spool_size(&spool);
    for (int i = COUNT; i-- > 0 && status.code == DEW_OK;)
        status = dew_spool_copy(&spool, begin[i], begin[i + 1] - begin[i], sink);
    if (status.code == DEW_OK)  // all at once, over the border
        status = dew_spool_copy(&spool, 0, begin[COUNT], sink);
    dew_spool_deinit(&spool);
    return status;
}

static void expect_text(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data;
    char number[16];
    for (int i = 0; i < 4000; i++) {
        int length = snprintf(number, sizeof number, "%d ", i < 2000 ? 1999 - i : i - 2000);
        assert_memory_equal(at, number, (size_t)length);
        at += length;
    }
    assert_int_equal(at - (const char *)data, size);
}

static void spooled_comes_back(void **state)
{
    (void)state;
    static const size_t memory[] = {1, 7, 1000, 1 << 20};
    for (int i = 0; i < 4; i++) {
        dew_Sink sink;
        uint8_t *data;
        size_t size;
        assert_ok(dew_sink_begin_file(&sink, path, NULL));
        assert_ok(dew_sink_end(&sink, reverse(&sink, memory[i], NULL)));
        assert_ok(dew_file_read(path, 1 << 20, NULL, &data, &size));
        expect_text(data, size);
        dew_free(NULL, data, size + 1);
        dew_Array bytes;
        dew_array_init(&bytes, NULL, 1);
        dew_sink_begin_memory(&sink, &bytes);
        assert_ok(dew_sink_end(&sink, reverse(&sink, memory[i], NULL)));
        expect_text(bytes.data, (size_t)bytes.count);
        dew_array_deinit(&bytes);
    }
    remove(path);
}

static dew_Status run(void *context, const dew_Allocator *allocator)
{
    (void)context;
    dew_Sink sink;
    DEW_TRY(dew_sink_begin_file(&sink, "./spool_test.txt", allocator));
    return dew_sink_end(&sink, reverse(&sink, 1000, allocator));
}

static void lack_of_memory(void **state)
{
    (void)state;
    assert_survives_lack_of_memory(run, NULL);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spooled_comes_back),
        cmocka_unit_test(lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
